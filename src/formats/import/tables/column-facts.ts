import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import { type ColumnFacts, isId, isOfNumbers, namesOther, roleOf } from './column-names.ts'
import { type BucketCodes, isFilled, readWhole, tidy } from '../words/labels.ts'
import { LARGEST_ID, readId } from '../lines/plausible-ids.ts'
import { isCode, isHeader, isSlot, MOST_SHOWN } from './block-columns.ts'
import { askColumn, type Finding, skipped } from '../readings.ts'
import { isRoundName } from '../lines/round-names.ts'
import { MOST_SCORE, USUAL_SCORE } from '../lines/round-titles.ts'
import type { CellRow } from './transposed.ts'

/** `3011842 Artist - Title`: shorter numbers begin titles. */
export const titledId = /^\[?([0-9]{5,8})\]?\s+(?:[-–—:|]\s*)?(?=\p{L}.*\s)/u

export const noFacts: ColumnFacts = {
  counters: new Set(),
  ordinals: new Set(),
  slot: -1,
  coded: -1,
  numbered: new Set(),
  index: -1,
  round: -1,
  titled: new Set(),
}

/** Fewer rows show nothing, and a bucket has fewer slots. */
const [LEAST_ROWS, MOST_OF_BUCKET] = [4, 20]
/** Lower numbers are taken for ids only where a column is named. */
const LEAST_ID = 100
/** Databases of tournaments have fewer rows. */
const MOST_ROWS = 100_000

export function factsOfColumns(rows: readonly CellRow[], codes: BucketCodes): ColumnFacts {
  const columns: {
    filled: number
    slots: number
    codes: number
    links: number
    numbers: number[]
  }[] = []
  for (const { cells } of rows.slice(0, MOST_SHOWN)) {
    for (const [at, cell] of cells.entries()) {
      if (cell === '') continue
      const column = (columns[at] ??= { filled: 0, slots: 0, codes: 0, links: 0, numbers: [] })
      column.filled += 1
      const number = readId(cell)
      if (number !== null) column.numbers.push(number)
      else if (isSlot(cell, codes)) column.slots += 1
      else if (isCode(cell, codes)) column.codes += 1
      else if (findTargets(cell).length > 0) column.links += 1
    }
  }
  const named = columns.findIndex(
    (column) => column !== undefined && column.slots > 1 && column.slots * 5 >= column.filled * 3,
  )
  const slot = named < 0 ? labelColumn(rows, codes) : named
  const numbered = columns.filter((column) => (column?.numbers.length ?? 0) > 1)
  // Beside slots, the only numbers are ids, whatever their order.
  const hasLinks = columns.some((column) => (column?.links ?? 0) > 1)
  const isAlone = slot >= 0 && numbered.length === 1 && !hasLinks
  const counters = [...columns.keys()].filter((at) => {
    const numbers = columns[at]?.numbers ?? []
    const areRows = hasLinks && slot >= 0 && areOfRows(numbers)
    // Slots of no bucket have a number alone.
    if (at === slot) return false
    return isOfCounts(numbers) || (!isAlone && (areRows || isCounted(numbers)))
  })
  const isNumbered = (at: number): boolean =>
    (columns[at]?.numbers.length ?? 0) * 5 >= (columns[at]?.filled ?? Infinity) * 3
  return {
    counters: new Set(counters),
    ordinals: ordinalColumns(rows),
    slot,
    // All of them but for the header, and a tiebreaker is a slot.
    coded: columns.findIndex(
      (column) =>
        column !== undefined &&
        column.codes > 0 &&
        column.codes + column.slots >= Math.max(2, column.filled - 1),
    ),
    numbered: new Set([...columns.keys()].filter(isNumbered)),
    index: indexColumn(rows, codes),
    round: roundColumn(rows, codes),
    titled: titledColumns(rows),
  }
}

