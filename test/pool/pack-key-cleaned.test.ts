import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completePool } from '../../src/pool/checks.ts'
import { decodePackKey, encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { slotsInPoolOrder } from '../../src/pool/slots.ts'
import { builtinEntries, sealedKey, text } from './key-bytes.ts'
import { anyText } from './pool-arbitrary.ts'
import { keyRefusalOf } from './refusal.ts'

const codesOf = ({ buckets }: Pool): string[] =>
  (buckets ?? []).flatMap((bucket) => ('color' in bucket ? [bucket.code] : []))

/** A key of version 2 with these custom codes, and a slot in the bucket of each. */
const keyOf = (...codes: string[]): string =>
  sealedKey([
    2,
    ...text('a'),
    6 + codes.length,
    ...builtinEntries,
    ...codes.flatMap((code, at) => [0xfe, at, ...text(code)]),
    codes.length,
    ...codes.flatMap((_, at) => [6 + at, 1, at + 1]),
  ])

const named = (name: string): Pool => decodePackKey(sealedKey([1, ...text(name), 0]))

/** What comes out can be saved as it is, and its key is canonical. */
const expectClean = (pool: Pool): void => {
  expect(completePool(pool, 0)).toEqual(pool)
  expect(decodePackKey(encodePackKey(pool))).toEqual(pool)
}

describe('keys that other readers open, open here as a pool that can be saved', () => {
  it.each([
    ['a control character in the name', 'pk1.AQNhCWIBAAFLmcg', 'a b', 'pk1.AQNhIGIBAAFL5CI'],
    ['an untrimmed name', 'pk1.AQMgYSABAAFL-_Q', 'a', 'pk1.AQFhAQABSwOo'],
    ['left-over bits', 'pk1.AQFhAQICrAKFPB', 'a', 'pk1.AQFhAQICrAKFPA'],
  ])('%s', (_what, key, name, canonical) => {
    const pool = decodePackKey(key)
    expect(pool.name).toBe(name)
    expectClean(pool)
    expect(encodePackKey(pool)).toBe(canonical)
  })

  it('codes that are equal only under folding', () => {
    const pool = decodePackKey('pk2.AgF4CAABAgMEBf4AA-G6nv4BAlNTAQYBAUnS')
    expect(codesOf(pool)).toEqual(['ẞ', 'SS2'])
    expect(pool.slots).toEqual([{ mod: 'ẞ', index: 1, beatmapId: 1 }])
    expectClean(pool)
  })

  it.each([
    ['a line break', 'a\nb', 'a b'],
    ['U+0000', 'a\0b', 'a b'],
    ['a separator of lines', 'a\u2028b\u2029c', 'a b c'],
    ['a byte order mark around it', '\ufeffa', 'a'],
    ['directional formatting (D-47)', '\u202etset\u202c \u2066x\u2069', 'tset x'],
    ['directional formatting around white space', '\u202e a \u202c', 'a'],
    ['nothing visible (D-47)', '\u200b\u3164', 'Pool'],
    ['controls alone', '\u0001\u0002', 'Pool'],
  ])('a name with %s is cleaned', (_what, name, cleaned) => {
    expect(named(name).name).toBe(cleaned)
    expectClean(named(name))
  })

  it.each([
    ['the lowest number that is free', ['ẞ', 'SS', 'SS2'], ['ẞ', 'SS3', 'SS2']],
    ['one number each', ['ſt', 'st', 'ﬆ'], ['ſt']],
    ['cut in front of the number', [`${'A'.repeat(11)}ẞ`, 'x'], [`${'A'.repeat(11)}ẞ`, 'x']],
    ['nothing visible', ['\u3164', '\u115f', 'X'], ['X2', 'X3', 'X']],
  ])('codes get %s', (_what, codes, cleaned) => {
    const key = keyOf(...codes)
    if (cleaned.length < codes.length) return expect(keyRefusalOf(key)).toBe('malformed')
    const pool = decodePackKey(key)
    expect(codesOf(pool)).toEqual(cleaned)
    expect(pool.slots.map(({ mod }) => mod)).toEqual(cleaned)
    expectClean(pool)
  })

  it('a code of 12 characters makes room for its number', () => {
    const [long, same] = ['ẞẞẞẞẞẞ', 'SSSSSSSSSSSS']
    expect(codesOf(decodePackKey(keyOf(long, same)))).toEqual([long, 'SSSSSSSSSSS2'])
  })

  it('any name within the bounds of other readers', () => {
    const anyName = anyText
      .map((name) => name.toWellFormed())
      .filter((name) => name.trim() !== '' && name.trim().length <= 64)
      .filter((name) => Buffer.byteLength(name) < 128)
    fc.assert(fc.property(anyName, (name) => expectClean(named(name))))
  })

  it('slots come out in pool order', () => {
    const pool = decodePackKey(keyOf('SS', 'ẞ'))
    expect(pool.slots).toEqual(slotsInPoolOrder(pool))
  })
})
