import { MAX_TOURNAMENTS } from '../contract/bounds.ts'
import { AppError, refusal } from '../contract/errors.ts'
import type { TournamentInput, TournamentPatch } from '../contract/tournaments.ts'
import { accountGone } from '../domain/accounts.ts'
import { type Awaitable, whenKnown } from '../domain/loading.ts'
import { type Deciding, refuseToReplace } from '../domain/moderation.ts'
import { isSlug, newSlug, withFreeSlug } from '../domain/keys.ts'
import type { Precondition } from '../domain/reading/requests.ts'
import type { ChooseSlug } from '../domain/releases.ts'
import {
  assertMay,
  assertMayInRound,
  mayDo,
  type RoundAction,
  standingIn,
  standingOf,
  type TournamentAction,
} from '../domain/tournament-access.ts'
import * as changes from '../domain/tournament-changes.ts'
import {
  checkPatch,
  factsOf,
  type SavedRound,
  type SavedTournament,
  type TournamentChange,
  type TournamentContent,
} from '../domain/tournaments.ts'
import type { Ports } from '../ports/ports.ts'
import type { WriteOnce } from '../ports/store.ts'
import { makeOnce, type RepeatPorts } from './repeats.ts'

export type TournamentReadPorts = Pick<Ports, 'tournaments'>
export type TournamentPorts = Pick<Ports, 'tournaments' | 'clock' | 'random'>

// Each change of a tournament, here and in the files of its rounds, releases and staff, throws `bad_request` for an
// input that is invalid in itself before anything is read. Then, in the transaction of the write: `not_found` or
// `forbidden` (D-60, D-61), what `check` throws (D-48), and `conflict` for what the tournament cannot become.
// `check` is called with null when there is nothing that the account may change.

/**
 * Makes a tournament that the account hosts, with copies of the rounds of another one if the input names one. Throws
 * `bad_request`, `not_found` when that cannot be read, `conflict` when the account hosts as many as it may,
 * `invalid_api_key` when the account was just deleted.
 */
export async function createTournament(
  ports: TournamentPorts & RepeatPorts,
  accountId: string,
  { from, ...input }: TournamentInput,
  key: string | null = null,
): Promise<SavedTournament> {
  const { tournaments, clock, random } = ports
  const facts = factsOf(input)
  const create = async (free: string, once: WriteOnce | null) => {
    const copied = from === undefined ? null : await getTournament(ports, accountId, from)
    const createdAt = clock.now()
    const rounds =
      copied === null
        ? []
        : changes.copiedRounds(copied, accountId, () => newSlug(random), createdAt)
    const copiedFrom = copied && copied.slug
    // The targets of copied rounds are of its ruleset.
    const ruleset = input.ruleset ?? copied?.ruleset ?? facts.ruleset
    const tournament = { ...facts, ruleset, slug: free, createdAt, rounds, copiedFrom }
    const outcome = await tournaments.create(tournament, accountId, MAX_TOURNAMENTS, once)
    if (outcome === 'no_owner') throw accountGone()
    if (outcome === 'full') {
      const message = `you already host ${MAX_TOURNAMENTS} tournaments; delete one first`
      throw new AppError('conflict:too_many_tournaments', message)
    }
    if (outcome === 'slug_taken') return null
    return (await tournaments.read(free)) ?? notFound()
  }
  const asked = { accountId, key, of: ['createTournament', facts, from] }
  const read = async (slug: string) => getTournament(ports, accountId, slug)
  return withFreeSlug(random, (free) =>
    makeOnce(ports, asked, free, (once) => create(free, once), read),
  )
}

/** A tournament that the account may see; `not_found` otherwise (D-60). */
export function getTournament(
  { tournaments }: TournamentReadPorts,
  accountId: string,
  slug: string,
): Awaitable<SavedTournament> {
  return whenKnown(isSlug(slug) ? tournaments.read(slug) : null, (tournament) =>
    tournament !== null && mayDo(tournament, accountId, 'read') ? tournament : notFound(),
  )
}

/** Changes the facts and settings of a tournament, for hosts. @param sendsToDiscord false: an address of Discord is a `conflict` (D-98). */
export async function updateTournament(
  ports: TournamentPorts,
  accountId: string,
  slug: string,
  patch: TournamentPatch,
  check?: Precondition<SavedTournament>,
  sendsToDiscord = false,
): Promise<SavedTournament> {
  checkPatch(patch)
  const change = (saved: SavedTournament, now: number) => {
    admit(saved, accountId, 'update', check)
    if (typeof patch.discordUrl === 'string' && !sendsToDiscord) throw discordOff()
    return changes.updateFacts(saved, patch, now)
  }
  return (await changeTournament(ports, accountId, slug, change)) ?? notFound(check)
}

/** Deletes a tournament with its drafts and with the packs of its rounds. */
export async function deleteTournament(
  ports: TournamentPorts,
  accountId: string,
  slug: string,
  check?: Precondition<SavedTournament>,
): Promise<void> {
  const result = await changeWithPacks(ports, accountId, slug, (saved) => {
    admit(saved, accountId, 'delete', check)
    return { content: null, packs: changes.removals(saved.rounds) }
  })
  if (result === null) notFound(check)
}

/** A tournament after a moderation action, and before it. */
export type ModeratedTournament = SavedTournament & { readonly before: SavedTournament }

