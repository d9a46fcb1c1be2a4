import { MAX_BEATMAP_ID } from '../../../contract/bounds.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import { foldCode } from '../../../pool/slots.ts'
import { type BucketCodes, isKnown, tidy } from '../words/labels.ts'
import { isSeat, LEAST_OLD } from '../words/bucket-names.ts'
import { asideLine } from '../words/pool-words.ts'
import { fitName } from '../../draft-builder.ts'
import {
  areBeatmaps,
  isSure,
  LARGEST_ID,
  LARGEST_LIKELY_ID,
  LEAST_LONG,
} from '../lines/plausible-ids.ts'
import { isYear } from '../lines/cell-lines.ts'
import { isRoundName } from '../lines/round-names.ts'
import { groupedBy } from './column-facts.ts'
import { isAside } from './table-kinds.ts'
import {
  asked,
  type Choice,
  type Reading,
  type Finding,
  reasons,
  refused,
  skipped,
  type SlotReading,
} from '../readings.ts'
import { say } from '../import-message.ts'

/** Editions, places and counts are lower. */
const LARGEST_EDITION = 100

type Labelled = {
  readonly at: number
  readonly finding: Finding
  readonly reading: SlotReading
  readonly code: string
  readonly isSure: boolean
  /** Whether its beatmap is a number, which a header does not call one. */
  readonly isBare: boolean
}

/**
 * What reads like a bucket and a beatmap and is rather something else that has a code and a number: the title of the
 * whole (`OWC 2025`), how many beatmaps a bucket has (`NM 5`), the seats of groups and the matches of a bracket. What is
 * not certain of it is asked.
 */
export function doubtLabels(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  const labelled = labelledSlots(findings, codes)
  const doubted = new Map([
    ...tooLargeAmong(labelled),
    ...tooSmallAmong(findings, labelled),
    ...brokenLinks(findings),
    ...titlesAmong(findings, labelled),
    ...countsAmong(findings, labelled),
    ...seatsAmong(findings, labelled, codes),
    ...roundsAmong(labelled),
  ])
  return doubted.size === 0
    ? [...findings]
    : findings.map((finding, at) => doubted.get(at) ?? finding)
}

function labelledSlots(findings: readonly Finding[], codes: BucketCodes): Labelled[] {
  return findings.flatMap((finding, at): Labelled[] => {
    const { reading, text } = finding
    if (reading.kind !== 'slot' || reading.label?.code == null) return []
    const { code } = reading.label
    const isLinked =
      text.includes('/') && findTargets(text).some((each) => each.beatmapId === reading.beatmapId)
    const isBare = reading.rule !== 'columns' && !isLinked
    return [
      { at, finding, reading, code: foldCode(code), isSure: isSure(reading.label, codes), isBare },
    ]
  })
}

const isSmall = ({ reading: { beatmapId } }: Labelled): boolean =>
  beatmapId < LEAST_LONG || (beatmapId < LEAST_LONG * 10 && beatmapId % 1000 === 0)

/**
 * Titles are above the slots of other buckets and share their code with none: `OWC 2025`, `CUP 5`. The same with another
 * number begins another pool.
 */
function titlesAmong(findings: readonly Finding[], labelled: readonly Labelled[]) {
  const groups = groupedBy(labelled, ({ code }) => code)
  const isTitle = (own: Labelled): boolean =>
    !own.isSure && own.isBare && own.reading.label?.index === null && isSmall(own)
  const placeOf = new Map(labelled.map(({ at }, place) => [at, place]))
  return [...groups.values()].flatMap((group): [number, Finding][] => {
    const places = group.map(({ at }) => placeOf.get(at)!)
    const isApart = places.every((place, n) => n === 0 || place > places[n - 1]! + 1)
    if (!group.every(isTitle) || !isApart) return []
    const isAbove = findings.slice(0, group[0]!.at).every(({ reading }) => !isPart(reading.kind))
    const isBefore = places.at(-1)! < labelled.length - 1
    return group.map(({ at, finding, reading }) => {
      const { beatmapId: number } = reading
      const isPlain = number <= LARGEST_EDITION || isYear(number)
      // Alone, an old beatmap is as likely.
      if (labelled.length === 1 && !isPlain) return [at, finding]
      if (!isAbove || !isBefore || !isPlain) return [at, askOne(finding, reading)]
      const round =
        group.length > 1
          ? (finding.round ?? { name: fitName(finding.text, ''), by: 'marked' as const })
          : finding.round
      return [at, { ...finding, reading: skipped, ...(round && { round }) }]
    })
  })
}

/** Longer numbers than beatmaps have are dates, scores and accounts, whatever is in front of them. */
function tooLargeAmong(labelled: readonly Labelled[]): [number, Finding][] {
  return labelled.flatMap(({ at, finding, reading, isBare }): [number, Finding][] =>
    isBare && reading.beatmapId > LARGEST_ID && reading.beatmapId <= MAX_BEATMAP_ID
      ? [[at, { ...finding, reading: areBeatmaps(reading) }]]
      : [],
  )
}

