import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Language } from '#texts/languages'
import {
  chooseLanguage,
  decimalsOf,
  directionOf,
  languageNamed,
  localeOf,
} from '../../src/domain/language.ts'

const offered = ['en', 'ko', 'zh-Hans', 'es'] as unknown as readonly Language[]

const choose = (hints: Partial<Parameters<typeof chooseLanguage>[0]>): string =>
  chooseLanguage({ asked: null, account: null, cookie: null, accept: undefined, ...hints }, offered)

describe('the language of a page (D-106)', () => {
  it('is what the address asks for, the account or the browser has chosen, or the browser sends, in this order', () => {
    const [asked, account, cookie, accept] = ['ko', 'es', 'zh-Hans', 'en']
    expect([
      choose({ asked, account, cookie, accept }),
      choose({ account, cookie, accept }),
      choose({ cookie, accept }),
      choose({ accept: 'ko' }),
      choose({}),
    ]).toEqual(['ko', 'es', 'zh-Hans', 'ko', 'en'])
  })

  it('is no language that the site has no texts in, whoever names it', () => {
    for (const name of [
      '',
      'fr',
      'zh-TW',
      '*',
      'ko,es',
      '__proto__',
      'toString',
      'x'.repeat(1e6),
    ]) {
      expect(choose({ asked: name, account: name, cookie: name, accept: 'es' })).toBe('es')
    }
    for (const name of ['KO', 'ko-KR']) {
      expect(choose({ account: name, cookie: name, accept: 'es' })).toBe('es')
    }
  })

  it('is of an address what the same tag would be of a browser', () => {
    const tag = fc.oneof(
      fc.constantFrom('KO', 'ko-KR', 'zh', 'zh-cn', 'ZH-HANS', 'zh-Hant', 'zh-TW', 'ES', 'es-419'),
      fc
        .tuple(
          fc.constantFrom('ko', 'zh', 'es', 'en', 'fr', 'ja'),
          fc.constantFrom('', '-Hans', '-Hant', '-Latn'),
          fc.constantFrom('', '-TW', '-CN', '-KR', '-MX'),
        )
        .map((parts) => parts.join('')),
    )
    const namedBy = (each: string) => {
      const [one, other] = ['ko', 'es'].map((rest) => choose({ accept: `${each}, ${rest};q=0.1` }))
      return one === other ? one : null
    }
    fc.assert(
      fc.property(tag, (each) => {
        expect(languageNamed(each, offered)).toBe(namedBy(each))
        expect(choose({ asked: each, accept: 'es' })).toBe(namedBy(each) ?? 'es')
      }),
    )
  })

  it.each([
    ['ko', 'ko'],
    ['ko-KR,ko;q=0.9,en;q=0.8', 'ko'],
    ['KO-kr', 'ko'],
    ['en-GB, ko;q=0.9', 'en'],
    ['fr, ko;q=0.5, en;q=0.4', 'ko'],
    ['ko;q=0.4, en;q=0.5', 'en'],
    ['ko;q=0, es;q=0.001', 'es'],
    ['es-419', 'es'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh-Hans-HK', 'zh-Hans'],
    // Another script is not read by everybody who reads this one.
    ['zh-TW', 'en'],
    ['zh-Hant, ko;q=0.5', 'ko'],
    ['zh-HK, es;q=0.1', 'es'],
    // Browsers add the language without its region.
    ['zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7', 'en'],
    ['zh-HK,zh-TW;q=0.9,zh;q=0.8,es;q=0.1', 'es'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-Hans'],
    ['en-GB,en;q=0.9,ko;q=0.8', 'en'],
    ['zh-TW,zh;q=0.9,zh-CN;q=0.8', 'zh-Hans'],
    ['*', 'en'],
    ['fr, *;q=0.5, ko;q=0.1', 'en'],
    ['fr', 'en'],
    ['', 'en'],
    [',,;q=1,', 'en'],
    ['ko;q=2', 'en'],
    ['ko;q=x, es', 'es'],
    ['ko ; q = 0.9', 'ko'],
    ['i-klingon, x, ko', 'ko'],
  ])('by Accept-Language: %s gives %s (RFC 9110, 12.5.4)', (accept, language) => {
    expect(choose({ accept })).toBe(language)
  })

  it('is found in whatever a client sends', () => {
    const words = fc.constantFrom(
      'ko',
      'es',
      ';',
      ',',
      'q',
      '=',
      '0.5',
      '-',
      '*',
      ' ',
      'zh',
      'é',
      '\0',
    )
    const texts = fc.oneof(
      fc.string(),
      fc.array(words).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (accept) => {
        expect(offered).toContain(choose({ accept }))
      }),
    )
  })

  it('takes little time of a header that was made long', () => {
    const accept = 'aa-Latn-XX;q=0.5,'.repeat(4_000)
    expect(choose({ accept })).toBe('en')
    expect(choose({ accept: `ko,${accept}` })).toBe('ko')
  })
})

it.each([
  ['en', 'ltr'],
  ['zh-Hans', 'ltr'],
  ['ar', 'rtl'],
  ['he', 'rtl'],
  ['fa-IR', 'rtl'],
  ['ar-XB', 'rtl'],
  ['not a language', 'ltr'],
])('%s is written %s', (language, direction) => {
  expect(directionOf(language)).toBe(direction)
})

it.each([
  ['en', 2, undefined, ['5.50', '1,234.57']],
  ['en', 2, 0, ['5.5', '1,234.57']],
  ['en', 2, 1, ['5.5', '1,234.57']],
  ['de', 1, undefined, ['5,5', '1.234,6']],
])('%s writes numbers with at most %i decimals, and at least %s', (language, most, least, all) => {
  expect([5.5, 1234.567].map(decimalsOf(language, most, least))).toEqual(all)
})

it('a language is named with the region where it is spoken most, as Open Graph does', () => {
  expect(['en', 'ko', 'zh-Hans', 'es-419', 'de-AT'].map(localeOf)).toEqual([
    'en_US',
    'ko_KR',
    'zh_CN',
    'es_419',
    'de_AT',
  ])
})
