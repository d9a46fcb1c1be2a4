import { gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draftOfOsdb, osdbOf, readOsdb, writeOsdb } from '../../src/formats/collection/osdb.ts'
import { fault } from '../../src/formats/format-error.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { anyOsdbCollections } from './collection-arbitrary.ts'
import { double, int32, osdbFile, text } from './osdb-bytes.ts'

const saved = { savedAt: Date.UTC(2000, 0, 1, 12), editor: 'Ada' }
const hash = 'a'.repeat(32)
const otherHash = 'b'.repeat(32)

describe('.osdb of version 8', () => {
  it('is written byte by byte: the mark, and all of it packed', async () => {
    const beatmap = { id: 7, setId: 5, artist: 'Ärtist', title: 'Title', difficulty: 'Hard' }
    const rest = { checksum: hash, comment: '', ruleset: 'fruits', stars: 4.5 } as const
    const collection = {
      name: 'Finals',
      onlineId: -1,
      beatmaps: [{ ...beatmap, ...rest }],
      hashes: [otherHash],
    }
    const bytes = Buffer.from(await writeOsdb([collection], saved))
    expect(bytes.subarray(0, 6)).toEqual(text('o!dm8'))
    expect(bytes.subarray(6).toString('latin1', 10, 26)).toBe('collection.osdb\0')
    expect(gunzipSync(bytes.subarray(6))).toEqual(
      Buffer.concat(
        [
          [text('o!dm8'), double(36_526.5), text('Ada'), int32(1)],
          [text('Finals'), int32(-1), int32(1)],
          [int32(7), int32(5), text('Ärtist'), text('Title'), text('Hard')],
          [text(hash), text(''), Buffer.of(2), double(4.5)],
          [int32(1), text(otherHash), text('By Piotrekol')],
        ].flat(),
      ),
    )
  })

  it('comes back equal, whatever stands in it', async () => {
    const property = fc.asyncProperty(anyOsdbCollections, async (collections) => {
      const bytes = await writeOsdb(collections, saved)
      expect(await readOsdb(bytes)).toEqual({ version: 8, ...saved, collections })
    })
    await fc.assert(property)
  })
})

describe('every version is read', () => {
  const ids = [int32(7), int32(5)]
  const names = [text('Artist'), text('Title'), text('Hard')]
  const head = (isShared: boolean) => [int32(1), text('Finals'), ...(isShared ? [int32(12)] : [])]
  const hashes = [int32(1), text(otherHash)]
  const end = text('By Piotrekol')

  const versions: [string, boolean, Buffer[]][] = [
    ['o!dm', false, [int32(7), ...names, text(hash)]],
    ['o!dm2', false, [...ids, ...names, text(hash)]],
    ['o!dm3', false, [...ids, ...names, text(hash)]],
    ['o!dm4', false, [...ids, ...names, text(hash), text('mine')]],
    ['o!dm5', false, [...ids, ...names, text(hash), text('mine'), Buffer.of(1)]],
    ['o!dm6', false, [...ids, ...names, text(hash), text('mine'), Buffer.of(1), double(5)]],
    ['o!dm7', true, [...ids, ...names, text(hash), text('mine'), Buffer.of(1), double(5)]],
    ['o!dm8', true, [...ids, ...names, text(hash), text('mine'), Buffer.of(1), double(5)]],
    ['o!dm6min', false, [...ids, text(hash), text('mine')]],
    ['o!dm7min', true, [...ids, text(hash), text('mine')]],
    ['o!dm8min', true, [...ids, text(hash), text('mine'), Buffer.of(1), double(5)]],
    ['o!dm8min', true, [...ids, text(hash), text('mine'), Buffer.of(1)]],
    ['o!dm8min', true, [...ids, text(hash), text('mine')]],
  ]

  it.each(versions)('%s', async (mark, isPacked, beatmap) => {
    const version = Number(/\d/.exec(mark)?.[0] ?? 1)
    const content = [...head(isPacked), int32(1), ...beatmap, ...(version >= 3 ? hashes : []), end]
    const osdb = await readOsdb(osdbFile(mark, isPacked, ...content))
    expect(osdb).toMatchObject({ version, ...saved })
    const holds = (part: Buffer): boolean => beatmap.includes(part)
    expect(osdb.collections).toEqual([
      {
        name: 'Finals',
        onlineId: isPacked ? 12 : -1,
        beatmaps: [
          {
            id: 7,
            setId: version >= 2 ? 5 : 0,
            artist: holds(names[0]!) ? 'Artist' : '',
            title: holds(names[1]!) ? 'Title' : '',
            difficulty: holds(names[2]!) ? 'Hard' : '',
            checksum: hash,
            comment: version >= 4 ? 'mine' : '',
            ruleset: beatmap.some((part) => part.equals(Buffer.of(1))) ? 'taiko' : 'base',
            stars: beatmap.some((part) => part.equals(double(5))) ? 5 : 0,
          },
        ],
        hashes: version >= 3 ? [otherHash] : [],
      },
    ])
  })
})

it('a file may have as many beatmaps as there are bytes for, with all their texts empty', async () => {
  // Of the first version, the smaller form has but an id and a checksum.
  const property = fc.asyncProperty(
    fc.constantFrom('o!dmmin', 'o!dm'),
    fc.integer({ min: 0, max: 60 }),
    async (mark, count) => {
      const texts = mark === 'o!dm' ? 4 : 1
      const beatmap = [int32(7), ...Array.from({ length: texts }, () => text(''))]
      const all = Array.from({ length: count }, () => beatmap).flat()
      const content = [int32(1), text('Finals'), int32(count), ...all, text('By Piotrekol')]
      const { collections } = await readOsdb(osdbFile(mark, false, ...content))
      expect(collections.map(({ beatmaps }) => beatmaps.map(({ id }) => id))).toEqual([
        Array.from({ length: count }, () => 7),
      ])
    },
  )
  await fc.assert(property)
})

