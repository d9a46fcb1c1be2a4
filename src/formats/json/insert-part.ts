import { hasLineBreak, indentAt, type JsonLayout, leadOf } from './json-layout.ts'
import { isArrayAt, itemsOf, membersOf } from './json-parts.ts'
import type { Span } from './scan-json.ts'

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
