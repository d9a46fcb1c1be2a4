import { describe, expect, it, test } from 'vitest'
import { maskedWords } from '../../src/domain/slurs/slur-bank.ts'
import { containsSlur, slurs } from '../../src/domain/slurs/slurs.ts'
import { cuts, disguises, strongDisguises } from './disguises.ts'
import { expectLinear } from '../support/linear.ts'

const words = slurs.map(({ stem }) => stem.replaceAll('*', ''))
const long = words.filter((word) => /^[a-z]{6,}$/.test(word))
const missed = (disguised: readonly string[]): string[] =>
  disguised.filter((text) => !containsSlur(text))

describe('D-24: a disguise is not a way around', () => {
  test.each(Object.entries(disguises))('%s', (_, disguise) => {
    expect(missed(words.map(disguise))).toEqual([])
  })

  test.each(Object.entries(cuts))('%s of a long word', (_, cut) => {
    expect(missed(long.map(cut))).toEqual([])
  })

  test.each(Object.entries(strongDisguises))('%s, unless that makes a number', (_, disguise) => {
    expect(missed(words.map(disguise)).length).toBeLessThanOrEqual(words.length * 0.1)
  })

  it.each(['ck', 'cq', 'gq', 'iy', 'kc', 'kq', 'uv'])(
    'another letter of the same sound in three of four long words or more: %s',
    ([from, to]) => {
      const spelled = long.filter((word) => word.includes(from!))
      expect(spelled.length).toBeGreaterThan(3)
      const passed = missed(spelled.map((word) => word.replaceAll(from!, to!)))
      expect(passed.length).toBeLessThanOrEqual(spelled.length / 4)
    },
  )

  it.each([
    'аᴀ',
    'гғ',
    'гґ',
    'гᴦ',
    'дԁ',
    'дd',
    'еᴇ',
    'жҗ',
    'зҙ',
    'з3',
    'иᴎ',
    'и1',
    'кқ',
    'кӄ',
    'кҡ',
    'кҟ',
    'кᴋ',
    'лᴫ',
    'нң',
    'нӈ',
    'пԥ',
    'пҧ',
    'пᴨ',
    'рҏ',
    'рᴘ',
    'сҫ',
    'сᴄ',
    'уұ',
    'уү',
    'хҳ',
    'хӽ',
    'чҷ',
    'чҹ',
    'ч4',
  ])('a letter that looks like a Cyrillic one: %s', ([from, to]) => {
    const spelled = words.filter((word) => /[а-я]/.test(word) && word.includes(from!))
    expect(spelled).not.toEqual([])
    expect(missed(spelled.map((word) => word.replaceAll(from!, to!)))).toEqual([])
  })

  it.each('a4 a@ b6 b8 e3 g6 g9 i1 i! i| l1 l| o0 s5 s$ sz t7 t+ z2'.split(' '))(
    'a digit or a sign that looks like a letter: %s',
    ([letter, other]) => {
      const spelled = words.filter((word) => /^[a-z]{4,}$/.test(word) && word.includes(letter!))
      expect(spelled).not.toEqual([])
      expect(missed(spelled.map((word) => word.replaceAll(letter!, () => other!)))).toEqual([])
    },
  )

  it.each('aλ aд eз eэ nи nπ rя uц wω wш wщ yγ'.split(' '))(
    'a letter of another script that looks like a Latin one: %s',
    ([letter, other]) => {
      const spelled = words.filter((word) => /^[a-z]{4,}$/.test(word) && word.includes(letter!))
      expect(spelled).not.toEqual([])
      expect(missed(spelled.map((word) => word.replaceAll(letter!, other!)))).toEqual([])
    },
  )

  it.each(['ьl', 'ьi', 'ьI', 'Ьl', 'ь1', 'Ы'])('what looks like ы: %s', (two) => {
    const spelled = words.filter((word) => word.includes('ы'))
    expect(spelled).not.toEqual([])
    expect(missed(spelled.map((word) => word.replaceAll('ы', two)))).toEqual([])
  })

  it('signs of currencies, even beside a single letter', () => {
    const signs = new Map(
      ['a₳', 'b฿', 'c₵', 'f₣', 'g₲', 'k₭', 'm₥', 'n₦', 'p₱', 's₴', 't₮', 'w₩', 'y¥'].map(
        (two) => [two[0]!, two[1]!] as const,
      ),
    )
    const drawn = words
      .map((word) => Array.from(word, (letter) => signs.get(letter) ?? letter))
      .filter((letters) => letters.filter((letter) => /\p{L}/u.test(letter)).length <= 1)
    expect(drawn.length).toBeGreaterThan(10)
    expect(missed(drawn.map((letters) => letters.join('')))).toEqual([])
  })

  it('letters that look Latin, up to six spaces apart', () => {
    const lookAlikes = words.map((word) =>
      Array.from(disguises['Han and kana that look Latin']!(word)),
    )
    for (let spaces = 1; spaces <= 6; spaces += 1) {
      expect(missed(lookAlikes.map((letters) => letters.join(' '.repeat(spaces))))).toEqual([])
    }
  })

  it.each(['_', '-', '.', '$'])(
    '%j for two vowels or more, where four other letters are left',
    (sign) => {
      const masked = words
        .filter((word) => /^[b-df-hj-np-tv-z][a-z]*[aeiou][a-z]*[aeiou][a-z]*$/.test(word))
        .filter((word) => word.replaceAll(/[aeiou]/g, '').length >= 4)
        .map((word) => word.replaceAll(/[aeiou]/g, sign))
      expect(masked.length).toBeGreaterThan(50)
      expect(missed(masked)).toEqual([])
    },
  )

  it.each([
    ['tulp', [], []],
    ['tulip', ['t*l*p', 't*lip', 'tul*p'], ['t*lip', 'tul*p']],
    [
      'basket',
      ['b*sk*t', 'b*sket', 'ba*ket', 'bas*et', 'bask*t', 'b**ket', 'ba**et', 'bas**t'],
      ['b*sk*t', 'b*sket', 'bask*t'],
    ],
    [
      'aurora',
      ['a*rora', 'au*ora', 'aur*ra', 'auro*a', 'a**ora', 'au**ra', 'aur**a'],
      ['a*rora', 'aur*ra'],
    ],
    ['two words', [], []],
  ])(
    'masked vowels of five letters or more; with stars, any letter of six, or two: %s',
    (word, star, sign) => {
      const found = maskedWords([word])
      expect([...found.star].toSorted()).toEqual(star.toSorted())
      expect([...found.sign].toSorted()).toEqual(sign.toSorted())
    },
  )

  it.each([
    ['1', 3],
    ['x', 3],
    ['e', 5],
  ])('the same sign between all letters: %j, in words of %d letters and more', (sign, least) => {
    const laced = words
      .filter((word) => /^[a-z]+$/.test(word) && word.length >= least && !word.includes(sign))
      .map((word) => Array.from(word).join(sign))
    expect(laced.filter((word) => word.length === 2 * least - 1).length).toBeGreaterThan(0)
    expect(missed(laced)).toEqual([])
  })

  it('a space after the first letter of five or more, and a digit after that', () => {
    const digits: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5' }
    const written = words
      .filter((word) => /^[a-z]{5,}$/.test(word))
      .flatMap((word) => {
        const digit = digits[word[1]!]
        return digit === undefined ? [] : `${word[0]} ${digit}${word.slice(2)}`
      })
    expect(written.length).toBeGreaterThan(40)
    expect(missed(written)).toEqual([])
  })

  it('a longer word around it, where the list lets the word go on', () => {
    const [before, after] = [/^\*/, /\*$/]
    const longer = slurs.flatMap(({ stem }) => [
      ...(before.test(stem) ? [`xy${stem.replaceAll('*', '')}`] : []),
      ...(after.test(stem) ? [`${stem.replaceAll('*', '')}ox`] : []),
    ])
    expect(missed(longer)).toEqual([])
  })

  it('two disguises at once, 99 times of 100', () => {
    const all = Object.values({ ...disguises, ...strongDisguises })
    const pairs = all.flatMap((inner, at) =>
      all.flatMap((outer, other) =>
        at === other
          ? []
          : words
              .filter((_, index) => (index + at + other) % 7 === 0)
              .map((word) => outer(inner(word))),
      ),
    )
    expect(pairs.length).toBeGreaterThan(50_000)
    expect(missed(pairs).length / pairs.length).toBeLessThan(0.01)
  })
})

describe('D-24: the search takes time linear in the text', () => {
  const hostile = (length: number): string[] =>
    [
      'n',
      'i1',
      '!',
      'nigge',
      'n ',
      'n.i.',
      '1|l!',
      'f a ',
      '𝖓*',
      'привет ',
      '짱',
      '\u3300',
      '\ufdfa',
      'n\u0301',
      '9',
      '*a',
      'n1i',
      'nxix',
      'ɐɟ ',
      'ɘꟻ',
      'n\u0365',
      '|\\',
      '₳₭',
      'ησg',
      'Anna Dyke ',
      'A. Neger, ',
    ].map((part) => part.repeat(length).slice(0, length))

  it.each(hostile(100_000).map((text) => [text.slice(0, 8), text]))(
    'two hundred times the longest description is searched in proportion: %s…',
    (_, text) => {
      // Where every place looked at every other, it would take minutes.
      expectLinear(text, containsSlur)
    },
  )
})
