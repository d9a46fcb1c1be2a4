import { foldCode } from '../../../pool/slots.ts'
import { say } from '../import-message.ts'
import {
  asked,
  type Finding,
  type Plan,
  type RefusedReading,
  skipped,
  slotReading,
  type SlotReading,
} from '../readings.ts'
import { isSeat, LEAST_OLD, slotWord } from '../words/bucket-names.ts'
import type { BucketCodes, Label } from '../words/labels.ts'
import { askTitle, isRound, ofOther } from './items.ts'
import { isSure, LARGEST_LIKELY_ID } from './plausible-ids.ts'

// Slots without a beatmap that may have one, or be none: numbers in them, results of matches, and schedules.

/** A whole number as long as an id, in none with separators and in no address. */
const long = /(?<![\p{L}\p{N}.,/_-])[1-9][0-9]{4,7}(?![\p{L}\p{N}]|[.,:_-][0-9])/gu
/** A single one may be of a title. */
const LEAST_LINES = 2

/**
 * Where at least half of the slots that are planned have each another number as long as an id, `NM1 | 129891 6.5* 3:20`, it
 * is asked whether they are the beatmaps.
 */
export function askPlanned(findings: readonly Finding[]): Finding[] {
  const planned = findings.flatMap((finding) => {
    const { reading } = finding
    if (reading.kind !== 'refused' || reading.plan?.label?.code == null) return []
    const { plan } = reading
    // The link or the number of a set.
    const isOfSet = plan.refusal !== undefined
    return [{ finding, reading, plan, id: isOfSet ? null : idIn(finding.text) }]
  })
  const given = planned.flatMap((each) => (each.id === null ? [] : [{ ...each, id: each.id }]))
  const isEach = new Set(given.map(({ id }) => id)).size === given.length
  if (given.length < LEAST_LINES || given.length * 2 < planned.length || !isEach)
    return [...findings]
  const asked = new Map(
    given.map(({ finding, reading, plan, id }) => [finding, askTitle(reading, slotOf(plan, id))]),
  )
  return findings.map((finding) => ({ ...finding, reading: asked.get(finding) ?? finding.reading }))
}

function slotOf({ label, isCell, isSplit }: Plan, id: number) {
  const own = { ...(isCell === true && { isCell }), ...(isSplit === true && { isSplit }) }
  return { ...slotReading(label, id, isCell === true ? 'row' : 'line'), ...own }
}

function idIn(text: string): number | null {
  if (ofOther.test(text)) return null
  const plain = text.normalize('NFKC').replaceAll(/https?:\/\/\S+/gi, ' ')
  const [id, another] = new Set(plain.match(long)?.map(Number))
  const isId = id !== undefined && another === undefined && id <= LARGEST_LIKELY_ID && !isRound(id)
  return isId ? id : null
}

/**
 * Asks about slots that are planned where no beatmap is: for songs whose names are those of two sides with the score of their
 * match, and for labels that number matches and seats. Where a header names the columns, they are what it says.
 */
export function doubtPlans(findings: Finding[], codes: BucketCodes): Finding[] {
  const isPool = ({ reading, text, round }: Finding): boolean =>
    round?.facts?.fields !== undefined ||
    (reading.kind === 'slot' && scoreIn(reading, text) === null)
  if (findings.some(isPool)) return findings
  return doubtPlannedSeats(doubtResults(findings), codes)
}

type Planned = RefusedReading & { readonly plan: Plan & { readonly label: Label } }

/** A slot that is planned by its own label, in words that may be about something else. */
function plannedIn({ reading }: Finding): Planned | null {
  if (reading.kind !== 'refused' || reading.plan?.label?.code == null) return null
  return reading.plan.isWritten === true ? null : (reading as Planned)
}

const score = String.raw`[([]?[0-9]{1,2}(?:\s?[-–—]\s?[0-9]{1,2}|:[0-9])[)\]]?`
/** `NM1: 1-0 Kettle - Bakers` */
const inFront = new RegExp(
  String.raw`(?<=^[^\p{L}\p{N}]{0,9}${slotWord}[^\p{L}\p{N}]{1,9})${score}(?=\s.*\p{L})`,
  'u',
)
/** `Kettle - Bakers 1-0`, `Kettle 1 - 0 Bakers` */
const behind = new RegExp(
  String.raw`(?<=\s[-–—]\s(?:.*\s)?)${score}$|(?<=\p{L}.*\s)[0-9]{1,2}\s[-–—]\s[0-9]{1,2}(?=\s\S*\p{L})`,
  'u',
)

/** The points of the first side may be read as a beatmap, and are lower than the id of any. */
function scoreIn({ label, beatmapId, rule }: SlotReading, text: string): string | null {
  if (label?.code == null || rule !== 'line' || beatmapId >= LEAST_OLD) return null
  return inFront.exec(text)?.[0] ?? null
}

/** The names of two sides and their score, in place of those of a song. */
function resultIn(finding: Finding): string | null {
  const { reading, text } = finding
  if (reading.kind === 'slot') return scoreIn(reading, text)
  const { details } = plannedIn(finding)?.plan.filling ?? {}
  // What names its difficulty is a map.
  if (details?.title === undefined || (details.difficulty ?? details.mapper) !== undefined)
    return null
  const found = behind.exec(`${details.artist ?? ''} - ${details.title}`) ?? inFront.exec(text)
  return found?.[0] ?? null
}

/** Of a pool, few songs have such a name, and most say more than that. */
function doubtResults(findings: Finding[]): Finding[] {
  const results = new Map(
    findings.flatMap((finding) => {
      const found = resultIn(finding)
      return found === null ? [] : [[finding, found] as const]
    }),
  )
  const songs = findings.filter(
    (finding) => plannedIn(finding)?.plan.filling.details !== undefined && !results.has(finding),
  )
  const [first] = results.values()
  if (first === undefined || results.size < songs.length) return findings
  const question = say('isAside', { what: `“${first}”` })
  return findings.map((finding) => {
    const { reading } = finding
    if (!results.has(finding) || reading.kind === 'asked') return finding
    const choices = [
      [say('noLeaveIt'), skipped],
      [say('yesUseIt'), reading],
    ] as const
    return { ...finding, reading: asked(question, choices, 'results') }
  })
}

/** Beside slots of usual buckets, others are called as matches are; alone, they are rather these. */
function doubtPlannedSeats(findings: Finding[], codes: BucketCodes): Finding[] {
  const labels = findings.map(labelOf)
  if (labels.some((label) => label?.code != null && isSure(label, codes))) return findings
  const seats = findings.filter((_, at) => isSeatOf(labels[at]))
  const headings = seats.filter(({ reading }) => reading.kind === 'heading').length
  // One heading may be anything, and words do not show that maps are meant.
  if (headings < 2 && !seats.some((seat) => plannedIn(seat)?.plan.isSure)) return findings
  return findings.map((finding, at) => {
    const { reading } = finding
    const label = labels[at]
    if (!isSeatOf(label) || (reading.kind !== 'heading' && reading.kind !== 'refused'))
      return finding
    const { code } = label
    const choices = [
      [say('leaveThem'), skipped],
      [say('newBucket', { code }), reading],
    ] as const
    const question = say('whichBucket', { what: `“${code}”` })
    return { ...finding, reading: asked(question, choices, `bucket ${foldCode(code)}`) }
  })
}

const labelOf = (finding: Finding): Label | undefined =>
  finding.reading.kind === 'heading' ? finding.reading.label : plannedIn(finding)?.plan.label

const isSeatOf = (label: Label | undefined): label is Label & { readonly code: string } =>
  label?.code != null && label.index !== null && isSeat(label.code)