/** The one column of codes with numbers, each of them once, which no bucket or mod explains: `RC1`, `LN1`. */
function labelColumn(rows: readonly CellRow[], codes: BucketCodes): number {
  const columns = new Map<number, string[]>()
  for (const { cells } of rows.slice(0, MOST_SHOWN)) {
    for (const [at, cell] of cells.entries()) {
      if (cell === '') continue
      const own = columns.get(at) ?? []
      columns.set(at, own)
      own.push(likeLabel.test(cell) || isCode(cell, codes) ? foldCode(tidy(cell)) : '')
    }
  }
  const isOfLabels = (own: readonly string[]): boolean =>
    own.length > 1 && !own.includes('') && new Set(own).size === own.length
  const [column, another] = [...columns].flatMap(([at, own]) => (isOfLabels(own) ? [at] : []))
  return another === undefined ? (column ?? -1) : -1
}

const likeLabel =
  /^\s*[A-Z]{1,12}[0-9]{1,2}(?:\s*$|[\s:=–-]{1,4}(?:\[[^\]]{0,200}\]\()?\S*(?:ppy\.sh|[0-9]{5}))/

/** The column in which the round stands in front of a code, in each row of it or in the first. */
function roundColumn(rows: readonly CellRow[], codes: BucketCodes): number {
  const columns = new Map<number, boolean>()
  for (const { cells } of rows.slice(0, MOST_SHOWN)) {
    if (cells.filter(isFilled).length < 2 || isHeader(cells, codes)) continue
    const code = cells.findIndex((cell) => isFilled(cell) && !isRoundName(cell))
    for (const [at, cell] of cells.entries()) {
      if (!isFilled(cell) || columns.get(at) === false) continue
      columns.set(at, at < code && (isCode(cells[code]!, codes) || likeLabel.test(cells[code]!)))
    }
  }
  return [...columns].find(([, isOfRounds]) => isOfRounds)?.[0] ?? -1
}

/** The column of small numbers beside the codes, or of such a name, that has each once in its bucket, and begins with 1. */
function indexColumn(rows: readonly CellRow[], codes: BucketCodes): number {
  const own = rows.slice(0, MOST_SHOWN)
  const start = own.findIndex(({ cells }) => cells.some((cell) => isBucket(cell, codes)))
  const column = own[start]?.cells.findIndex((cell) => isBucket(cell, codes)) ?? -1
  if (column < 0) return -1
  const names = own.slice(0, start).findLast(({ cells }) => isHeader(cells, codes))?.cells ?? []
  const named = names.findIndex(isOfNumbers)
  const isOne = (at: number): boolean =>
    at >= 0 && areIndexes(own.slice(start), names, [column, at], codes)
  return [named, column + 1, column - 1].find(isOne) ?? -1
}

function areIndexes(
  rows: readonly CellRow[],
  names: readonly string[],
  [column, beside]: readonly [number, number],
  codes: BucketCodes,
): boolean {
  const rounds = [...names.keys()].filter((at) => /^(?:round|div)/.test(roleOf(names[at]!) ?? ''))
  const all = new Map<string, Set<number>>()
  let [round, bucket] = ['', '']
  for (const { cells } of rows) {
    const [code, number] = [tidy(cells[column] ?? ''), tidy(cells[beside] ?? '')]
    if (code === '' && number === '') {
      round = cells.find(isRoundName) ?? round
      continue
    }
    if (code !== '' && !isBucket(code, codes)) return false
    round = rounds.flatMap((at) => cells[at] || []).join(' ') || round
    if (code !== '') bucket = foldCode(code)
    const place = `${round} ${bucket}`
    const known = all.get(place) ?? new Set()
    // A tiebreaker has no need of a number.
    if (number === '' && known.size === 0) continue
    const index = readWhole(number)
    if (index === null || index < 1 || index > MOST_OF_BUCKET || known.has(index)) return false
    all.set(place, known.add(index))
  }
  const own = [...all.values()]
  return own.every((each) => each.has(1)) && own.some((each) => each.size > 1)
}

