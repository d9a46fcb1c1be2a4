import { fault, FormatError, type FormatMessage, placeInText } from '../format-error.ts'

/** A part of a text: from `start` up to and without `end`, in UTF-16 units. */
export type Span = { readonly start: number; readonly end: number }

/** The longest text that is read, in UTF-16 units. */
export const MAX_JSON_LENGTH = 32 * 1024 * 1024
const MAX_DEPTH = 256

const QUOTE = 0x22
const BACKSLASH = 0x5c
const escapes = '"\\/bfnrt'
const hexEscape = /^u[0-9A-Fa-f]{4}/

/**
 * The span of the one value that the text holds, which is checked to the last character
 * (RFC 8259; a byte order mark in front is allowed). Its parts can then be read without checks.
 *
 * @throws FormatError with line and column.
 */
export function scanJson(text: string): Span {
  if (text.length > MAX_JSON_LENGTH) {
    throw new FormatError(fault('tooManyCharacters', { most: MAX_JSON_LENGTH }))
  }
  const start = skipSpace(text, text.startsWith('\ufeff') ? 1 : 0)
  const end = endOfValue(text, start)
  const rest = skipSpace(text, end)
  if (rest === text.length) return { start, end }
  throw jsonError(text, rest, fault('afterEnd'))
}

/** Where the value that begins at `start` ends. It does not call itself: no nesting can exhaust the stack. */
function endOfValue(text: string, start: number): number {
  const closers: string[] = []
  let at = start
  for (;;) {
    const opener = text[at]
    if (opener === '{' || opener === '[') {
      const closer = opener === '{' ? '}' : ']'
      at = skipSpace(text, at + 1)
      if (text[at] === closer) at += 1
      else {
        if (closers.length === MAX_DEPTH) {
          throw jsonError(text, at, fault('tooDeep', { most: MAX_DEPTH }))
        }
        closers.push(closer)
        if (closer === '}') at = startOfMemberValue(text, at)
        continue
      }
    } else at = endOfScalar(text, at)
    for (let closer = closers.at(-1); ; closer = closers.at(-1)) {
      if (closer === undefined) return at
      at = skipSpace(text, at)
      if (text[at] === closer) {
        closers.pop()
        at += 1
        continue
      }
      if (text[at] !== ',') throw expected(text, at, fault('aComma', { closer }))
      at = skipSpace(text, at + 1)
      if (closer === '}') at = startOfMemberValue(text, at)
      break
    }
  }
}

/** Where the value of the member whose key begins at `start` begins. */
function startOfMemberValue(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) throw expected(text, start, fault('aQuotedKey'))
  const colon = skipSpace(text, endOfString(text, start))
  if (text[colon] !== ':') throw expected(text, colon, fault('aColon'))
  return skipSpace(text, colon + 1)
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (isSpace(text.charCodeAt(at))) at += 1
  return at
}

export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** The end of the string whose opening quote is at `start`, after its closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code < 0x20) throw jsonError(text, at, fault('openString'))
    if (code === BACKSLASH) {
      at += 1
      if (text[at] === 'u' && hexEscape.test(text.slice(at, at + 5))) at += 4
      else if (at < text.length && !escapes.includes(text[at] ?? '')) {
        throw jsonError(text, at - 1, fault('badEscape'))
      }
    }
  }
  throw jsonError(text, start, fault('endlessString'))
}

function endOfScalar(text: string, start: number): number {
  const code = text.charCodeAt(start)
  if (code === QUOTE) return endOfString(text, start)
  if (code === 0x2d || isDigit(code)) return endOfNumber(text, start)
  const word = ['true', 'false', 'null'].find((each) => text.startsWith(each, start))
  if (word === undefined) throw expected(text, start, fault('aValue'))
  return start + word.length
}

function endOfNumber(text: string, start: number): number {
  let at = text[start] === '-' ? start + 1 : start
  at = text[at] === '0' ? at + 1 : endOfDigits(text, at)
  if (text[at] === '.') at = endOfDigits(text, at + 1)
  if (text[at] === 'e' || text[at] === 'E') {
    const signed = text[at + 1] === '+' || text[at + 1] === '-'
    at = endOfDigits(text, at + (signed ? 2 : 1))
  }
  return at
}

function endOfDigits(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at))) at += 1
  if (at === start) throw expected(text, at, fault('aDigit'))
  return at
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** @param problem what is wrong at the offset and what to do. */
export function jsonError(text: string, offset: number, problem: FormatMessage): FormatError {
  return new FormatError(problem, placeInText(text, offset))
}

/** @param whole what ends too early where there is nothing left. */
export function expected(
  text: string,
  at: number,
  message: FormatMessage,
  whole: 'file' | 'text' = 'file',
): FormatError {
  const point = text.codePointAt(at)
  const what = { message }
  if (point === undefined) return jsonError(text, at, fault(`${whole}Ends`, { what }))
  if (point < 0x20) return jsonError(text, at, fault('foundControl', { what }))
  const found = String.fromCodePoint(point).toWellFormed()
  return jsonError(text, at, fault('found', { what, found }))
}

// Parts of a text that `scanJson` has passed, found anew at each call: a tree takes many times the file's size.

export function isObjectAt(text: string, value: Span): boolean {
  return text[value.start] === '{'
}

export function isArrayAt(text: string, value: Span): boolean {
  return text[value.start] === '['
}

/** An item of an array, whose key is empty, or a member of an object, whose key has its quotes. */
export type Part = { readonly key: Span; readonly value: Span }

/** The items of an array or the members of an object, one by one; repeated keys too. */
export function* partsOf(text: string, container: Span): Generator<Part> {
  const isObject = isObjectAt(text, container)
  let at = skipSpace(text, container.start + 1)
  while (at < container.end - 1) {
    const key = { start: at, end: isObject ? endOfString(text, at) : at }
    const start = isObject ? startOfMemberValue(text, at) : at
    const value = { start, end: endOfValue(text, start) }
    yield { key, value }
    at = skipSpace(text, value.end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
}

/** The value of the string, its escapes resolved; null when there is no string. */
export function stringAt(text: string, value: Span | undefined): string | null {
  if (value === undefined || text[value.start] !== '"') return null
  const raw = text.slice(value.start + 1, value.end - 1)
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
}

/**
 * The value of the key in any case, as the tournament client finds it; undefined when there is none, or no object.
 *
 * @throws FormatError when the object has the key twice: programs do not agree on which of them counts.
 */
export function memberOf(text: string, object: Span, name: string): Span | undefined {
  if (!isObjectAt(text, object)) return undefined
  const wanted = name.toLowerCase()
  let found: Span | undefined
  for (const { key, value } of partsOf(text, object)) {
    if (stringAt(text, key)?.toLowerCase() !== wanted) continue
    if (found !== undefined) {
      throw jsonError(text, key.start, fault('keyTwice', { name }))
    }
    found = value
  }
  return found
}
