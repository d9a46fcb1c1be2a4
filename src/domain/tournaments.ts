import type { Ruleset } from '../contract/mods.ts'
import type { Bucket } from '../contract/pools.ts'
import type { RoundSlot, RoundTargets } from '../contract/rounds.ts'
import type { StaffRole, TournamentVisibility } from '../contract/tournaments.ts'
import type { SavedPack } from './packs.ts'

/** Somebody on the staff. */
export type SavedMember = {
  readonly accountId: string
  /** The player's id on the platform. */
  readonly gameId: number
  /** The current one; null when none is known. */
  readonly username: string | null
  readonly role: StaffRole
  /** ms since the epoch. */
  readonly since: number
}

/** What of a round is drafted, and becomes public with a release. */
export type RoundContent = {
  readonly name: string
  readonly bestOf: number | null
  readonly bans: number | null
  /** null: the default name. */
  readonly packName: string | null
  readonly targets: RoundTargets | null
  /** In the order they were sent; each has a beatmap, a placeholder, or neither. */
  readonly slots: readonly RoundSlot[]
  /** The whole table; null when it is the default one. */
  readonly buckets: readonly Bucket[] | null
}

/** What was released of a round last. Its slots and buckets are the pack's. */
export type ReleasedRound = Pick<RoundContent, 'name' | 'bestOf' | 'bans'> & {
  readonly packSlug: string
  /** When the pack was made or last replaced, ms since the epoch. */
  readonly at: number
  /** null when the pack was removed otherwise; it may be hidden. */
  readonly pack: SavedPack | null
}

export type SavedRound = RoundContent & {
  readonly id: string
  /** When it will be released, ms since the epoch; null when nothing is scheduled. */
  readonly releaseAt: number | null
  /** null when it has no pack. */
  readonly released: ReleasedRound | null
  /** The number of this state of the draft in its history, from 1. */
  readonly version: number
  /** ms since the epoch, as the next. */
  readonly createdAt: number
  /** Always increases when anything above changes. */
  readonly updatedAt: number
}

/** What hosts set of a tournament. */
export type TournamentFacts = {
  readonly name: string
  readonly shortName: string | null
  readonly description: string | null
  readonly ruleset: Ruleset
  readonly year: number | null
  readonly rankMin: number | null
  readonly rankMax: number | null
  readonly link: string | null
  readonly visibility: TournamentVisibility
  readonly announceRounds: boolean
}

/** What changes over a tournament's life. */
export type TournamentContent = TournamentFacts & {
  /** When a moderator hid it, ms since the epoch; null when none did. */
  readonly hiddenAt: number | null
  readonly hiddenReason: string | null
  /** In order. */
  readonly rounds: readonly SavedRound[]
  /** By role, then by `since`. */
  readonly staff: readonly SavedMember[]
  /** ms since the epoch; always increases when anything above changes. */
  readonly updatedAt: number
  /** When what strangers see last changed, ms since the epoch: it gives away no draft (D-60). */
  readonly publicAt: number
}

/** A tournament as the store holds it. Never changed in place: stores may return the same object again. */
export type SavedTournament = TournamentContent & {
  readonly slug: string
  readonly createdAt: number
}
