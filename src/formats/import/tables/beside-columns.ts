import { MAX_ROUNDS } from '../../../contract/bounds.ts'
import type { Item } from '../../../pool/message.ts'
import { say } from '../import-message.ts'
import { isRoundName, roundOfCell } from '../lines/round-names.ts'
import { asked, type Finding, type Reading, type SlotReading } from '../readings.ts'
import { isFilled, tidy } from '../words/labels.ts'
import { groupedBy } from './column-facts.ts'
import { holdsSets, namesNumbers, ofRounds, roleOf, topicOf } from './column-names.ts'

/** A row with a slot, and the bucket that it names, or the merged cell above it. */
export type SlotRow = {
  readonly finding: Finding
  readonly reading: SlotReading
  readonly cells: readonly string[]
  readonly bucket: string
  /** Empty where it has none. */
  readonly round: string
  /** Its bucket in its round. */
  readonly place: string
}

/** The name of a column in spreadsheets. */
export function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}

/** What a question calls a column: by its name, else by its letter. */
function columnNamed(titles: readonly string[], column: number): Item {
  const name = tidy(titles[column] ?? '')
  if (name !== '') return `“${name.slice(0, LONGEST_NAME).toWellFormed()}”`
  return { message: say('atColumns', { n: 1, columns: letters(column) }) }
}

/** Longer cells are texts. */
const LONGEST_NAME = 50

