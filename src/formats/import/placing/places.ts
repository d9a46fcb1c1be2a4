import {
  MAX_BEATMAP_ID,
  MAX_CUSTOM_BUCKETS,
  MAX_SLOT_INDEX,
  MAX_SLOTS,
} from '../../../contract/bounds.ts'
import type { Slot } from '../../../contract/pools.ts'
import type { RoundSlot } from '../../../contract/rounds.ts'
import type { Place } from '../../../pool/pool.ts'
import { isCode, isCustom, slotLabel, wholeTable } from '../../../pool/slots.ts'
import type { Label } from '../words/labels.ts'
import { type Finding, type Reading, reasons, refused, type RoundPool } from '../readings.ts'
import { type ImportMessage, notesOfLeftOut, say } from '../import-message.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'

// Why something has no place: a slot in a round, or a line in what was read.

export const isFilledSlot = (slot: RoundSlot): slot is Slot => slot.beatmapId !== undefined

/** Why a beatmap cannot be added, and what to do; null when it can. */
export function whyNot(
  draft: RoundPool,
  { mod, index, beatmapId }: Omit<Slot, 'index'> & Pick<Label, 'index'>,
  newCode: string | null,
): ImportMessage | null {
  if (beatmapId < 1 || beatmapId > MAX_BEATMAP_ID) {
    return say('idBounds', { most: MAX_BEATMAP_ID })
  }
  const filled = filledOf(draft)
  const reason = whyNoRoom(draft, index, newCode, filled.length)
  if (reason !== null) return reason
  const holder = filled.find(
    (slot) =>
      slot.mod === mod && (index === null ? slot.beatmapId === beatmapId : slot.index === index),
  )
  if (holder === undefined) return null
  return holder.beatmapId === beatmapId ? say('sameBeatmap', nameOf(holder)) : whyTaken(holder)
}

/** The slots with a beatmap; a text is longer than a pool, and asks again and again for those of the full one. */
function filledOf({ slots }: RoundPool): readonly Slot[] {
  if (slots !== last.slots) last = { slots, filled: slots.filter(isFilledSlot) }
  return last.filled
}

let last: { readonly slots: RoundPool['slots']; readonly filled: readonly Slot[] } = {
  slots: [],
  filled: [],
}

/** Why there is no place for a slot, whatever it holds. */
export function whyNoRoom(
  draft: RoundPool,
  index: number | null,
  newCode: string | null,
  count: number,
): ImportMessage | null {
  if (index !== null && (index < 1 || index > MAX_SLOT_INDEX)) {
    return say('numberBounds', { most: MAX_SLOT_INDEX })
  }
  if (count >= MAX_SLOTS) {
    return say('tooManySlots', { most: MAX_SLOTS })
  }
  if (newCode !== null && !isCode(newCode)) {
    return say('badCode', { code: newCode })
  }
  if (newCode !== null && wholeTable(draft).filter(isCustom).length >= MAX_CUSTOM_BUCKETS) {
    return say('tooManyBuckets', { code: newCode, most: MAX_CUSTOM_BUCKETS })
  }
  return null
}

/** Why a place cannot be taken. */
export function whyTaken(holder: RoundSlot): ImportMessage {
  return holder.beatmapId === undefined
    ? say('twiceHere', nameOf(holder))
    : say('taken', { ...nameOf(holder), id: holder.beatmapId })
}

/** What messages have of a slot. */
export function nameOf(slot: Place): { slot: string; bucket: string } {
  return { slot: slotLabel(slot), bucket: slot.mod === null ? 'none' : 'one' }
}

/** A line of a word or a small number and one as long as an id; or what begins like a numbered label, and has one. */
const wordAndNumber =
  /^[^\p{L}\p{N}]{0,12}(?:[0-9]{1,2}[^\p{L}\p{N}]{1,4})?(?:\p{L}{1,12}[ -]?)?[0-9]{0,2}[^\p{L}\p{N}]{1,8}([1-9][0-9]{4,7})(?![0-9])[^\p{L}\p{N}]*$/u
