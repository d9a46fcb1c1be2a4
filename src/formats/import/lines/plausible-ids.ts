import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import {
  type BucketCodes,
  isKnown,
  isShort,
  type Label,
  modsOfCode,
  readWhole,
  tidy,
} from '../words/labels.ts'
import {
  asked,
  type Finding,
  type Reading,
  refused,
  skipped,
  slotReading,
  type SlotReading,
  LONGEST_LINE,
} from '../readings.ts'
import { say } from '../import-message.ts'

/** Beatmaps have ids up to about 6 million, and some 700,000 are added each year: longer numbers count something else. */
export const LARGEST_ID = 20_000_000
/** What goes beyond it may be a beatmap in some years, and is somebody's account rather than that today. */
export const LARGEST_LIKELY_ID = 8_000_000
/** Ids of beatmaps are rarely shorter, and counts, lengths and ratings never longer. */
export const LEAST_LONG = 10_000

/**
 * The beatmaps of a text that is nothing but their ids: on one line, or on several of different lengths or with long ids
 * alone. null for others, such as rows of counts.
 */
export function findBareIds(text: string): Finding[] | null {
  if (!/^[\s\ufeff\d,;|()[\]]+$/.test(text)) return null
  const lines = text.replaceAll(/^\ufeff|(?:\r\n|\r|\n)$/g, '').split(/\r\n|\r|\n/)
  const numbers = lines.map((line) => tidy(line).match(/\d+/g)?.map(Number) ?? [])
  const filled = numbers.filter((line) => line.length > 0)
  const all = filled.flat()
  if (!filled.some((line) => line.length > 1) || !all.some((number) => number >= LEAST_LONG))
    return null
  // `3 129891` is slot 3.
  const isLabelled = filled.some((line) => line.length === 2 && line[0]! < 100)
  const isTable = filled.length > 1 && filled.every((line) => line.length === filled[0]!.length)
  if (isLabelled || (isTable && all.some((number) => number < LEAST_LONG))) return null
  return lines.flatMap((line, at): Finding[] => {
    const text = line.slice(0, LONGEST_LINE)
    const rule = isTable ? 'row' : 'numbers'
    const readings = numbers[at]!.map((id) => slotReading(null, id, rule))
    return (readings.length > 0 ? readings : [skipped]).map((reading) => ({
      line: at + 1,
      text,
      reading,
    }))
  })
}

/**
 * Asks whether numbers are beatmaps for which nothing speaks: rows of numbers and words without a slot, a link or a name
 * of their column, and lists with numbers that are too large. Most of them too large, or given again and again, they
 * are none, and neither are those of words above a table that names its columns: hosts, prizes, dates.
 *
 * @param isElsewhere whether another tab has such a table.
 */
export function doubtBareIds(
  findings: readonly Finding[],
  codes: BucketCodes,
  isElsewhere = false,
): Finding[] {
  const bare = bareSlots(findings, codes)
  const loose = belowWords(findings, codes)
  const ids = [...bare.values()].map(({ beatmapId }) => beatmapId)
  const worded = [...bare.keys()].filter(({ text }) => isWorded.test(text)).length
  const isOfWords = worded >= LEAST_WORDED
  const isLarge = (id: number): boolean => id > LARGEST_LIKELY_ID
  const isDoubtful = ids.some(isLarge)
  const areLow = ids.every((id) => id < LEAST_LONG)
  const songs = [...bare.keys()].filter(({ text }) => song.test(text)).length
  if (!isDoubtful && songs > 0 && songs * 2 >= bare.size) return [...findings]
  const isAlone = findings.every((each) => each.reading.kind !== 'slot' || bare.has(each))
  const isMostlyOther =
    ids.filter(isLarge).length * 2 > ids.length ||
    (ids.length >= LEAST_REPEATED && (ids.length - new Set(ids).size) * 3 >= ids.length)
  const isTable = findings.filter(isNamedSlot).length >= LEAST_NAMED
  const start = isTable ? findings.findIndex(isNamedSlot) : 0
  const isFew = isElsewhere && bare.size < LEAST_WORDED && isAlone
  return findings.map((finding, at) => {
    const reading = bare.get(finding)
    if (reading === undefined) return finding
    const isNamed = reading.label?.code != null
    const isOfRow = isRow(reading) || reading.rule === 'row'
    const isLow = areLow && loose.has(finding)
    if (!isDoubtful && !isNamed && !isOfRow && !isOfWords && !isLow) return finding
    const isWords = reading.label === null && isRow(reading) && isWorded.test(finding.text)
    if (isWords && (isFew || at < start) && !song.test(finding.text))
      return { ...finding, reading: { ...refused(NO_IDS), isProse: true } }
    if ((isMostlyOther && isAlone) || (isNamed && isRow(reading) && reading.beatmapId < LEAST_LONG))
      return { ...finding, reading: { ...refused(NO_IDS), isProse: true } }
    return { ...finding, reading: areBeatmaps(reading, ids[0]) }
  })
}

