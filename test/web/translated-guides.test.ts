import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { parse, type Token } from '@messageformat/parser'
import { describe, expect, it } from 'vitest'
import { guideNames, guidesIn, readGuides } from '../../scripts/guides-plugin.ts'
import { compileGuides } from '../../scripts/markdown-guides.ts'
import { languages } from '#texts/languages'
import { formats } from '../../src/formats/format-table.ts'
import type { Guide, GuideBlock } from '../../src/web/docs/guide.ts'

// A guide that is changed in English alone would say something else in other languages, and nothing would show it (D-108).

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

const others = Object.keys(languages).filter((language) => language !== 'en')
const translations = others.flatMap((language) =>
  guidesIn(language).map((name) => [language, name] as const),
)

const english = await readGuides()
const guideOf = async (language: string, name: string): Promise<Guide> =>
  (await readGuides(language))[name]!

const matchesOf = (html: string, pattern: RegExp): string[] =>
  [...new Set(Array.from(html.matchAll(pattern), ([, found = '']) => found))].toSorted()

/** What is the same in each language: elements, where links lead, and code. */
const skeletonOf = (html: string) => ({
  elements: Array.from(html.matchAll(/<(p|ul|ol|li|blockquote|hr|strong)\b/g), ([, name]) => name)
    .filter((name) => name !== 'strong')
    .join(' '),
  strong: html.split('<strong>').length - 1,
  links: matchesOf(html, /href="([^"]*)"/g),
  code: matchesOf(html, /<code>(.*?)<\/code>/g),
})

function shapeOf(block: GuideBlock): unknown {
  if (block.kind === 'text') return { kind: block.kind, ...skeletonOf(block.html) }
  if (block.kind === 'heading') {
    const { kind, level, id, html } = block
    return { kind, level, id, ...skeletonOf(html) }
  }
  if (block.kind === 'table') {
    const { kind, head, rows } = block
    return { kind, head: head.map(skeletonOf), rows: rows.map((cells) => cells.map(skeletonOf)) }
  }
  if (block.kind === 'picture') {
    const { text: _, ...picture } = block
    return picture
  }
  return block
}

const shapesOf = ({ blocks }: Guide): unknown[] => blocks.map(shapeOf)

describe('the folders of translations', () => {
  it('are of languages that the site has, and hold guides that it shows', () => {
    const folders = readdirSync(new URL('docs/', root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'pictures')
      .map(({ name }) => name)
    expect(others).toEqual(expect.arrayContaining(folders))
    for (const folder of folders) {
      const files = readdirSync(new URL(`docs/${folder}/`, root))
      expect(guideNames.map((name) => `${name}.md`)).toEqual(expect.arrayContaining(files))
    }
  })

  it('lead to translations, where there are some', () => {
    const missed = translations.flatMap(([language, name]) =>
      Array.from(read(`docs/${language}/${name}.md`).matchAll(/\]\(\.\.\/([\w-]+)\.md/g))
        .filter(([, target = '']) => guidesIn(language).includes(target))
        .map(([link]) => `docs/${language}/${name}.md: ${link}`),
    )
    expect(missed).toEqual([])
  })
})

describe.each(translations)('docs/%s/%s.md', (language, name) => {
  it(`is of docs/${name}.md as it is now, or is looked at again (docs/translating.md)`, () => {
    const [, path, then] = /^<!-- (docs\/[\w-]+\.md) (\w+) -->\n\n# /.exec(
      read(`docs/${language}/${name}.md`),
    ) ?? ['']
    const now = hash('sha256', read(`docs/${name}.md`)).slice(0, 12)
    expect([path, then]).toEqual([`docs/${name}.md`, now])
  })

  it('has the parts of the English guide: headings and their ids, tables, pictures, code, links', async () => {
    const guide = await guideOf(language, name)
    expect(guide.language).toBe(language)
    expect(shapesOf(guide)).toEqual(shapesOf(english[name]!))
  })

  it('calls what the site shows as the site does in that language', async () => {
    const { title, blocks } = await guideOf(language, name)
    const original = english[name]!
    const names = differencesIn(
      language,
      original.blocks.map((block, at) => [labelsIn('en', block), labelsIn(language, blocks[at]!)]),
    )
    // A whole text, which a title, the first cell of a row or something bold may be by chance.
    const whole = differencesIn(
      language,
      [
        [[original.title], [title]],
        ...original.blocks.map((block, at) => [firstCells(block), firstCells(blocks[at]!)]),
        ...original.blocks.map((block, at) => [boldIn(block), boldIn(blocks[at]!)]),
      ],
      wholeTextsLike,
    )
    expect([...names, ...whole]).toEqual([])
  })
})