const labelFirst = /^[^\p{L}\p{N}]{0,12}(?:\p{L}{1,12}[0-9]{1,2}|TB)(?![\p{L}\p{N}])/u
const idInLine = /(?<![\p{L}\p{N}/.,:=-])([1-9][0-9]{4,7})(?![\p{L}\p{N}]|[.,:][0-9])/gu
/** Remarks, what is struck through, code, and what the game's referee says of scores. */
const isAside =
  /^\s*(?:# |\/\/|;|[{}]|["'][^"']{0,60}["']\s*:)|~~|\[(?:s|strike)\]|<(?:s|del|strike)>|finished playing/i

type ReadText = { readonly findings: readonly Finding[]; readonly notes?: readonly ImportMessage[] }
const lineBreak = /\r\n|\r|\n/
/** Longer lines are prose. */
const LONGEST_LINE = 700

/**
 * Refuses each line with a beatmap that no reader took, beside slots: neither a slot nor a question or a refusal has its
 * line or its beatmap. It is the last guard against losing one without a word, whatever the line looks like.
 */
export function refuseUnread<Read extends ReadText>(text: string, read: Read): Read {
  const { findings, notes = [] } = read
  // A note has told what is left out.
  if (notes.length > 0 || !findings.some(isOfPool)) return read
  const used = new Set(findings.flatMap(({ reading }) => idsOf(reading)))
  const taken = new Set<number>()
  for (const { line, text: own, reading } of findings) {
    if (reading.kind === 'skipped' || reading.kind === 'heading') continue
    if (reading.kind === 'refused') for (const id of idsIn(own)) used.add(id)
    const many = own.split(lineBreak).length
    for (let each = 0; each < many; each += 1) taken.add(line + each)
  }
  const lost = text.split(lineBreak).flatMap((own, at): Finding[] => {
    if (taken.has(at + 1) || own.length > LONGEST_LINE || isAside.test(own)) return []
    if (idsIn(own).every((id) => used.has(id))) return []
    return [{ line: at + 1, text: own, reading: refused(reasons.unclearSlot) }]
  })
  if (lost.length === 0) return read
  const prose = lost.filter((each) => isSentence(each.text))
  const items = lost.filter((each) => !isSentence(each.text))
  return {
    ...read,
    findings: items.length === 0 ? findings : inPlace(findings, items),
    ...(prose.length > 0 && { notes: notesOfLeftOut(prose.map((each) => each.text)) }),
  }
}

const linkOf = /\[[^[\]]{0,500}\]\([^()\s]{0,500}\)|\S{0,20}:\/\/\S+/g
const anyWord = /\p{L}{2,}/gu
/** Fewer words around a link may be names. */
const LEAST_WORDS = 5

/** `Warm-ups, such as [this one](…), take 5 minutes.` */
function isSentence(line: string): boolean {
  return (line.replaceAll(linkOf, ' ').match(anyWord) ?? []).length >= LEAST_WORDS
}

const isOfPool = ({ reading }: Finding): boolean =>
  reading.kind === 'slot' || reading.kind === 'heading'

function idsIn(line: string): number[] {
  const linked = findTargets(line).flatMap(({ beatmapId }) => beatmapId ?? [])
  if (linked.length > 0) return linked
  const [, alone] = wordAndNumber.exec(line) ?? []
  if (alone !== undefined) return [Number(alone)]
  return labelFirst.test(line) ? [...line.matchAll(idInLine)].map(([, id]) => Number(id)) : []
}

function idsOf(reading: Reading): number[] {
  if (reading.kind === 'asked') return reading.choices.flatMap((each) => idsOf(each.reading))
  return reading.kind === 'slot' ? [reading.beatmapId] : []
}

/** Findings with those of other lines among them, each in place of one that is skipped, or before the next line. */
function inPlace(findings: readonly Finding[], others: readonly Finding[]): Finding[] {
  const found = new Map(others.map((each) => [each.line, each]))
  const all = findings.map((finding) => {
    const other = finding.reading.kind === 'skipped' ? found.get(finding.line) : undefined
    if (other === undefined) return finding
    found.delete(finding.line)
    return { ...finding, reading: other.reading }
  })
  const rest = [...found.values()]
  let next = 0
  const placed = all.flatMap((finding) => {
    const from = next
    while (next < rest.length && rest[next]!.line <= finding.line) next += 1
    return [...rest.slice(from, next), finding]
  })
  return [...placed, ...rest.slice(next)]
}