const smallNumber =
  /^[^\p{L}\p{N}]*(\p{L}{1,8}[ .#-]*)?([0-9]{1,2})(?:st|nd|rd|th)?[^\p{L}\p{N}]*$/iu
const romans = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x']
/** A bucket has fewer slots. */
const MOST_OF_BUCKET = 20

/**
 * The numbers of slots from a column that counts them in an order other than that of the rows, whatever it is called: a name
 * that says so is believed, and otherwise it is asked.
 */
export function numberByColumn(slots: readonly SlotRow[], titles: readonly string[]) {
  const own = slots.filter(({ reading }) => reading.label?.index == null)
  const width = own.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const counts = new Map<string, number>()
  const places = own.map(({ place }) => {
    counts.set(place, (counts.get(place) ?? 0) + 1)
    return counts.get(place)!
  })
  const columns = [...Array(own.length < 2 ? 0 : width).keys()]
  const found = columns.flatMap((column) => {
    const title = titles[column] ?? ''
    const { numbers, isThrough } = numbersIn(own, column, title) ?? { numbers: places }
    if (numbers.every((number, at) => number === places[at])) return []
    const isWhole = own.every(({ place }, at) => numbers[at]! <= counts.get(place)!)
    return [{ column, numbers, isSure: isWhole && isThrough === false && namesNumbers(title) }]
  })
  const [best] = found.toSorted((a, b) => Number(b.isSure) - Number(a.isSure))
  if (best === undefined) return new Map<Finding, Reading>()
  const question = say('areNumbers', { what: columnNamed(titles, best.column) })
  const moved = own.findIndex((_, at) => best.numbers[at] !== places[at])
  const [code, id] = [own[moved]!.bucket, own[moved]!.reading.beatmapId]
  const texts = [best.numbers, places].map((each) => {
    return say('slotIs', { slot: `${code}${each[moved]}`, id })
  })
  return new Map(
    own.map(({ finding, reading }, at): [Finding, Reading] => {
      const label = { code: reading.label?.code ?? null, index: best.numbers[at]! }
      const counted = { ...reading, label, isSplit: true }
      if (best.isSure) return [finding, counted]
      const choices = [
        [texts[0]!, counted],
        [texts[1]!, reading],
      ] as const
      return [finding, asked(question, choices, `numbers ${own[0]!.finding.line}`)]
    }),
  )
}

/** The numbers that a column gives slots in their bucket, or by their order in the round; null if it has none. */
function numbersIn(own: readonly SlotRow[], column: number, title: string) {
  const topic = topicOf(title)
  if (roleOf(title) === 'beatmap' || (topic !== undefined && topic !== 'staff')) return null
  // Below the heading of a bucket, the first cell is the number of an item.
  if (column === 0 && title === '' && own.every(({ reading }) => reading.label?.code == null))
    return null
  const written = own.map(({ cells }) => {
    const cell = cells[column] ?? ''
    const roman = romans.indexOf(tidy(cell).toLowerCase())
    return smallNumber.exec(roman > 0 ? String(roman) : cell)
  })
  if (!written.some((each) => each !== null)) return null
  const sizes = new Map<string, number>()
  for (const { place } of own) sizes.set(place, (sizes.get(place) ?? 0) + 1)
  // A tiebreaker has no need of a number.
  const isOpen = (at: number): boolean =>
    !isFilled(own[at]!.cells[column] ?? '') && sizes.get(own[at]!.place) === 1
  const words = new Set(written.flatMap((each) => (each === null ? [] : [each[1] ?? ''])))
  if (words.size > 1 || written.some((each, at) => each === null && !isOpen(at))) return null
  const numbers = written.map((each) => Number(each?.[2] ?? 1))
  const isOnce = new Set(own.map(({ place }, at) => `${numbers[at]} ${place}`)).size === own.length
  const firsts = new Set(own.flatMap(({ place }, at) => (numbers[at] === 1 ? [place] : [])))
  if (!isOnce) return null
  const most = numbers.reduce((all, each) => Math.max(all, each), 0)
  if (firsts.size === sizes.size)
    return most <= MOST_OF_BUCKET ? { numbers, isThrough: false } : null
  // One order of all.
  const least = numbers.reduce((all, each) => Math.min(all, each), most)
  const isThrough = least <= 1 && new Set(numbers).size === own.length && most < own.length + least
  if (!isThrough) return null
  const groups = own.map(({ place }) => place)
  return { numbers: rankedIn(groups, numbers), isThrough }
}

/** The places in their groups that an order of all gives. */
function rankedIn(groups: readonly string[], numbers: readonly number[]): number[] {
  const counts = new Map<string, number>()
  const ranks: number[] = []
  for (const at of [...numbers.keys()].toSorted((a, b) => numbers[a]! - numbers[b]!)) {
    const rank = (counts.get(groups[at]!) ?? 0) + 1
    counts.set(groups[at]!, rank)
    ranks[at] = rank
  }
  return ranks
}

/**
 * The rounds of the rows of a table that a column parts into groups in which the same buckets come again; asked, where
 * neither its name nor its values say that they are rounds.
 */
export function partByColumn(
  findings: readonly Finding[],
  slots: readonly SlotRow[],
  titles: readonly string[],
): Finding[] {
  const rounds = [...groupedBy(slots, ({ round }) => round)]
  const parted = rounds.map(([round, own]) => [round, partsOf(own, titles, round)] as const)
  const changed = new Map(parted.flatMap(([, parts]) => parts))
  const names = new Set(parted.flatMap(([round, parts]) => (parts.length > 0 ? [round] : [])))
  return findings.map((finding) => {
    const { round } = finding
    // The heading of all parts is no round without slots of its own.
    if (round?.by === 'usual' && names.has(round.name))
      return { ...finding, round: { ...round, by: 'marked' } }
    return { ...finding, ...changed.get(finding) }
  })
}

/** The parts of one round; an empty list where no column parts it. */
function partsOf(slots: readonly SlotRow[], titles: readonly string[], within: string) {
  const [first] = slots
  const labels = new Set(
    slots.map(({ reading, bucket }) => `${bucket} ${reading.label?.index ?? ''}`),
  )
  const isNumbered =
    labels.size === slots.length && slots.every(({ reading }) => reading.isSplit !== true)
  if (first === undefined || isNumbered) return []
  const width = slots.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const parts = Array.from({ length: width }, (_, column) => {
    const values = valuesIn(slots, column, titles[column] ?? '')
    return { column, values, isSure: values !== null && areRounds(values, titles[column] ?? '') }
  }).filter(({ values }) => values !== null)
  const best = parts.find(({ isSure }) => isSure) ?? parts[0]
  if (best === undefined) return []
  const { column, values, isSure } = best
  const starts = values!.map((value) => {
    const name = /^[0-9]+$/.test(value) ? `${tidy(titles[column] ?? '')} ${value}` : value
    return roundOfCell(`${within} ${name}`.trim())
  })
  const [start] = starts
  if (start == null || starts.includes(null)) return []
  const texts = [say('yesSuchAs', { id: `“${start.name}”` }), say('onePool')] as const
  const areCounted = slots.every(({ reading }, at) => String(reading.label?.index) === values![at])
  const question = say('areRounds', { what: columnNamed(titles, column) })
  const topic = `rounds ${first.finding.line}`
  return slots.map(({ finding, reading, bucket }, at): [Finding, Partial<Finding>] => {
    const round = starts[at]!
    // The number of its round is none in its bucket.
    const isCounted = reading.isSplit === true && areCounted
    // Nor does the code in a merged cell go on there.
    const own = reading.label ?? { code: bucket, index: null }
    const label = isCounted ? { ...own, index: null } : own
    const inRound = { ...reading, label }
    if (isSure) return [finding, { reading: inRound, round }]
    const choices = [
      { text: texts[0], reading: inRound, round },
      { text: texts[1], reading },
    ]
    return [finding, { reading: { kind: 'asked', question, choices, topic } }]
  })
}

const areRounds = (values: readonly string[], title: string): boolean =>
  ofRounds.test(title) ||
  values.every((value) => isRoundName(value) || (ofRounds.test(value) && /[0-9]/.test(value)))

/** The values of a column that parts the rows; null for others. Merged cells count for the rows below. */
function valuesIn(slots: readonly SlotRow[], column: number, title: string): string[] | null {
  const role = roleOf(title)
  if ((role !== undefined && role !== 'other') || namesNumbers(title)) return null
  let last = ''
  const values: string[] = []
  for (const { cells } of slots) {
    last = tidy(cells[column] ?? '') || last
    if (last === '' || last.length > LONGEST_NAME || /[0-9]{5}|:\/\//.test(last)) return null
    values.push(last)
  }
  const groups = new Map<string, string[]>()
  for (const [at, value] of values.entries()) {
    const own = groups.get(value)
    if (own === undefined) groups.set(value, [slots[at]!.bucket])
    else own.push(slots[at]!.bucket)
  }
  const all = [...groups.values()]
  if (all.length < 2 || all.length > MAX_ROUNDS || all.some((own) => own.length < 2)) return null
  const buckets = slots.map(({ bucket }) => bucket)
  const isApart = runsOf(values) === all.length
  const again = runsOf(buckets) > new Set(buckets).size
  const isAnew = isApart && again && all.every((own) => runsOf(own) === new Set(own).size)
  const known = new Set<string>()
  const isShared = all.every((own, at) => {
    const shared = own.filter((bucket) => known.has(bucket)).length
    for (const bucket of own) known.add(bucket)
    return at === 0 || shared * 2 >= own.length
  })
  const [first] = all
  const isAlike =
    !isDetail(title) &&
    (areRounds(values, title) || !values.every((value) => smallNumber.test(value))) &&
    new Set(first).size > 1 &&
    new Set(all.map((own) => own.toSorted().join(' '))).size === 1
  return (isAnew && isShared) || isAlike ? values : null
}

/** Whether a name is that of something about each beatmap; a set of slots may be called as one of beatmaps is. */
export const isDetail = (title: string): boolean => topicOf(title) === 'detail' && !holdsSets(title)

/** How often a value is followed by another one, and the last. */
const runsOf = (values: readonly string[]): number =>
  values.filter((value, at) => value !== values[at + 1]).length
