import { describe, expect, it } from 'vitest'
import type { Bucket } from '../../src/contract/pools.ts'
import { completePool } from '../../src/pool/checks.ts'
import { crc16, decodePackKey, encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { sealedKey, text } from './key-bytes.ts'

/** `HR2=300` is a slot; `-1=5` is one without a bucket. */
const pool = (name: string, slots: string, buckets: Bucket[] | null = null): Pool => ({
  name,
  buckets,
  slots: slots.split(' ').map((short) => {
    const [, mod = '', index, id] = /^(\D+)(\d+)=(\d+)$/.exec(short) ?? []
    return { mod: mod === '-' ? null : mod, index: Number(index), beatmapId: Number(id) }
  }),
})

const qualifiers = 'NM1=129891 NM2=2116202 HD1=129891 HR1=1872396 DT1=75 FM1=4000000 TB1=1872396'
const customTable: Bucket[] = [
  { code: 'TB' },
  { code: 'NM' },
  { code: 'HD' },
  { code: 'HR' },
  { code: 'EZ', color: 0 },
  { code: 'DT' },
  { code: 'FM' },
]

describe('keys that other services wrote open here, and ours are the same to the letter', () => {
  const cases: [key: string, pool: Pool][] = [
    ['pk1.AQFhAQICrAKFPA', pool('a', 'HR2=300')],
    ['pk2.AgFhBgABAgMEBQH_AQFYnA', pool('a', '-1=1')],
    ['pk1.ARjmmKXjga7lpKfkvJog8J-MuCBGaW5hbHMBAAEBrBo', pool('春の大会 🌸 Finals', 'NM1=1')],
    [
      'pk1.AQlFR0MgUXVhbHMHAAHj9gcAAuqUgQEBAeP2BwIBjKRyAwFLBAGAkvQBBQGMpHLUew',
      pool('EGC Quals', qualifiers),
    ],
    [
      'pk2.AgZDdXN0b20HBQABAv4AAkVaAwQD_wEFAQEHBAGsAtx3',
      pool('Custom', '-1=5 NM1=7 EZ1=300', customTable),
    ],
  ]
  it.each(cases)('%s', (key, expected) => {
    expect(encodePackKey(expected)).toBe(key)
    expect(decodePackKey(key)).toEqual(expected)
  })
})

describe('version 3 holds what custom buckets say of mods', () => {
  it('byte by byte', () => {
    const made = completePool({
      name: 'v3',
      buckets: [
        { code: 'FREE', color: 9, mods: { kind: 'free' } },
        { code: 'X2', color: 1, mods: { kind: 'forced', set: ['FL', 'HD', 'EZ'] } },
        { code: 'plain', color: 2 },
      ],
      slots: [{ mod: 'X2', index: 99, beatmapId: 2_147_483_647 }],
    })
    const free = [0xfd, 9, ...text('FREE'), 2]
    const forced = [0xfd, 1, ...text('X2'), 1, 1 + 2 + 32]
    const plain = [0xfe, 2, ...text('plain')]
    const table = [9, 0, 1, 2, 3, 4, ...free, ...forced, ...plain, 5]
    const slots = [1, 6, 99, 0xff, 0xff, 0xff, 0xff, 0x07]
    const key = sealedKey([3, ...text('v3'), ...table, ...slots])
    expect(encodePackKey(made)).toBe(key)
    expect(decodePackKey(key)).toEqual(made)
  })

  it.each([
    ['EZ', 1],
    ['HD', 2],
    ['HR', 4],
    ['DT', 8],
    ['HT', 16],
    ['FL', 32],
  ] as const)('%s is bit %i', (mod, bit) => {
    const mods = { kind: 'forced' as const, set: [mod] }
    const made = completePool({ name: 'a', buckets: [{ code: 'X', color: 0, mods }], slots: [] }, 0)
    const table = [7, 0, 1, 2, 3, 4, 0xfd, 0, ...text('X'), 1, bit, 5]
    expect(encodePackKey(made)).toBe(sealedKey([3, ...text('a'), ...table, 0]))
  })
})

it('the checksum is CRC-16/CCITT-FALSE: "123456789" gives 29B1', () => {
  expect(crc16(Buffer.from('123456789'), 9)).toBe(0x29b1)
  expect(crc16([], 0)).toBe(0xffff)
})
