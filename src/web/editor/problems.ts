import * as texts from '#texts/editor'
import * as remedies from '#texts/remedies'
import { MAX_SLOTS } from '../../contract/bounds.ts'
import { findInPool } from '../../pool/checks.ts'
import { type Wording, worded, type WordsWith } from '../../pool/message.ts'
import { findInFields } from '../../pool/pack-fields.ts'
import type { Found } from '../../pool/pool.ts'
import type { RemedyWords } from '../../pool/remedies.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import { type Edit, emptyEdit } from './edit.ts'
import { fieldNames, isFieldName } from '../field-names.ts'
import { bucketId, slotId } from '../editing/focus.ts'
import { listNames } from '../editing/names.ts'
import { join } from '../format.ts'
import type { CallFailure } from '../site-failure.ts'
import { keyOfView } from '../editing/lanes/board.ts'
import type { SlotView } from '../pool/slots.ts'

type EditProblem = {
  /** The id of the element where it is solved; null where it names no place on the page. */
  readonly id: string | null
  /** A whole sentence that names the place as the page does. */
  readonly text: string
  /** Nothing is wrong; it is only not there yet. */
  readonly isMissing: boolean
}

/** What keeps an edit from being saved: what our rules find, and the refusal while unchanged. */
export function allProblems(edit: Edit, refusal: Refusal | null) {
  const isRefused = refusal !== null && isStillRefused(refusal, edit)
  const all = [...problemsOf(edit), ...(isRefused ? [refusal.problem] : [])]
  return { all, summary: summaryOf(all), at: new Map(all.map((problem) => [problem.id, problem])) }
}

function summaryOf(all: readonly EditProblem[]): string | null {
  if (all.length <= 1) return all[0]?.text ?? null
  return all.every(({ isMissing }) => isMissing)
    ? texts.addBoth
    : texts.fixProblems({ n: all.length })
}

export function problemsOf(edit: Edit): EditProblem[] {
  const { length } = edit.slots
  return [...findInPool(edit), ...findInFields(edit)].map((problem) => {
    const id = `edit-${problem.place}`
    const missing = (text: string): EditProblem => ({ id, text, isMissing: true })
    if (id === 'edit-name' && edit.name.trim() === '') return missing(texts.addName)
    if (id === 'edit-slots' && length === 0) return missing(texts.addBeatmap)
    if (id === 'edit-slots' && length > MAX_SLOTS) {
      const text = texts.tooManySlots({ n: length, most: String(MAX_SLOTS) })
      return { id, text, isMissing: false }
    }
    return onPage(problem, edit)
  })
}

/** What is perhaps not meant, and keeps nothing from being saved. */
type EditHint = Pick<EditProblem, 'text'> & { readonly id: string }

/** Slots that a hint names at most. */
const MOST_NAMED = 8

/** @param views the slots with what is known of their beatmaps, in pool order. */
export function hintsOf(views: readonly SlotView[]): EditHint[] {
  const byBeatmap = Map.groupBy(views, ({ beatmapId }) => beatmapId)
  return [...byBeatmap].flatMap(([beatmapId, same]) => {
    const [first] = same
    const id = slotId(keyOfView(first!))
    const slots = listNames(
      same.map(({ label }) => label),
      MOST_NAMED,
    )
    if (first!.beatmap.state === 'gone') {
      return { id, text: texts.goneBeatmap({ slots, id: String(beatmapId) }) }
    }
    return same.length > 1 ? { id, text: texts.sameBeatmap({ slots }) } : []
  })
}

export type Refusal = { readonly problem: EditProblem; readonly edit: Edit }

/** What a 400 says, at the first place that it names (D-14). */
export function readRefusal({ message, problems }: Refused, edit: Edit): Refusal {
  const sent = { buckets: edit.buckets, slots: slotsInPoolOrder(edit) }
  const [first] = problems
  const [id] = first === undefined ? [null] : placeOnPage(first.place, sent)
  return { problem: { id, text: message, isMissing: false }, edit }
}

type Refused = Pick<CallFailure, 'message' | 'problems'>

/** Whether what was refused is unchanged. What names no place may succeed at any time. */
export function isStillRefused({ problem: { id }, edit }: Refusal, now: Edit): boolean {
  return id !== null && contentAt(id, edit) === contentAt(id, now)
}

function contentAt(id: string, { buckets, slots, ...fields }: Edit): string {
  const field: unknown = Object.entries(fields).find(([name]) => id === `edit-${name}`)?.[1]
  return JSON.stringify(field ?? [buckets, slots])
}

type EditedPool = Pick<Edit, 'buckets' | 'slots'>

/** A problem of a pool as it was checked or sent, in the words of the page. */
function onPage({ place: at, what }: Found, pool: EditedPool): EditProblem {
  const [id, place] = placeOnPage(at, pool)
  const text = worded(what, wording, { place })
  return { id, text: readable(text, pool), isMissing: false }
}

const sentences: WordsWith<RemedyWords, { place: string }> = remedies
const wording = { words: sentences as unknown as RemedyWords, join } satisfies Wording<RemedyWords>

function placeOnPage(place: string, pool: EditedPool): [id: string | null, name: string] {
  const [, list, at, field = ''] = /^(slots|buckets)\[(\d+)\]\.?(.*)$/.exec(place) ?? []
  const part = partNames[field] ?? texts.whole
  const slot = list === 'slots' ? pool.slots[Number(at)] : undefined
  if (slot !== undefined) return [slotId(slot.key), texts.ofSlot({ slot: slotLabel(slot), part })]
  const bucket = list === 'buckets' ? pool.buckets[Number(at)] : undefined
  if (bucket !== undefined)
    return [bucketId(bucket.code), texts.ofBucket({ bucket: bucket.code, part })]
  const [name = ''] = /^\w+/.exec(place) ?? []
  const id = Object.hasOwn(emptyEdit, name) ? `edit-${name}` : null
  return [id, isFieldName(name) ? fieldNames[name] : place]
}

const partNames: Readonly<Record<string, string>> = {
  mod: texts.partBucket,
  index: texts.partNumber,
  beatmapId: texts.partBeatmap,
  code: texts.partCode,
  color: texts.partColor,
  'mods.set': texts.partMods,
}

/** `slots[0]` and `buckets[6]` as the page calls them. */
function readable(text: string, { buckets, slots }: EditedPool): string {
  return text
    .replace(/slots\[(\d+)\]/g, (_, at: string) => {
      const slot = slots[Number(at)]
      return slot === undefined ? texts.unknownSlot : slotLabel(slot)
    })
    .replace(/buckets\[(\d+)\]/g, (_, at: string) =>
      texts.aBucket({ bucket: buckets[Number(at)]?.code ?? '' }),
    )
}
