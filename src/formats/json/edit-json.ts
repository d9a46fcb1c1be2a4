import { isArrayAt, isSpace, type Part, partsOf, type Span } from './scan-json.ts'

/** A part to be added to an object by its key, or to a list by null. */
export type NewPart = readonly [key: string | null, value: JsonValue]

/**
 * The text with more parts at the end of an object or list; all else stays to the last character, except
 * white space inside an empty one.
 *
 * @param flatDepth that of `writeJson`, where the parts of the container have lines of their own.
 */
export function insertParts(
  text: string,
  container: Span,
  layout: JsonLayout,
  parts: readonly NewPart[],
  flatDepth = (): number => NEVER_FLAT,
): string {
  if (parts.length === 0) return text
  let last: Part | undefined
  for (const part of partsOf(text, container)) last = part
  if (last === undefined) {
    const whole = isArrayAt(text, container)
      ? parts.map(([, value]) => value)
      : Object.fromEntries(parts.map(([key, value]) => [key ?? '', value]))
    return replaceValue(text, container, layout, whole, layout.isSpread ? flatDepth() + 1 : 0)
  }
  const lead = leadOf(text, last.key.start)
  const indent = indentAt(text, last.key.start)
  const depth = hasLineBreak(lead) ? flatDepth() : 0
  const added = parts.map(([key, value]) => {
    const name = key === null ? '' : JSON.stringify(key) + layout.colon
    return `,${lead}${name}${writeJson(value, layout, indent, depth)}`
  })
  return text.slice(0, last.value.end) + added.join('') + text.slice(last.value.end)
}

export function replaceValue(
  text: string,
  old: Span,
  layout: JsonLayout,
  value: JsonValue,
  flatDepth: number,
): string {
  const written = writeJson(value, layout, indentAt(text, old.start), flatDepth)
  return text.slice(0, old.start) + written + text.slice(old.end)
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

/** As a `flatDepth`: every part has a line of its own. */
export const NEVER_FLAT = Number.POSITIVE_INFINITY

/**
 * Writes a value in the layout.
 *
 * @param indent of the line on which the value begins.
 * @param flatDepth the depth from which values are on one line; 0 is the value itself.
 */
export function writeJson(
  value: JsonValue,
  layout = usualLayout,
  indent = '',
  flatDepth = NEVER_FLAT,
): string {
  if (value instanceof JsonText) return value.text
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = indent + layout.unit
  const isList = Array.isArray(value)
  const parts = Object.entries<JsonValue>(value).map(([key, part]) => {
    const written = writeJson(part, layout, inner, flatDepth - 1)
    return isList ? written : JSON.stringify(key) + layout.colon + written
  })
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  if (flatDepth <= 0) return open + parts.join(layout.colon.endsWith(':') ? ',' : ', ') + close
  const lead = layout.newline + inner
  return open + lead + parts.join(`,${lead}`) + layout.newline + indent + close
}

export type JsonLayout = Readonly<typeof usualLayout>

/** `isSpread`: the outermost object takes several lines; `unit`: one step; `colon` with white space around it. */
const usualLayout = { isSpread: true, newline: '\n', unit: '  ', colon: ': ' }

/** The layout of a text that `scanJson` has passed, as its outermost object shows it. */
export function layoutOf(text: string, root: Span): JsonLayout {
  const newline = /\r\n|\n|\r/.exec(text)?.[0] ?? usualLayout.newline
  const [first] = partsOf(text, root)
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

/** The indentation of the line that contains the offset. */
function indentAt(text: string, offset: number): string {
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
