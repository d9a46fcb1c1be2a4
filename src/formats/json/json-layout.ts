import { membersOf } from './json-parts.ts'
import { isSpace, type Span } from './scan-json.ts'

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
export function leadOf(text: string, part: number): string {
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
