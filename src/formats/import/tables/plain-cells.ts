import { plainDigits } from '../../../pool/text.ts'
import { failed } from '../lines/plans.ts'
import { codeOfBits, HD } from '../words/bucket-names.ts'
import { isFilled, tidy } from '../words/labels.ts'
import { type Role, roleOf } from './column-names.ts'
import type { CellRow } from './transposed.ts'

// Cells with numbers in digits of another script, with mods as the game's bits, or with the error of a formula.

/** What a text has whose cells `withPlainCells` may write otherwise. */
export const otherCells = /(?![0-9])\p{Nd}|mod|#/iu

/** Rows with numbers in digits of ASCII, with codes in place of the game's bits, and without errors of formulas. */
export function withPlainCells(rows: readonly CellRow[]): readonly CellRow[] {
  const known = rows.some(({ text }) => text.includes('#')) ? rows.map(withoutErrors) : rows
  return withCodesOfBits(
    known.some(({ text }) => otherDigit.test(text)) ? withPlainNumbers(known) : known,
  )
}

const withoutErrors = (row: CellRow): CellRow => ({
  ...row,
  cells: row.cells.map((cell) => (failed.test(tidy(cell)) ? '' : cell)),
})

/** A digit that ASCII has not. */
const otherDigit = /(?![0-9])\p{Nd}/u
/** A number alone, or behind the code of a bucket. */
const numberOnly = /^\s*#?\s?(?:[A-Za-z]{1,12}[ ._-]?)?\p{Nd}+(?:\.\p{Nd}+)?\s*$/u

const ofSlots: ReadonlySet<Role> = new Set<Role>(['slot', 'mod', 'index', 'beatmap', 'vague'])

/** Titles, names and rounds that are numbers stay as they are written. */
function withPlainNumbers(rows: readonly CellRow[]): readonly CellRow[] {
  /** Columns of titles, names and rounds. */
  const others = new Set<number>()
  return rows.map((row) => {
    const cells = row.cells.map((cell, column) => {
      const role = roleOf(cell)
      if (role !== undefined) others[ofSlots.has(role) ? 'delete' : 'add'](column)
      const isNumber = !others.has(column) && otherDigit.test(cell) && numberOnly.test(cell)
      return isNumber ? plainDigits(cell) : cell
    })
    return { ...row, cells }
  })
}

/** The names of a column in which programs write mods as the game's bits. */
const bitsColumn = /^\s*(?:enabled[ _-]?)?mods?(?:[ _-]?(?:bits?|int|value))?\s*$/i

/** Codes are below a header whose column has bits alone, of which one counts no slot. */
function withCodesOfBits(rows: readonly CellRow[]): readonly CellRow[] {
  const own = rows.map(({ cells }) => [...cells])
  for (const [at, { cells }] of rows.entries()) {
    for (const [column, name] of cells.entries()) {
      if (!bitsColumn.test(name)) continue
      let end = at + 1
      let areBits = true
      let isSure = false
      for (; areBits && end < rows.length; end += 1) {
        const cell = rows[end]!.cells[column]
        if (cell === undefined || cell === name || !rows[end]!.cells.some(isFilled)) break
        areBits = tidy(cell) === '' || codeOfCell(cell) !== null
        isSure ||= Number(tidy(cell)) >= HD
      }
      if (!areBits || !isSure) continue
      own[at]![column] = 'Mods'
      for (const row of own.slice(at + 1, end)) row[column] = codeOfCell(row[column]!) ?? ''
    }
  }
  return rows.map((row, at) => ({ ...row, cells: own[at]! }))
}

function codeOfCell(cell: string): string | null {
  const bits = tidy(cell)
  return /^[0-9]{1,10}$/.test(bits) ? codeOfBits(Number(bits)) : null
}
