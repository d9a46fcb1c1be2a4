import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/experimental'
import { describe, expect, it } from 'vitest'

// Not every language has a space between two sentences: `formatSentences` and `Sentences` put what the page's language has there.

const root = new URL('../../', import.meta.url).pathname

/** A node of a syntax tree, as ESTree has it. */
type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))

/** Where a file joins two texts of the catalogue by a space of its own: `12: texts.saved texts.kept`. */
function joinedTexts(path: string, source: string): string[] {
  const { program } = parseSync(path, source)
  const catalogues = new Set<string>()
  for (const node of program.body as unknown as Node[]) {
    const from = isNode(node['source']) ? String(node['source']['value']) : ''
    if (node.type === 'ImportDeclaration' && from.startsWith('#texts/')) {
      for (const each of node['specifiers'] as Node[]) {
        catalogues.add(String((each['local'] as Node)['name']))
      }
    }
  }
  const holdsText = (node: Node): boolean => {
    const { type } = node
    if (type === 'JSXAttribute' || type.startsWith('TS')) return false
    if (type === 'JSXElement') {
      // What a component shows is not known here.
      const name = (node['openingElement'] as Node)['name'] as Node
      if (!/^[a-z]/.test(String(name['name']))) return false
    }
    if (type === 'MemberExpression') {
      const object = node['object'] as Node
      if (object.type === 'Identifier' && catalogues.has(String(object['name']))) return true
    }
    if (type === 'CallExpression') {
      const callee = node['callee'] as Node
      if (callee.type === 'Identifier' && callee['name'] === 'explain') return true
    }
    return childrenOf(node).some(holdsText)
  }
  const isSpace = (node: Node): boolean =>
    node.type === 'JSXExpressionContainer'
      ? isSpace(node['expression'] as Node)
      : /^(?:Literal|JSXText)$/.test(node.type) && /^[ \u00a0]+$/.test(String(node['value']))
  const isLayout = (node: Node): boolean =>
    node.type === 'JSXText' && /^\s*\n\s*$/.test(String(node['value']))

  const found: string[] = []
  const put = (first: Node, second: Node): void => {
    const line = source.slice(0, first.start).split('\n').length
    const [one, other] = [first, second].map(({ start, end }) => source.slice(start, end))
    found.push(`${path}:${line}: ${`${one} ${other}`.replaceAll(/\s+/g, ' ')}`)
  }
  const walk = (node: Node): void => {
    const list = (node['children'] ?? node['elements']) as (Node | null)[] | undefined
    const shown = list?.filter((each) => each !== null && !isLayout(each)) as Node[] | undefined
    for (const [at, each] of shown?.entries() ?? []) {
      const [before, after] = [shown?.[at - 1], shown?.[at + 1]]
      if (isSpace(each) && before && after && holdsText(before) && holdsText(after)) {
        put(before, after)
      }
    }
    if (node.type === 'TemplateLiteral') {
      const parts = node['expressions'] as Node[]
      for (const [at, quasi] of (node['quasis'] as Node[]).entries()) {
        const [before, after] = [parts[at - 1], parts[at]]
        const { cooked } = quasi['value'] as { cooked: string }
        const isJoin = cooked.trim() === '' && cooked !== ''
        if (isJoin && after && holdsText(after) && (before === undefined || holdsText(before))) {
          put(before ?? quasi, after)
        }
      }
    }
    for (const each of childrenOf(node)) walk(each)
  }
  walk(program as unknown as Node)
  return found
}

describe('sentences of the catalogue are joined as the language has them (D-107)', () => {
  const files = globSync('src/web/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !path.endsWith('.d.ts') && !/^src\/web\/(?:moderation|reference)\//.test(path),
  )
  it.each([...Map.groupBy(files, (path) => path.split('/')[2]!)])('in src/web/%s', (_, paths) => {
    expect(paths.flatMap((path) => joinedTexts(path, readFileSync(root + path, 'utf8')))).toEqual(
      [],
    )
  })

  it.each([
    "<p>{texts.one}{' '}\n{texts.two({ n })}</p>",
    '<p><b>{texts.one}</b> <a href="/">{texts.two}</a></p>',
    "<p>{error !== null && [explain(error), ' ', texts.two]}</p>",
    '`${texts.one} ${texts.two}`',
    '<p>{more && ` ${texts.two}`}</p>',
  ])('not by a space in %s', (code) => {
    expect(joinedTexts('a.tsx', `import * as texts from '#texts/a'\nx = ${code}`)).toHaveLength(1)
  })

  it.each(['<p>{texts.one} · {texts.two}</p>', "<p>{texts.one}{' '}<Button /></p>"])(
    'and %s is left',
    (code) => {
      expect(joinedTexts('a.tsx', `import * as texts from '#texts/a'\nx = ${code}`)).toEqual([])
    },
  )
})
