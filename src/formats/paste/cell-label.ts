import type { Columns } from './columns.ts'
import type { KnownCodes } from './known-codes.ts'
import { isPlain, type Label, readLabel } from './label.ts'
import { readWhole, readWords } from './words.ts'

/** What a row says of its slot; `label` null: nothing. */
export type CellLabel = { readonly label: Label | null; readonly column: number | null }

const none: CellLabel = { label: null, column: null }

/**
 * The label of a row under a header: in one cell (`NM1`), or in two (`NM` and `1`).
 *
 * @returns the cell that should hold a slot and does not, as text.
 */
export function labelUnderHeader(
  cells: readonly string[],
  { slot, mod, index }: Columns,
  codes: KnownCodes,
): CellLabel | string {
  const textOf = (column: number | null): string =>
    column === null ? '' : wordsOf(cells[column]).join(' ')
  const [slotText, modText] = [textOf(slot), textOf(mod)]
  const number = readWhole(textOf(index))
  const isNumberAlone = readWhole(slotText) !== null
  if (isNumberAlone && modText !== '') return inTwo(modText, Number(slotText), codes)
  const [text, column] = slotText === '' ? [modText, mod] : [slotText, slot]
  if (text === '') return number === null ? none : { label: { code: null, index: number }, column }
  if (number !== null && !isNumberAlone) return inTwo(text, number, codes)
  const label = readLabel(text.split(' '), codes)
  return label === null ? text : { label, column }
}

/** A code and a number from two cells; the first may hold the number, too. */
function inTwo(text: string, index: number, codes: KnownCodes): CellLabel | string {
  const own = readLabel(text.split(' '), codes)
  if (own === null) return text
  if (own.index === null) return { label: { ...own, index }, column: null }
  const isWhole = own.index === index || codes.find(own.code ?? '') !== null
  if (isWhole) return { label: own, column: null }
  return text.includes(' ') ? text : { label: { code: text, index }, column: null }
}

/** The label of a row without a header: the first cell of a known bucket, with a number if possible. */
export function findLabel(cells: readonly string[], codes: KnownCodes): CellLabel {
  const all = cells.map((cell, column) => ({ label: readLabel(wordsOf(cell), codes), column }))
  const known = all.filter(({ label }) => label?.code != null && codes.find(label.code) !== null)
  const best = known.find(({ label }) => label?.index !== null) ?? known[0]
  if (best !== undefined) return best
  const first = all.find(({ column }) => wordsOf(cells[column]).length > 0)
  return first !== undefined && isPlain(first.label, codes) ? first : none
}

const wordsOf = (cell: string | undefined): string[] =>
  readWords(cell ?? '').map((word) => word.text)
