import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { compileTexts, findUntranslated } from '../../scripts/compile-texts.mjs'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mapcrate-texts-'))
})
afterEach(() => rm(folder, { recursive: true }))

const english = {
  title: 'Packs',
  count: '{n, plural, one {# pack} other {# packs}}',
  since: '<b>Hidden</b> since <time/>, by {name}',
}

/** Compiles a catalogue of one section; gives the lines of the error, or how a built file reads. */
const compile = async (
  texts: Readonly<Record<string, Readonly<Record<string, unknown>> | string>>,
  wanted = '',
): Promise<string[]> => {
  const [from, to] = [join(folder, 'texts'), join(folder, 'built')]
  const names = Object.keys(texts)
  await mkdir(from, { recursive: true })
  await writeFile(
    join(from, 'languages.json'),
    JSON.stringify(Object.fromEntries(names.map((name) => [name, name]))),
  )
  for (const [name, messages] of Object.entries(texts)) {
    await mkdir(join(from, name), { recursive: true })
    const text = typeof messages === 'string' ? messages : JSON.stringify(messages, null, 2)
    await writeFile(join(from, name, 'site.json'), text)
  }
  try {
    await compileTexts(from, to)
  } catch (error) {
    return (error as Error).message.split('\n').slice(1)
  }
  return wanted === '' ? [] : (await readFile(join(to, wanted), 'utf8')).split('\n')
}

it('a translation may order words and values in its own way', async () => {
  const ko = {
    title: '팩',
    count: '{n, plural, other {팩 #개}}',
    since: '{name}: <time/>부터 <b>숨김</b>',
  }
  expect(await compile({ en: english, ko }, 'ko/site.js')).toContain('export const title = "팩"')
})

it('whatever a translation lacks is in English, and a release is told of it (D-117)', async () => {
  const ru = {
    title: 'Паки',
    count: '{n, plural, one {# пак} few {# пака} many {# паков} other {# пака}}',
    since: '<b>Скрыт</b> <time/>: {name}',
  }
  const keys = ['title', 'count', 'since'] as const
  /** Each compiled text by its key. */
  const compiled = async (texts: Readonly<Record<string, string>>, language: string) => {
    const lines = await compile({ en: english, ru: texts }, `${language}/site.js`)
    const [head = '', ...rest] = lines.join('\n').split(/^export const /m)
    return { head, texts: new Map(rest.map((text) => [text.split(' ', 1)[0]!, text.trim()])) }
  }
  const whole = await compiled(ru, 'ru')
  const source = await compiled(ru, 'en')
  await fc.assert(
    fc.asyncProperty(fc.subarray([...keys]), async (kept) => {
      const some = await compiled(Object.fromEntries(kept.map((key) => [key, ru[key]])), 'ru')
      for (const key of keys) {
        const { texts } = kept.includes(key) ? whole : source
        expect(some.texts.get(key)).toBe(texts.get(key))
      }
      // The rules of plurals are those of the language of the text.
      expect(some.head).toMatch(kept.includes('count') ? /\bru\b/ : /\ben\b/)
      expect(await findUntranslated(join(folder, 'texts'))).toEqual(
        keys
          .filter((key) => !kept.includes(key))
          .map((key) => `src/texts/ru/site.json, "${key}": it is in English`),
      )
    }),
  )
})

it('a part of the site that is not translated at all is in English', async () => {
  await compile({ en: english, ru: {} })
  await rm(join(folder, 'texts', 'ru', 'site.json'))
  await compileTexts(join(folder, 'texts'), join(folder, 'built'))
  const [en, ru] = ['en', 'ru'].map((name) => join(folder, 'built', name, 'site.js'))
  expect(await readFile(ru!, 'utf8')).toBe(await readFile(en!, 'utf8'))
})

it('what translators are told is not part of a page', async () => {
  const lines = await compile({ en: { ...english, '@title': { description: 'Above a list' } } })
  expect(lines).toEqual([])
})