/** Numbers beside slots with their beatmaps, which no beatmap has: sums, counts, places, and values of mods. */
function tooSmallAmong(
  findings: readonly Finding[],
  labelled: readonly Labelled[],
): [number, Finding][] {
  if (!labelled.some(({ reading }) => reading.beatmapId >= LEAST_LONG)) return []
  return findings.flatMap((finding, at): [number, Finding][] => {
    const { reading, text } = finding
    const isSmall = reading.kind === 'slot' && reading.beatmapId < LEAST_OLD
    if (!isSmall || findTargets(text).length > 0) return []
    if (reading.label === null) return [[at, { ...finding, reading: refused(reasons.noBeatmap) }]]
    return reading.rule === 'row' ? [[at, { ...finding, reading: areBeatmaps(reading) }]] : []
  })
}

const digitsAlone = /^\s*[0-9]{1,6}\s*$/

/** A link at the end of a line and a line of digits may be one link that was broken in two. */
function brokenLinks(findings: readonly Finding[]): [number, Finding][] {
  return findings.flatMap((finding, at): [number, Finding][] => {
    const next = findings[at + 1]
    const { reading, text } = finding
    if (reading.kind !== 'slot' || next?.line !== finding.line + 1) return []
    if (!digitsAlone.test(next.text) || !text.includes('/')) return []
    // The number of the item below it.
    if (next.reading.kind === 'skipped' || next.reading.kind === 'heading') return []
    if (next.reading.kind === 'slot' && next.reading.label !== null) return []
    const link = findTargets(text).at(-1)
    const joined = Number(`${reading.beatmapId}${next.text.trim()}`)
    // `/b/75/edit` has its end behind the id.
    const isEnd = text.trimEnd().endsWith(String(reading.beatmapId))
    const isWhole = link?.beatmapId !== reading.beatmapId || !isEnd
    if (isWhole || joined < LEAST_JOINED || joined > LARGEST_LIKELY_ID) return []
    const choices = [
      say('linkGoesOn', { id: joined }),
      say('itIs', { what: reading.beatmapId }),
    ] as const
    const ask = (first: Choice['reading'], second: Choice['reading']): Reading =>
      asked(
        say('brokenLink'),
        [
          [choices[0], first],
          [choices[1], second],
        ],
        `broken link ${finding.line}`,
      )
    const own = next.reading.kind === 'asked' ? skipped : next.reading
    return [
      [at, { ...finding, reading: ask({ ...reading, beatmapId: joined }, reading) }],
      [at + 1, { ...next, reading: ask(skipped, own) }],
    ]
  })
}

/** Shorter ids are rarely broken. */
const LEAST_JOINED = 100_000

const isPart = (kind: Finding['reading']['kind']): boolean => kind === 'slot' || kind === 'asked'

/** `NM 5`: as many beatmaps follow; or are to come, where several buckets are counted so. */
function countsAmong(
  findings: readonly Finding[],
  labelled: readonly Labelled[],
): [number, Finding][] {
  const counts = labelled.filter(
    ({ reading: { label, beatmapId, rule }, isSure, isBare }) =>
      isSure && isBare && label?.index === null && beatmapId < LEAST_OLD && rule !== 'fields',
  )
  const isStructure = counts.length > 1 && new Set(counts.map(({ code }) => code)).size > 1
  return counts.flatMap(({ at, finding, reading: { label } }): [number, Finding][] => {
    const next = findings.slice(at + 1, at + 4).find((each) => each.reading.kind !== 'skipped')
    const isHeading =
      next?.reading.kind === 'slot' &&
      next.reading.label === null &&
      next.reading.beatmapId >= LEAST_OLD
    if (isHeading)
      return [[at, { ...finding, reading: { kind: 'heading', label: label!, isSoft: true } }]]
    const reading = { ...refused(reasons.noBeatmap), isProse: true }
    return isStructure ? [[at, { ...finding, reading }]] : []
  })
}

/** Where there is no usual bucket beside them, the numbers of seats and matches are those of players and lobbies. */
export function doubtSeats(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  // Buckets of a pool as the API has it are what they are called.
  if (findings.some(({ round }) => round?.facts?.fields !== undefined)) return [...findings]
  const seats = new Map(seatsAmong(findings, labelledSlots(findings, codes), codes))
  return findings.map((finding, at) => seats.get(at) ?? finding)
}

function seatsAmong(
  findings: readonly Finding[],
  labelled: readonly Labelled[],
  codes: BucketCodes,
): [number, Finding][] {
  const isHeaded = findings.some(
    ({ reading }) => reading.kind === 'heading' && isKnown(reading.label, codes),
  )
  if (isHeaded || labelled.some(({ isSure }) => isSure)) return []
  return labelled.flatMap(({ at, finding, reading, code, isBare }): [number, Finding][] => {
    const isDoubtful = isBare && reading.label?.index !== null && isSeat(code)
    return isDoubtful ? [[at, { ...finding, reading: areBeatmaps(reading) }]] : []
  })
}

