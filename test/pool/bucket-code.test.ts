import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtinCodes } from '../../src/contract/mods.ts'
import { foldCode, foldName, isCode } from '../../src/pool/slots.ts'

/** Every letter and digit of Unicode that is not the same in both cases. */
const cased: string[] = []
for (let point = 0; point <= 0x10_ffff; point += 1) {
  if (point === 0xd800) point = 0xe000
  const letter = String.fromCodePoint(point)
  const changes = letter.toLowerCase() !== letter || letter.toUpperCase() !== letter
  if (changes && isCode(letter)) cased.push(letter)
}

/** The letters that `compare` takes for the same, as groups. */
const groups = (compare: (letter: string) => string): string[][] => [
  ...Map.groupBy(cased, compare).values(),
]

describe('codes are compared ignoring case (D-21)', () => {
  it.each([
    ['rc', 'RC'],
    ['дд', 'ДД'],
    ['ß', 'ẞ'],
    ['ß', 'ss'],
    ['ſ', 'S'],
    ['\u212a', 'k'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδοσ', 'οδος'],
    ['ı', 'I'],
    ['𐐀', '𐐨'],
    ['ǆ', 'ǅ'],
  ])('%s is %s', (one, other) => {
    expect(foldCode(one)).toBe(foldCode(other))
  })

  it.each([
    ['İ', 'i'],
    ['é', 'e'],
    ['Ａ', 'A'],
    ['ﾊ', 'ハ'],
    ['0', 'O'],
  ])('%s is not %s', (one, other) => {
    expect(foldCode(one)).not.toBe(foldCode(other))
  })

  it('takes for the same whatever lower case, upper case or case folding takes for the same', () => {
    const folded = (one: string, other: string): boolean => foldCode(one) === foldCode(other)
    const split: string[][] = []
    for (const compare of [(c: string) => c.toLowerCase(), (c: string) => c.toUpperCase()]) {
      split.push(...groups(compare).filter((same) => same.some((c) => !folded(c, same[0] ?? ''))))
    }
    // The `i` and `u` flags together compare by Unicode's simple case folding.
    const all = cased.join('')
    for (const letter of cased) {
      const same = all.match(new RegExp(letter, 'giu')) ?? []
      if (same.some((other) => !folded(letter, other))) split.push([letter, ...same])
    }
    expect(cased.length).toBeGreaterThan(2800)
    expect(split).toEqual([])
  })

  it('has no letter beside ASCII ones that could stand in a built-in code', () => {
    const letters = new Set(builtinCodes.join(''))
    expect(cased.filter((c) => c > '\u007f' && letters.has(foldCode(c)))).toEqual([])
  })
})

describe('a code is 1 to 12 letters or digits of any script (spec 2.3, 2.4)', () => {
  it.each(['R', '7', 'ABCDEFGHIJKL', '春', 'ⅷ', '𝔸𝔸', 'ᄀ', '٣'])('%s', (code) => {
    expect(isCode(code)).toBe(true)
  })

  it.each(['', 'ABCDEFGHIJKLM', 'A-B', 'A_B', ' A', 'A\n', '🌸', '\u0301', '\ud835', 'A\u200dB'])(
    'not %j',
    (code) => {
      expect(isCode(code)).toBe(false)
    },
  )
})

describe('names of rounds are compared ignoring case, however their letters are written', () => {
  const unit = fc.oneof(
    fc.constantFrom(...cased, ...Array.from('가ΐǰÅ\u212B\u0301\u0345 ẹ̣')),
    fc.string({ maxLength: 1 }),
  )
  const names = fc.string({ unit, minLength: 1, maxLength: 12 })
  const forms: readonly ((name: string) => string)[] = [
    (name) => name.normalize('NFD'),
    (name) => name.normalize('NFC'),
    (name) => ` ${name.normalize('NFC').toUpperCase()}`,
    (name) => `${name.normalize('NFD').toLowerCase()} `,
  ]

  it('takes all forms of a name for the same', () => {
    const property = fc.property(names, (name) => {
      expect(new Set(forms.map((form) => foldName(form(name)))).size).toBe(1)
    })
    fc.assert(property, { examples: [['Demi-finale é'], ['Ça'], ['결승'], ['ᾴ\u0345']] })
  })

  it.each([
    ['Finale é', 'Finale e'],
    ['Ａ', 'A'],
    ['Round 1', 'Round 11'],
  ])('%s is not %s', (one, other) => {
    expect(foldName(one)).not.toBe(foldName(other))
  })
})
