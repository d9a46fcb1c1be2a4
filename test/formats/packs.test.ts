import { describe, expect, it } from 'vitest'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import type { Pack } from '../../src/contract/packs.ts'
import { readBracket } from '../../src/formats/bracket/read-bracket.ts'
import { readCollections } from '../../src/formats/collection/collection-db.ts'
import { readOsdb } from '../../src/formats/collection/osdb.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import { type FormatId, formats } from '../../src/formats/format-table.ts'
import type { Sheet } from '../../src/formats/sheet.ts'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { slotsInPoolOrder } from '../../src/pool/slots.ts'
import { distinctNames } from '../../src/web/my-packs/download-list.tsx'
import { aBeatmap, pool } from '../support/a-beatmap.ts'

const pools: readonly Pool[] = [
  { name: 'Semifinals', ...pool('HD1 75', 'NM1 129891') },
  { name: 'semifinals (2)', ...pool('NM1 76', 'TB1 77') },
]
const packs = pools.map((each): Pack => {
  const { slots } = each
  return {
    ...(examples.newPack as Pack),
    name: 'Semifinals',
    slots: [...slots],
    packKey: encodePackKey(each),
  }
})
/** Of each beatmap but one, what is known. */
const sheet: Sheet = {
  kind: 'packs',
  rounds: pools.map((each, at) => ({
    name: each.name,
    pool: each,
    saved: packs[at],
    details: new Map(
      each.slots.flatMap(({ beatmapId }, at) =>
        beatmapId === 77
          ? []
          : [
              [
                at,
                {
                  details: aBeatmap(beatmapId, { checksum: `${beatmapId}`.padStart(32, '0') }),
                  stars: 5,
                },
              ] as const,
            ],
      ),
    ),
  })),
}
const write = (id: FormatId) => formats[id].write(sheet, { savedAt: 0 })
const textOf = async (id: FormatId) => String((await write(id)).content)
const bytesOf = async (id: FormatId) => (await write(id)).content as Uint8Array

describe('one file of several packs', () => {
  it('is read back as the same pools from a table with a column for the pack', async () => {
    expect((await textOf('csv')).split('\r\n')[0]).toMatch(/^Pack,Slot,Beatmap ID,/)
    const { pools: read, questions } = readImport(await textOf('csv'))
    expect(questions).toEqual([])
    expect(read.map(({ draft }) => [draft.name, draft.slots])).toEqual(
      pools.map(({ name, slots, buckets }) => [name, slotsInPoolOrder({ slots, buckets })]),
    )
  })

  it('has a collection for each pack', async () => {
    const { collections } = await readOsdb(await bytesOf('osdb'))
    expect(collections.map(({ name, beatmaps }) => [name, beatmaps.map(({ id }) => id)])).toEqual([
      ['Semifinals', [129_891, 75]],
      ['semifinals (2)', [76]],
    ])
    const { collections: ofClient } = readCollections(await bytesOf('collection'))
    expect(ofClient.map(({ name, hashes }) => [name, hashes.length])).toEqual([
      ['Semifinals', 2],
      ['semifinals (2)', 1],
    ])
  })

  it('has a round for each pack in bracket.json, and a heading in referee lines', async () => {
    const { rounds } = readBracket(await textOf('bracket'))
    expect(rounds.map(({ name }) => name)).toEqual(['Semifinals', 'semifinals (2)'])
    expect((await textOf('referee')).match(/^## .*$/gm)).toEqual([
      '## Semifinals',
      '## semifinals (2)',
    ])
  })

  it('is all of the packs as JSON, and their keys line by line', async () => {
    expect(JSON.parse(await textOf('json'))).toEqual({ packs })
    expect(await textOf('key')).toBe(packs.map(({ packKey }) => `${packKey}\n`).join(''))
    const { pools: read } = readImport(await textOf('json'))
    expect(read.map(({ draft }) => draft.slots.length)).toEqual([2, 2])
  })

  it.each([
    ['csv', 1],
    ['osdb', 1],
    ['collection', 1],
    ['referee', 0],
    ['json', 0],
    ['key', 0],
  ] as const)('says how many slots lack details in %s: %d', async (label, incomplete) => {
    expect((await write(label)).incomplete).toBe(incomplete)
  })
})

describe('names of packs in one file', () => {
  it('differ, ignoring case', () => {
    expect(distinctNames(['Cup', 'cup', 'Cup (2)', 'CUP'])).toEqual([
      'Cup',
      'cup (2)',
      'Cup (2) (2)',
      'CUP (3)',
    ])
  })
})
