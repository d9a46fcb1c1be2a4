import type { SavedMember, SavedRound, TournamentFacts } from '../../src/domain/tournaments.ts'
import { roundFields } from '../../src/pool/round-fields.ts'
import { freshSlug } from './sample-pack.ts'

/** A public tournament's. */
export const someFacts: TournamentFacts = {
  name: 'Harbour Lights Cup',
  shortName: 'HLC',
  description: null,
  ruleset: 'base',
  year: 2026,
  rankMin: 1_000,
  rankMax: 9_999,
  link: null,
  visibility: 'public',
  announceRounds: false,
  discord: null,
}

/** A round with a fresh id; fields given replace its own. */
export const aRound = (changes: Partial<SavedRound> = {}): SavedRound => ({
  id: freshSlug(),
  name: 'Finals',
  ...roundFields.stored({}),
  slots: [{ mod: 'NM', index: 1, beatmapId: 75 }],
  buckets: null,
  releaseAt: null,
  releaseIncomplete: false,
  withdrawn: null,
  released: null,
  hiddenPack: null,
  version: 1,
  createdAt: 2_000,
  updatedAt: 2_000,
  ...changes,
})

/** Members of the staff who may do everything since then, ms since the epoch. */
export const hostsOf = (
  accounts: readonly Pick<SavedMember, 'accountId' | 'gameId'>[],
  since: number,
): SavedMember[] =>
  accounts.map(({ accountId, gameId }) => ({
    accountId,
    gameId,
    username: null,
    role: 'host',
    rounds: null,
    since,
    seenAt: null,
  }))
