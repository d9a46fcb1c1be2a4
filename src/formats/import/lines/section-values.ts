import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import { type BucketCodes, isKnown, type Label, modsOfCode, tidy } from '../words/labels.ts'
import { readPlainLine } from './lines.ts'
import { LEAST_OLD } from '../words/bucket-names.ts'
import { LEAST_LONG } from './plausible-ids.ts'
import { asked, type Finding, type HeadingReading, reasons, refused } from '../readings.ts'
import { say } from '../import-message.ts'

/** What the game counts its mods as; of several it is the sum. */
const numberOfMod: ReadonlyMap<string, number> = new Map(
  'NM 0,NF 1,NOFAIL 1,EZ 2,HD 8,HR 16,SD 32,DT 64,HT 256,NC 576,NIGHTCORE 576,FL 1024,PF 16416'
    .split(',')
    .map((each): [string, number] => [each.replace(/ .*/, ''), Number(each.replace(/.* /, ''))]),
)
/** Of NC, which is DT as well. */
const NIGHTCORE = 512

/** Whether a number is that of the mods of a code: `DT - 64`, `HDDT 72`, `DT=576`. */
function isOfMods({ code }: Label, number: number): boolean {
  const fold = foldCode(code ?? '')
  if (!numberOfMod.has(fold) && modsOfCode(fold) === null) return false
  const mods: readonly string[] = fold.match(/../g) ?? []
  const sum =
    numberOfMod.get(fold) ?? mods.reduce((all, mod) => all + (numberOfMod.get(mod) ?? 0), 0)
  return number === sum || (mods.includes('DT') && number === sum + NIGHTCORE)
}

function holdsBits(finding: Finding): boolean {
  const { reading } = finding
  if (reading.kind === 'heading' && reading.label.index !== null)
    return isOfMods(reading.label, reading.label.index)
  if (reading.kind !== 'slot' || reading.label?.index !== null || !isWritten(finding, anyRule))
    return false
  return isOfMods(reading.label, reading.beatmapId)
}

/** Whether a beatmap is a number, and no link or value of a column that has a name. */
const isWritten = ({ reading, text }: Finding, rules = ['line', 'row']): boolean =>
  reading.kind === 'slot' && rules.includes(reading.rule) && findTargets(text).length === 0
const anyRule = ['line', 'row', 'columns']

/** A number that is apart from the name in front of it. */
const numberApart = /[^\p{L}\p{N}][0-9]{1,3}[^\p{L}\p{N}]*$/u

/** A number that is given for the name in front of it: `HD = 8`. */
const numberGiven = /[=:]\s*[0-9]{1,3}[^\p{L}\p{N}]*$/u

type Numbered = {
  readonly at: number
  readonly code: string
  readonly isGiven: boolean
  /** Beatmaps below it, and titles, each of which may be of one of those. */
  beatmaps: number
  titles: number
  /** Whether the first slot of its bucket is right below it. */
  isAbove: boolean
}

const itemsOf = ({ beatmaps, titles }: Numbered): number => Math.max(beatmaps, titles)

/**
 * What headings are whose numbers are no slots': those of buckets, `NoMod - 2` above two items or beside such a heading of
 * another bucket, `NM: 2` above one item or NM1; or counts alone.
 */
function countsAmong(findings: readonly Finding[]): Map<number, 'bucket' | 'count'> {
  const all: Numbered[] = []
  let open: Numbered | null = null
  for (const [at, { reading, text, round }] of findings.entries()) {
    const plan = reading.kind === 'refused' ? reading.plan : undefined
    const label = reading.kind === 'slot' ? reading.label : plan?.label
    const isHeading = reading.kind === 'heading' && reading.isRow !== true
    if (isHeading || round !== undefined) open = null
    if (isHeading && reading.label.index !== null && numberApart.test(text)) {
      const code = foldCode(reading.label.code ?? '')
      open = {
        at,
        code,
        isGiven: numberGiven.test(tidy(text)),
        beatmaps: 0,
        titles: 0,
        isAbove: false,
      }
      all.push(open)
    } else if (open !== null && label === null)
      open[plan === undefined ? 'beatmaps' : 'titles'] += 1
    else if (open !== null && label != null) {
      const isFirst = label.index === 1 && foldCode(label.code ?? '') === open.code
      open.isAbove =
        isFirst && itemsOf(open) === 0 && !/(?<![0-9])1[^0-9]*$/.test(findings[open.at]!.text)
      open = null
    }
  }
  const isDistinct = new Set(all.map(({ code }) => code)).size === all.length
  const isCounted = isDistinct && all.some((each) => itemsOf(each) > 1)
  const isStructure =
    isDistinct && all.length > 1 && all.every((each) => itemsOf(each) === 0 && !each.isAbove)
  return new Map(
    all.flatMap((each): [number, 'bucket' | 'count'][] => {
      const { at, isGiven, isAbove } = each
      if (isCounted || isAbove || (isGiven && itemsOf(each) > 0)) return [[at, 'bucket']]
      return isGiven || isStructure ? [[at, 'count']] : []
    }),
  )
}

