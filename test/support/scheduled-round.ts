import type { Stores } from '../../src/adapters/storage/stores.ts'
import { freshSlug } from '../ports/sample-pack.ts'
import { aRound, someFacts } from '../ports/sample-tournament.ts'

/** A round, and when it is to be released, ms since the epoch. */
export type ScheduledRound = {
  readonly slug: string
  readonly roundId: string
  readonly releaseAt: number
}

/** Saves a tournament of this account, with a round for each of these times. */
export const scheduleRounds = async (
  { tournaments }: Pick<Stores, 'tournaments'>,
  hostId: string,
  times: readonly number[],
): Promise<ScheduledRound[]> => {
  const slug = freshSlug()
  const rounds = times.map((releaseAt, at) => aRound({ releaseAt, name: `Round ${at + 1}` }))
  await tournaments.create({ ...someFacts, slug, createdAt: 0 }, hostId, Infinity)
  await tournaments.change(slug, hostId, Infinity, 0, (saved) => ({ ...saved, rounds }))
  return rounds.map(({ id }, at) => ({ slug, roundId: id, releaseAt: times[at]! }))
}

/** Saves a tournament of this account with a round that is to be released then. */
export const scheduleRound = async (
  stores: Pick<Stores, 'tournaments'>,
  hostId: string,
  releaseAt: number,
): Promise<ScheduledRound> => (await scheduleRounds(stores, hostId, [releaseAt]))[0]!

/** What a round was released as; null when it is not. */
export const releasedAs = async (
  { tournaments }: Pick<Stores, 'tournaments'>,
  { slug, roundId }: ScheduledRound,
) => (await tournaments.read(slug))?.rounds.find(({ id }) => id === roundId)?.released ?? null
