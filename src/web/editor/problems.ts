import { DESCRIPTION_LENGTH, MAX_SLOTS } from '../../contract/bounds.ts'
import { findProblems } from '../../pool/checks.ts'
import type { PoolProblem } from '../../pool/pool.ts'
import { slotLabel } from '../../pool/slots.ts'
import { checkText } from '../../pool/text.ts'
import type { Edit } from './edit.ts'

/** Where on the page something is: a field, a bucket by its code, a slot by its key. */
export type Spot =
  | { readonly kind: 'name' | 'description' | 'buckets' | 'slots' | 'nowhere' }
  | { readonly kind: 'bucket'; readonly code: string }
  | { readonly kind: 'slot'; readonly key: number }

/** What keeps an edit from being saved. */
export type EditProblem = {
  readonly spot: Spot
  /** A whole sentence that names the place as the page does. */
  readonly text: string
  /** Nothing is wrong; it is only not there yet. */
  readonly isMissing: boolean
}

type Pool = Pick<Edit, 'buckets' | 'slots'>

const fieldNames: Readonly<Record<string, string>> = {
  mod: 'The bucket',
  index: 'The number',
  beatmapId: 'The beatmap id',
  code: 'The code',
  color: 'The color',
  'mods.set': 'The mods',
}

/** `slots[0]` and `buckets[6]` as the page calls them. */
const readable = (text: string, { buckets, slots }: Pool): string =>
  text
    .replace(/slots\[(\d+)\]/g, (_, at: string) => {
      const slot = slots[Number(at)]
      return slot === undefined ? 'a slot' : slotLabel(slot)
    })
    .replace(/buckets\[(\d+)\]/g, (_, at: string) => `bucket ${buckets[Number(at)]?.code ?? ''}`)

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A problem of a pool as it was checked or sent, in the words of the page. */
export const onPage = ({ place, remedy }: PoolProblem, pool: Pool): EditProblem => {
  const rule = readable(remedy, pool)
  const [, list, at, field = ''] = /^(slots|buckets)\[(\d+)\]\.?(.*)$/.exec(place) ?? []
  const what = fieldNames[field] ?? 'It'
  if (list === 'slots') {
    const slot = pool.slots[Number(at)]
    if (slot !== undefined) {
      const text = `${slotLabel(slot)}: ${what} ${rule}.`
      return { spot: { kind: 'slot', key: slot.key }, text, isMissing: false }
    }
  }
  if (list === 'buckets') {
    const { code } = pool.buckets[Number(at)] ?? {}
    if (code !== undefined) {
      const text = `Bucket ${code}: ${what} ${rule}.`
      return { spot: { kind: 'bucket', code }, text, isMissing: false }
    }
  }
  const kinds = ['name', 'description', 'buckets', 'slots'] as const
  const kind = kinds.find((each) => each === place) ?? 'nowhere'
  return { spot: { kind }, text: `${upperFirst(place)} ${rule}.`, isMissing: false }
}

const missing = (kind: 'name' | 'slots', text: string): EditProblem => ({
  spot: { kind },
  text,
  isMissing: true,
})

/** Everything that keeps the edit from being saved, by the same rules as on the server. */
export const problemsOf = (edit: Edit): EditProblem[] => {
  const description = checkText(edit.description.trim(), DESCRIPTION_LENGTH, true)
  const found: PoolProblem[] = findProblems(edit)
  if (description !== null) found.push({ place: 'description', remedy: description })
  return found.map((problem) => {
    if (problem.place === 'name' && edit.name.trim() === '') {
      return missing('name', 'Add a name.')
    }
    if (problem.place === 'slots' && edit.slots.length === 0) {
      return missing('slots', 'Add at least one beatmap.')
    }
    const shown = onPage(problem, edit)
    return edit.slots.length > MAX_SLOTS && problem.place === 'slots'
      ? {
          ...shown,
          text: `The pack has ${edit.slots.length} slots. The limit is ${MAX_SLOTS}.`,
        }
      : shown
  })
}

/** The id of the element that shows a spot, where one goes to mend it. */
export const spotId = (spot: Spot): string => {
  if (spot.kind === 'slot') return `edit-slot-${spot.key}`
  return spot.kind === 'bucket' ? `edit-bucket-${spot.code}` : `edit-${spot.kind}`
}
