import { describe, expect, test } from 'vitest'
import { containsSlur, slurs } from '../../src/domain/slurs/slurs.ts'
import { innocent } from './innocent-names.ts'

const locales =
  'ar be bg bn ca cs cy da de el en es et fa fi fr ga he hi hr hu id is it ja ko lt lv mk ms nl no pl pt ro ru sk sl sq sr sv sw th tl tr uk uz vi zh zh-Hant'.split(
    ' ',
  )

describe('D-24: place names, swearing and words that merely contain a slur pass', () => {
  test.each(Object.entries(innocent))('%s', (_, texts) => {
    expect(texts.filter(containsSlur)).toEqual([])
  })

  test('all of them as one description each, lines and commas between', () => {
    for (const texts of Object.values(innocent)) {
      expect(containsSlur(texts.join('\n'))).toBe(false)
      expect(containsSlur(texts.join(', '))).toBe(false)
    }
  })

  test('the names of every region, language and currency in fifty languages', () => {
    const found = new Set<string>()
    const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
    const pairs = letters.flatMap((one) => letters.map((two) => one + two))
    const codes = {
      region: pairs,
      language: pairs.map((pair) => pair.toLowerCase()),
      currency: Intl.supportedValuesOf('currency'),
    }
    for (const locale of locales) {
      for (const [type, list] of Object.entries(codes)) {
        const names = new Intl.DisplayNames([locale], { type: type as 'region', fallback: 'none' })
        for (const code of list) {
          const name = names.of(code)
          if (name !== undefined && containsSlur(name)) found.add(`${locale}: ${name}`)
        }
      }
    }
    expect([...found]).toEqual([])
  })
})

describe('D-24: words and surnames that spell a slur from their end pass', () => {
  const words = 'regen gongin huggin cips cyps qips koog ikap пацак'.split(' ')
  const written: Readonly<Record<string, (word: string) => string>> = {
    'as they are': (word) => word,
    'with a capital': (word) => word.charAt(0).toUpperCase() + word.slice(1),
    'in capitals': (word) => word.toUpperCase(),
    'as several': (word) => `${word}s`,
    'with a year': (word) => `${word}2024`,
    parted: (word) => `${word.slice(0, 3)}-${word.slice(3)}`,
  }
  test.each(Object.entries(written))('%s', (_, write) => {
    expect(words.map(write).filter(containsSlur)).toEqual([])
  })
})

describe('D-24: an innocent word does not hide a slur beside it', () => {
  test.each(slurs.filter(({ friends }) => friends !== undefined).map(({ stem }) => stem))(
    'the stem is found beside its false friends (#%#)',
    (stem) => {
      const word = stem.replaceAll('*', '')
      for (const texts of Object.values(innocent)) {
        expect(containsSlur(`${texts.join(', ')}; ${word}!`)).toBe(true)
      }
    },
  )
})
