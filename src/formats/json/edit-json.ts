import { isArrayAt, isSpace, itemsOf, membersOf, type Span } from './scan-json.ts'

/**
 * The text with one more part at the end of an object or list; all else keeps its place to the
 * last character, but for white space inside an empty one.
 *
 * @param write gives the part (for an object: key and value), told what its line begins with and
 * whether the parts of the container have lines of their own.
 */
export function insertPart(
  text: string,
  container: Span,
  layout: JsonLayout,
  write: (indent: string, isSpread: boolean) => string,
): string {
  const last = lastPart(text, container)
  if (last !== undefined) {
    const lead = leadOf(text, last.start)
    const part = write(indentAt(text, last.start), hasLineBreak(lead))
    return `${text.slice(0, last.end)},${lead}${part}${text.slice(last.end)}`
  }
  const outer = indentAt(text, container.start)
  const inner = outer + layout.unit
  const part = layout.isSpread
    ? layout.newline + inner + write(inner, true) + layout.newline + outer
    : write(inner, false)
  return text.slice(0, container.start + 1) + part + text.slice(container.end - 1)
}

function lastPart(text: string, container: Span): Span | undefined {
  let last: Span | undefined
  if (isArrayAt(text, container)) for (const item of itemsOf(text, container)) last = item
  else {
    for (const { key, value } of membersOf(text, container)) {
      last = { start: key.start, end: value.end }
    }
  }
  return last
}

/** JSON that is written as it is. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export type JsonValue =
  | JsonText
  | string
  | number
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** As a `flatDepth`: everything takes as many lines as it has parts. */
export const NEVER_FLAT = Number.POSITIVE_INFINITY

/**
 * Writes a value in the layout.
 *
 * @param indent what the line begins with on which the value begins.
 * @param flatDepth how deep inside the value things stand on one line; 0 is the value itself.
 */
export function writeJson(
  value: JsonValue,
  layout: JsonLayout,
  indent: string,
  flatDepth: number,
): string {
  if (value instanceof JsonText) return value.text
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = indent + layout.unit
  const write = (part: JsonValue): string => writeJson(part, layout, inner, flatDepth - 1)
  const [open, parts, close] = isList(value)
    ? ['[', value.map(write), ']']
    : ['{', Object.entries(value).map(([key, part]) => writeKey(key, layout) + write(part)), '}']
  if (parts.length === 0) return open + close
  if (flatDepth <= 0) return open + parts.join(layout.colon.endsWith(':') ? ',' : ', ') + close
  const lead = layout.newline + inner
  return open + lead + parts.join(`,${lead}`) + layout.newline + indent + close
}

/** A key and what stands between it and its value. */
export function writeKey(key: string, layout: JsonLayout): string {
  return JSON.stringify(key) + layout.colon
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value)
}

/** How a JSON text is laid out. */
export type JsonLayout = {
  /** Whether the outermost object takes more than one line. */
  readonly isSpread: boolean
  /** What lines end in. */
  readonly newline: string
  /** One step of indentation. */
  readonly unit: string
  /** What stands between a key and its value. */
  readonly colon: string
}

/** The layout where nothing else shows one. */
export const usualLayout: JsonLayout = { isSpread: true, newline: '\n', unit: '  ', colon: ': ' }

/** The layout of a text that `scanJson` has passed, as its outermost object shows it. */
export function layoutOf(text: string, root: Span): JsonLayout {
  const newline = /\r\n|\n|\r/.exec(text)?.[0] ?? usualLayout.newline
  const [first] = membersOf(text, root)
  if (first === undefined) return { ...usualLayout, newline }
  const between = text.slice(first.key.end, first.value.start)
  const lead = text.slice(root.start + 1, first.key.start)
  const isSpread = hasLineBreak(lead)
  return {
    isSpread,
    newline,
    unit: isSpread ? lead.slice(lineStart(lead, lead.length)) : usualLayout.unit,
    colon: hasLineBreak(between) ? usualLayout.colon : between,
  }
}

/** The blanks with which the line begins in which the offset stands. */
export function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset)
  let end = start
  while (end < offset && (text[end] === ' ' || text[end] === '\t')) end += 1
  return text.slice(start, end)
}

/** The white space directly in front of a part of a container. */
function leadOf(text: string, part: number): string {
  let start = part
  while (start > 0 && isSpace(text.charCodeAt(start - 1))) start -= 1
  return text.slice(start, part)
}

export function hasLineBreak(text: string): boolean {
  return /[\r\n]/.test(text)
}

function lineStart(text: string, offset: number): number {
  const before = text.slice(0, offset)
  return Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
}
