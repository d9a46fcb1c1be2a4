import { DESCRIPTION_LENGTH, MAX_SLOTS } from '../../contract/bounds.ts'
import { findProblems } from '../../pool/checks.ts'
import type { PoolProblem } from '../../pool/pool.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import { checkText } from '../../pool/text.ts'
import type { Edit } from './edit.ts'
import { type Spot, spotId } from './spots.ts'

/** What keeps an edit from being saved. */
export type EditProblem = {
  readonly spot: Spot
  /** A whole sentence that names the place as the page does. */
  readonly text: string
  /** Nothing is wrong; it is only not there yet. */
  readonly isMissing: boolean
}

/** Everything that keeps an edit from being saved, and how to find it by its place. */
export type Problems = {
  readonly all: readonly EditProblem[]
  /** In one line; null when there is nothing. */
  readonly summary: string | null
  /** By the id of their spots. */
  readonly at: ReadonlyMap<string, EditProblem>
}

/** What our own rules find, and what the site has refused where it still stands there. */
export function allProblems(edit: Edit, refusal: Refusal | null): Problems {
  const isRefused = refusal !== null && stillStands(refusal, edit)
  const all = [...problemsOf(edit), ...(isRefused ? [refusal.problem] : [])]
  const at = new Map(all.map((problem) => [spotId(problem.spot), problem]))
  return { all, summary: summaryOf(all), at }
}

function summaryOf(all: readonly EditProblem[]): string | null {
  const [first] = all
  if (first === undefined) return null
  if (all.length === 1) return first.text
  return all.every(({ isMissing }) => isMissing)
    ? 'Add a name and a beatmap to save.'
    : `Fix ${all.length} problems to save`
}

/** What is wrong or missing by the same rules as on the server. */
export function problemsOf(edit: Edit): EditProblem[] {
  const description = checkText(edit.description.trim(), DESCRIPTION_LENGTH, true)
  const found: PoolProblem[] = findProblems(edit)
  if (description !== null) found.push({ place: 'description', remedy: description })
  return found.map((problem) => {
    if (problem.place === 'name' && edit.name.trim() === '') {
      return { spot: { kind: 'name' }, text: 'Add a name.', isMissing: true }
    }
    if (problem.place === 'slots' && edit.slots.length === 0) {
      return { spot: { kind: 'slots' }, text: 'Add at least one beatmap.', isMissing: true }
    }
    const shown = onPage(problem, edit)
    const isTooMany = edit.slots.length > MAX_SLOTS && problem.place === 'slots'
    const text = `The pack has ${edit.slots.length} slots. The limit is ${MAX_SLOTS}.`
    return isTooMany ? { ...shown, text } : shown
  })
}

/** What the site refused in an edit, and the edit as it was then. */
export type Refusal = { readonly problem: EditProblem; readonly edit: Edit }

/** What the message of a 400 says (D-14): `Buckets[6].code must not contain a slur.` */
export function readRefusal(message: string, edit: Edit): Refusal {
  const [, place = '', remedy = ''] = /^([\w.[\]]+) (.*?)\.?$/s.exec(message) ?? []
  const sent = { buckets: edit.buckets, slots: slotsInPoolOrder(edit) }
  const lower = place.charAt(0).toLowerCase() + place.slice(1)
  const problem = onPage({ place: lower, remedy }, sent)
  const isKnown = problem.spot.kind !== 'nowhere'
  return { problem: isKnown ? problem : { ...problem, text: message }, edit }
}

/** Whether what was refused still stands there. What has no place may do better at any time. */
export function stillStands({ problem: { spot }, edit }: Refusal, now: Edit): boolean {
  return spot.kind !== 'nowhere' && contentAt(spot, edit) === contentAt(spot, now)
}

function contentAt(spot: Spot, { name, description, buckets, slots }: Edit): unknown {
  if (spot.kind === 'name') return name
  if (spot.kind === 'description') return description
  return JSON.stringify([buckets, slots])
}

type Pool = Pick<Edit, 'buckets' | 'slots'>

/** A problem of a pool as it was checked or sent, in the words of the page. */
function onPage({ place, remedy }: PoolProblem, pool: Pool): EditProblem {
  const rule = readable(remedy, pool)
  const [, list, at, field = ''] = /^(slots|buckets)\[(\d+)\]\.?(.*)$/.exec(place) ?? []
  const what = fieldNames[field] ?? 'It'
  const slot = list === 'slots' ? pool.slots[Number(at)] : undefined
  if (slot !== undefined) {
    const text = `${slotLabel(slot)}: ${what} ${rule}.`
    return { spot: { kind: 'slot', key: slot.key }, text, isMissing: false }
  }
  const bucket = list === 'buckets' ? pool.buckets[Number(at)] : undefined
  if (bucket !== undefined) {
    const text = `Bucket ${bucket.code}: ${what} ${rule}.`
    return { spot: { kind: 'bucket', code: bucket.code }, text, isMissing: false }
  }
  const kinds = ['name', 'description', 'buckets', 'slots'] as const
  const kind = kinds.find((each) => each === place) ?? 'nowhere'
  const text = `${place.charAt(0).toUpperCase()}${place.slice(1)} ${rule}.`
  return { spot: { kind }, text, isMissing: false }
}

const fieldNames: Readonly<Record<string, string>> = {
  mod: 'The bucket',
  index: 'The number',
  beatmapId: 'The beatmap id',
  code: 'The code',
  color: 'The color',
  'mods.set': 'The mods',
}

/** `slots[0]` and `buckets[6]` as the page calls them. */
function readable(text: string, { buckets, slots }: Pool): string {
  return text
    .replace(/slots\[(\d+)\]/g, (_, at: string) => {
      const slot = slots[Number(at)]
      return slot === undefined ? 'a slot' : slotLabel(slot)
    })
    .replace(/buckets\[(\d+)\]/g, (_, at: string) => `bucket ${buckets[Number(at)]?.code ?? ''}`)
}