function titledColumns(rows: readonly CellRow[]): ReadonlySet<number> {
  const columns = new Map<number, { filled: number; ids: Set<string> }>()
  for (const { cells } of rows.slice(0, MOST_SHOWN)) {
    for (const [at, cell] of cells.entries()) {
      if (cell === '') continue
      const own = columns.get(at) ?? { filled: 0, ids: new Set() }
      own.filled += 1
      const id = titledId.exec(tidy(cell))?.[1]
      if (id !== undefined && Number(id) <= LARGEST_ID) own.ids.add(id)
      columns.set(at, own)
    }
  }
  const isTitled = ({ filled, ids }: { filled: number; ids: ReadonlySet<string> }): boolean =>
    ids.size > 1 && ids.size * 2 >= filled
  return new Set([...columns].flatMap(([at, own]) => (isTitled(own) ? [at] : [])))
}

/** `NM`, `Hidden`: the bucket of a row whose number is in the next cell. */
function isBucket(cell: string, codes: BucketCodes): boolean {
  return isCode(cell, codes) && !/[0-9]/.test(cell)
}

function isOfCounts(numbers: readonly number[]): boolean {
  // A single one is mistyped.
  const beyond = numbers.filter((number) => number > LARGEST_ID).length
  if (beyond > 1 && beyond * 4 >= numbers.length) return true
  const large = numbers.filter((number) => number >= LEAST_ID)
  return large.length >= LEAST_ROWS && new Set(large).size * 2 <= large.length
}

/** Whether the numbers go up by 1 from row to row. */
function isCounted(numbers: readonly number[]): boolean {
  const large = numbers.filter((number) => number >= LEAST_ID)
  if (large.length < LEAST_ROWS || large[0]! >= MOST_ROWS) return false
  return large.every((number, at) => at === 0 || number === large[at - 1]! + 1)
}

/** Whether small numbers go up by 1 from row to row. */
const areOfRows = (numbers: readonly number[]): boolean =>
  numbers.length > 1 &&
  numbers.every((number, at) => number < LEAST_ID && number === numbers[0]! + at)

/** Columns that have nothing but the numbers of their rows below their names. */
function ordinalColumns(rows: readonly CellRow[]): ReadonlySet<number> {
  const columns = new Map<number, number[]>()
  for (const { cells } of rows.slice(0, MOST_SHOWN)) {
    for (const [at, cell] of cells.entries()) {
      const number = /^\s*[0-9]{1,3}\s*$/.test(cell) ? Number(cell) : Number.NaN
      const own = columns.get(at)
      if (own === undefined && number <= 1) columns.set(at, [number])
      else if (isFilled(cell)) own?.push(number)
    }
  }
  return new Set([...columns].flatMap(([at, numbers]) => (areCounted(numbers) ? [at] : [])))
}

/** Whether numbers count rows from 0 or 1, or those of each round anew. */
export function areCounted([first = 0, ...others]: readonly number[]): boolean {
  const isNext = (id: number, at: number): boolean =>
    id === (at === 0 ? first : others[at - 1]!) + 1 || (at > 0 && id === first)
  return first <= 1 && others.length > 0 && others.every(isNext)
}

/** What only lists of beatmaps have, also of old ones with low ids. */
const length = /^[0-9]{1,2}:[0-5][0-9]$/
const stars = /^[0-9][.,][0-9]{1,2}\s?[*★☆]?$/
const percent = /^[0-9]{1,3}(?:[.,][0-9]+)?\s?%$/

/**
 * Asks whether the numbers of a column are beatmaps whose name says something else, `Size (bytes)`; and in a table
 * without names, those of a column that may as well hold scores: beside a column of per cents, or as large as scores,
 * beside words.
 */