/**
 * Hides a tournament from all but its staff, or shows it again. Throws `not_found` when it is missing or private:
 * moderators do not see it (D-60).
 *
 * @param by a moderator: `asModerator`, `asOperator`.
 */
export async function moderateTournament(
  { tournaments, clock }: Omit<TournamentPorts, 'random'>,
  slug: string,
  action: 'hide' | 'unhide',
  { replaces, ...by }: Deciding,
): Promise<ModeratedTournament> {
  const now = clock.now()
  let before: SavedTournament | undefined
  const moderated = isSlug(slug)
    ? await tournaments.moderate(slug, (saved) => {
        before = saved
        const content =
          action === 'hide' ? changes.hide(saved, by.reason, now) : changes.unhide(saved, now)
        if (action === 'hide') refuseToReplace('hidden', saved.hiddenReason, { ...by, replaces })
        const isSame =
          content.hiddenAt === saved.hiddenAt && content.hiddenReason === saved.hiddenReason
        return isSame
          ? { content: saved, note: null }
          : { content, note: { ...by, action, at: now } }
      })
    : null
  return moderated !== null && before !== undefined ? { ...moderated, before } : notFound()
}

/** Throws unless the account may do this, then what `check` throws. */
export function admit(
  saved: SavedTournament,
  accountId: string,
  action: TournamentAction,
  check?: Precondition<SavedTournament>,
): void {
  if (standingOf(saved, accountId) === 'stranger') notFound(check)
  assertMay(saved, accountId, action)
  check?.(saved)
}

/** A round and its tournament. */
export type RoundInTournament = { readonly tournament: SavedTournament; readonly round: SavedRound }

/** The round, if the account may do this and `check` passes. */
export function admitToRound(
  tournament: SavedTournament,
  roundId: string,
  accountId: string,
  action: RoundAction,
  check?: Precondition<RoundInTournament>,
): SavedRound {
  const round = findRound(tournament, roundId)
  if (round === null || standingIn(tournament, round, accountId) === 'stranger') {
    return notFound(check)
  }
  assertMayInRound(tournament, round, accountId, action)
  check?.({ tournament, round })
  return round
}

/** The round after a change. Throws `not_found` if the tournament is null or has no such round. */
export function inTournament(
  tournament: SavedTournament | null,
  roundId: string,
  check?: Precondition<RoundInTournament>,
): RoundInTournament {
  const round = tournament && findRound(tournament, roundId)
  return tournament && round ? { tournament, round } : notFound(check)
}

export const findRound = ({ rounds }: SavedTournament, roundId: string): SavedRound | null =>
  rounds.find(({ id }) => id === roundId) ?? null

/** Throws what `check(null)` throws, else `not_found`. */
export function notFound(check?: Precondition<never>): never {
  check?.(null)
  throw refusal('tournamentNotFound')
}

/**
 * Saves what `change` returns, in one transaction with reading what it is called with. Returns null when there is no such
 * tournament.
 * Throws `not_found` or `conflict` when it adds somebody to the staff who cannot be on it.
 */
export async function changeTournament(
  { tournaments, clock }: Omit<TournamentPorts, 'random'>,
  accountId: string | null,
  slug: string,
  change: (saved: SavedTournament, now: number) => TournamentContent,
  once?: WriteOnce | null,
): Promise<SavedTournament | null> {
  if (!isSlug(slug)) return null
  const now = clock.now()
  const result = await tournaments.change(
    slug,
    accountId,
    MAX_TOURNAMENTS,
    now,
    (saved) => change(saved, now),
    once,
  )
  if (result === 'no_account') throw noSuchPlayer()
  if (result === 'no_host') throw noOtherHost()
  if (result === 'full') {
    const message = `they already host ${MAX_TOURNAMENTS} tournaments; give them another role`
    throw new AppError('conflict:member_hosts_too_many', message)
  }
  return result
}

/** The operator allows it by `DISCORD=on` (D-98). */
export const discordOff = (): AppError =>
  new AppError(
    'conflict:discord_off',
    'this installation sends nothing to Discord; only its operator can change that; leave discordUrl out, or send null',
  )

export const noOtherHost = (): AppError =>
  new AppError(
    'conflict:other_hosts_suspended',
    'all other hosts are suspended; make someone else a host first, or delete the tournament',
  )

export const noSuchPlayer = (): AppError =>
  new AppError(
    'not_found:no_such_player',
    'no player with this game id has an account here; invite them with a link',
  )

/**
 * As `changeTournament`, with packs; null also when `change` returns null.
 *
 * @param accountId null: not on behalf of an account.
 */
export async function changeWithPacks(
  { tournaments, clock, random }: TournamentPorts,
  accountId: string | null,
  slug: string,
  change: (saved: SavedTournament, now: number, chooseSlug: ChooseSlug) => TournamentChange | null,
): Promise<SavedTournament | 'deleted' | null> {
  if (!isSlug(slug)) return null
  let isRetry = false
  const { result } = await withFreeSlug(random, async (free) => {
    const made = await tournaments.changeWithPacks(slug, accountId, clock.now(), (saved, now) => {
      let isFree = true
      const newOne = () => {
        const chosen = isFree ? free : newSlug(random)
        isFree = false
        return chosen
      }
      // Another pack may have the slug of one that was withdrawn.
      const chooseSlug: ChooseSlug = (before) => (isRetry ? null : before) ?? newOne()
      return change(saved, now, chooseSlug)
    })
    isRetry = true
    return made === 'slug_taken' ? null : { result: made }
  })
  return result
}
