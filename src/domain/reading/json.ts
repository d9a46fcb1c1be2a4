import { AppError, refusal } from '../../contract/errors.ts'
import { ofPrograms, type Wrong, wrong } from '../../pool/input-words.ts'
import { invalidInput } from '../invalid-input.ts'
import { join } from './schema.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Reads JSON; `bad_request` with place and fault unless it is sound UTF-8 JSON (D-18, D-51). */
export function readJson(bytes: Uint8Array): unknown {
  const text = readText(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson(text)
  }
  // A lone surrogate or U+0000 can only come out of an escape: raw, both are refused before.
  if (text.includes('\\u')) {
    refuseUnsound(value)
    refuseUnsoundIn(text)
  }
  return value
}

const MEDIA_TYPE = /^[^; \t]*(?=[ \t]*(?:;|$))/

/**
 * Refuses a body that is sent as anything else than `taken`, or with a content coding (D-25).
 *
 * @param types every `Content-Type` that the request has; undefined when it has none.
 */
export function checkJsonMedia(
  types: readonly string[] | undefined,
  encoding: string | undefined,
  taken: readonly string[],
): void {
  const isTaken = (type: string) => taken.includes(MEDIA_TYPE.exec(type)?.[0].toLowerCase() ?? '')
  if (!(types ?? ['']).every(isTaken)) throw refusal('notJsonMedia')
  if (encoding !== undefined) throw refusal('encodedBody')
}

function readText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    const other = otherEncoding(bytes)
    if (other !== null) throw wrongEncoding(other)
    const at = badByte(bytes)
    const line = bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1
    throw notUtf8(`byte ${at + 1}, in line ${line}, is not; encode the body as UTF-8`)
  }
}

/** The encoding that a byte order mark or half of a `{` indicates; null for neither. */
function otherEncoding(bytes: Uint8Array): 'UTF-16' | 'UTF-32' | null {
  const [a, b, c, d] = bytes
  const hasMark = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)
  const isWide = (a === 0 && b === 0) || (b === 0 && c === 0 && d === 0)
  if (isWide || (hasMark && c === 0 && d === 0)) return 'UTF-32'
  return hasMark || (a === 0) !== (b === 0) ? 'UTF-16' : null
}

/** The index of the first byte of the first sequence that is not UTF-8. */
function badByte(bytes: Uint8Array): number {
  const tolerant = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  const text = tolerant.decode(bytes)
  const encoder = new TextEncoder()
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) {
    // All before it is sound, so that it has the length that it had.
    const offset = encoder.encode(text.slice(0, at)).length
    const isReal =
      bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd
    if (!isReal) return offset
  }
  return bytes.length
}

const notUtf8 = (why: string): AppError =>
  new AppError('bad_request:invalid_json', `the body must be UTF-8: ${why}`)

const wrongEncoding = (encoding: string): AppError =>
  notUtf8(`it is ${encoding}; encode it as UTF-8 before you send it`)

function notJson(text: string): AppError {
  const say = (what: string) =>
    new AppError('bad_request:invalid_json', `the body must be valid JSON: ${what}`)
  if (text.trim() === '') return say('it is empty; send a JSON object')
  const wide = otherEncoding(new TextEncoder().encode(text.slice(0, 4)))
  if (wide !== null) return wrongEncoding(wide)
  const { at, what } = findJsonFault(text)
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  const column = Array.from(lines.at(-1) ?? '').length + 1
  return say(`line ${lines.length}, column ${column}: ${what}`)
}

/** What is wrong with a text that no store can keep as it is; null when nothing is (D-18). */
function unsoundness(text: string): 'nullCharacter' | 'loneSurrogate' | null {
  if (text.includes('\0')) return 'nullCharacter'
  return text.isWellFormed() ? null : 'loneSurrogate'
}

const ofName = {
  nullCharacter: ofPrograms('has a field name with a U+0000'),
  loneSurrogate: ofPrograms('has a field name with a lone surrogate'),
} as const

const ofRepeated = {
  nullCharacter: ofPrograms('has a field twice, and a U+0000 in it'),
  loneSurrogate: ofPrograms('has a field twice, and a lone surrogate in it'),
} as const

/** Refuses the first string or name that is not sound, in the order of the body. */
function refuseUnsound(root: unknown): void {
  const waiting: { value: unknown; place: string }[] = [{ value: root, place: '' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, place } = next
    const refuse = (text: string, wrongOf: (found: keyof typeof ofName) => Wrong): void => {
      const found = unsoundness(text)
      if (found !== null) throw invalidInput([{ place, ...wrongOf(found) }])
    }
    if (typeof value === 'string') refuse(value, (found) => ({ what: wrong(found) }))
    if (typeof value !== 'object' || value === null) continue
    const members = Object.entries(value)
    for (const [name] of members) refuse(name, (found) => ofName[found])
    for (const [name, inner] of members.toReversed()) {
      if (typeof inner === 'string' || typeof inner === 'object') {
        waiting.push({ value: inner, place: join(place, name) })
      }
    }
  }
}

const JSON_STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/** Of fields that are there twice, the value has the last one alone: what the others hold is refused, too. */
function refuseUnsoundIn(text: string): void {
  for (const [string] of text.matchAll(JSON_STRING)) {
    const found = string.includes('\\u') ? unsoundness(JSON.parse(string) as string) : null
    if (found !== null) throw invalidInput([{ place: '', ...ofRepeated[found] }])
  }
}

