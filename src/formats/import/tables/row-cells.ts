import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import { isCode } from './block-columns.ts'
import { type ColumnFacts, type Columns, type Role } from './column-names.ts'
import {
  codeOfWords,
  isFilled,
  isKnown,
  isPlain,
  isShort,
  modsOfCode,
  MOST_OF_NAME,
  readLabel,
  readWhole,
  readWords,
  memoized,
  texts,
  tidy,
  type BucketCodes,
  type Label,
} from '../words/labels.ts'
import { areBeatmaps, isUsualCode, LARGEST_ID, readId } from '../lines/plausible-ids.ts'
import { failed } from '../lines/plans.ts'
import type { ImportMessage } from '../import-message.ts'
import { type Finding, reasons, skipped, type SlotReading } from '../readings.ts'

/** Ids of beatmaps have been longer than anything else that sheets count since 2007. */
export const LEAST_LONG = 10_000
/** Among several numbers, a lower one after a slot is rather a level of difficulty. */
export const LEAST_SHORT = 100

/** The label of a row, null for none, and the column that it is in, -1 for none or several. */
export type CellLabel = {
  readonly label: Label | null
  readonly column: number
  /** Its code and its number are in two cells. */
  readonly isSplit?: boolean
}

/** Those of longer cells are rarely asked for again. */
const LONGEST_LABEL = 24

const none: CellLabel = { label: null, column: -1 }

/** What a label has behind it where its beatmap replaces another one, or is replaced: `NM2 (new)`. */
const remark =
  /(?<=[\p{L}\p{N}])\s*[([]\s*(?:new|old|updated?|replaced|replacement|changed|v[0-9]|nuevo|novo|neu|nouveau|нов(?:ый|ая))\s*[)\]]\s*$/iu

/** The label of a row under a header, in one cell or in two; or the text of a cell that should be a slot and is not. */
export function labelUnderHeader(
  cells: readonly string[],
  columns: Columns,
  codes: BucketCodes,
): CellLabel | string {
  const textOf = (role: Role): string =>
    wordsOf(cells[columns.indexOf(role)]?.replace(remark, '')).join(' ')
  // Programs write `None` where there is no mod.
  const [slotText, modText] = [textOf('slot'), textOf('mod').replace(/^none$/i, 'NM')]
  const number = readWhole(textOf('index'))
  const isNumberAlone = readWhole(slotText) !== null
  if (isNumberAlone && modText !== '') return inTwo(modText, Number(slotText), codes)
  const text = slotText === '' ? modText : slotText
  const column = columns.indexOf(slotText === '' ? 'mod' : 'slot')
  if (text === '') return number === null ? none : { label: { code: null, index: number }, column }
  if (number !== null && !isNumberAlone) return inTwo(text, number, codes)
  const label = labelOfCell(text, codes)
  return label === null ? text : { label, column }
}

/** A code and a number from two cells; the first may hold the number, too. */
function inTwo(text: string, index: number, codes: BucketCodes): CellLabel | string {
  const own = labelOfCell(text, codes)
  if (own === null) return text
  if (own.index === null) return { ...none, label: { ...own, index }, isSplit: true }
  if (own.index === index || isKnown(own, codes)) return { ...none, label: own }
  return text.includes(' ') ? text : { ...none, label: { code: text, index } }
}

/** The label that a cell names by a code or by the full names of mods, with a number or without. */
export const labelOfCell = (text: string, codes: BucketCodes): Label | null =>
  labelOfWords(text.split(' '), codes)

function labelOfWords(words: readonly string[], codes: BucketCodes): Label | null {
  if (words.length > MOST_OF_NAME + 1) return null
  const code = codeOfWords(words)
  if (code !== null) return { code, index: null }
  const index = readWhole(words.at(-1))
  const named = index === null || index > 99 ? null : codeOfWords(words.slice(0, -1))
  return named === null ? (readLabel(words, codes) ?? labelOfMods(words)) : { code: named, index }
}

/** `Hard Rock1` */
function labelOfMods(words: readonly string[]): Label | null {
  const [, own = '', number] = /^(\D{2,20})([0-9]{1,2})$/.exec(words.at(-1) ?? '') ?? []
  const code = codeOfWords([...words.slice(0, -1), own])
  return number === undefined || code === null ? null : { code, index: Number(number) }
}

/** The same, of a cell with marks around it. */
export const labelIn = memoized((cell, codes) => labelOfWords(wordsOf(cell), codes), LONGEST_LABEL)

