import { fault, type FormatError, type FormatMessage } from '../format-error.ts'
import { expected as expectedInJson, jsonError } from './scan-json.ts'

/** A value of a data literal, with where it is in the text, in UTF-16 units. */
export type Literal = { readonly start: number; end: number } & (
  | { readonly kind: 'object'; readonly members: Member[] }
  | { readonly kind: 'list'; readonly items: Literal[] }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  /** `null`, `true`, `None` and such. */
  | { readonly kind: 'word'; readonly value: string }
)
export type Member = { readonly key: string; readonly start: number; readonly value: Literal }
type Container = Extract<Literal, { kind: 'object' | 'list' }>

const MAX_DEPTH = 256
const words = new Set(['null', 'true', 'false', 'None', 'True', 'False', 'undefined', 'NaN'])
// Chats and sheets put white space that does not show around lines.
const space =
  /(?:[\s\ufeff\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069]|\/\/[^\r\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|#[^\r\n]*)*/y
const plainNumber = /[-+]?[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![\w$.])/y
const name = /[\p{L}_$][\p{L}\p{N}_$]*/uy
const assignment =
  /^(?:export\s+)?(?:(?:const|let|var)\s+)?([\w$.]{1,60})(?:\s*:\s*[\w$.<>[\], |]{1,80})?\s*=\s*|^export\s+default\s+/
const LONGEST_ASSIGNMENT = 240
/** What TypeScript says of a value behind it. */
const assertion = /(?:as\s+const|satisfies\s+[\w$.<>[\], |]{1,80})(?=\s*(?:[;\r\n]|$))/y

/**
 * The values that a text of data holds: JSON, JSON lines, or the literals of Python and JavaScript with their quotes,
 * trailing commas, bare keys and comments, also behind `const pool =`; several of these are an object of their names.
 * Objects and lists only; numbers and words alone are no data. Does not call itself: no nesting can exhaust the stack.
 * Takes time in proportion to the text.
 *
 * @throws FormatError with line and column of what is no data, or nested more than 256 deep.
 */
export function parseLiterals(text: string): Literal[] {
  const values: Literal[] = []
  const members: Member[] = []
  const keys = new Set<string>()
  for (let at = skip(text, 0); at < text.length;) {
    const [assigned = '', key] = assignment.exec(text.slice(at, at + LONGEST_ASSIGNMENT)) ?? []
    // `["Finals"]` above `NM = [75]` is TOML.
    if (key !== undefined && members.length < values.length)
      throw expected(text, at, fault('aBracket'))
    const start = at + assigned.length
    const isScalar = key !== undefined && !opens(text, start)
    // `export default pool;`
    const known = assigned === '' ? '' : wordAt(text, start)
    if (keys.has(known)) at = start + known.length
    else {
      const value = isScalar ? parseScalar(text, start) : parseLiteralAt(text, start)
      values.push(value)
      if (key !== undefined) {
        members.push({ key, start: at, value })
        keys.add(key)
      }
      assertion.lastIndex = skip(text, value.end)
      at = assertion.test(text) ? assertion.lastIndex : value.end
    }
    at = skip(text, at)
    while (text[at] === ',' || text[at] === ';') at = skip(text, at + 1)
  }
  const [first, ...others] = values
  if (first === undefined) return []
  if (!values.some(({ start }) => opens(text, start)))
    throw expected(text, first.start, fault('aBracket'))
  const isNamed = members.length === values.length && others.length > 0
  return isNamed
    ? [{ kind: 'object', start: first.start, end: others.at(-1)!.end, members }]
    : values
}

function wordAt(text: string, at: number): string {
  name.lastIndex = at
  return name.exec(text)?.[0] ?? ''
}

/** The list or object that begins there. Throws as `parseLiterals`. */
export function parseLiteralAt(text: string, start: number): Literal {
  if (!opens(text, start)) throw expected(text, start, fault('aBracket'))
  const open: { container: Container; key: Pick<Member, 'key' | 'start'> | null }[] = []
  let at = start
  for (;;) {
    const scalar = opens(text, at) ? null : parseScalar(text, at)
    if (scalar === null) {
      if (open.length === MAX_DEPTH)
        throw jsonError(text, at, fault('tooDeep', { most: MAX_DEPTH }))
      open.push({ container: containerAt(text, at), key: null })
      at = skip(text, at + 1)
    } else at = add(open.at(-1)!, scalar)
    // What follows a value or an opening bracket, up to where the next value begins.
    for (;;) {
      const top = open.at(-1)!
      const { container } = top
      const isObject = container.kind === 'object'
      const closer = closers[text.charAt(container.start)]!
      at = skip(text, at)
      const isFirst =
        (container.kind === 'object' ? container.members : container.items).length === 0
      if (!isFirst && text[at] === ',') at = skip(text, at + 1)
      else if (!isFirst && text[at] !== closer)
        throw expected(text, at, fault('aComma', { closer }))
      if (text[at] !== closer) {
        if (isObject) at = parseKey(text, at, top)
        break
      }
      open.pop()
      container.end = at + 1
      const parent = open.at(-1)
      if (parent === undefined) return container
      at = add(parent, container)
    }
  }
}

function opens(text: string, at: number): boolean {
  const letter = text[at]
  return letter === '{' || letter === '[' || letter === '('
}

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }
/** A set of Python, or a table of Lua: no key is a number that a comma follows. */
const setOfNumbers = /\{\s*[0-9]{4,10}\s*[,}]/y

function containerAt(text: string, start: number): Container {
  setOfNumbers.lastIndex = start
  return text[start] === '{' && !setOfNumbers.test(text)
    ? { kind: 'object', start, end: start, members: [] }
    : { kind: 'list', start, end: start, items: [] }
}

function add(
  to: { readonly container: Container; readonly key: Pick<Member, 'key' | 'start'> | null },
  value: Literal,
): number {
  if (to.container.kind === 'list') to.container.items.push(value)
  else if (to.key !== null) to.container.members.push({ ...to.key, value })
  return value.end
}

function parseKey(
  text: string,
  start: number,
  top: { key: Pick<Member, 'key' | 'start'> | null },
): number {
  // A symbol of Ruby: `:NM1 => 75`.
  const from = text[start] === ':' ? start + 1 : start
  name.lastIndex = from
  const bare = name.exec(text)?.[0]
  const scalar = bare === undefined ? parseScalar(text, from) : null
  const key =
    bare ?? (scalar?.kind === 'text' || scalar?.kind === 'number' ? String(scalar.value) : null)
  if (key === null) throw expected(text, start, fault('aKey'))
  const colon = skip(text, scalar?.end ?? from + key.length)
  const isArrow = text.startsWith('=>', colon)
  if (text[colon] !== ':' && !isArrow) throw expected(text, colon, fault('aColon'))
  top.key = { key, start }
  return skip(text, colon + (isArrow ? 2 : 1))
}

function parseScalar(text: string, start: number): Literal {
  const quote = text.charAt(start)
  if (quote === '"' || quote === "'" || quote === '`') return parseText(text, start, quote)
  plainNumber.lastIndex = start
  const number = plainNumber.exec(text)?.[0]
  if (number !== undefined) {
    const value = Number(number.replaceAll('_', ''))
    return { kind: 'number', start, end: start + number.length, value }
  }
  const word = wordAt(text, start)
  if (!words.has(word)) throw expected(text, start, fault('aValue'))
  return { kind: 'word', start, end: start + word.length, value: word }
}

function parseText(text: string, start: number, quote: string): Literal {
  let value = ''
  let from = start + 1
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at]
    if (letter === quote) {
      return { kind: 'text', start, end: at + 1, value: value + text.slice(from, at) }
    }
    if ((letter === '\n' || letter === '\r') && quote !== '`') break
    if (letter !== '\\') continue
    const [length, escaped] = escapeAt(text, at)
    value += text.slice(from, at) + escaped
    from = at + length
    at = from - 1
  }
  throw jsonError(text, start, fault('openText'))
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The length of an escape, and what it means. */
function escapeAt(text: string, at: number): [number, string] {
  const hex = /^\\(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/i.exec(text.slice(at, at + 6))
  const digits = hex?.[1] ?? hex?.[2]
  if (hex !== null && digits !== undefined) {
    return [hex[0].length, String.fromCharCode(Number.parseInt(digits, 16))]
  }
  const letter = text.charAt(at + 1)
  return [2, escapes[letter] ?? letter]
}

/** The value as JSON.parse would give it; words are null. Does not call itself. */
export function plainValue(root: Literal): unknown {
  const made = new Map<Literal, unknown>()
  const left: Literal[] = [root]
  for (let at = 0; at < left.length; at += 1) {
    const value = left[at]!
    if (value.kind === 'object') for (const member of value.members) left.push(member.value)
    if (value.kind === 'list') for (const item of value.items) left.push(item)
  }
  for (const value of left.toReversed()) made.set(value, plainOf(value, made))
  return made.get(root)
}

/** @param made what the parts of the value are. */
function plainOf(value: Literal, made: ReadonlyMap<Literal, unknown>): unknown {
  switch (value.kind) {
    case 'object':
      return Object.fromEntries(value.members.map(({ key, value: each }) => [key, made.get(each)]))
    case 'list':
      return value.items.map((item) => made.get(item))
    case 'word':
      return { true: true, false: false }[value.value.toLowerCase()] ?? null
    default:
      return value.value
  }
}

function skip(text: string, start: number): number {
  space.lastIndex = start
  return start + (space.exec(text)?.[0].length ?? 0)
}

const expected = (text: string, at: number, what: FormatMessage): FormatError =>
  expectedInJson(text, at, what, 'text')