it.each([
  [
    'a text that is not there in English',
    { more: 'x' },
    /"more": there is no such text in English$/,
  ],
  [
    'a value that is missing',
    { since: '<b>x</b> <time/>' },
    /site\.json:\d+, "since": it lacks \{name\}$/,
  ],
  ['a value that English does not have', { title: '{name}' }, /"title": English has no \{name\}$/],
  ['an element that is missing', { since: '{name} <time/>' }, /"since": it lacks <b>…<\/b>$/],
  [
    'an element that is a value',
    { since: '<b>x</b> {time} {name}' },
    /"since": it lacks <time\/>$/,
  ],
  [
    'a plural form that the language does not have',
    { count: '{n, plural, one {#} other {#}}' },
    /"count": .*one/,
  ],
  [
    'no plural form for the rest',
    { count: '{n, plural, =0 {#}}' },
    /"count": a plural or a select lacks the form other$/,
  ],
  ['an element that is not closed', { since: '<b>x <time/> {name}' }, /"since": .* is not closed/],
  ['an empty text', { title: '' }, /"title": there is no text$/],
  ['something that is no text', { title: 5 }, /"title": there is no text$/],
] as const)('%s is named, with its file', async (_, changes, line) => {
  const ko = { ...english, count: '{n, plural, other {#}}', ...changes }
  const lines = await compile({ en: english, ko })
  expect(lines.find((each) => line.test(each))).toContain('src/texts/ko/site.json')
})

it.each([
  ['one', '{n, plural, other {# Maps}}', 'one'],
  ['one, but not for 1', '{n, plural, =0 {none} other {# Maps}}', 'one'],
] as const)('a plural without the form %s of its language is named', async (_, count, form) => {
  const lines = await compile({ en: english, de: { ...english, count } })
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`"count": a plural lacks the form ${form}$`)),
  ])
})

it('a plural may name the numbers of a form in its place', async () => {
  const de = { ...english, count: '{n, plural, =1 {# Map} other {# Maps}}' }
  expect(await compile({ en: english, de })).toEqual([])
})

it.each([
  ['de_AT!', /^src\/texts\/languages\.json:?\d*, "de_AT!": it must be the code of a language/],
  ['zh-hans', /"zh-hans": it must be the code of a language \(BCP 47\), which is written zh-Hans$/],
])('%s, which is no code of a language, is named, and no more', async (code, line) => {
  expect(await compile({ en: english, [code]: {} })).toEqual([expect.stringMatching(line)])
})

it('all that is wrong is named at once', async () => {
  const ko = { title: '', count: 'x' }
  expect(await compile({ en: english, ko })).toHaveLength(2)
})

it.each([
  ['no JSON', '{', /^src\/texts\/en\/site\.json: /],
  ['a key that is a word of JavaScript', { delete: 'x' }, /"delete": JavaScript has another use/],
  ['a key with a sign', { 'a-b': 'x' }, /"a-b": a key is in camelCase/],
] as const)('in English, %s', async (_, en, line) => {
  expect((await compile({ en }))[0]).toMatch(line)
})

it('names of a table of the program are translated where a language has a name for them', async () => {
  const from = join(folder, 'texts')
  const putNames = async (names: Readonly<Record<string, string>>) => {
    await mkdir(join(from, 'ko'), { recursive: true })
    await writeFile(join(from, 'ko', 'formats.json'), JSON.stringify(names))
  }
  await putNames({ links: '링크' })
  const texts = { en: { title: 'Packs' }, ko: { title: '팩' } }
  expect(await compile(texts, 'ko/formats.js')).toContain('export const links = "링크"')
  expect(await compile(texts, 'en/formats.js')).toEqual([''])
  await putNames({ links: '{n} 링크' })
  expect(await compile(texts)).toEqual([expect.stringMatching(/"links": a name has no \{n\}$/)])
})