/** Words that other languages write as values; each may follow a sign. */
const FOREIGN_WORD = /[+-]?(NaN|Infinity|undefined|None|True|False|TRUE|FALSE|NULL|Null|nil)\b/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const LOOKS_NUMERIC = /[+-]?(?:[0-9]|\.[0-9])/y
const LITERAL = /(?:true|false|null)/y
const SPACE = /[ \t\n\r]*/y
/** All but quotes, backslashes and controls. */
const PLAIN = /[ !#-[\]-\uffff]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

/** Where a text stops being JSON. */
class Fault extends Error {
  /** In UTF-16 code units. */
  readonly at: number
  /** What is there and what should be; never text of the sender's beyond one visible character. */
  readonly what: string

  constructor(at: number, what: string) {
    super(what)
    this.at = at
    this.what = what
  }
}

/**
 * The first place at which a text is not JSON (RFC 8259), for texts that `JSON.parse` refuses: its
 * own message names a place only sometimes (D-51). Not recursive: no nesting exhausts the stack.
 */
function findJsonFault(text: string): Pick<Fault, 'at' | 'what'> {
  try {
    walk(text)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  return { at: text.length, what: 'this is not a JSON value' }
}

function walk(text: string): void {
  const closers: ('}' | ']')[] = []
  let at = endOf(SPACE, text, 0)
  for (;;) {
    const opener = text[at]
    if (opener === '{' || opener === '[') {
      const closer = opener === '{' ? '}' : ']'
      at = endOf(SPACE, text, at + 1)
      if (text[at] !== closer) {
        closers.push(closer)
        if (closer === '}') at = afterName(text, at, false)
        continue
      }
      at += 1
    } else at = afterScalar(text, at)
    for (;;) {
      at = endOf(SPACE, text, at)
      const closer = closers.at(-1)
      if (closer === undefined) {
        if (at < text.length) throw new Fault(at, `${seen(text, at)} follows the end of the value`)
        return
      }
      if (text[at] === closer) {
        closers.pop()
        at += 1
        continue
      }
      if (text[at] !== ',') throw expected(text, at, `a comma or ${closer}`)
      const comma = at
      at = endOf(SPACE, text, at + 1)
      if (text[at] === closer) throw new Fault(comma, `remove the comma before ${closer}`)
      if (closer === '}') at = afterName(text, at, true)
      break
    }
  }
}

/** Where the value of the member begins whose name should begin here. */
function afterName(text: string, start: number, isLater: boolean): number {
  if (text[start] !== '"') {
    if (/[\w$]/.test(text[start] ?? '')) {
      throw new Fault(start, `${seen(text, start)} begins a name without double quotes; add them`)
    }
    throw expected(text, start, `a name in double quotes${isLater ? '' : ' or }'}`)
  }
  const colon = endOf(SPACE, text, afterString(text, start))
  if (text[colon] !== ':') throw expected(text, colon, 'a colon')
  return endOf(SPACE, text, colon + 1)
}

function afterScalar(text: string, start: number): number {
  if (text[start] === '"') return afterString(text, start)
  const literal = endOf(LITERAL, text, start)
  if (literal >= 0) return literal
  FOREIGN_WORD.lastIndex = start
  const foreign = FOREIGN_WORD.exec(text)?.[0]
  if (foreign !== undefined) {
    throw new Fault(start, `${foreign} is not a JSON value; leave the field out or send another`)
  }
  const number = endOf(NUMBER, text, start)
  if (number >= 0 && !/[\w.]/.test(text[number] ?? '')) return number
  if (endOf(LOOKS_NUMERIC, text, start) >= 0) {
    throw new Fault(start, 'a number must be plain decimal digits, as 1, -2 or 0.5')
  }
  throw expected(text, start, 'a value')
}

function afterString(text: string, start: number): number {
  for (let at = start + 1; ;) {
    at = endOf(PLAIN, text, at)
    if (text[at] === '"') return at + 1
    if (at >= text.length) {
      throw new Fault(start, 'the string that begins here is not closed; the body may be cut off')
    }
    if (text[at] !== '\\') {
      const name = { '\n': 'a line break', '\r': 'a line break', '\t': 'a tab' }[text[at] ?? '']
      const escape = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[text[at] ?? '']
      throw new Fault(
        at,
        name === undefined
          ? `${seen(text, at)} cannot be in a string; remove it`
          : `${name} in a string must be written ${escape}`,
      )
    }
    const escaped = endOf(ESCAPE, text, at)
    if (escaped < 0) throw new Fault(at, 'this escape does not exist; write \\\\ for a backslash')
    at = escaped
  }
}

function expected(text: string, at: number, what: string): Fault {
  const char = text[at]
  if (char === undefined) return new Fault(at, `the body ends where ${what} should be`)
  if (char === "'" || char === '`' || /[\u2018-\u201f]/.test(char)) {
    return new Fault(at, `${seen(text, at)} is no double quote; strings and names need those`)
  }
  if (char === '#' || text.startsWith('//', at) || text.startsWith('/*', at)) {
    return new Fault(at, 'a comment; JSON has none, remove it')
  }
  return new Fault(at, `${seen(text, at)} is where ${what} should be`)
}

/** One character, itself if it is visible ASCII: nothing else of the sender's is repeated. */
function seen(text: string, at: number): string {
  const point = text.codePointAt(at) ?? 0
  const character = String.fromCodePoint(point)
  if (/[!-~]/.test(character)) return character
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}
