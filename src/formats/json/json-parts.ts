import {
  endOfString,
  endOfValue,
  jsonError,
  skipSpace,
  type Span,
  startOfMemberValue,
} from './scan-json.ts'

// Parts of a text that `scanJson` has passed. They are found anew at each call: keeping a tree of
// a large file would take many times its size.

/** One key of an object and its value. */
export type Member = {
  /** With its quotes. */
  readonly key: Span
  readonly value: Span
}

export function isObjectAt(text: string, value: Span): boolean {
  return text[value.start] === '{'
}

export function isArrayAt(text: string, value: Span): boolean {
  return text[value.start] === '['
}

/** The members of the object, one by one; repeated keys too. */
export function* membersOf(text: string, object: Span): Generator<Member> {
  let at = skipSpace(text, object.start + 1)
  while (text[at] !== '}') {
    const key = { start: at, end: endOfString(text, at) }
    const start = startOfMemberValue(text, at)
    const value = { start, end: endOfValue(text, start) }
    yield { key, value }
    at = skipSpace(text, value.end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
}

/** The items of the array, one by one. */
export function* itemsOf(text: string, array: Span): Generator<Span> {
  let at = skipSpace(text, array.start + 1)
  while (text[at] !== ']') {
    const item = { start: at, end: endOfValue(text, at) }
    yield item
    at = skipSpace(text, item.end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
}

/** The value of the string, its escapes resolved; null when the value is none. */
export function stringAt(text: string, value: Span): string | null {
  if (text[value.start] !== '"') return null
  const raw = text.slice(value.start + 1, value.end - 1)
  return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
}

/**
 * The value under the key; undefined when there is none.
 *
 * @throws FormatError when the key stands twice: programs do not agree on which of them counts.
 */
export function memberOf(text: string, object: Span, name: string): Span | undefined {
  let found: Span | undefined
  for (const { key, value } of membersOf(text, object)) {
    if (stringAt(text, key) !== name) continue
    if (found !== undefined) {
      throw jsonError(text, key.start, `this object has "${name}" twice; remove one of them`)
    }
    found = value
  }
  return found
}