describe('the English guides that are translated', () => {
  it.each([...new Set(translations.map(([, name]) => name))])(
    'docs/%s.md calls what the site shows as the site does',
    (name) => {
      const labels = english[name]!.blocks.flatMap((block) => labelsIn('en', block))
      const unknown = labels.filter((each) => textsLike(each).length === 0)
      expect(unknown.filter((each) => !elsewhere.has(each))).toEqual([])
    },
  )
})

describe('the comparison of a translation with its guide', () => {
  const source =
    '# A\n\n## One\n\nSee [that](#one), `code`.\n\n- **a**\n- b\n\n| x | y |\n| - | - |\n| 1 | `2` |\n\n```sh\nls\n```\n\n![A cat](x-light.svg)\n'
  const size = { width: 2, height: 1 }
  const sizes = new Map(
    ['x', 'y'].flatMap((x) => [`${x}-light.svg`, `${x}-dark.svg`].map((y) => [y, size])),
  )
  const shapes = (text: string) => shapesOf(compileGuides({ here: text }, sizes)['here']!)
  const id = '<a id="one"></a>'

  it('finds nothing where words differ, and headings name their ids', () => {
    const words = source
      .replace('## One', `## ${id}Eins`)
      .replace('See', 'Siehe')
      .replace('A cat', 'Eine Katze')
    expect(shapes(words)).toEqual(shapes(source))
  })

  it.each([
    ['## One', `## ${id.replace('one', 'two')}One\n\n## One`],
    ['## One', `### ${id}Eins`],
    ['[that](#one)', 'that'],
    ['`code`', 'code'],
    ['- b\n', ''],
    ['**a**', 'a'],
    ['| 1 | `2` |\n', ''],
    ['`2`', '`3`'],
    ['ls\n', 'ls -l\n'],
    ['x-light', 'y-light'],
    ['- **a**\n- b\n\n', ''],
  ])('finds %j that became %j', (from, to) => {
    expect(source).toContain(from)
    expect(shapes(source.replace(from, to))).not.toEqual(shapes(source))
  })

  it.each([
    ['Get the maps', '맵 받기', 'ko', 0],
    ['Get the maps', '맵을 받기', 'ko', 1],
    ['Load 12 sets', '비트맵셋 12개 받기', 'ko', 0],
    ['Load 12 sets', '비트맵셋 13개 받기', 'ko', 1],
    ['Choose your a.db', 'Elegir tu a.db', 'es', 0],
    ['no such label', 'whatever', 'es', 0],
  ])('takes %j as %j in %s: %i differences', (label, translated, language, n) => {
    expect(differencesIn(language, [[[label], [translated]]])).toHaveLength(n)
  })
})

/** No texts of the site: what the game, systems and hosts call theirs, and names of formats. */
const elsewhere: ReadonlySet<string> = new Set([
  'Maintenance',
  'Import files',
  'Import collections from stable',
  'Default apps',
  'collection.db',
  'custom map, due Sunday',
])

/** Names in a block: emphasised or in quotation marks. */
function labelsIn(language: string, block: GuideBlock): string[] {
  if (block.kind === 'code' || block.kind === 'picture') return []
  const html =
    block.kind === 'table' ? [...block.head, ...block.rows.flat()].join('\n') : block.html
  return namesIn(language, html)
}

const marks: Readonly<Record<string, RegExp>> = {
  en: /<em>(.*?)<\/em>|&quot;(.*?)&quot;/g,
  es: /«(.*?)»/g,
}
const quoted = /“(.*?)”/g

const namesIn = (language: string, html: string): string[] =>
  Array.from(
    html.replaceAll(/\s+/g, ' ').matchAll(marks[language] ?? quoted),
    ([, one, two]) => one ?? two ?? '',
  )

const boldIn = (block: GuideBlock): string[] =>
  block.kind === 'text'
    ? Array.from(block.html.matchAll(/<strong>(.*?)<\/strong>/g), ([, bold = '']) => bold)
    : []

const firstCells = (block: GuideBlock): string[] =>
  block.kind === 'table' ? block.rows.map(([first = '']) => first) : []

