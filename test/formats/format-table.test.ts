import { readFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { entries } from '../../scripts/client-package/entries.ts'
import { formatTableDoc } from '../../scripts/format-table-doc.ts'
import { exportCommand } from '../../src/cli/user/export.ts'
import { ignoredNotes } from '../../src/cli/user/known-fields.ts'
import { exportCommand as roundsExportCommand } from '../../src/cli/user/tournament/export.ts'
import { builtinCodes } from '../../src/contract/mods.ts'
import { readBracket } from '../../src/formats/bracket/read-bracket.ts'
import { draftOfOsdb, readOsdb } from '../../src/formats/collection/osdb.ts'
import { decodeText, type ReadableFormat, recogniseFormat } from '../../src/formats/file-content.ts'
import { type Format, type PackPart, packParts, type PoolPart } from '../../src/formats/format.ts'
import { type FormatId, formats } from '../../src/formats/format-table.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import { readPoolJson } from '../../src/formats/read-pool-json.ts'
import type { RoundPool, Sheet } from '../../src/formats/sheet.ts'
import { bucketTable, isBuiltinCode, isCustom } from '../../src/pool/slots.ts'
import { completePool } from '../../src/pool/checks.ts'
import type { Pool, PoolDraft } from '../../src/pool/pool.ts'
import { anyPool, withLikelyIds } from '../pool/pool-arbitrary.ts'
import { aBeatmap, pool } from '../support/a-beatmap.ts'
import { emptyDraft, readPaste } from './pasted-text.ts'

const ids = Object.keys(formats) as FormatId[]
const all = Object.entries<Format>(formats)
const readable = ids.filter((id) => formats[id].read !== undefined)
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A pool of whose beatmaps everything is known. */
const roundOf = (own: Pool, name = own.name): RoundPool => ({
  name,
  pool: own,
  details: new Map(
    own.slots.map(({ beatmapId }, at) => [at, { details: aBeatmap(beatmapId), stars: 5 }]),
  ),
})

const writeSheet = async (id: FormatId, sheet: Sheet, into?: Uint8Array): Promise<Uint8Array> => {
  const { content } = await formats[id].write(sheet, { savedAt: 0, into })
  return typeof content === 'string' ? utf8(content) : content
}
const write = (id: FormatId, own: Pool): Promise<Uint8Array> =>
  writeSheet(id, { kind: 'pack', rounds: [roundOf(own)] })

const readers: Record<
  Exclude<ReadableFormat, 'collection' | 'workbook'>,
  (bytes: Uint8Array) => PoolDraft | undefined | Promise<PoolDraft | undefined>
> = {
  bracket: (bytes) => readBracket(decodeText(bytes)).rounds[0],
  json: (bytes) => readPoolJson(decodeText(bytes)).draft,
  osdb: async (bytes) => {
    const [collection] = (await readOsdb(bytes)).collections
    return collection === undefined ? emptyDraft : draftOfOsdb(collection).draft
  },
  text: (bytes) => readPaste(decodeText(bytes), emptyDraft).draft,
}

/** As somebody drops the file who does not say what it is. */
const readBack = async (bytes: Uint8Array): Promise<Pool> => {
  const format = recogniseFormat(bytes)
  const draft =
    format === 'collection' || format === 'workbook' ? undefined : await readers[format](bytes)
  if (draft === undefined) throw new Error('nothing was read')
  return completePool({ ...draft, name: draft.name === '' ? 'nameless' : draft.name }, 0)
}

const customs = ({ buckets }: Pool) => bucketTable(buckets).filter(isCustom)
const sorted = (values: readonly unknown[]): string[] =>
  values.map((value) => JSON.stringify(value)).toSorted()

/** What of a pool each part is. */
const views: Readonly<Record<PoolPart, (pool: Pool) => unknown>> = {
  name: ({ name }) => name,
  beatmaps: ({ slots }) => sorted(slots.map(({ beatmapId }) => beatmapId)),
  buckets: ({ slots }) => sorted(slots.map(({ mod, beatmapId }) => [mod, beatmapId])),
  numbers: ({ slots }) => sorted(slots.map(({ index, beatmapId }) => [index, beatmapId])),
  order: ({ buckets }) => bucketTable(buckets).map(({ code }) => code),
  colors: (pool) => customs(pool).map(({ code, color }) => [code, color]),
  mods: (pool) => customs(pool).map(({ code, mods }) => [code, mods]),
}

const isOfPool = (part: PackPart): part is PoolPart => Object.hasOwn(views, part)

/** What is too large for a beatmap today is read back by nothing but a program. */
const anyLikelyPool = anyPool.map(withLikelyIds)

describe('what the table says is carried comes back, whatever the pool', () => {
  it.each(readable)('%s', async (id) => {
    const property = fc.asyncProperty(anyLikelyPool, async (pool) => {
      const back = await readBack(await write(id, pool))
      for (const part of formats[id].carries) {
        if (!isOfPool(part)) throw new Error(`nothing here compares the ${part} that is read back`)
        expect(views[part](back), part).toEqual(views[part](pool))
      }
    })
    await fc.assert(property)
  })

  it.each(readable)('%s: with no field that `mapcrate` does not know', async (id) => {
    const property = fc.asyncProperty(anyLikelyPool, async (pool) => {
      const bytes = await write(id, pool)
      expect(recogniseFormat(bytes) === 'json' ? ignoredNotes(bytes) : []).toEqual([])
    })
    await fc.assert(property)
  })

  it.each(['osdb', 'ids', 'links'] as const)('%s: each beatmap once', async (id) => {
    const property = fc.asyncProperty(anyLikelyPool, async (pool) => {
      fc.pre(pool.slots.length > 0)
      const back = await readBack(await write(id, pool))
      const once = [...new Set(pool.slots.map(({ beatmapId }) => beatmapId))]
      expect(sorted(back.slots.map(({ beatmapId }) => beatmapId))).toEqual(sorted(once))
      expect(back.slots.every(({ mod }) => mod === null)).toBe(true)
    })
    await fc.assert(property)
  })

  it.each(['wiki', 'bbcode'] as const)('%s: what has a built-in bucket or none', async (id) => {
    const property = fc.asyncProperty(anyLikelyPool, async (any) => {
      const slots = any.slots.filter(({ mod }) => mod === null || isBuiltinCode(mod))
      fc.pre(slots.some(({ mod }) => mod !== null))
      const pool = { name: 'Finals', slots, buckets: null }
      const back = await readBack(await write(id, pool))
      for (const part of ['beatmaps', 'buckets', 'numbers'] as const) {
        expect(views[part](back), part).toEqual(views[part](pool))
      }
    })
    await fc.assert(property)
  })

  it.each(['bracket', 'overlay-order'] as const)(
    '%s: a bucket whose code ends in a digit is no number of another, unless that is asked',
    async (id) => {
      const anyCode = fc.constantFrom('NM', 'TB', 'RC1', 'LN1', 'R16', 'B2', 'RC')
      const anyCodes = fc.array(anyCode, { minLength: 1, maxLength: 6 })
      const property = fc.asyncProperty(anyCodes, async (codes) => {
        const slots = codes.map((mod, at) => {
          const index = codes.slice(0, at + 1).filter((each) => each === mod).length
          return { mod, index, beatmapId: 700_001 + at }
        })
        const own = [...new Set(codes)].filter((code) => !isBuiltinCode(code))
        const builtin = builtinCodes.map((code) => ({ code }))
        const buckets = [...builtin, ...own.map((code) => ({ code, color: 0 }))]
        const bytes = await write(id, { name: 'Finals', slots, buckets })
        const { pools, questions } = await readImportFile(bytes)
        if (questions.length > 0) return
        const inBuckets = (all: PoolDraft['slots']): string[] =>
          sorted(all.map(({ mod, beatmapId }) => [mod, beatmapId]))
        expect(inBuckets(pools.flatMap(({ draft }) => draft.slots))).toEqual(inBuckets(slots))
      })
      await fc.assert(property)
    },
  )

  it('bracket: buckets that have slots come back in their order', async () => {
    const property = fc.asyncProperty(anyLikelyPool, async (pool) => {
      const back = await readBack(await write('bracket', pool))
      const inUse = ({ buckets, slots }: Pool): string[] =>
        bucketTable(buckets)
          .map(({ code }) => code)
          .filter((code) => slots.some(({ mod }) => mod === code))
      expect(inUse(back)).toEqual(inUse(pool))
    })
    await fc.assert(property)
  })
})

const semifinals = { name: 'Semifinals', ...pool('NM1 75', 'HD1 76', 'TB1 77') }
const finals = { name: 'Finals', ...pool('NM1 78', 'DT2 79') }
const tournament: Sheet = { name: 'Cup', rounds: [roundOf(semifinals), roundOf(finals)] }

describe.each(ids)('%s', (id) => {
  const { read, isText, needs } = formats[id]

  it('is written for any pool, and for one without slots', async () => {
    const property = fc.asyncProperty(anyPool, async (own) => {
      for (const each of [own, { ...own, slots: [] }]) {
        const sheet: Sheet = { kind: 'pack', rounds: [roundOf(each)] }
        const { content, incomplete } = await formats[id].write(sheet, { savedAt: 0 })
        expect(typeof content === 'string').toBe(isText)
        expect(incomplete).toBe(0)
        if (read !== undefined && each.slots.length > 0) {
          const bytes = typeof content === 'string' ? utf8(content) : content
          expect(recogniseFormat(bytes)).toBe(read)
        }
      }
    })
    await fc.assert(property)
  })

  it('is written for no round, for several, and for rounds without slots', async () => {
    const [none, both] = [
      await writeSheet(id, { ...tournament, rounds: [] }),
      await writeSheet(id, tournament),
    ]
    const empty = tournament.rounds.map(({ pool: own }) => roundOf({ ...own, slots: [] }))
    const emptied = await writeSheet(id, { ...tournament, rounds: empty })
    expect(both.length).toBeGreaterThan(emptied.length)
    expect(both.length).toBeGreaterThan(none.length)
  })

  it('reports what is not whole for lack of details, as it needs them', async () => {
    const unknown = { ...roundOf(finals), details: new Map() }
    const sheet: Sheet = { ...tournament, rounds: [roundOf(semifinals), unknown] }
    const { incomplete } = await formats[id].write(sheet, { savedAt: 0 })
    expect(incomplete).toBe(needs === 'details' || needs === 'checksums' ? 2 : 0)
  })

  it('is offered by the commands, and has one place for each part', () => {
    for (const { details, options } of [exportCommand, roundsExportCommand]) {
      expect(details).toContain(`\n  ${id.padEnd(13)}  ${formats[id].label}: `)
      expect(options?.find(({ name }) => name === 'as')).toMatchObject({
        choices: expect.arrayContaining([id]),
      })
    }
    const parts = [...formats[id].carries, ...formats[id].partly]
    expect(new Set(parts).size).toBe(parts.length)
    expect(Object.keys(packParts)).toEqual(expect.arrayContaining(parts))
    expect(formats[id].ending).toMatch(/^(?: [a-z]+)?\.[a-z]+$/)
  })
})

it.each(readable)('%s has every beatmap of several rounds, as it can be read', async (id) => {
  const bytes = await writeSheet(id, tournament)
  const { pools, questions } = await readImportFile(bytes)
  const found = pools.flatMap(({ draft }) => draft.slots.map(({ beatmapId }) => beatmapId))
  // Of pack keys in a text, the first one is read.
  expect(sorted(found)).toEqual(sorted(id === 'key' ? [75, 76, 77] : [75, 76, 77, 78, 79]))
  expect(questions).toEqual([])
})

it.each(ids.filter((id) => formats[id].merges))(
  '%s keeps a file that has the pools already, and adds others',
  async (id) => {
    const merge = formats[id].merge!
    const [first, second] = tournament.rounds
    const old: Sheet = { kind: 'packs', rounds: [first!] }
    const file = await writeSheet(id, old)
    expect(await writeSheet(id, old, file)).toEqual(file)
    const added = await writeSheet(id, { kind: 'packs', rounds: [second!] }, file)
    expect(await merge.names(added)).toEqual(['Semifinals', 'Finals'])
    await expect(merge.names(added.subarray(0, -3))).rejects.toThrow(/./)
  },
)

describe('the table', () => {
  it('has no label and no ending twice', () => {
    expect(new Set(all.map(([, { label }]) => label)).size).toBe(all.length)
    expect(new Set(all.map(([, { ending }]) => ending)).size).toBe(all.length)
  })

  it('is what the client package gives, also by the names of its rounds', () => {
    const { formats: entry } = entries
    expect(entry['formats/format-table']).toEqual(
      expect.arrayContaining(['formats', 'formats as tournamentFormats']),
    )
  })

  it('says of collection.db that it is not read, and it is known as one', async () => {
    expect(formats.collection).not.toHaveProperty('read')
    const own = completePool({ name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] })
    expect(recogniseFormat(await write('collection', own))).toBe('collection')
  })
})

test('docs/format-table.md is what `npm run docs` writes', async () => {
  const file = new URL('../../docs/format-table.md', import.meta.url)
  expect(await readFile(file, 'utf8')).toBe(formatTableDoc())
})