/** What is below a word with a colon or such, which may be the name of anything: `options:`. */
function belowWords(findings: readonly Finding[], codes: BucketCodes): ReadonlySet<Finding> {
  let isBelow = false
  return new Set(
    findings.filter(({ reading, round }) => {
      if (round !== undefined) isBelow = false
      if (reading.kind === 'heading') {
        isBelow = !isShort(reading.label, codes) && !isSure(reading.label, codes)
      }
      return isBelow
    }),
  )
}

/** Asks of all such readings at once whether their numbers are beatmaps. */
export function areBeatmaps(reading: SlotReading, example = reading.beatmapId): Reading {
  const choices = [
    [say('noLeaveThem'), skipped],
    [say('yesSuchAs', { id: example }), reading],
  ] as const
  return asked(say('areIds'), choices, 'bare ids')
}

const isWorded = /\p{L}/u
/** So many rows make a table of slots. */
const LEAST_NAMED = 2

/** Whether it is a row of a table whose header names the columns of slots and beatmaps. */
export const isNamedSlot = ({ reading }: Finding): boolean =>
  reading.kind === 'slot' &&
  reading.rule === 'columns' &&
  reading.isCell === true &&
  reading.label?.code != null

/** An artist and a title. */
const song = /\p{L}[\p{L}\p{N})!?.'’"]{0,20}[ \t][-–—] (?![0-9]+\s*$)[\p{L}\p{N}(]/u
const NO_IDS = say('noIds')
/** Fewer lines with a word beside a number may be those of a chat. */
const LEAST_WORDED = 3
/** Fewer may be the same by chance. */
const LEAST_REPEATED = 4

/** The slots whose beatmaps are numbers, and that have no place by a label or a heading of mods. */
function bareSlots(
  findings: readonly Finding[],
  codes: BucketCodes,
): ReadonlyMap<Finding, SlotReading> {
  const bare = new Map<Finding, SlotReading>()
  const sure = sureCodes(findings, codes)
  const areWords = sure.size === 0 && countWords(findings) >= LEAST_WORDED
  let isPlaced = false
  for (const finding of findings) {
    const { reading, round, text } = finding
    if (round !== undefined && round.by !== 'cell') isPlaced = false
    if (reading.kind === 'heading') {
      const { label } = reading
      isPlaced = isKnown(label, codes) || modsOfCode(label.code ?? '') !== null
    }
    if (reading.kind !== 'slot') continue
    const isListed = reading.label?.code === null && isRow(reading)
    const isNamedSo = isWord(reading, sure, areWords) || (sure.size === 0 && setting.test(text))
    if (reading.label !== null && !isListed && !isNamedSo) {
      isPlaced ||=
        reading.label.code !== null && (reading.label.index === null || reading.isSplit === true)
      continue
    }
    const isLinked = findTargets(text).some(({ beatmapId }) => beatmapId === reading.beatmapId)
    const isNamed = reading.rule === 'columns' || isLinked
    if (!isPlaced && !isNamed) bare.set(finding, reading)
  }
  return bare
}

/** A value of a program's settings: `timeout = 30000`. */
const setting = /^\s*[\p{L}][\p{L}_.-]*\s*=\s*[0-9]+\s*$/u

/** Codes of mods that tournaments use besides those of the game. */
const usualCodes = new Set(
  'RC RICE LN HB SV EX MM MX XM TECH AIM TAP SP ALT FMHD NF MD MIX'.split(' '),
)

/** Whether a folded code, with a number at its end or without, is one that tournaments use. */
export const isUsualCode = (code: string): boolean => usualCodes.has(code.replace(/[0-9]+$/, ''))

/** Whether a label is that of a bucket by its code alone. */
export const isSure = (label: Label, codes: BucketCodes): boolean =>
  isKnown(label, codes) ||
  modsOfCode(label.code ?? '') !== null ||
  isUsualCode(foldCode(label.code ?? ''))

/**
 * The lines that show whether the beatmaps of a text are meant. Where most of them have a place, by their own labels or below
 * the name of a bucket, the prose around them says nothing against it. A word that no bucket is known by shows nothing.
 */