const section = /^\s*\[\s*([^[\]=]{1,60}?)\s*=\s*([0-9]{1,10})\s*\]\s*$/

/**
 * The value of a section is no beatmap, `[DoubleTime=64]`, and neither is the number of a bucket's mods above beatmaps
 * without slots, `DT - 64`: both are headings. A value that may be an id is asked.
 */
export function nameSections(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  // Several list what the game counts its mods as; one alone may be a mistake.
  const isList = findings.filter((each) => holdsBits(each)).length > 1
  const counted = countsAmong(findings)
  const noId = (rule: string) =>
    isList && rule !== 'columns'
      ? { ...refused(reasons.noBeatmap), isProse: true }
      : refused(reasons.noBeatmap)
  return findings.map((finding, at): Finding => {
    const { text, reading } = finding
    const kind = counted.get(at)
    if (kind === 'count')
      return {
        ...finding,
        reading: { ...refused(reasons.noBeatmap), isProse: isList || counted.size > 1 },
      }
    if (reading.kind === 'heading' && kind === 'bucket')
      return { ...finding, reading: { ...reading, label: { ...reading.label, index: null } } }
    if ((reading.kind !== 'slot' && reading.kind !== 'heading') || reading.label === null)
      return finding
    const below = (): Finding[] => {
      const content = findings
        .slice(at + 1, at + 9)
        .filter((each) => each.reading.kind !== 'skipped')
      const end = content.findIndex(({ reading: own }) => own.kind !== 'slot' || own.label !== null)
      return end < 0 ? content : content.slice(0, end)
    }
    const as = (label: Label): HeadingReading => ({ kind: 'heading', label, isSoft: true })
    const [, key, value] = section.exec(text) ?? []
    if (key === undefined) {
      const { label } = reading
      const number = reading.kind === 'slot' ? reading.beatmapId : label.index
      const isOther =
        reading.kind === 'slot' &&
        (label.index !== null || !isWritten(finding, isList ? anyRule : undefined))
      const isBit = isList && number !== null && number > 0 && Number.isInteger(Math.log2(number))
      if (isBit && !isKnown(label, codes) && isWritten(finding))
        return { ...finding, reading: refused(reasons.noBeatmap) }
      if (number === null || isOther || !isOfMods(label, number)) return finding
      // `HD 8` above one beatmap is its slot.
      const least = reading.kind === 'heading' && number < LEAST_OLD && !isList ? 2 : 1
      if (below().length >= least) return { ...finding, reading: as({ ...label, index: null }) }
      const isLow = !isList && number < LEAST_OLD
      return reading.kind === 'heading' || isLow
        ? finding
        : { ...finding, reading: noId(reading.rule) }
    }
    const own = readPlainLine(`[${key}]`, codes)
    if (own.kind !== 'heading' || own.label.index !== null) return finding
    const number = Number(value)
    const heading = as(own.label)
    if (number < LEAST_OLD || isOfMods(own.label, number)) return { ...finding, reading: heading }
    if (below().length === 0)
      return number < LEAST_LONG ? { ...finding, reading: refused(reasons.unclearSlot) } : finding
    if (number < LEAST_LONG || reading.kind !== 'slot') return { ...finding, reading: heading }
    const question = say('beatmapOrHeading', { id: number, code: own.label.code! })
    const choices = [
      [say('leaveHeading'), heading],
      [say('isBeatmap', { id: number }), reading],
    ] as const
    return { ...finding, reading: asked(question, choices) }
  })
}