/** @param pairs names in English, and in the translation of the same place. */
function differencesIn(
  language: string,
  pairs: readonly (readonly string[][])[],
  like = textsLike,
): string[] {
  return pairs.flatMap(([originals = [], translated = []]) => {
    const left = [...translated]
    const wrong = originals.flatMap((label) => {
      const wanted = like(label).map((write) => write(language))
      if (wanted.length === 0) return []
      const at = left.findIndex((each) => wanted.includes(each))
      if (at !== -1) left.splice(at, 1)
      return at === -1 ? [`${label} is not ${[...new Set(wanted)].join(' or ')}`] : []
    })
    const isEqual = originals.length === translated.length
    return isEqual ? wrong : [...wrong, `${originals.join(', ')} ≠ ${translated.join(', ')}`]
  })
}

type Pattern = { readonly tokens: readonly (string | { readonly value: string })[] }

/** A message as it reads with many: words, and the names of values; null: it has choices or elements. */
function patternOf(message: string): Pattern | null {
  if (/<\w/.test(message)) return null
  const flat = (tokens: readonly Token[], number: string): Pattern['tokens'] | null => {
    const parts = tokens.map((token) => {
      if (token.type === 'content') return [token.value]
      if (token.type === 'octothorpe') return [{ value: number }]
      if (token.type === 'argument') return [{ value: token.arg }]
      if (token.type !== 'plural') return null
      const many = token.cases.find(({ key }) => key === 'other')
      return many === undefined ? null : flat(many.tokens, token.arg)
    })
    return parts.includes(null) ? null : parts.flatMap((part) => part ?? [])
  }
  const tokens = flat(parse(message), '')
  return tokens && { tokens }
}

const keyOf = (id: string): string =>
  id.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
/** Names of formats and what they are for, which are in their table. */
const englishNames = Object.fromEntries(
  Object.entries(formats).flatMap(([id, { label, about }]) => [
    [keyOf(id), label],
    [`${keyOf(id)}Means`, about],
  ]),
)

/** A format that has one name everywhere is in no translation. */
const translatedNames = Object.fromEntries(
  Object.entries(englishNames).filter(([key]) =>
    others.some((each) => read(`src/texts/${each}/formats.json`).includes(`"${key}"`)),
  ),
)

it.each(others)('in %s, no name is of a format that is not there', (language) => {
  const names = JSON.parse(read(`src/texts/${language}/formats.json`))
  expect(Object.keys(englishNames)).toEqual(expect.arrayContaining(Object.keys(names)))
})

const sections = readdirSync(new URL('src/texts/en/', root)).filter(
  (file) => file !== 'moderation.json',
)
const textsIn = (language: string): Map<string, string> =>
  new Map(
    [...sections, 'formats.json'].flatMap((file) =>
      Object.entries<string>(
        language === 'en' && file === 'formats.json'
          ? translatedNames
          : JSON.parse(read(`src/texts/${language}/${file}`)),
      )
        .filter(([key]) => !key.startsWith('@'))
        .map(([key, text]) => [`${file} ${key}`, text] as const),
    ),
  )
const catalogues = new Map(Object.keys(languages).map((each) => [each, textsIn(each)]))

const patterns = [...catalogues.get('en')!].flatMap(([key, text]) => {
  const tokens = patternOf(text)?.tokens ?? []
  const words = tokens.filter((each) => typeof each === 'string').join('')
  return /\p{L}{3}/u.test(words) ? [{ key, tokens }] : []
})

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const expressions = patterns.map(({ key, tokens }) => {
  const source = tokens.map((each) => (typeof each === 'string' ? escaped(each) : '(.+)')).join('')
  const names = tokens.flatMap((each) => (typeof each === 'string' ? [] : [each.value]))
  return { key, names, expression: new RegExp(`^${source}$`) }
})

type Write = (language: string) => string

/** The texts that are this in English, without values: what they are in a language. */
const wholeTextsLike = (label: string): Write[] =>
  [...catalogues.get('en')!].flatMap(([key, text]) =>
    text === label ? [(language: string) => catalogues.get(language)!.get(key)!] : [],
  )

/** The same, or else those that read so with values in them. */
function textsLike(label: string): Write[] {
  const whole = wholeTextsLike(label)
  return whole.length > 0
    ? whole
    : expressions.flatMap(({ key, names, expression }) => {
        const values = expression.exec(label)?.slice(1)
        return values === undefined ? [] : [writerOf(key, names, values)]
      })
}

function writerOf(key: string, names: readonly string[], values: readonly string[]): Write {
  return (language) =>
    (patternOf(catalogues.get(language)!.get(key)!)?.tokens ?? [])
      .map((each) => (typeof each === 'string' ? each : (values[names.indexOf(each.value)] ?? '')))
      .join('')
}