export function askOtherColumns(
  findings: readonly Finding[],
  rows: readonly Pick<CellRow, 'line' | 'cells'>[],
  codes: BucketCodes,
): Finding[] {
  const cellsAt = new Map(rows.map(({ line, cells }) => [line, cells]))
  const found = findings.flatMap((finding) => {
    const column = numberColumn(finding, cellsAt.get(finding.line) ?? [])
    return column < 0 ? [] : [{ finding, column, isLabelled: hasCode(finding) }]
  })
  if (found.length === 0) return [...findings]
  const names = namesByLine(rows, codes)
  const columnOf = new Map(found.map(({ finding, column }) => [finding, column]))
  const unnamed = found.filter(
    ({ finding, isLabelled }) => isLabelled && names.get(finding.line) === undefined,
  )
  const scores = new Set(
    [...groupedBy(unnamed, ({ column }) => column)].flatMap(([column, own]) => {
      const cells = own.map(({ finding }) => cellsAt.get(finding.line)!)
      return mayBeScores(cells, column, codes) ? [column] : []
    }),
  )
  return findings.map((finding) => {
    const column = columnOf.get(finding)
    const { reading, line } = finding
    if (column === undefined || reading.kind !== 'slot') return finding
    const named = names.get(line)
    const name = tidy(named?.[column] ?? '')
    const isOther = named === undefined ? scores.has(column) : namesOther(name)
    // A length may be the same number as the id.
    const isTold = (cell: string, at: number): boolean =>
      (roleOf(named?.[at] ?? '') === 'beatmap' || isId(named?.[at])) &&
      readId(cell) === reading.beatmapId
    if (!isOther || cellsAt.get(line)!.some(isTold)) return finding
    return { ...finding, reading: askColumn(reading, skipped, name, column) }
  })
}

const LONGEST_NAME = 40

const hasCode = ({ reading }: Finding): boolean =>
  reading.kind === 'slot' && reading.label?.code != null

/** The column whose number is the beatmap of a row; -1 where a link names it. */
function numberColumn({ reading }: Finding, cells: readonly string[]): number {
  if (reading.kind !== 'slot' || reading.isCell !== true) return -1
  const { beatmapId } = reading
  if (cells.some((cell) => findTargets(cell).length > 0)) return -1
  return cells.findLastIndex((cell) => readId(cell) === beatmapId)
}

/** The cells that name the columns of each line; undefined above them and where there are none. */
export function namesByLine(rows: readonly Pick<CellRow, 'line' | 'cells'>[], codes: BucketCodes) {
  const names = new Map<number, readonly string[]>()
  let current: readonly string[] | undefined
  for (const { line, cells } of rows) {
    if (areNames(cells, codes)) current = cells
    if (current !== undefined) names.set(line, current)
  }
  return names
}

/** Whether a row has names of columns alone, of which one at least is known. */
function areNames(cells: readonly string[], codes: BucketCodes): boolean {
  const isName = (cell: string): boolean => cell.length <= LONGEST_NAME && /\p{L}/u.test(cell)
  // Most rows have an id.
  if (!cells.every((cell) => isName(cell) || !isFilled(cell))) return false
  const filled = cells.filter(isFilled)
  return (
    filled.length > 1 &&
    filled.some((cell) => (roleOf(cell) ?? 'other') !== 'other') &&
    !filled.some((cell) => isSlot(cell, codes) || findTargets(cell).length > 0)
  )
}

function mayBeScores(
  rows: readonly (readonly string[])[],
  column: number,
  codes: BucketCodes,
): boolean {
  if (rows.length < 2) return false
  const isBeside = (is: (cell: string) => boolean): boolean =>
    rows.every((cells) => cells.some((cell, at) => at !== column && is(tidy(cell))))
  if (isBeside((cell) => percent.test(cell))) return true
  const isWord = (cell: string): boolean => /\p{L}{2}/u.test(cell) && !isCode(cell, codes)
  if (!isBeside(isWord)) return false
  const numbers = rows.map((cells) => readId(cells[column] ?? '') ?? 0)
  if (numbers.some((number) => number > MOST_SCORE)) return false
  const usual = numbers.filter((number) => number >= USUAL_SCORE).length
  const isOfBeatmaps = isBeside((cell) => length.test(cell)) || isBeside((cell) => stars.test(cell))
  return isOfBeatmaps ? usual === numbers.length : usual * 2 > numbers.length
}

/** As `Map.groupBy`, which programs of Node 20 have not. */
export function groupedBy<T, K>(all: readonly T[], keyOf: (each: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const each of all) {
    const key = keyOf(each)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [each])
    else group.push(each)
  }
  return groups
}
