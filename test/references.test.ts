import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Marked } from 'marked'
import { describe, expect, it } from 'vitest'
import { budgets } from '../scripts/house.ts'
import { readSource } from '../scripts/markdown-guides.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = 'bench bin deploy docs examples migrations scripts src test'
  .split(' ')
  .map((name) => join(root, name))
const isText = (name: string): boolean =>
  /\.(?:tsx?|[cm]?js|css|sql|md|json|ya?ml|service)$/.test(name)
const filesIn = (folder: string, recursive: boolean): string[] =>
  readdirSync(folder, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile() && isText(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))

const here = 'test/references.test.ts'
const list = 'docs/decisions.md'
const texts = new Map(
  [...filesIn(root, false), ...folders.flatMap((folder) => filesIn(folder, true))]
    // What others wrote is read by tests, and refers to nothing here.
    .filter((path) => path !== here && !path.startsWith('test/formats/corpus/'))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)
const decisions = texts.get(list)!
const lines = decisions.split('\n')

const SECTION = String.raw`\d+(?:\.\d+)?(?: rule \d+)?`
const REFERENCE = new RegExp(
  String.raw`\b(?:D-\d{1,3}|[A-Z]-\d{1,2})\b|\bspec ${SECTION}(?:(?:, | and )${SECTION}(?![\w.]\d))*`,
  'g',
)

/** The numbers of rules that a text cites: `D-45`, `spec 2.6 rule 3`. */
function referencesIn(text: string): string[] {
  return Array.from(text.matchAll(REFERENCE), ([found]) => found).flatMap((found) =>
    found.startsWith('spec ')
      ? found
          .slice(5)
          .split(/, | and /)
          .map((section) => `spec ${section}`)
      : [found],
  )
}

const entries = lines.flatMap((line) => /^- .*?\*\*(D-\d+)\*\*/.exec(line)?.[1] ?? [])
const sections = lines.flatMap((line) => /^\| (spec [\w. ]*\w) *\|/.exec(line)?.[1] ?? [])

describe('references', () => {
  it('are seen one by one', () => {
    const text =
      "spec 2.3, 2.10 and 8, D-17 to D-19 and D-102; W-6: (spec 2.6 rule 3). HR-1, P-256, spec 5', 20"
    const found = 'spec 2.3|spec 2.10|spec 8|D-17|D-19|D-102|W-6|spec 2.6 rule 3|spec 5'
    expect(referencesIn(text)).toEqual(found.split('|'))
  })

  it('lead to docs/decisions.md, each of them', () => {
    const known = new Set([...entries, ...sections])
    const dead = [...texts].flatMap(([path, text]) =>
      text.split('\n').flatMap((line, at) =>
        referencesIn(line)
          .filter((reference) => !known.has(reference))
          .map((reference) => `${path}:${at + 1}: ${reference}`),
      ),
    )
    expect(dead).toEqual([])
  })

  it('are there for each entry and each section', () => {
    const cited = new Set(
      [...texts].flatMap(([path, text]) => (path === list ? [] : referencesIn(text))),
    )
    expect([...entries, ...sections].filter((name) => !cited.has(name))).toEqual([])
  })
})

describe('docs/decisions.md', () => {
  it('has each decision once, with its anchor and its date', () => {
    const items = lines.filter((line) => line.startsWith('- '))
    const ENTRY = /^- <a id="d-(\d+)"><\/a>\*\*D-\1\*\* \(\d{4}-\d\d-\d\d\) [A-Z`]/
    expect(items.filter((line) => !ENTRY.test(line))).toEqual([])
    for (const names of [entries, sections]) expect(names).toEqual([...new Set(names)])
  })

  it('leads from each section to a place in the guides', () => {
    const rows = lines.filter((line) => line.startsWith('| spec '))
    expect(rows.length).toBe(sections.length)
    expect(rows.filter((row) => !/ \[[^\]]+\]\([\w-]+\.md#[\w-]+\)/.test(row))).toEqual([])
  })

  it('has the reason for each budget that is above what is wanted', () => {
    for (const [name, { wanted, limit }] of Object.entries(budgets)) {
      const row = lines.find((line) => line.startsWith(`| \`${name}\` `))
      const [, , allowed, now] = row?.split('|').map((cell) => Number.parseInt(cell, 10)) ?? []
      if (limit === wanted) expect(row, name).toBeUndefined()
      else expect([allowed, now], name).toEqual([wanted, limit])
    }
  })
})

/** The places that links can name: headings, and anchors that are set by hand. */
const placesIn = (markdown: string): Set<string> =>
  new Set([
    ...readSource(markdown).ids.values(),
    ...Array.from(markdown.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id),
  ])

const documents = new Map([...texts].filter(([path]) => path.endsWith('.md')))

it.each([...documents])('%s links to what is there', (path, markdown) => {
  const hrefs: string[] = []
  const marked = new Marked()
  void marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'link') hrefs.push(token['href'])
  })
  const dead = hrefs.filter((href) => {
    const [, file = '', id] = /^([^#]*)(?:#(.*))?$/.exec(href) ?? []
    if (/^\w+:/.test(file)) return false
    const target = file === '' ? path : relative(root, resolve(root, dirname(path), file))
    if (!existsSync(join(root, target))) return true
    return id !== undefined && !placesIn(documents.get(target) ?? '').has(id)
  })
  expect(dead).toEqual([])
})
