import { areLikeScores } from '../lines/round-titles.ts'
import { areBeatmaps, columnId, LEAST_LONG, readId } from '../lines/plausible-ids.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import {
  type BucketCodes,
  isFilled,
  isKnown,
  type Label,
  modsOfCode,
  readLabel,
  readWords,
  texts,
  tidy,
} from '../words/labels.ts'
import { fileLinkIn, isUndecided, plannedOf } from '../words/planned.ts'
import { asked, type Finding, planReading, skipped, slotReading } from '../readings.ts'
import { MAX_ROUNDS } from '../../../contract/bounds.ts'
import { isRoundName, roundOfCell } from '../lines/round-names.ts'
import { holdsSets, roleOf, topicOf } from './column-names.ts'
import { named, range, say } from '../import-message.ts'

/** A row of slots that begins with the name of its round. */
function inRound([first, ...others]: readonly Finding[], { cells }: CellRow): Finding[] {
  const round = roundOfCell(cells[0] ?? '')
  return first === undefined ? [] : [{ ...first, ...(round && { round }) }, ...others]
}

/** A row of a table with its cells. */
export type CellRow = {
  readonly line: number
  readonly text: string
  readonly cells: readonly string[]
  /** The text of the whole row, of which this is the part in one block. */
  readonly whole?: string
  /** Whether it is the header of the rows above, which counts for these, too. */
  readonly isCopy?: boolean
}

/** The rows without the empty columns in front of a table: their first cells are its first column. */
function withoutMargin(rows: readonly CellRow[]): readonly CellRow[] {
  const starts = rows.map(({ cells }) => cells.findIndex(isFilled)).filter((at) => at >= 0)
  const margin = starts.reduce((least, at) => Math.min(least, at), starts[0] ?? 0)
  if (margin === 0) return rows
  return rows.map((row) => ({ ...row, cells: row.cells.slice(margin) }))
}

/** So many rows below the labels may hold the beatmaps. */
const MOST_BELOW = 6

/**
 * The slots of tables that have a column for each: labels in one row, their beatmaps in one below it. By the line of the
 * beatmaps' row, with the other rows of such a table as empty lists; null if the text has none.
 */
export function findTransposed(
  whole: readonly CellRow[],
  codes: BucketCodes,
): Map<number, Finding[]> | null {
  const rows = withoutMargin(whole)
  const found = new Map<number, Finding[]>()
  for (let at = 0; at < rows.length; at += 1) {
    const labels = labelsOf(rows[at]!.cells, codes)
    if (labels === null) continue
    const below: CellRow[] = []
    const isOfRounds = roleOf(rows[at]!.cells[0] ?? '') === 'round'
    for (const row of rows.slice(at + 1, at + 1 + (isOfRounds ? MAX_ROUNDS : MOST_BELOW))) {
      if (/^[\s|:-]*-[\s|:-]*$/.test(row.text)) continue
      if (!row.cells.some(isFilled) || labelsOf(row.cells, codes) !== null) break
      below.push(row)
    }
    const isNamed = ({ cells: [name = ''] }: CellRow): boolean =>
      roleOf(name) === 'beatmap' || (isFilled(name) && namesBeatmaps.test(name))
    const candidates = below.filter(({ cells }) => holdsBeatmaps(cells, labels))
    const [ids, ...others] = candidates.some(isNamed) ? candidates.filter(isNamed) : candidates
    if (ids === undefined) continue
    // `Player | NM1 | NM2` has scores below it.
    const topic = topicOf(rows[at]!.cells[0] ?? '')
    if (topic !== undefined && topic !== 'detail' && !candidates.some(isNamed)) {
      const [first, ...left] = rows.slice(at).filter(({ cells }) => cells.some(isFilled))
      for (const { line } of left) found.set(line, [])
      const lines = { n: left.length + 1, lines: range(first!.line, left.at(-1)!.line) }
      const where = { message: say('atLines', lines) }
      const note = say(topic === 'suggestion' ? 'suggestions' : topic, { where })
      found.set(first!.line, [
        { line: first!.line, text: first!.text, reading: { ...skipped, note } },
      ])
      break
    }
    found.set(rows[at]!.line, [])
    for (const { line } of below) found.set(line, [])
    const isRound = ({ cells }: CellRow): boolean =>
      isFilled(cells[0] ?? '') && (isOfRounds || isRoundName(cells[0]!))
    if (candidates.every(isRound)) {
      for (const row of candidates) found.set(row.line, inRound(slotsOf(labels, [row]), row))
      at += below.length
      continue
    }
    const rest = candidates.filter(
      (row) => row !== ids && row !== others[0] && !holdsSets(row.cells[0] ?? ''),
    )
    const slots = slotsOf(labels, [ids, ...others].slice(0, 2), rest)
    found.set(ids.line, isOfPlayer(rows[at]!, ids) ? slots.map(askScore) : slots)
    at += below.length
  }
  return found.size > 0 ? found : null
}

