import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PackKeyError } from '../../src/pool/pack-key/layout.ts'
import { decodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { builtinEntries, rawKey, sealedKey, text } from './key-bytes.ts'
import { anyText } from './pool-arbitrary.ts'
import { keyRefusalOf } from './refusal.ts'
import { expectLinear } from '../support/linear.ts'

const good = 'pk1.AQFhAQICrAKFPA'

describe('a text that is no pack key is refused with the first code that fits', () => {
  it.each([
    ['empty', ''],
    ['empty', ' \t\r\n\u3000\ufeff'],
    ['prefix', 'hello'],
    ['prefix', 'pk'],
    ['prefix', 'pk.'],
    ['prefix', 'pk1'],
    ['prefix', 'pk1:AQFhAQICrAKFPA'],
    ['prefix', 'pk 1.AQFhAQICrAKFPA'],
    ['prefix', 'PK1.AQFhAQICrAKFPA'],
    ['prefix', 'Pk1.AQFhAQICrAKFPA'],
    ['prefix', 'pk-1.AQFhAQICrAKFPA'],
    ['prefix', 'pk1e0.AQFhAQICrAKFPA'],
    ['prefix', 'pk١.AQFhAQICrAKFPA'],
    ['prefix', `#${good}`],
    ['prefix', `\u200b${good}`],
    ['version', 'pk0.AQFhAQICrAKFPA'],
    ['version', 'pk4.AQFhAQICrAKFPA'],
    ['version', 'pk01.AQFhAQICrAKFPA'],
    ['version', 'pk11.AQFhAQICrAKFPA'],
    ['version', 'pk99999999999999999999.AQFhAQICrAKFPA'],
    ['encoding', `${good}=`],
    ['encoding', `${good}==`],
    ['encoding', `${good}.`],
    ['encoding', 'pk1.AQFhAQ ICrAKFPA'],
    ['encoding', 'pk1.AQFhAQ\nICrAKFPA'],
    ['encoding', 'pk1.AQFhAQ+CrAKFPA'],
    ['encoding', 'pk1.AQFhAQ/CrAKFPA'],
    ['encoding', 'pk1.AQFhAQéCrAKFPA'],
    ['encoding', 'pk1.AQFhAQ\ud800CrAKFPA'],
    ['encoding', 'pk1.A'],
    ['encoding', 'pk1.AQFhA'],
    ['malformed', 'pk1.'],
    ['malformed', 'pk1.AQ'],
    ['malformed', 'pk1.AQE'],
    ['checksum', 'pk1.AQFh'],
    ['checksum', 'pk1.AQFhAQICrAKFPQ'],
    ['checksum', 'pk1.AQFiAQICrAKFPA'],
    ['version', 'pk2.AQFhAQICrAKFPA'],
    ['version', 'pk1.AgFhBgABAgMEBQH_AQFYnA'],
  ])('%s: %s', (code, key) => {
    expect(keyRefusalOf(key)).toBe(code)
  })
})

describe('of two faults the earlier one counts', () => {
  it.each([
    ['prefix before version', 'prefix', 'pk9:???'],
    ['version before encoding', 'version', 'pk9.???'],
    ['encoding before length', 'encoding', 'pk1.?'],
    ['length before checksum', 'malformed', rawKey(1, [1, 0])],
    ['checksum before first byte', 'checksum', rawKey(1, [2, 0, 0])],
    ['checksum before content', 'checksum', rawKey(1, [1, 0xff, 0, 0])],
    ['first byte before content', 'version', sealedKey([2, 0xff], 1)],
    ['a version byte alone', 'malformed', sealedKey([1])],
    ['an unknown version byte behind a known prefix', 'version', sealedKey([9], 1)],
  ])('%s', (_what, code, key) => {
    expect(keyRefusalOf(key)).toBe(code)
  })
})

const name = text('a')
const slot = [0, 1, 1]
const v1 = (...rest: number[]): string => sealedKey([1, ...rest])
const table = (version: number, entries: readonly number[], count: number, ...slots: number[]) =>
  sealedKey([version, ...name, count, ...entries, ...(slots.length === 0 ? [0] : slots)])
const plain = (code: string, color = 0): number[] => [0xfe, color, ...text(code)]
/** Nine custom buckets, one more than a pool may have. */
const nine = Array.from('abcdefghi').flatMap((code) => plain(code))
/** A table of the built-ins and one custom entry behind them. */
const custom = (version: number, ...entry: number[]): string =>
  table(version, [...builtinEntries, ...entry], 7)

describe('a key whose bytes are whole but wrong is malformed', () => {
  const cases: [what: string, key: string][] = [
    ['no name', v1()],
    ['a name past the end', v1(5, 0x61)],
    ['a name of 2³²−1 bytes', v1(0xff, 0xff, 0xff, 0xff, 0x0f, 0x61)],
    ['an empty name', v1(0, 0)],
    ['a name of white space', v1(...text('  '), 0)],
    ['a name of white space of every kind', v1(...text('\t\u2028\ufeff\u3000'), 0)],
    ['a name of 65 code units', v1(...text('a'.repeat(65)), 0)],
    ['a name of 33 emoji', v1(0x84, 0x01, ...text('🌸'.repeat(33)).slice(1), 0)],
    ['a name in broken UTF-8', v1(2, 0xc3, 0x28, 0)],
    ['a name that ends within a letter', v1(2, 0xe6, 0x98, 0)],
    ['a name in overlong UTF-8', v1(2, 0xc1, 0xa1, 0)],
    ['half a surrogate pair in UTF-8', v1(3, 0xed, 0xa0, 0x80, 0)],
    ['no count of slots', v1(...name)],
    [
      '65 slots',
      v1(
        ...name,
        65,
        ...Array.from({ length: 65 }, (_, n) => [n > 49 ? 1 : 0, (n % 50) + 1, 1]).flat(),
      ),
    ],
    ['2³²−1 slots', v1(...name, 0xff, 0xff, 0xff, 0xff, 0x0f, ...slot)],
    ['fewer slots than counted', v1(...name, 2, ...slot)],
    ['a byte behind the last slot', v1(...name, 1, ...slot, 0)],
    ['a slot that ends too early', v1(...name, 1, 0, 1)],
    ['bucket byte 6 in version 1', v1(...name, 1, 6, 1, 1)],
    ['no-slot byte FF in version 1', v1(...name, 1, 0xff, 1, 1)],
    ['index 0', v1(...name, 1, 0, 0, 1)],
    ['index 100', v1(...name, 1, 0, 100, 1)],
    ['beatmap id 0', v1(...name, 1, 0, 1, 0)],
    ['beatmap id 2³¹', v1(...name, 1, 0, 1, 0x80, 0x80, 0x80, 0x80, 0x08)],
    ['a number over 2³²−1', v1(...name, 1, 0, 0x81, 0x80, 0x80, 0x80, 0x10, 1)],
    ['a number in 6 bytes', v1(...name, 1, 0, 0x81, 0x80, 0x80, 0x80, 0x80, 0x00, 1)],
    ['a number that never ends', v1(...name, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80)],
    ['one bucket and number twice', v1(...name, 2, ...slot, 0, 1, 2)],
    ['5 buckets', table(2, [0, 1, 2, 3, 4], 5)],
    ['no buckets', table(2, [], 0)],
    ['15 buckets', table(2, [...builtinEntries, ...nine], 15)],
    ['2³²−1 buckets', sealedKey([2, ...name, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 1, 2])],
    ['a built-in missing', table(2, [...plain('A'), 1, 2, 3, 4, 5], 6)],
    ['a built-in twice', table(2, [...builtinEntries, 0], 7)],
    ['table entry 6', table(2, [...builtinEntries, 6], 7)],
    ['table entry FF', table(2, [...builtinEntries, 0xff], 7)],
    ['table entry FC', table(3, [...builtinEntries, 0xfc], 7)],
    ['a position behind the table', table(2, builtinEntries, 6, 1, 6, 1, 1)],
    ['a position FE', table(2, builtinEntries, 6, 1, 0xfe, 1, 1)],
    ['no slot twice with one number', table(2, builtinEntries, 6, 2, 0xff, 1, 1, 0xff, 1, 2)],
    ['a custom bucket of colour 10', custom(2, ...plain('RC', 10))],
    ['an empty code', custom(2, ...plain(''))],
    ['a code of 13 letters', custom(2, ...plain('ABCDEFGHIJKLM'))],
    ['a code with a character that turns text', custom(2, ...plain('A\u202e'))],
    ['a code with a space', custom(2, ...plain('A B'))],
    ['a code in broken UTF-8', custom(2, 0xfe, 0, 1, 0xff)],
    ["a built-in's code", custom(2, ...plain('NM'))],
    ["a built-in's code in lower case", custom(2, ...plain('tb'))],
    [
      'two codes that differ only in case',
      table(2, [...builtinEntries, ...plain('ß'), ...plain('SS')], 8),
    ],
    ['9 custom buckets by way of a missing built-in', table(2, [0, 1, 2, 3, 4, ...nine], 14)],
    ['mods in version 2', custom(2, 0xfd, 0, ...text('RC'), 2)],
    ['mode 0', custom(3, 0xfd, 0, ...text('RC'), 0, 2)],
    ['mode 3', custom(3, 0xfd, 0, ...text('RC'), 3, 2)],
    ['an empty forced set', custom(3, 0xfd, 0, ...text('RC'), 1, 0)],
    ['four forced mods', custom(3, 0xfd, 0, ...text('RC'), 1, 1 + 2 + 8 + 32)],
    ['EZ with HR', custom(3, 0xfd, 0, ...text('RC'), 1, 1 + 4)],
    ['DT with HT', custom(3, 0xfd, 0, ...text('RC'), 1, 8 + 16)],
    ['an unknown bit', custom(3, 0xfd, 0, ...text('RC'), 1, 64)],
    ['an unknown bit beside a known one', custom(3, 0xfd, 0, ...text('RC'), 1, 128 + 2)],
  ]
  it.each(cases)('%s', (_what, key) => {
    expect(keyRefusalOf(key)).toBe('malformed')
  })

  it('says what is wrong for people', () => {
    expect(() => decodePackKey(v1(...name, 1, 0, 100, 1))).toThrow(
      'This pack key holds no valid pool: its slots[0].index must be from 1 to 99',
    )
  })
})

describe('no text makes the reader fail otherwise', () => {
  const surely = (key: string): void => {
    expect(keyRefusalOf(key)).toMatch(/^(none|empty|prefix|version|encoding|checksum|malformed)$/)
  }

  it('any text', () => {
    fc.assert(fc.property(anyText, surely))
    fc.assert(fc.property(anyText, (tail) => surely(`pk1.${tail}`)))
  })

  it('any bytes under a right checksum', () => {
    const anyBytes = fc.array(fc.oneof(fc.nat(8), fc.nat(255)), { maxLength: 60 })
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 3), anyBytes, (version, bytes) => {
        surely(sealedKey([version, ...bytes]))
        surely(sealedKey([version, ...name, ...bytes]))
        surely(sealedKey([version, ...name, 7, ...builtinEntries, ...bytes]))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['digits', `pk${'1'.repeat(2_000_000)}`],
    ['letters', `pk1.${'A'.repeat(2_000_000)}`],
    ['white space', ' '.repeat(2_000_000)],
    ['keys', good.repeat(200_000)],
  ])('two megabytes of %s take time in proportion', (_what, huge) => {
    expectLinear(huge, surely)
  })

  it('the error is one of its own kind with a name', () => {
    const error = new PackKeyError('checksum')
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe('PackKeyError')
    expect(error.message).toBe('This pack key is damaged; copy it again.')
  })
})
