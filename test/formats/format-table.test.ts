import { readFile } from 'node:fs/promises'
import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { formatTableDoc } from '../../scripts/format-table-doc.ts'
import { readBracket } from '../../src/formats/bracket/read-bracket.ts'
import { writeRound } from '../../src/formats/bracket/write-bracket.ts'
import { collectionOf, writeCollections } from '../../src/formats/collection/collection-db.ts'
import { draftOfOsdb, osdbOf, readOsdb, writeOsdb } from '../../src/formats/collection/osdb.ts'
import { decodeText, type ReadableFormat, recogniseFormat } from '../../src/formats/file-content.ts'
import {
  type Format,
  type FormatId,
  formats,
  type PackPart,
} from '../../src/formats/format-table.ts'
import { refereeJson, refereeLines, writeIds, writeLinks } from '../../src/formats/lists.ts'
import { writeCodes, writeOverlay } from '../../src/formats/picks.ts'
import { writeBbcode, writeWiki } from '../../src/formats/posts.ts'
import { readPoolJson } from '../../src/formats/read-pool-json.ts'
import { writeCsv, writeTsv } from '../../src/formats/tables.ts'
import { bucketTable, isBuiltinCode, isCustom } from '../../src/pool/buckets.ts'
import { completePool } from '../../src/pool/checks.ts'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import type { Pool, PoolDraft } from '../../src/pool/pool.ts'
import { anyPool } from '../pool/pool-arbitrary.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { readPaste } from './pasted-text.ts'

const ids = Object.keys(formats) as FormatId[]
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

const detailsOf = (pool: Pool) =>
  new Map(pool.slots.map(({ beatmapId }) => [beatmapId, aBeatmap(beatmapId)]))

const bySlot = (pool: Pool) =>
  new Map(pool.slots.map(({ beatmapId }, at) => [at, { details: aBeatmap(beatmapId), stars: 5 }]))

const roundOf = (pool: Pool) => ({ name: pool.name, pool, details: bySlot(pool) })

const write: Record<FormatId, (pool: Pool) => Uint8Array | Promise<Uint8Array>> = {
  bracket: (pool) => utf8(writeRound(pool)),
  csv: (pool) => utf8(writeCsv(pool, bySlot(pool))),
  tsv: (pool) => utf8(writeTsv(pool, bySlot(pool))),
  referee: (pool) => utf8(refereeLines(pool)),
  'referee-json': (pool) => utf8(refereeJson(pool)),
  codes: (pool) => utf8(writeCodes(pool)),
  overlay: (pool) => utf8(writeOverlay(pool)),
  wiki: (pool) => utf8(writeWiki([roundOf(pool)])),
  bbcode: (pool) => utf8(writeBbcode([roundOf(pool)])),
  collection: (pool) => writeCollections(1, [collectionOf(pool, detailsOf(pool)).collection]),
  osdb: (pool) =>
    writeOsdb([osdbOf(pool, detailsOf(pool)).collection], { savedAt: 0, editor: 'Ada' }),
  ids: (pool) => utf8(writeIds(pool)),
  links: (pool) => utf8(writeLinks(pool)),
  key: (pool) => utf8(encodePackKey(pool)),
}

const read: Record<
  Exclude<ReadableFormat, 'collection' | 'workbook'>,
  (bytes: Uint8Array) => PoolDraft | undefined | Promise<PoolDraft | undefined>
> = {
  bracket: (bytes) => readBracket(decodeText(bytes)).rounds[0],
  json: (bytes) => readPoolJson(decodeText(bytes)).draft,
  osdb: async (bytes) => {
    const [collection] = (await readOsdb(bytes)).collections
    return collection && draftOfOsdb(collection).draft
  },
  text: (bytes) => readPaste(decodeText(bytes), { name: '', slots: [] }).draft,
}

/** As somebody drops the file who does not say what it is. */
const readBack = async (bytes: Uint8Array): Promise<Pool> => {
  const format = recogniseFormat(bytes)
  const draft =
    format === 'collection' || format === 'workbook' ? undefined : await read[format](bytes)
  if (draft === undefined) throw new Error('nothing was read')
  return completePool({ ...draft, name: draft.name === '' ? 'nameless' : draft.name }, 0)
}

