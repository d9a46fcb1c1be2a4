/**
 * What makes a spreadsheet take a cell for a formula, behind guards and what does not show:
 * the four signs, in their wide forms too, or a control character.
 */
const dangerous = /^'*(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|\p{Cc})/u
const guarded = /^'+(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|\p{Cc})/u

/** The cell with an apostrophe in front when a spreadsheet could run it. */
export function guardCell(cell: string): string {
  return dangerous.test(cell) ? `'${cell}` : cell
}

/** The cell as it was before `guardCell`. */
export function unguardCell(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell
}
