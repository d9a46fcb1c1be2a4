import { findTargets } from '../../../pool/beatmap-links.ts'
import { type Finding, LONGEST_LINE, reasons, skipped, slotReading } from '../readings.ts'
import { areBeatmaps, LARGEST_LIKELY_ID } from './plausible-ids.ts'
import { namesSlot } from '../words/bucket-names.ts'
import { askTitle, isTitleAsked, withoutBullet, withoutTags } from './items.ts'
import { readPlannedLine } from './plans.ts'
import { isRoundName } from './round-names.ts'
import { isUndecided } from '../words/planned.ts'
import { type BucketCodes, readWords, tidy } from '../words/labels.ts'

const idBeforeSong =
  /^[\s>]{0,12}(?:(?:[-*+•]|[0-9]{1,2}[.)])\s{1,4})?([1-9][0-9]{4,7})\s(?=\S.{0,200}?\s[-–—]\s\S)/u

/** `2345671 Artist - Title` begins with the id of the beatmap, or with that of its set, as the names of folders do. */
export function askSongs(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const { reading, text } = finding
    const isUnclear = reading.kind === 'refused' && reading.reason === reasons.unclearSlot
    const id = isUnclear && !namesSlot.test(text) ? Number(idBeforeSong.exec(text)?.[1] ?? 0) : 0
    if (id === 0 || id > LARGEST_LIKELY_ID) return finding
    return { ...finding, reading: areBeatmaps(slotReading(null, id, 'alone')) }
  })
}

/**
 * Items below the name of a bucket that have their id behind their title, `1. Artist - Title (2345671)`: they say the same
 * as a line with a label.
 */
export function placeSongs(findings: readonly Finding[], codes: BucketCodes): Finding[] {
  let isBelow = false
  return findings.map((finding) => {
    const { reading, text, round } = finding
    if (reading.kind === 'heading' || round !== undefined)
      isBelow = reading.kind === 'heading' && reading.label.index === null
    const isUnclear = reading.kind === 'refused' && unclear.includes(reading.reason)
    if (!isBelow || !isUnclear || namesSlot.test(text) || !song.test(text)) return finding
    const { item, ordinal } = withoutBullet(withoutTags(tidy(text)))
    const own = readPlannedLine(`NM1 ${item}`, codes)
    const place = { label: null, ...(ordinal !== null && { ordinal }) }
    if (own.kind === 'slot') return { ...finding, reading: { ...own, ...place, isTitled: true } }
    const [title, id] = isTitleAsked(own) && own.kind === 'asked' ? own.choices : []
    if (title?.reading.kind !== 'refused' || id?.reading.kind !== 'slot') return finding
    const { plan, ...rest } = title.reading
    const planned =
      plan === undefined ? rest : { ...rest, isItem: true, plan: { ...plan, ...place } }
    return { ...finding, reading: askTitle(planned, { ...id.reading, ...place, isTitled: true }) }
  })
}

const unclear = [reasons.unclearSlot, reasons.severalNumbers]
const song = /\S\s[-–—]\s.*[0-9]{5}/u

type Part = { readonly at: number; readonly kind: 'title' | 'beatmap' }

/**
 * Items of a list below the name of a bucket that have their beatmaps on lines of their own: all below them, or all above. The
 * number of the item is that of the slot.
 */
export function joinTitles(findings: readonly Finding[]): Finding[] {
  const joined = [...findings]
  let parts: Part[] = []
  const close = (): void => {
    for (const [title, beatmap] of pairsOf(parts)) {
      const { reading } = findings[title]!
      const plan = reading.kind === 'refused' ? reading.plan : undefined
      const slot = findings[beatmap]!
      if (slot.reading.kind !== 'slot') continue
      const { ordinal } = plan ?? {}
      const own = { ...slot.reading, ...(ordinal !== undefined && { ordinal }) }
      joined[title] = { ...findings[title]!, reading: skipped }
      joined[beatmap] = { ...slot, reading: own }
    }
    parts = []
  }
  let isBelow = false
  for (const [at, finding] of findings.entries()) {
    const { reading, round } = finding
    const isHeading = reading.kind === 'heading'
    if (isHeading || round !== undefined) {
      close()
      isBelow = isHeading && reading.label.index === null
    }
    if (isHeading || reading.kind === 'skipped') continue
    const kind = isTitle(finding) ? 'title' : isBeatmap(finding) ? 'beatmap' : null
    if (kind === null) {
      close()
      isBelow = false
    } else if (isBelow) parts.push({ at, kind })
  }
  close()
  return joined
}

/** Titles with the beatmap that is next to each, if no beatmap is without one; or in the same order, all below all. */
function pairsOf(parts: readonly Part[]): [title: number, beatmap: number][] {
  const half = parts.length / 2
  if (parts.every(({ kind }, at) => (kind === 'title') === at < half) && Number.isInteger(half))
    return parts.slice(0, half).map(({ at }, place) => [at, parts[half + place]!.at])
  const isBelow = parts[0]?.kind === 'title'
  const beatmaps = [...parts.keys()].filter((place) => parts[place]!.kind === 'beatmap')
  const titleOf = (place: number): Part | undefined => parts[isBelow ? place - 1 : place + 1]
  const isEach = beatmaps.every((place) => titleOf(place)?.kind === 'title')
  // Above, each has its own; the title of what follows may be below the only one.
  const isAbove = beatmaps.length > 1 && beatmaps.length * 2 === parts.length
  if (!isEach || !(isBelow || isAbove)) return []
  return beatmaps.map((place) => [titleOf(place)!.at, parts[place]!.at])
}

function isTitle({ reading, text }: Finding): boolean {
  if (reading.kind !== 'refused' || reading.isItem !== true) return false
  if (isRoundName(withoutBullet(text.trim()).item)) return false
  const { label = null, filling, refusal, isCell } = reading.plan ?? {}
  if (filling === undefined || label !== null || refusal !== undefined || isCell) return false
  return filling.link === undefined && !isUndecided(filling.placeholder ?? '')
}

/** A line with nothing but a beatmap, and words that announce it. */
function isBeatmap({ reading, text }: Finding): boolean {
  if (reading.kind !== 'slot' || reading.label !== null || reading.ordinal !== undefined)
    return false
  if (reading.isCell === true || reading.isTitled === true || text.length > LONGEST_LINE)
    return false
  const [target] = findTargets(text)
  const rest = target === undefined ? text : text.slice(0, target.start) + text.slice(target.end)
  return readWords(rest).filter(({ text: word }) => /\p{L}/u.test(word)).length <= 1
}
