import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numberingSystems } from '../support/numbering-systems.ts'
import { foldWords, isNear, spellingsOf, variantsOf } from '../../src/pool/words.ts'

describe('the words of a text', () => {
  test.each([
    ['FREEDOM DiVE!! [FOUR DIMENSIONS]', 'freedom dive four dimensions'],
    ["don't rock’n’roll, 'cause", 'dont rocknroll cause'],
    ['R.I.P. 1.5 LV.4 AC/DC a_b Hack&Slash', 'rip 1 5 lv 4 ac dc a b hack slash'],
    [
      'Ærøskøbing Straße STRAẞE Łódź İzmir ısırgan œuvre',
      'aeroskobing strasse strasse lodz izmir isirgan oeuvre',
    ],
    ['Ｆｒｅｅｄｏｍ ﬁnal ℍ² Ⅻ', 'freedom final h2 xii'],
    ['café cafe\u0301', 'cafe cafe'],
    ['Ωμέγα ΛΟΓΟΣ', 'ωμεγα λογοσ'],
    ['Ёлка ёлка', 'елка елка'],
    ['שָׁלוֹם مُحَمَّد', 'שלום محمد'],
    ['千本桜', '千本 本桜'],
    ['カゲロウ ｶｹﾞﾛｳ かげろう', 'かげ げろ ろう かげ げろ ろう かげ げろ ろう'],
    ['は ば ぱ', 'は ば ぱ'],
    ['スーパー', 'すー ーぱ ぱー'],
    ['初音ミクDIVE', '初音 音み みく dive'],
    ['봄날 a', '봄날 a'],
    ['ดี', 'ดี'],
    ['हिन्दी', 'हिन्दी'],
    ['🔥 ♪ !!! ─ \u200b', ''],
    ['a\0b \ud800c', 'a b c'],
  ])('%s: %s', (text, words) => {
    expect(foldWords(text).join(' ')).toBe(words.normalize('NFC'))
  })

  test('are cut at 32 code points, and 64 of a text', () => {
    expect(foldWords('𝕏'.repeat(40))).toEqual(['x'.repeat(32)])
    expect(foldWords('𐐨'.repeat(40))).toEqual(['𐐨'.repeat(32)])
    expect(foldWords('word '.repeat(100))).toHaveLength(64)
  })

  test('are letters and digits, folded already, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const word of [...foldWords(text), ...spellingsOf(text)]) {
          expect(word).toMatch(/^[\p{L}\p{M}\p{N}]{1,32}$/u)
          expect(word.isWellFormed()).toBe(true)
          expect(foldWords(word).join('')).not.toBe('')
        }
      }),
    )
  })

  // A new value needs a migration as 0034-search-digits.sql, which makes the words of saved packs again.
  test('are folded as those of the packs that are found by them', () => {
    const hash = createHash('sha256')
    for (let code = 0; code < 0x2_0000; code += 1) {
      const character = String.fromCodePoint(code)
      // Nothing is done to most of them.
      if (/[\p{Ideographic}\p{Script=Hangul}\p{Co}\p{Cn}]/u.test(character)) continue
      hash.update(`${foldWords(`a${character}b`).join(' ')}\n`)
    }
    expect(hash.digest('hex').slice(0, 16)).toBe('f6ae4899874e48c7')
  })

  test('do not depend on case, width and accents', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'z', 'é', 'ø', 'Ł', ' ', '1', '2'),
      maxLength: 40,
    })
    fc.assert(
      fc.property(text, (one) => {
        const wide = one.replaceAll(/[a-z]/g, (letter) =>
          String.fromCharCode(letter.charCodeAt(0) + 0xfee0),
        )
        expect(foldWords(one.toUpperCase())).toEqual(foldWords(one))
        expect(foldWords(one.normalize('NFD'))).toEqual(foldWords(one))
        expect(foldWords(wide)).toEqual(foldWords(one))
      }),
    )
  })

  test.each(numberingSystems)('do not depend on digits: %s', (system) => {
    const write = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false })
    const text = (year: string): string => `Copa ${year} x${year}`
    const named = text(write.format(2_067_134_589))
    expect(foldWords(named)).toEqual(foldWords(text('2067134589')))
    expect(spellingsOf(named)).toEqual(spellingsOf(text('2067134589')))
  })

  test('a pack is also found by other spellings of them', () => {
    expect(spellingsOf("SkyFlame's")).toEqual(['skyflames', 'skyflame', 's'])
    expect(spellingsOf('R.I.P')).toEqual(['rip', 'r', 'i', 'p'])
    expect(spellingsOf('Hack&Slash')).toEqual(['hack', 'slash', 'hackslash'])
    expect(spellingsOf('OWC 2023')).toEqual(['owc', '2023', 'owc2023'])
    expect(spellingsOf('OWC2023')).toEqual(['owc2023', 'owc', '2023'])
    expect(spellingsOf('千本桜')).toEqual(['千本', '本桜', '千', '本', '桜'])
  })

  test('every word of a text is among its spellings', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const spellings = new Set(spellingsOf(text))
        expect(foldWords(text).filter((word) => !spellings.has(word))).toEqual([])
      }),
    )
  })
})

describe('typing errors', () => {
  test('show in words of four letters and more', () => {
    expect(variantsOf('dive')).toEqual(['dive', 'ive', 'dve', 'die', 'div'])
    for (const word of ['xi', 'cup', '2023', '千本', 'かげろう'])
      expect(variantsOf(word)).toEqual([])
  })

  test.each([
    ['freedom', 'freedm', true],
    ['freedom', 'freeddom', true],
    ['freedom', 'freedon', true],
    ['freedom', 'freedmo', true],
    ['freedom', 'reedom', true],
    ['freedom', 'vreedom', true],
    ['freedom', 'freexxm', false],
    ['nakagawa', 'nkaagwaa', true],
    ['nakagawa', 'nxkaxawx', false],
    ['dive', 'five', true],
    ['dive', 'dve', false],
    ['owc2023', 'owc2022', false],
    ['owc2023', 'pwc2023', true],
    ['freedom', 'freedom', false],
  ])('%s, %s: %s', (one, other, near) => {
    expect(isNear(one, other)).toBe(near)
    expect(isNear(other, one)).toBe(near)
  })

  test('one leaves words that have a variant in common, so that they can be looked up', () => {
    const letter: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'é', '𐐨')
    const word = fc.array(letter, { minLength: 5, maxLength: 20 })
    const kinds = fc.constantFrom('more', 'less', 'other', 'swapped')
    fc.assert(
      fc.property(word, fc.nat(), letter, kinds, (letters, place, wrong, kind) => {
        const at = place % (letters.length - 1)
        const [first = '', second = ''] = letters.slice(at)
        const typed = {
          more: letters.toSpliced(at, 0, wrong),
          less: letters.toSpliced(at, 1),
          other: letters.toSpliced(at, 1, wrong),
          swapped: letters.toSpliced(at, 2, second, first),
        }[kind].join('')
        const meant = letters.join('')
        fc.pre(typed !== meant)
        expect(isNear(typed, meant)).toBe(true)
        const variants = new Set(variantsOf(meant))
        expect(variantsOf(typed).some((each) => variants.has(each))).toBe(true)
      }),
    )
  })
})