/** `Week 1 129891`: no bucket is called as rounds are, unless a column of slots has it; stages are those of a qualifier. */
function roundsAmong(labelled: readonly Labelled[]): [number, Finding][] {
  return labelled.flatMap(({ at, finding, reading, isSure }): [number, Finding][] => {
    const { label, rule } = reading
    const code = label?.code ?? ''
    const isRound =
      label?.index != null && !/^stage$/i.test(code) && isRoundName(`${code} ${label.index}`)
    if (isSure || !isRound || rule === 'columns') return []
    const choices = [
      [say('newBucket', { code }), reading],
      [say('noBucket'), { ...reading, label: null }],
    ] as const
    const question = say('whichBucket', { what: `“${code}”` })
    return [[at, { ...finding, reading: asked(question, choices, `bucket ${code}`) }]]
  })
}

function askOne(finding: Finding, reading: SlotReading): Finding {
  const { beatmapId, label } = reading
  const question = say('beatmapOrHeading', { id: beatmapId, code: label!.code! })
  const choices = [
    [say('leaveHeading'), skipped],
    [say('isBeatmap', { id: beatmapId }), reading],
  ] as const
  return { ...finding, reading: asked(question, choices) }
}

const isOfAside = new RegExp(
  String.raw`^[^\p{L}\p{N}]{0,4}(?:${asideLine}|bans?)[^\p{L}\p{N}]{0,4}$`,
  'iu',
)

/** Asks about the beatmaps below a line such as `Warmups:` or `Suggestions:`, up to a blank line, a heading or the pool. */
export function askAside(findings: readonly Finding[]): Finding[] {
  let title: string | null = null
  /** Whether a beatmap below it has a slot; null where there is none yet. */
  let isLabelled: boolean | null = null
  return findings.map((finding) => {
    const { text, reading, ...line } = finding
    const { round } = finding
    const name = tidy(round?.by === 'marked' ? round.name : text)
    if (isAsideLine(finding, name)) {
      ;[title, isLabelled] = [name.replace(/^[,;|\s]+|[:,;|\s]+$/g, ''), null]
      return { ...line, text, reading: skipped }
    }
    const isEnd = name === '' || reading.kind === 'heading' || round !== undefined
    if (title === null || isEnd) title = null
    if (title === null || reading.kind !== 'slot') return finding
    const hasLabel = reading.label?.code != null
    if (hasLabel && isLabelled === false) title = null
    isLabelled ??= hasLabel
    if (title === null) return finding
    return { ...finding, reading: askBelow(title, reading) }
  })
}

/** Asks whether what is below a line is part of the pool: of all there is below it at once. */
export function askBelow(title: string, reading: Reading): Reading {
  if (reading.kind !== 'slot') return reading
  const choices = [
    [say('noLeaveThem'), skipped],
    [say('yesUseThem'), reading],
  ] as const
  const question = say('isBelowPart', {
    title: title.slice(0, LONGEST_ASIDE).toWellFormed(),
  })
  return asked(question, choices, `aside ${question}`)
}

const LONGEST_ASIDE = 40

function isAsideLine({ reading, round }: Finding, name: string): boolean {
  // A comment.
  if (round === undefined && name.startsWith('#')) return false
  if (name.length > LONGEST_ASIDE || (round !== undefined && round.by !== 'marked')) return false
  if (reading.kind === 'slot' || reading.kind === 'asked') return false
  return isOfAside.test(name) || (name.endsWith(':') && isAside(name))
}

const TIEBREAKER = 'TB'

/**
 * Where each slot has its label alone on a line, `NM1`, the tiebreaker is one of them that needs no number: below a
 * heading of a bucket, its title would be the end of that.
 */
export function numberTiebreakers(findings: readonly Finding[]): Finding[] {
  const headings = findings.flatMap(({ reading }, at) =>
    reading.kind === 'heading' ? [{ at, reading }] : [],
  )
  const isBlocks = headings.filter(({ reading }) => reading.label.index !== null).length > 1
  if (!isBlocks) return [...findings]
  const alone = new Set(
    headings.flatMap(({ at, reading }, place) => {
      const { code, index } = reading.label
      const below = findings.slice(at + 1, headings[place + 1]?.at)
      const end = below.findIndex(({ round }) => round !== undefined)
      const slots = (end < 0 ? below : below.slice(0, end)).filter(
        (each) => each.reading.kind === 'slot',
      )
      const [only, another] = slots
      const isOne =
        another === undefined && only?.reading.kind === 'slot' && only.reading.label === null
      return code !== null && foldCode(code) === TIEBREAKER && index === null && isOne ? [at] : []
    }),
  )
  return findings.map((finding, at) => {
    const { reading } = finding
    return reading.kind === 'heading' && alone.has(at)
      ? { ...finding, reading: { ...reading, label: { ...reading.label, index: 1 } } }
      : finding
  })
}
