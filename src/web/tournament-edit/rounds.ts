import type { ReleaseInput, Round } from '../../contract/rounds.ts'
import type { Tournament } from '../../contract/tournaments.ts'
import type { Workspace as WorkspaceReply } from '../../contract/workspace.ts'
import { roundFields } from '../../pool/round-fields.ts'
import { poolsCallTagged } from '../pools-api.ts'
import type { TaggedRound } from './round-store.ts'

/** What of the tournament its reader works on: who is limited also reads what others released of it (D-81). */
export function ownPart({ tournament, isLimited, marks }: WorkspaceReply): Tournament {
  if (!isLimited) return tournament
  const rounds = tournament.rounds.filter(({ id }) => marks.rounds[id] !== undefined)
  return { ...tournament, rounds }
}

export const newerOf = (one: Round, other: Round): Round =>
  other.updatedAt > one.updatedAt ? other : one

export async function readRound(slug: string, round: string): Promise<TaggedRound> {
  return tagged(await poolsCallTagged('getRound', { slug, round }))
}

export const tagged = ({ reply, tag }: { reply: { round: Round }; tag: string }): TaggedRound => ({
  round: reply.round,
  tag,
})

/** A round as it is sent among all: with the id of one that is there, or a new one. */
export type RoundEntry = Omit<Round, 'id' | 'createdAt' | 'updatedAt'> & { readonly id?: string }

export const sentRound = (round: RoundEntry) => ({
  ...(round.id !== undefined && { id: round.id }),
  name: round.name,
  slots: round.slots,
  ...(round.buckets && { buckets: round.buckets }),
  ...roundFields.sent(round),
})

/** What a round is, in a word, as the staff see it (D-63). */
export function stateOfRound({ releaseAt, releasedAt, packSlug }: Round): RoundState {
  const isScheduled = releaseAt !== undefined && releaseAt !== releasedAt
  if (isScheduled) return 'scheduled'
  return packSlug === undefined ? 'draft' : 'released'
}

type RoundState = 'draft' | 'scheduled' | 'released'

/** Whether a round that was to be released at a time is so. */
export function isReleasedAs(before: Round, now: Round, at: ReleaseInput['at']): boolean {
  if (at === 'now') return now.packSlug !== undefined && now.releasedAt !== before.releasedAt
  if (at !== null) return now.releaseAt === at
  return stateOfRound(before) === 'scheduled'
    ? stateOfRound(now) !== 'scheduled'
    : now.packSlug === undefined
}
