import { foldCode } from '../../../pool/slots.ts'
import { LEAST_OLD } from '../words/bucket-names.ts'
import type { BucketCodes, Label } from '../words/labels.ts'
import { named, say } from '../import-message.ts'
import { type Finding, type Reading, skipped } from '../readings.ts'
import { areBeatmaps, isSure } from './plausible-ids.ts'

// Lines of nothing but a number, as a page is pasted whose cells are each on a line of their own.

export const isYear = (number: number): boolean => number >= 2007 && number <= 2099

/** Ids of three digits are too rare among figures of a beatmap. */
const LEAST_IN_CELL = 1000

/** A beatmap with what stands around it. */
type Item = {
  /** The line of its label, or of its number in a list. */
  readonly start: number | null
  readonly isLabel: boolean
  readonly figures: number[]
  slot: number | null
}

/**
 * Numbers alone that are no beatmaps: the year of a pool, above all slots; the number of each item in a list, which is its
 * place; and figures around the one beatmap of a label or of an item. Those that may be old ids are named in a note; one at
 * each beatmap of a bucket is asked, since a list of ids looks the same.
 */
export function settleCells(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  const settled = [...findings]
  const set = (at: number, reading: Reading): void => {
    settled[at] = { ...findings[at]!, reading }
  }
  const year = yearAbove(findings, codes)
  const apart = labelsApart(findings, codes)
  let code: string | null = null
  let items: Item[] = []
  let open: Item | null = null
  const noted: number[] = []
  const begin = (start: number | null, isLabel = false): Item => {
    open = { start, isLabel, figures: [], slot: null }
    items.push(open)
    return open
  }
  const close = (): void => {
    const labelled = items.filter(({ isLabel }) => isLabel)
    const others = items.filter(({ isLabel }) => !isLabel)
    const numbers = others.flatMap(({ start }) => (start === null ? [] : idAlone(findings[start]!)))
    // A text of nothing but numbers lists ids.
    const mayCount = code !== null || others.every(({ slot }) => isLinked(findings[slot ?? 0]!))
    const isCells = mayCount && areWhole(others)
    const isNumbered = isCells && numbers.length === others.length && areCounted(numbers)
    const areFigures = isCells && areAlike(others)
    const isDoubtful = areFigures && mayBeIds(others, findings)
    const left = [
      ...(areWhole(labelled) ? labelled : []),
      ...(isNumbered || (areFigures && !isDoubtful) ? others : []),
    ].flatMap(({ figures }) => figures)
    for (const at of left) set(at, skipped)
    noted.push(...left.filter((at) => idAlone(findings[at]!) >= LEAST_OLD))
    for (const at of isDoubtful ? others.flatMap(({ figures }) => figures) : []) {
      const { reading } = findings[at]!
      if (reading.kind === 'slot')
        set(at, areBeatmaps(reading, idAlone(findings[others[0]!.figures[0]!]!)))
    }
    for (const [place, { start, slot }] of isNumbered ? others.entries() : []) {
      const index = numbers[place]!
      const own = findings[slot!]!.reading
      set(start!, code === null ? skipped : { kind: 'heading', label: { code, index } })
      if (code === null && own.kind === 'slot') set(slot!, { ordinal: index, ...own })
    }
    items = []
    open = null
  }
  for (const [at, finding] of findings.entries()) {
    const { reading, round } = finding
    const label = apart.get(at)
    if (label !== undefined) {
      close()
      set(at, { kind: 'heading', label })
      begin(at, true)
      continue
    }
    if (round !== undefined || (reading.kind === 'heading' && reading.label.index === null)) {
      close()
      code = reading.kind === 'heading' ? reading.label.code : null
    }
    const isTiebreaker = reading.kind === 'heading' && foldCode(reading.label.code ?? '') === 'TB'
    if (reading.kind === 'heading' && (reading.label.index !== null || isTiebreaker))
      begin(at, true)
    const number = numberOf(finding)
    const now = open as Item | null
    if (at === year) set(at, skipped)
    else if (number !== null) {
      const isFree = now === null || (now.slot !== null && !now.isLabel)
      if (isFree && idAlone(finding) > 0 && number < LEAST_OLD) begin(at)
      else (isFree ? begin(null) : now).figures.push(at)
    } else if (idAlone(finding) > 0)
      (now === null || now.slot !== null ? begin(null) : now).slot = at
    else if (reading.kind === 'slot' || reading.kind === 'asked') open = null
  }
  close()
  const [first] = noted
  if (first !== undefined) {
    const numbers = named(
      noted.map((at) => idAlone(findings[at]!)),
      MOST_NAMED,
    )
    set(first, { kind: 'skipped', note: say('figuresLeftOut', { n: noted.length, numbers }) })
  }
  return settled
}