/** The label of a row without a header: the first cell of a known bucket, with a number if possible. */
export function findLabel(cells: readonly string[], column: number, codes: BucketCodes): CellLabel {
  // What is among slots is one, whatever it is called.
  const own = labelIn(cells[column] ?? '', codes)
  if (own?.code != null && own.index !== null) return { label: own, column }
  const all = cells.map((cell, column) => ({ label: labelIn(cell, codes), column }))
  const known = all.filter(({ label }) => isKnown(label, codes))
  const best = known.find(({ label }) => label?.index !== null) ?? known[0]
  if (best !== undefined) return best
  const first = all.find(({ column }) => isFilled(tidy(cells[column] ?? '')))
  // `1:10` is a length.
  return isPlain(first?.label, codes) && /\p{L}/u.test(first.label.code) ? first : none
}

const startOfCell =
  /^[^\p{L}\p{N}]{0,4}(\p{L}{1,12})(?:([ ._-]?)([0-9]{1,2}))?(?![\p{L}\p{N}.,])([^\p{L}\p{N}]*)(.?)/u

/** The label in front of a title, `[NM1] Artist - Title`, and whether it can be nothing else. */
export function labelBeforeTitle(cell: string, codes: BucketCodes) {
  const [, code = '', gap, number, mark = '', rest] = startOfCell.exec(tidy(cell)) ?? []
  const label = { code, index: number === undefined ? null : Number(number) }
  const isOwn = isKnown(label, codes) || modsOfCode(code) !== null
  const isUpper = code === code.toUpperCase() && code !== code.toLowerCase()
  const isSure = isOwn || (isUpper && isUsualCode(foldCode(code)))
  const found = { label, text: `${code}${number ?? ''}` }
  if (number !== undefined) return isSure || (isUpper && gap === '') ? { ...found, isSure } : null
  return isOwn && isUpper && rest !== '' ? { ...found, isSure: /[\])}:|]/.test(mark) } : null
}

/** The label of a row whose number has a cell of its own. */
export function numbered(found: CellLabel, cell = ''): CellLabel {
  const [index, code = null] = [readWhole(tidy(cell)), found.label?.code]
  if (index === null || (found.label !== null && found.label.index !== null)) return found
  return { ...found, label: { code, index }, isSplit: true }
}

export const wordsOf = (cell = ''): string[] => texts(readWords(tidy(cell)))

/** The beatmap's id, or why there is none. */
export type BeatmapOrReason = number | ImportMessage

/** The beatmap of cells that hold nothing else. */
export function beatmapIn(cells: readonly string[]): BeatmapOrReason {
  const targets = cells.flatMap((cell) => findTargets(cell))
  const linked = targets.flatMap(({ beatmapId }) => beatmapId ?? [])
  const numbers = cells.flatMap((cell) => readId(cell) ?? [])
  const [id, another] = new Set([...numbers, ...linked])
  if (another !== undefined) return reasons.conflict
  if (numbers.some((number) => number > LARGEST_ID)) return reasons.tooLarge
  return id ?? (targets.length > 0 ? reasons.wholeSet : reasons.noBeatmap)
}

/**
 * The beatmap of a row without a header that names its column: its link; else the one number that is long or
 * directly follows the slot. Nothing is guessed from numbers that may mean something else.
 *
 * @param place the column of the slot; -1 when the row names none.
 */
export function findBeatmap(cells: readonly string[], place: number): BeatmapOrReason {
  const linked = beatmapIn(cells.filter((cell) => readId(cell) === null))
  if (typeof linked === 'number') return linked
  if (linked === reasons.conflict) return reasons.severalBeatmaps
  const numbers = cells.map(likelyId)
  const all = numbers.filter((number) => number !== null)
  const expected = place < 0 ? cells.findIndex((cell) => tidy(cell) !== '') : place + 1
  const first = numbers[expected] ?? null
  const likely = new Set(all.filter((number) => number >= LEAST_LONG))
  // Without a slot, a low number is rather a place in a list.
  const isPlain = first !== null && (place >= 0 || first >= LEAST_LONG)
  if (isPlain && (all.length === 1 || first >= LEAST_SHORT)) likely.add(first)
  const [id, another] = likely
  if (id !== undefined && another === undefined) {
    return linked === reasons.wholeSet && id < LEAST_LONG ? linked : id
  }
  return all.length === 0 || linked === reasons.wholeSet ? linked : reasons.unnamedColumns
}

/** A number that a beatmap may have. */
function likelyId(cell: string): number | null {
  const id = readId(cell)
  return id !== null && id <= LARGEST_ID ? id : null
}