/** `foo,952486,877496` below labels: its first cell is no name for what is in the others, as that of labels is none. */
function isOfPlayer({ cells: above }: CellRow, { cells }: CellRow): boolean {
  const [name = ''] = cells
  const [title = ''] = above
  const ids = cells.slice(1).flatMap((cell) => readId(cell) ?? [])
  const isTitled = isFilled(title) && (roleOf(title) !== undefined || !areLikeScores(ids))
  const isTold = isTitled || roleOf(name) !== undefined || namesBeatmaps.test(name)
  return isFilled(name) && readId(name) === null && !isTold && !isRoundName(name)
}

const namesBeatmaps = /beatmap|map|\bids?\b|link|url|pool|osu/i

function askScore(finding: Finding): Finding {
  const { reading } = finding
  if (reading.kind === 'slot') return { ...finding, reading: areBeatmaps(reading) }
  if (reading.kind !== 'asked') return finding
  const none = { text: say('useNone'), reading: skipped }
  return { ...finding, reading: { ...reading, choices: [none, ...reading.choices] } }
}

const shownRow = ({ text }: CellRow): string => `“${text.trim().slice(0, 40).toWellFormed()}”`

const longNumber = /^[0-9]{4,}$/

type Labels = ReadonlyMap<number, { readonly label: Label; readonly text: string }>

/** The labels of a row by their columns; null unless all its cells are labels, the first one aside. */
function labelsOf(cells: readonly string[], codes: BucketCodes): Labels | null {
  // Most rows have an id, which is no label.
  if (cells.some((cell, column) => column > 0 && longNumber.test(cell))) return null
  const labels = new Map<number, { label: Label; text: string }>()
  for (const [column, cell] of cells.entries()) {
    const text = tidy(cell)
    if (text === '') continue
    const words = texts(readWords(text))
    const label = words.length > 2 ? null : readLabel(words, codes)
    const isSlot =
      label?.code != null && (label.index !== null || label.code.toUpperCase() === 'TB')
    const isSure =
      isSlot &&
      (isKnown(label, codes) ||
        modsOfCode(label.code ?? '') !== null ||
        /^[A-Z]{1,4}$/.test(label.code ?? ''))
    if (isSure && label !== null) labels.set(column, { label, text })
    else if (column > 0) return null
  }
  return labels.size > 1 ? labels : null
}

function holdsBeatmaps(cells: readonly string[], labels: Labels): boolean {
  const own = [...labels.keys()]
    .map((column) => cells[column] ?? '')
    .filter((cell) => isFilled(cell) || isUndecided(tidy(cell)))
  const ids = own.map(columnId)
  return (
    own.length > 0 &&
    ids.every((id, at) => id !== null || isPlan(own[at]!)) &&
    (roleOf(cells[0] ?? '') === 'beatmap' ||
      own.some((cell) => findTargets(cell).length > 0) ||
      ids.some((id) => id !== null && id >= LEAST_LONG))
  )
}

/** Whether a cell says that its beatmap is not decided, or where the map can be had. */
function isPlan(cell: string): boolean {
  return isUndecided(tidy(cell)) || fileLinkIn(cell) !== null
}

/** @param rest other rows that could have beatmaps, which are left out with a note. */
function slotsOf(
  labels: Labels,
  [ids, other]: readonly CellRow[],
  rest: readonly CellRow[] = [],
): Finding[] {
  if (ids === undefined) return []
  const { line, text: row, cells } = ids
  const note = rest.length === 0 ? null : say('leftOut', { what: named(rest.map(shownRow), 3) })
  return [...labels].map(([column, { label, text }], at): Finding => {
    const id = columnId(cells[column] ?? '')
    if (id === null) {
      const planned = plannedOf(cells[column] ?? '')
      const reason = say('noneBelow', { what: text })
      return { line, text: row, reading: planReading(label, planned, reason) }
    }
    const own = slotReading(label, id, 'transposed')
    const slot = at === 0 && note !== null ? { ...own, note } : own
    const second = other === undefined ? null : columnId(other.cells[column] ?? '')
    if (second === null || other === undefined) return { line, text: row, reading: slot }
    const reading = asked(
      say('whichRow'),
      [
        [say('lineNumber', { line, id }), slot],
        [say('lineNumber', { line: other.line, id: second }), { ...slot, beatmapId: second }],
      ],
      `rows ${line} and ${other.line}`,
    )
    return { line, text: row, reading }
  })
}
