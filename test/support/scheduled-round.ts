import type { Stores } from '../../src/adapters/storage/stores.ts'
import { freshSlug } from '../ports/sample-pack.ts'
import { aRound, someFacts } from '../ports/sample-tournament.ts'

/** A tournament with one round, and when that is to be released, ms since the epoch. */
export type ScheduledRound = {
  readonly slug: string
  readonly roundId: string
  readonly releaseAt: number
}

/** Saves a tournament of this account with a round that is to be released then. */
export const scheduleRound = async (
  { tournaments }: Stores,
  hostId: string,
  releaseAt: number,
): Promise<ScheduledRound> => {
  const slug = freshSlug()
  const round = aRound({ releaseAt })
  await tournaments.create({ ...someFacts, slug, createdAt: 0 }, hostId, Infinity)
  await tournaments.change(slug, hostId, Infinity, (saved) => ({ ...saved, rounds: [round] }))
  return { slug, roundId: round.id, releaseAt }
}

/** What a round was released as; null when it is not. */
export const releasedAs = async ({ tournaments }: Stores, { slug }: ScheduledRound) =>
  (await tournaments.read(slug))?.rounds[0]?.released ?? null
