import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { alphabetsJson } from '../../scripts/write-alphabets.ts'
import alphabets from '../../src/domain/slurs/alphabets.json' with { type: 'json' }
import { containsSlur, slurs } from '../../src/domain/slurs/slurs.ts'
import { inOneAlphabet, plain } from '../../src/domain/slurs/spelling.ts'
import { randomOf } from './disguise-kinds.ts'
import { fancyWays, type Way } from './fancy-ways.ts'

const words = slurs
  .map(({ stem }) => stem.replaceAll('*', ''))
  .filter((word) => /^[a-z]{3,}$/.test(word))

/** Where in a text it stands, alone included. */
const places = [
  (word: string) => word,
  (word: string) => `${word} 2026`,
  (word: string) => `we are the ${word}, they lose!`,
  (word: string) => `Finals\nhosted by (${word})`,
]

const missedBy = (way: Way, seed: number): string[] => {
  const random = randomOf(seed)
  return words.filter((word) => {
    const place = places[Math.floor(random() * places.length)] ?? String
    return !containsSlur(place(way(word, random)))
  })
}

describe('D-24: a slur in "fancy text" is a slur', () => {
  it('of all slurs in all of 60 ways and more, 95 of 100 are found', () => {
    expect(fancyWays.size).toBeGreaterThanOrEqual(60)
    const missed = [...fancyWays.values()].flatMap((way, at) => missedBy(way, 1000 + at))
    expect(missed.length / (words.length * fancyWays.size)).toBeLessThanOrEqual(0.05)
  })

  test.each([...fancyWays])('most of them: %s', (_, way) => {
    expect(missedBy(way, 5).length).toBeLessThanOrEqual(0.25 * words.length)
  })

  it('of slurs whose letters come from several alphabets, 90 of 100 are found', () => {
    const random = randomOf(31)
    const rows = [...fancyWays].filter(([name]) => /-like|italic|runes|signs|hooks/.test(name))
    const mixed: Way = (word) =>
      Array.from(word, (letter) => {
        const way = rows[Math.floor(random() * rows.length)]?.[1]
        return way?.(letter, random) ?? letter
      }).join('')
    const missed = [1, 2, 3, 4].flatMap((seed) => missedBy(mixed, seed))
    expect(missed.length / (4 * words.length)).toBeLessThanOrEqual(0.1)
  })

  it('src/domain/slurs/alphabets.json is what scripts/write-alphabets.ts writes', () => {
    const file = new URL('../../src/domain/slurs/alphabets.json', import.meta.url)
    expect(alphabetsJson()).toBe(readFileSync(file, 'utf8'))
  })
})

describe('D-24: what resembles a disguise is none', () => {
  it.each([
    ['ᑕᑌᑭᔕ', 'cups'],
    ['匚ㄩ卩', 'cup'],
    ['丂卂爪乇 ᎷᎪᏢ', 'same map'],
    ['ᎷᎪ', 'ᎷᎪ'],
    ['abcdᎷᎪᏢ', 'abcdᎷᎪᏢ'],
  ])('%s is read as %s: in the alphabet of its generator, if enough of it is', (text, read) => {
    expect(inOneAlphabet(text)).toBe(read)
  })

  it('a word of two alphabets that nothing writes together is read in neither', () => {
    const kinds = alphabets.whole.map((rows) => new Set(rows.replaceAll(/[\0-\x7f]/g, '')))
    /** Three of an alphabet's own letters, which have one case and are no variants of others. */
    const ownOf = (kind: ReadonlySet<string>, other: ReadonlySet<string>): string[] =>
      [...kind]
        .filter((each) => !other.has(each) && each.toLowerCase() === each && plain(each) === each)
        .filter((each) => !/[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(each))
        .slice(0, 3)
    const mixed = kinds.flatMap((one) =>
      kinds.map((other) => [...ownOf(one, other), ...ownOf(other, one)]),
    )
    const foreign = mixed.filter(
      (word) => word.length === 6 && !kinds.some((kind) => word.every((each) => kind.has(each))),
    )
    expect(foreign.length).toBeGreaterThan(200)
    const words = foreign.map((word) => word.join(''))
    expect(words.map(inOneAlphabet)).toEqual(words)
  })

  it.each([
    'ακορφολόγητα και λεβέντης',
    'избег, Лебег и термофобный',
    'Kilikien, kraftåtgärd, snyggad',
    'zapałać, klapać, ciapać',
    'banana level civic papaya',
    'Regen in De Koog, cips, cyps and QIPS',
    'Gongin, Huggin, Ikap and Пацак',
    'Dyce, Fordyce and Pacy-sur-Eure',
    '1a2b3c4d, v1.2.3, 4f5a6b',
    'x^2 / (a|b) || [c] <d>',
    'ɐʇɐp ɥsıןƃuǝ',
  ])('%s', (text) => {
    expect(containsSlur(text)).toBe(false)
  })
})
