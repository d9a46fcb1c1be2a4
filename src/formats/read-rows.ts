import { unguardCell } from './cell-guard.ts'

/** A row of a table. */
export type Row = {
  /** The line that it begins on, counted from 1. */
  readonly line: number
  /** All of it as it was; more than one line when a quoted cell holds line breaks. */
  readonly text: string
  /** Without quotes and guards. */
  readonly cells: readonly string[]
}

export type Separator = '\t' | ',' | ';' | '|'

/** How a quoted cell ends: where, and what was in it. */
type Quoted = { readonly end: number; readonly cell: string }

/**
 * The rows of a text, however its lines end. Cells may be quoted (quotes in them doubled); a quote
 * that does not span a whole cell is a character like any other.
 *
 * @param separator null when each line is one cell and quotes mean nothing.
 */
export function readRows(text: string, separator: Separator | null): Row[] {
  const plainCell = new RegExp(`[^\\r\\n${separator ?? ''}]*`, 'y')
  const rows: Row[] = []
  let at = text.startsWith('\ufeff') ? 1 : 0
  let line = 1
  while (at < text.length) {
    const start = at
    const cells: string[] = []
    for (;;) {
      const quoted = separator === null ? null : readQuoted(text, at, separator)
      plainCell.lastIndex = at
      const cell = quoted?.cell ?? plainCell.exec(text)?.[0] ?? ''
      cells.push(separator === null ? cell : unguardCell(cell))
      at = quoted?.end ?? at + cell.length
      if (at >= text.length || text[at] !== separator) break
      at += 1
    }
    const row = text.slice(start, at)
    rows.push({ line, text: row, cells })
    if (at < text.length) at += text.startsWith('\r\n', at) ? 2 : 1
    line += 1 + (row.match(/\r\n|\r|\n/g)?.length ?? 0)
  }
  return rows
}

/** The quoted cell at a place; null when there is none, or when it is not all of its cell. */
function readQuoted(text: string, at: number, separator: Separator): Quoted | null {
  const start = skipSpaces(text, at)
  if (text[start] !== '"') return null
  let close = start
  do close = text.indexOf('"', close + 1)
  while (close >= 0 && text[close + 1] === '"' && (close += 1) > 0)
  if (close < 0) return null
  const end = skipSpaces(text, close + 1)
  const isWhole = end >= text.length || '\r\n'.includes(text.charAt(end)) || text[end] === separator
  return isWhole ? { end, cell: text.slice(start + 1, close).replaceAll('""', '"') } : null
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at += 1
  return at
}
