import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'rolldown/experimental'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url).pathname

/** A node of a syntax tree, as ESTree has it. */
type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>

/** Attributes that no person reads. */
const technical = new Set(
  'accept action aria-keyshortcuts autocomplete class d download enctype for form height href icon id inputmode itemprop key method name points preserveAspectRatio rel role scope sizes sort src srcset style target tone transform type viewBox width within xmlns'.split(
    ' ',
  ),
)
/** Elements of which programs read the text. */
const machine = new Set(['code', 'kbd', 'samp'])
/** Calls whose texts are for developers, or for the browser. */
const calls =
  /^(?:console\.\w+|Error|TypeError|RangeError|matchMedia|querySelector(?:All)?|closest|matches|getElementById|(?:add|remove)EventListener|BroadcastChannel|CustomEvent|RegExp|Intl\.\w+)$/
/** Names of keys, and what else has a capital by a standard. */
const constants =
  /^(?:Secure|Enter|Escape|Tab|Home|End|Delete|Backspace|Insert|Page(?:Up|Down)|Arrow(?:Up|Down|Left|Right)|Shift|Control|Meta|Alt|F\d+|AbortError|NotFoundError|QuotaExceededError|InvalidStateError|Files|Infinity|NaN|UTC|GET|POST|PUT|PATCH|DELETE|Content-Type|Accept|X-[\w-]+)$/

/** Whether a literal reads like something for people: words with spaces, or one with a capital. */
const isProse = (text: string): boolean =>
  !constants.test(text.trim()) &&
  !/^M\d[\d\sA-Za-z.,-]*$/.test(text) &&
  (/\p{L}{2,}[^\p{L}]* [^\p{L}]*\p{L}/u.test(text) ||
    /^\s*\p{Lu}\p{Ll}+[.!?…:]?\s*$/u.test(text)) &&
  // Rules of style sheets, media queries, paths.
  !/^[.#(@/[]|^[a-z-]+(?: [a-z-]+)+$|^calc\(|^-?\d+px |^\w+:\/\/|^\w+\/\w+/.test(text.trim())

const nameOf = (node: Node | undefined): string => {
  if (node === undefined) return ''
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') return String(node['name'])
  if (node.type === 'MemberExpression') return nameOf(node['property'] as Node)
  return ''
}

/** The texts of a file that are not in the catalogue: `12: Copy link`. */
function looseTexts(path: string): string[] {
  const source = readFileSync(root + path, 'utf8')
  const found: string[] = []
  const put = ({ start }: Node, text: string): void => {
    const line = source.slice(0, start).split('\n').length
    found.push(`${path}:${line}: ${text.replaceAll(/\s+/g, ' ').trim()}`)
  }
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (typeof node !== 'object' || node === null || !('type' in node)) return undefined
    const each = node as Node
    const { type } = each
    if (/^(?:TS(?!As|NonNull|Satisfies)|Import|ExportAll)/.test(type)) return undefined
    if (type === 'JSXText') {
      if (/\p{L}/u.test(String(each['value']))) put(each, String(each['value']))
      return undefined
    }
    if (type === 'JSXAttribute' && technical.has(nameOf(each['name'] as Node))) return undefined
    if (type === 'Property' && technical.has(nameOf(each['key'] as Node))) return undefined
    if (type === 'JSXElement') {
      const opening = each['openingElement'] as Node
      if (machine.has(nameOf(opening['name'] as Node))) return undefined
    }
    if (type === 'CallExpression' || type === 'NewExpression') {
      if (calls.test(nameOf(each['callee'] as Node))) return undefined
    }
    if (type === 'BinaryExpression' && /^[!=]==?$/.test(String(each['operator']))) return undefined
    if (type === 'Literal' && typeof each['value'] === 'string' && isProse(each['value'])) {
      put(each, each['value'])
    }
    if (type === 'TemplateLiteral') {
      const parts = (each['quasis'] as Node[]).map((part) => (part['value'] as Node)['cooked'])
      const text = parts.join('7').replaceAll(/\bUTC\b/g, '')
      if (isProse(text) || / \p{L}{2,}|\p{L}{2,} /u.test(text)) put(each, parts.join('${…}'))
      return walk(each['expressions'])
    }
    for (const [key, value] of Object.entries(each)) if (key !== 'type') walk(value)
    return undefined
  }
  walk(parseSync(path, source).program)
  return found
}

/**
 * Folders of pages that are in English for everybody: what moderators read is in the log in English, and the reference shows
 * documents of the API.
 */
const inEnglish = ['moderation', 'reference']

describe('every text of the pages is in the catalogue', () => {
  const files = globSync('src/web/**/*.{ts,tsx}', { cwd: root }).filter(
    (path) => !path.endsWith('.d.ts'),
  )
  const folders = Map.groupBy(files, (path) => path.split('/')[2]!)
  for (const folder of inEnglish) folders.delete(folder)
  it.each([...folders])('in src/web/%s', (_folder, paths) => {
    expect(paths.flatMap(looseTexts)).toEqual([])
  })
})