const customs = ({ buckets }: Pool) => bucketTable(buckets).filter(isCustom)
const sorted = (values: readonly unknown[]): string[] =>
  values.map((value) => JSON.stringify(value)).toSorted()

/** What of a pool each part is. */
const views: Partial<Record<PackPart, (pool: Pool) => unknown>> = {
  name: ({ name }) => name,
  beatmaps: ({ slots }) => sorted(slots.map(({ beatmapId }) => beatmapId)),
  buckets: ({ slots }) => sorted(slots.map(({ mod, beatmapId }) => [mod, beatmapId])),
  numbers: ({ slots }) => sorted(slots.map(({ index, beatmapId }) => [index, beatmapId])),
  order: ({ buckets }) => bucketTable(buckets).map(({ code }) => code),
  colors: (pool) => customs(pool).map(({ code, color }) => [code, color]),
  mods: (pool) => customs(pool).map(({ code, mods }) => [code, mods]),
}

describe('what the table says is carried comes back, whatever the pool', () => {
  const readable = ids.filter((id) => formats[id].reads)

  it.each(readable)('%s', async (id) => {
    const property = fc.asyncProperty(anyPool, async (pool) => {
      const back = await readBack(await write[id](pool))
      for (const part of formats[id].carries) {
        expect(views[part]?.(back), part).toEqual(views[part]?.(pool))
      }
    })
    await fc.assert(property)
  })

  it.each(['osdb', 'ids', 'links'] as const)('%s: each beatmap once', async (id) => {
    const property = fc.asyncProperty(anyPool, async (pool) => {
      fc.pre(pool.slots.length > 0)
      const back = await readBack(await write[id](pool))
      const once = [...new Set(pool.slots.map(({ beatmapId }) => beatmapId))]
      expect(sorted(back.slots.map(({ beatmapId }) => beatmapId))).toEqual(sorted(once))
      expect(back.slots.every(({ mod }) => mod === null)).toBe(true)
    })
    await fc.assert(property)
  })

  it.each(['wiki', 'bbcode'] as const)('%s: what has a built-in bucket', async (id) => {
    const property = fc.asyncProperty(anyPool, async (any) => {
      const slots = any.slots.filter(({ mod }) => mod !== null && isBuiltinCode(mod))
      fc.pre(slots.length > 0)
      const pool = { name: 'Finals', slots, buckets: null }
      const back = await readBack(await write[id](pool))
      for (const part of ['beatmaps', 'buckets', 'numbers'] as const) {
        expect(views[part]?.(back), part).toEqual(views[part]?.(pool))
      }
    })
    await fc.assert(property)
  })

  it('bracket: buckets that have slots come back in their order', async () => {
    const property = fc.asyncProperty(anyPool, async (pool) => {
      const back = await readBack(await write.bracket(pool))
      const inUse = ({ buckets, slots }: Pool): string[] =>
        bucketTable(buckets)
          .map(({ code }) => code)
          .filter((code) => slots.some(({ mod }) => mod === code))
      expect(inUse(back)).toEqual(inUse(pool))
    })
    await fc.assert(property)
  })
})

describe('the table', () => {
  it('has what can be read by its name, and no part twice', () => {
    for (const [id, format] of Object.entries<Format>(formats)) {
      const parts = [...format.carries, ...format.partly]
      expect(new Set(parts).size, id).toBe(parts.length)
      expect(format.extension, id).toMatch(/^\.[a-z]+$/)
    }
  })

  it('says of collection.db that it is not read, and it is known as one', async () => {
    const pool = completePool({ name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] })
    expect(formats.collection.reads).toBe(false)
    expect(recogniseFormat(await write.collection(pool))).toBe('collection')
  })
})

test('docs/format-table.md is what `npm run docs` writes', async () => {
  const file = new URL('../../docs/format-table.md', import.meta.url)
  expect(await readFile(file, 'utf8')).toBe(formatTableDoc())
})
