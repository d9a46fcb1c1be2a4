import { slotsInPoolOrder } from '../../../pool/slots.ts'
import type { Edit } from '../edit.ts'
import { type EditProblem, onPage, type Spot } from '../problems.ts'

/** What the site refused in an edit, and the edit as it was then. */
export type Refusal = { readonly problem: EditProblem; readonly edit: Edit }

/** What the message of a 400 says (D-14): `Buckets[6].code must not contain a slur.` */
export const readRefusal = (message: string, edit: Edit): Refusal => {
  const [, place = '', remedy = ''] = /^([\w.[\]]+) (.*?)\.?$/s.exec(message) ?? []
  const sent = { buckets: edit.buckets, slots: slotsInPoolOrder(edit) }
  const lower = place.charAt(0).toLowerCase() + place.slice(1)
  const problem = onPage({ place: lower, remedy }, sent)
  const isKnown = problem.spot.kind !== 'nowhere'
  return { problem: isKnown ? problem : { ...problem, text: message }, edit }
}

const contentAt = (spot: Spot, { name, description, buckets, slots }: Edit): unknown => {
  if (spot.kind === 'name') return name
  if (spot.kind === 'description') return description
  return JSON.stringify([buckets, slots])
}

/** Whether what was refused still stands there. What has no place may do better at any time. */
export const stillStands = ({ problem: { spot }, edit }: Refusal, now: Edit): boolean =>
  spot.kind !== 'nowhere' && contentAt(spot, edit) === contentAt(spot, now)