export function contentOf(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  const isPlace = (label: Label): boolean => label.index !== null || isSure(label, codes)
  const isProse = ({ reading }: Finding): boolean =>
    reading.kind === 'refused' && reading.isProse === true
  const isPlaced = arePlaced(findings, isPlace)
  const isDoubtful = !isPlaced && findings.some(isProse)
  return findings.filter((finding) => {
    const { reading } = finding
    if (reading.kind === 'heading') return !isDoubtful || isPlace(reading.label)
    if (isProse(finding)) return !isPlaced
    return reading.kind !== 'skipped'
  })
}

function arePlaced(findings: readonly Finding[], isPlace: (label: Label) => boolean): boolean {
  let isBelow = false
  let [placed, all] = [0, 0]
  for (const { reading, round } of findings) {
    if (round !== undefined && round.by !== 'cell') isBelow = false
    if (reading.kind === 'heading') isBelow = isPlace(reading.label)
    if (reading.kind !== 'slot') continue
    const { label, rule } = reading
    const isOwn = label?.code != null && (rule !== 'line' || isPlace(label))
    all += 1
    placed += Number(isOwn || isBelow)
  }
  return placed * 2 >= all
}

/** The codes that are some bucket's, or that are numbered as buckets are. */
function sureCodes(findings: readonly Finding[], codes: BucketCodes): Set<string> {
  const numbers = new Map<string, Set<number>>()
  for (const { reading } of findings) {
    const { code = null, index = null } = (reading.kind === 'slot' ? reading.label : null) ?? {}
    if (code === null) continue
    const own = numbers.get(foldCode(code)) ?? new Set()
    numbers.set(foldCode(code), index === null ? own : own.add(index))
  }
  return new Set(
    [...numbers].flatMap(([code, own]) => {
      const isOfMods = codes.find(code) !== null || modsOfCode(code) !== null
      return isOfMods || isUsualCode(code) || (own.has(1) && own.has(2)) ? [code] : []
    }),
  )
}

/** Whether it is a row whose columns have no names. */
const isRow = ({ isCell, rule }: SlotReading): boolean => isCell === true && rule !== 'columns'

/** How many lines have a word of their own for a label: `Kestrel 1314159`. */
function countWords(findings: readonly Finding[]): number {
  const words = findings.flatMap(({ reading }) => {
    const { code = null, index = null } = (reading.kind === 'slot' ? reading.label : null) ?? {}
    const isWritten = code !== null && (code.length > 4 || code !== code.toUpperCase())
    return isWritten && index === null ? [foldCode(code)] : []
  })
  return new Set(words).size
}

/** Whether what is in the place of a label in a row without a header may as well be a word: `Info 2026`, `Kestrels1 1314159`. */
function isWord(reading: SlotReading, sure: ReadonlySet<string>, areWords: boolean): boolean {
  const { label } = reading
  if (label?.code == null) return false
  if (!isRow(reading)) return areWords && label.index === null
  return !sure.has(foldCode(label.code)) && (label.index === null || sure.size === 0)
}

/** Whether a text has two ids in one word: `129891/129892`. */
export const holdsJoined = (text: string): boolean =>
  /(?<![\p{L}\p{N}.,])[1-9][0-9]{4,7}[/&+_、・][1-9][0-9]{4,7}(?![\p{L}\p{N}])/u.test(text)

const digit = /\p{Nd}/u

/** A cell that is a whole number, also as programs (`129891.0`) and sheets (`129,891`) show it. */
export function readId(cell: string): number | null {
  if (!digit.test(cell)) return null
  if (/^[0-9]{1,3}$/.test(cell)) return Number(cell)
  if (/[a-z]/i.test(cell)) return null
  const text = tidy(cell)
    .replace(/^([`*_]{1,3})(.*)\1$/, '$2')
    .replace(/^['’](?=[0-9])/, '')
    .replace(/\.0+$/, '')
  const isGrouped =
    /^[0-9]{1,3}(?:(?:[,\u0020\u00a0\u2009\u202f][0-9]{3})+|(?:[.'’][0-9]{3}){2})$/.test(text)
  return readWhole(isGrouped ? text.replaceAll(/[^0-9]/g, '') : text)
}

/** The beatmap that a cell holds: an id, or one link. */
export function columnId(cell: string): number | null {
  const [target, another] = findTargets(cell)
  if (target !== undefined) return another === undefined ? target.beatmapId : null
  return readId(cell)
}