describe('a damaged .osdb is refused with the offset', () => {
  const refusal = (bytes: Uint8Array) =>
    readOsdb(bytes).then(
      () => '',
      (error: unknown) => String(error),
    )

  it.each([
    ['nothing', new Uint8Array(), 'byte 0: an .osdb file must begin with o!dm to o!dm8'],
    ['another file', text('osu!'), 'byte 0: an .osdb file must begin with o!dm to o!dm8'],
    [
      'a later version',
      osdbFile('o!dm9', true),
      'byte 0: an .osdb file must begin with o!dm to o!dm8',
    ],
    [
      'nothing packed',
      text('o!dm8'),
      'byte 6: the compressed content cannot be read; it is damaged or incomplete',
    ],
    [
      'a broken pack',
      Buffer.concat([text('o!dm8'), Buffer.alloc(40)]),
      'byte 6: the compressed content cannot be read; it is damaged or incomplete',
    ],
    [
      'a cut pack',
      osdbFile('o!dm8', true, int32(0), text('By Piotrekol')).slice(0, -9),
      'byte 6: the compressed content cannot be read; it is damaged or incomplete',
    ],
    [
      'another mark inside',
      Buffer.concat([text('o!dm8'), gzipSync(text('o!dm7'))]),
      'byte 0: o!dm8 must be repeated here (counted in the unpacked content)',
    ],
    [
      'no end',
      osdbFile('o!dm2', false, int32(0)),
      'byte 22: the file ends too early; it is damaged or incomplete',
    ],
    [
      'another end',
      osdbFile('o!dm2', false, int32(0), text('By Ada')),
      'byte 22: the file must end with By Piotrekol here; it is damaged',
    ],
    [
      'more behind the end',
      osdbFile('o!dm2', false, int32(0), text('By Piotrekol'), int32(0)),
      'byte 22: the file must end with By Piotrekol here; it is damaged',
    ],
    [
      'too many collections',
      osdbFile('o!dm2', false, int32(99)),
      'byte 18: the file is too short for 99 collections; it is damaged or incomplete',
    ],
    [
      'too many beatmaps',
      osdbFile('o!dm8', true, int32(1), text('a'), int32(-1), int32(2 ** 30)),
      'byte 28: the file is too short for 1073741824 beatmaps; it is damaged or incomplete (counted in the unpacked content)',
    ],
  ])('%s', async (_, bytes, message) => {
    expect(await refusal(bytes)).toBe(`FormatError: ${message}`)
  })

  it('and one that unpacks to more than 128 MB, without unpacking it all', async () => {
    const packed = gzipSync(Buffer.alloc(140 * 1024 * 1024))
    expect(await refusal(Buffer.concat([text('o!dm8'), packed]))).toBe(
      'FormatError: byte 6: once unpacked, the content must have at most 134217728 bytes',
    )
  })

  it('and one with more than a million beatmaps', async () => {
    const empty = Buffer.alloc(12_000_000)
    const content = [int32(1), text(''), int32(-1), int32(0), int32(1_000_001), empty]
    expect(await refusal(osdbFile('o!dm7min', true, ...content))).toMatch(
      /at most 1000000 beatmaps/,
    )
  })
})

describe('a pool and an .osdb collection', () => {
  const slots = [
    { mod: 'HD', index: 1, beatmapId: 1 },
    { mod: 'NM', index: 1, beatmapId: 2 },
    { mod: 'TB', index: 1, beatmapId: 1 },
    { mod: 'FM', index: 1, beatmapId: 3 },
  ]
  const details = new Map(
    [1, 2, 3].map((id) => [
      id,
      aBeatmap(id, { checksum: id === 3 ? null : hash, title: `Title ${id}` }),
    ]),
  )

  it('the collection has each beatmap with a known checksum once, in pool order', () => {
    const { collection, leftOut } = osdbOf({ name: 'Finals', buckets: null, slots }, details)
    expect(collection).toMatchObject({ name: 'Finals', onlineId: -1, hashes: [] })
    expect(collection.beatmaps.map(({ id, title, checksum }) => [id, title, checksum])).toEqual([
      [2, 'Title 2', hash],
      [1, 'Title 1', hash],
    ])
    expect(leftOut).toEqual([slots[3]])
  })

  const collectionOf = (name: string, ids: readonly number[], hashes: readonly string[] = []) => {
    const [{ collection }] = [osdbOf({ name, buckets: null, slots }, details)]
    const [beatmap] = collection.beatmaps
    return { ...collection, beatmaps: ids.map((id) => ({ ...beatmap!, id })), hashes }
  }

  it('the pool has the beatmaps in the order of the file, in no bucket', () => {
    expect(draftOfOsdb(collectionOf('Finals', [9, 4, 9]))).toEqual({
      draft: {
        name: 'Finals',
        buckets: null,
        slots: [9, 4, 9].map((beatmapId, at) => ({ mod: null, index: at + 1, beatmapId })),
      },
      leftOut: [],
    })
  })

  it('what has no id and what is too much is told', () => {
    const ids = [0, -1, ...Array.from({ length: 70 }, (_, at) => at + 1)]
    const { draft, leftOut } = draftOfOsdb(collectionOf('', ids, [hash]))
    expect(draft.name).toBe('Collection')
    expect(draft.slots).toHaveLength(64)
    expect(leftOut).toEqual([fault('withoutId', { n: 3 }), fault('overLimit', { n: 6, most: 64 })])
  })
})
