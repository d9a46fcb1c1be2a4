import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  COLLECTION_VERSION,
  collectionOf,
  readCollections,
  writeCollections,
} from '../../src/formats/collection/collection-db.ts'
import { anyCollections } from './collection-arbitrary.ts'

const bytesOf = (hex: string): Uint8Array =>
  new Uint8Array(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const hash = '0123456789abcdef0123456789ABCDEF'
const hashHex = Buffer.from(hash).toString('hex')

/** Version 20150203; “春” with one checksum; “” with none. */
const golden = `bb773301 02000000 0b03e698a5 01000000 0b20${hashHex} 0b00 00000000`

describe('collection.db', () => {
  it('is written byte by byte as the game has it', () => {
    const collections = [
      { name: '春', hashes: [hash] },
      { name: '', hashes: [] },
    ]
    expect(hexOf(writeCollections(COLLECTION_VERSION, collections))).toBe(
      golden.replaceAll(' ', ''),
    )
    expect(readCollections(bytesOf(golden))).toEqual({ version: 20150203, collections })
  })

  it('reads 00 as no text, and leaves out what is no checksum', () => {
    const text = `00000000 01000000 00 05000000 00 0b00 0b20${hashHex} 0b0161 0b02ff00`
    expect(readCollections(bytesOf(text)).collections).toEqual([{ name: '', hashes: [hash] }])
  })

  it('takes lengths that are longer than they need be', () => {
    expect(readCollections(bytesOf('00000000 01000000 0b818000 61 00000000')).collections).toEqual([
      { name: 'a', hashes: [] },
    ])
  })

  it('comes back equal, whatever stands in it', () => {
    const property = fc.property(fc.integer(), anyCollections, (version, collections) => {
      expect(readCollections(writeCollections(version, collections))).toEqual({
        version,
        collections,
      })
    })
    fc.assert(property)
  })

  it('is read where it stands inside a larger buffer', () => {
    const bytes = bytesOf(`ffff ${golden} ffff`)
    expect(readCollections(bytes.subarray(2, -2)).collections).toHaveLength(2)
  })
})

describe('a damaged collection.db is refused with the offset', () => {
  it.each([
    ['', 'byte 0: the file ends too early; it is damaged or incomplete'],
    ['00000000', 'byte 4: the file ends too early; it is damaged or incomplete'],
    [
      '00000000 ffffffff',
      'byte 4: the file is too short for -1 collections; it is damaged or incomplete',
    ],
    [
      '00000000 01000000 00000000',
      'byte 4: the file is too short for 1 collections; it is damaged or incomplete',
    ],
    [
      '00000000 01000000 0c000000 0000',
      'byte 8: a text must begin with 0B, or be 00 for none; the file is damaged',
    ],
    [
      '00000000 01000000 0b026100 00',
      'byte 12: the file ends too early; it is damaged or incomplete',
    ],
    ['00000000 01000000 0b01ff00 000000', 'byte 9: this text is not UTF-8; the file is damaged'],
    ['00000000 01000000 0bffffffff 0f', 'byte 9: a text is too long; the file is damaged'],
    ['00000000 01000000 0bffffffffff 00', 'byte 9: a text is too long; the file is damaged'],
    [
      '00000000 01000000 00 ffffff7f',
      'byte 9: the file is too short for 2147483647 checksums; it is damaged or incomplete',
    ],
    [
      '00000000 01000000 00 01000000 0c0161',
      'byte 13: a text must begin with 0B, or be 00 for none; the file is damaged',
    ],
    [`${golden}00`, 'byte 57: the file continues after its last collection; it is damaged'],
  ])('%s', (hex, message) => {
    expect(() => readCollections(bytesOf(hex))).toThrow(message)
  })

  it('at once where it counts more than there is room for', () => {
    const bytes = new Uint8Array(50_000_000)
    new DataView(bytes.buffer).setInt32(4, 10_001, true)
    expect(() => readCollections(bytes)).toThrow(
      'byte 4: a file can have at most 10000 collections',
    )
    expect(() => readCollections(new Uint8Array(64 * 1024 * 1024 + 1))).toThrow(
      /at most 67108864 bytes/,
    )
  })
})

describe('a pool as a collection', () => {
  const pool = {
    name: 'Finals',
    buckets: null,
    slots: [
      { mod: 'HD', index: 1, beatmapId: 1 },
      { mod: 'NM', index: 2, beatmapId: 2 },
      { mod: 'NM', index: 1, beatmapId: 3 },
      { mod: 'TB', index: 1, beatmapId: 3 },
      { mod: 'FM', index: 1, beatmapId: 4 },
    ],
  }

  it('has its name and each known checksum once, in pool order; the rest is told', () => {
    const details = new Map([
      [1, { checksum: 'one' }],
      [2, { checksum: null }],
      [3, { checksum: 'three' }],
    ])
    expect(collectionOf(pool, details)).toEqual({
      collection: { name: 'Finals', hashes: ['three', 'one'] },
      leftOut: [
        { mod: 'NM', index: 2, beatmapId: 2 },
        { mod: 'FM', index: 1, beatmapId: 4 },
      ],
    })
  })
})
