import type { ForcedMod } from '../contract/mods.ts'
import { playedBpm, playedDifficulty, playedLength, roundHalfUp } from '../pool/played-values.ts'
import type { Pool } from '../pool/pool.ts'
import type { RoundSlot } from '../contract/rounds.ts'
import { placeKey, slotLabel, slotsInPoolOrder, slotsToPlay } from '../pool/slots.ts'
import {
  type DetailsBySlot,
  plannedSlots,
  type RoundPool,
  type Sheet,
  sheetOf,
  type SlotDetails,
} from './sheet.ts'

const header =
  'Slot,Beatmap ID,Set ID,Artist,Title,Version,Mapper,Stars,Length,BPM,CS,AR,OD,HP'.split(',')
const unknown = header.slice(2).map(() => '')
const unmeasured = header.slice(7).map(() => '')

/**
 * The pool as comma-separated values (RFC 4180), a row for each slot in pool order. Stars, length (seconds),
 * BPM, CS, AR, OD and HP are with the slot's mods (D-32); what is not known is empty. Cells that a spreadsheet
 * could run as a formula are guarded by an apostrophe, which `readImport` removes.
 */
export function writeCsv(pool: Pool, details: DetailsBySlot): string {
  return writeTable(sheetOf(pool, details), ',')
}

/** The pool as `writeCsv` has it, in the form that spreadsheets copy and paste. */
export function writeTsv(pool: Pool, details: DetailsBySlot): string {
  return writeTable(sheetOf(pool, details), '\t')
}

/** Pools as `writeCsv` and `writeTsv` have one; several in one table, whose first column has their names. */
export function writeTable({ kind = 'rounds', rounds }: Sheet, separator: ',' | '\t'): string {
  const hasLinks = rounds.some((round) => linksOfSlots(round).size > 0)
  const rows = rounds.flatMap((round) =>
    rowsOf(round, hasLinks).map((row) => (kind === 'pack' ? row : [round.name, ...row])),
  )
  const first = { pack: [], packs: ['Pack'], rounds: ['Round'] }[kind]
  const last = hasLinks ? ['Link'] : []
  return writeRows([[...first, ...header, ...last], ...rows], separator)
}

/** A row of each slot, in pool order; one without a beatmap says in place of its id what is planned. */
function rowsOf(round: RoundPool, hasLinks: boolean): string[][] {
  const { pool, details } = round
  const links = linksOfSlots(round)
  const filled = slotsToPlay(pool).map((slot) => {
    const known = details.get(slot.position)
    const cells = known === undefined ? unknown : detailCells(known, slot.forced)
    return { mod: slot.mod, index: slot.index, cells: [String(slot.beatmapId), ...cells] }
  })
  const planned = plannedSlots(round).map(
    ({ mod, index, placeholder: text = '', details: known = {} }) => {
      const placeholder = mayBeBeatmap(text.replace(/^'+/, '')) ? `'${text}` : text
      const { artist = '', title = '', difficulty = '', mapper = '' } = known
      return {
        mod,
        index,
        cells: [placeholder, '', artist, title, difficulty, mapper, ...unmeasured],
      }
    },
  )
  return slotsInPoolOrder({ buckets: pool.buckets, slots: [...filled, ...planned] }).map((row) => [
    slotLabel(row),
    ...row.cells,
    ...(hasLinks ? [links.get(placeKey(row)) ?? ''] : []),
  ])
}

/** Where the beatmaps of a round can be had until they are uploaded (D-77), by their place. */
function linksOfSlots({ saved }: RoundPool): ReadonlyMap<string, string> {
  const slots: readonly RoundSlot[] = saved?.slots ?? []
  return new Map(slots.flatMap((slot) => (slot.link ? [[placeKey(slot), slot.link] as const] : [])))
}

/** What separates the cells of a text that begins as `writeTable` or a spreadsheet writes one of its tables; else null. */
export function separatorOfOwn(text: string): ',' | '\t' | ';' | null {
  const [, separator] = /^\ufeff?(?:(?:Pack|Round)[,\t;])?Slot([,\t;])Beatmap ID/.exec(text) ?? []
  return separator === ',' || separator === '\t' || separator === ';' ? separator : null
}

/** Whether a table is one of `writeTable`, by the cells of its first row. */
export function isOwnHeader(cells: readonly string[]): boolean {
  const own = cells[0] === 'Pack' || cells[0] === 'Round' ? cells.slice(1) : cells
  return own.join() === header.join() || own.join() === [...header, 'Link'].join()
}

/** Whether a text in the column of ids may be a beatmap: as the text of a planned slot, it has an apostrophe in front. */
export function mayBeBeatmap(text: string): boolean {
  return /^[0-9]+$|[0-9]{5}|\/\//.test(text)
}

/** The text of a planned slot as it was before `writeTable`. */
export function unguardPlanned(cell: string): string {
  return cell.startsWith("'") && mayBeBeatmap(cell.replace(/^'+/, '')) ? cell.slice(1) : cell
}

function writeRows(rows: readonly string[][], separator: ',' | '\t'): string {
  const lineBreak = separator === ',' ? '\r\n' : '\n'
  // What would be read otherwise than it is has to be quoted.
  const special = new RegExp(`["\\r\\n${separator}]|^\\s|\\s$`)
  const written = (cell: string): string => {
    const guarded = guardCell(cell)
    return special.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
  }
  return rows.map((cells) => cells.map(written).join(separator) + lineBreak).join('')
}

function detailCells({ details, stars }: SlotDetails, mods: readonly ForcedMod[]): string[] {
  const difficulty = playedDifficulty(details, mods)
  return [
    details.setId,
    details.artist,
    details.title,
    details.difficulty,
    details.mapper,
    stars === null ? '' : roundHalfUp(stars, 2).toFixed(2),
    playedLength(details, mods),
    playedBpm(details, mods) ?? '',
    difficulty.circleSize,
    difficulty.approachRate,
    difficulty.overallDifficulty,
    difficulty.healthDrain,
  ].map(String)
}

/** A row from its first `line`, counted from 1: as it was, and its cells without quotes and guards. */
type Row = { readonly line: number; readonly text: string; readonly cells: readonly string[] }

export type Separator = '\t' | ',' | ';' | '|'

/**
 * The rows of a text with any line breaks. Cells may be quoted (quotes in them doubled); a quote
 * that does not enclose a whole cell is a character like any other.
 *
 * @param separator null when each line is one cell and quotes mean nothing.
 */
export function readRows(text: string, separator: Separator | null): Row[] {
  // Markdown escapes its separator.
  const escaped = separator === '|' ? String.raw`\\\||` : ''
  const plainCell = new RegExp(`(?:${escaped}[^\\r\\n${separator ?? ''}])*`, 'y')
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

/** The quoted cell at an offset, and where it ends; null when there is none, or when it is not all of its cell. */
function readQuoted(text: string, at: number, separator: Separator) {
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

/** What makes a cell a formula, after guards and invisible characters: the signs, also wide, or a control character. */
const formula = String.raw`(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|\p{Cc})`
const dangerous = new RegExp(`^'*${formula}`, 'u')
const guarded = new RegExp(`^'+${formula}`, 'u')

/** The cell with an apostrophe in front when a spreadsheet could run it. */
export function guardCell(cell: string): string {
  return dangerous.test(cell) ? `'${cell}` : cell
}

/** The cell as it was before `guardCell`. */
export function unguardCell(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell
}