/**
 * The slots of items of which each has its bucket on a line and its number on the next one, by this line: `NM`, `1`, `129891`,
 * `NM`, `2`, `75`. The numbers of each bucket count its items, and each item has one beatmap.
 */
function labelsApart(findings: readonly Finding[], codes: BucketCodes): Map<number, Label> {
  const labels = new Map<number, Label>()
  const last = new Map<string, number>()
  const filled = [...findings.keys()].filter((at) => findings[at]!.text.trim() !== '')
  const isBucket = (at: number): boolean => {
    const { reading } = findings[at]!
    const isPlace = reading.kind === 'heading' && reading.label.index === null
    return isPlace && isSure(reading.label, codes)
  }
  const starts = [...filled.keys()].filter((place) => isBucket(filled[place]!))
  for (const [nth, start] of starts.entries()) {
    const { reading } = findings[filled[start]!]!
    const code = reading.kind === 'heading' ? (reading.label.code ?? '') : ''
    const at = filled[start + 1]
    const index = at === undefined ? null : numberOf(findings[at]!)
    const own = filled.slice(start + 2, starts[nth + 1])
    const ids = own.filter((each) => idAlone(findings[each]!) >= LEAST_IN_CELL)
    if (foldCode(code) === 'TB' && index === null) continue
    if (index !== (last.get(foldCode(code)) ?? 0) + 1 || ids.length !== 1) return new Map()
    last.set(foldCode(code), index)
    labels.set(at!, { code, index })
  }
  return labels.size > 1 ? labels : new Map()
}

const MOST_NAMED = 5

const areWhole = (items: readonly Item[]): boolean => items.every(({ slot }) => slot !== null)

/** Whether there are several, each with the same number of figures, and some: one item may be an old id above another. */
const areAlike = (items: readonly Item[]): boolean =>
  items.length > 1 &&
  items.every(
    ({ start, figures }) =>
      start === null && figures.length > 0 && figures.length === items[0]!.figures.length,
  )

/** Whether there is but one figure at each, which is no less than the oldest id. */
const mayBeIds = (items: readonly Item[], findings: readonly Finding[]): boolean =>
  items.every(({ figures }) => figures.length === 1 && idAlone(findings[figures[0]!]!) >= LEAST_OLD)

/** Whether numbers count items from the first or second on, in any order. */
function areCounted(numbers: readonly number[]): boolean {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const isDense = least >= 1 && least <= 2 && most <= numbers.length * 2
  return isDense && new Set(numbers).size === numbers.length
}

const isLinked = ({ text }: Finding): boolean => text.includes('/')

/** The beatmap that has no label; 0 for anything else. */
const idAlone = ({ reading }: Finding): number =>
  reading.kind === 'slot' && reading.label === null ? reading.beatmapId : 0

/** The number that is all that a line has, if it can hardly be a beatmap's. */
function numberOf({ reading, text }: Finding): number | null {
  if (reading.kind !== 'slot' || reading.label?.code != null || /[\p{L}/]/u.test(text)) return null
  return reading.beatmapId < LEAST_IN_CELL ? reading.beatmapId : null
}

/** The line of a year above all slots. */
function yearAbove(findings: readonly Finding[], codes: BucketCodes): number | null {
  const isPlace = ({ reading }: Finding): boolean =>
    (reading.kind === 'slot' && reading.label?.code != null) ||
    (reading.kind === 'heading' && isSure(reading.label, codes))
  const first = findings.findIndex(
    (each) => each.reading.kind === 'slot' || each.reading.kind === 'asked' || isPlace(each),
  )
  const finding = findings[first]
  const isAlone =
    finding !== undefined && isYear(idAlone(finding)) && !/[\p{L}/]/u.test(finding.text)
  return isAlone && findings.slice(first + 1).some(isPlace) ? first : null
}