/** What a row that sums up those above it says in its first words. */
const summary =
  /^(?:(?:overall|pool|round|total)\s+)?(?:average|avg|mean|median|total|sum|min(?:imum)?|max(?:imum)?|promedio|media|média|moyenne|durchschnitt|schnitt|średnia|medelvärde|среднее|итого|всего|somme|summe|suma|soma|平均値?|平均值|合計|合计|总计|總計|总和|최소|최대|평균|합계)(?:\s+(?:sr|stars?|star rating|bpm|length|of .{1,20}))?\s*[:=]?$/iu

/** Whether a row has averages or totals of those above it: none of its other cells has words. */
export function isSummary(cells: readonly string[]): boolean {
  const at = cells.findIndex((cell) => summary.test(cell.trim()))
  return (
    at >= 0 &&
    cells.every(
      (cell, column) => column === at || !/\p{L}{2}/u.test(cell) || failed.test(tidy(cell)),
    )
  )
}

type LineOfCells = { readonly line: number; readonly cells: readonly string[] }

type SlotRow = {
  readonly finding: Finding
  readonly reading: SlotReading
  readonly cells: readonly string[]
}

/** Fewer rows do not show that each has its label. */
const LEAST_LABELLED = 2
/** The beatmap between two others of its set has their average. */
const LEAST_SUMMED = 3

/**
 * In a table whose rows have labels of their own, asks about the rows without one that would go on with a bucket or have
 * no title: a sum of the pool, a backup, the map of the showcase. Averages and sums of the ids are left out.
 */
export function doubtUnlabelled(
  findings: readonly Finding[],
  rows: readonly LineOfCells[],
  { index }: ColumnFacts,
  codes: BucketCodes,
): Finding[] {
  const cellsAt = new Map(rows.map(({ line, cells }) => [line, cells]))
  const slots = findings.flatMap((finding): SlotRow[] => {
    const { reading, line } = finding
    if (reading.kind !== 'slot' || reading.isCell !== true) return []
    return [{ finding, reading, cells: cellsAt.get(line) ?? [] }]
  })
  const isNumbered = ({ reading, cells }: SlotRow): boolean =>
    reading.label?.index != null || readWhole(tidy(cells[index] ?? '')) !== null
  const numbered = slots.filter(isNumbered).length
  const own = slots.filter((slot) => isNumbered(slot) || isCoded(slot.reading, codes))
  if (numbered < LEAST_LABELLED || slots.length - own.length >= numbered) return [...findings]
  const labelled = new Set(own)
  const titles = titleColumns(own, codes)
  const doubted = new Map<Finding, Finding>()
  /** Whether the row above has a bucket that goes on below it. */
  let isMerged = false
  const all = new Sum()
  let since = new Sum()
  for (const slot of slots) {
    const { finding, reading, cells } = slot
    const { label, beatmapId, isSplit } = reading
    if (labelled.has(slot)) {
      if (label?.code != null) isMerged = label.index === null || isSplit === true
      all.add(beatmapId)
      since.add(beatmapId)
      continue
    }
    const missing = titles.filter((column) => !isTitle(cells[column] ?? '')).length
    const isBare = missing * 2 > titles.length
    const isSum = (isBare || titles.length === 0) && (since.isOf(beatmapId) || all.isOf(beatmapId))
    if (isSum) since = new Sum()
    if (isSum) doubted.set(finding, { ...finding, reading: skipped })
    else if (isBare || (isMerged && label === null))
      doubted.set(finding, { ...finding, reading: areBeatmaps(reading) })
  }
  return findings.map((finding) => doubted.get(finding) ?? finding)
}

/** Whether it has the code of a bucket, and not just a word. */
function isCoded({ label }: SlotReading, codes: BucketCodes): boolean {
  if (label?.code == null) return false
  return isShort(label, codes) || isUsualCode(foldCode(label.code))
}

const isTitle = (cell: string): boolean => /\p{L}/u.test(cell) || findTargets(cell).length > 0

/** The columns in which nearly all of the rows have words or links. */
function titleColumns(rows: readonly SlotRow[], codes: BucketCodes): number[] {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  return Array.from({ length: width }, (_, column) => column).filter((column) => {
    const count = rows.filter(({ cells, reading }) => {
      const cell = cells[column] ?? ''
      const isLabel = reading.label !== null && labelIn(cell, codes)?.code === reading.label.code
      return isTitle(cell) && !isLabel && !isCode(cell, codes)
    }).length
    return count * 5 >= rows.length * 4
  })
}

/** What a row below ids may say of them: their average or their sum. */
class Sum {
  #count = 0
  #sum = 0

  add(id: number): void {
    this.#count += 1
    this.#sum += id
  }

  isOf(number: number): boolean {
    const isAverage = Math.abs(number - this.#sum / this.#count) < 1
    return this.#count >= LEAST_SUMMED && (isAverage || number === this.#sum)
  }
}
