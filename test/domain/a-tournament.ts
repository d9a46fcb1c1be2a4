import type { RoundInput } from '../../src/contract/rounds.ts'
import type { StaffRole } from '../../src/contract/tournaments.ts'
import type { SavedPack } from '../../src/domain/packs.ts'
import { roundContentOf } from '../../src/domain/rounds.ts'
import {
  factsOf,
  type ReleasedRound,
  type SavedRound,
  type SavedTournament,
} from '../../src/domain/tournaments.ts'
import { releasedFields } from '../../src/pool/round-fields.ts'
import { aNewPack } from '../ports/sample-pack.ts'

/** A valid round; fields given replace its own. */
export const aRound = (changes: Partial<RoundInput> = {}): RoundInput => ({
  name: 'Quarterfinals',
  slots: [
    { mod: 'NM', index: 1, beatmapId: 11 },
    { mod: 'TB', index: 1, beatmapId: 12 },
  ],
  ...changes,
})

/** A round of a tournament, saved at 1000. */
export const aSavedRound = ({
  input,
  ...changes
}: Partial<SavedRound> & { readonly input?: Partial<RoundInput> } = {}): SavedRound => ({
  ...roundContentOf(aRound(input)),
  id: 'round-0001',
  releaseAt: null,
  releaseIncomplete: false,
  withdrawn: null,
  released: null,
  hiddenPack: null,
  version: 1,
  createdAt: 1000,
  updatedAt: 1000,
  ...changes,
})

/** Its pack, which was made at 1500. */
export const aRoundPack = (changes: Partial<SavedPack> = {}): SavedPack => ({
  ...aNewPack({
    ownerId: 'tournament-pools',
    slug: 'pack-00001',
    createdAt: 1500,
    updatedAt: 1500,
  }),
  ownerUsername: null,
  ...changes,
})

/** What was released, at 1500. */
export const aRelease = (changes: Partial<ReleasedRound> = {}): ReleasedRound => ({
  name: 'Quarter finals as released',
  ...releasedFields({ bestOf: 9, bans: 1 }),
  packSlug: 'pack-00001',
  scheduledFor: null,
  at: 1500,
  slots: null,
  pack: aRoundPack(),
  ...changes,
})

/** Somebody of each role, whose account has the name of the role. */
export const aMember = (role: StaffRole, gameId: number, accountId: string = role) => ({
  accountId,
  gameId,
  username: `Player ${gameId}`,
  role,
  rounds: null,
  since: 1000,
  seenAt: null,
})

/** An account that is on no staff. */
export const anyAccount = (gameId: number) => ({
  accountId: `account-${gameId}`,
  gameId,
  username: `Player ${gameId}`,
})

/** A public tournament without rounds, its host alone on the staff, saved at 1000. */
export const aTournament = (changes: Partial<SavedTournament> = {}): SavedTournament => ({
  copiedFrom: null,
  ...factsOf({ name: 'Harbour Lights Cup', visibility: 'public' }),
  slug: 'tournament',
  hiddenAt: null,
  hiddenReason: null,
  rounds: [],
  staff: [aMember('host', 1)],
  createdAt: 1000,
  updatedAt: 1000,
  publicAt: 1000,
  ...changes,
})

/** The error that something throws; undefined when it throws none. */
export const thrown = (does: () => unknown): unknown => {
  try {
    does()
  } catch (error) {
    return error
  }
  return undefined
}
