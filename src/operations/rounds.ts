import { DELETED_ROUND_DAYS } from '../contract/bounds.ts'
import { DAY_MS } from '../contract/quotas.ts'
import type { RoundInput, RoundsInput, SlotChanges } from '../contract/rounds.ts'
import { type Awaitable, whenKnown } from '../domain/loading.ts'
import type { SavedDraft } from '../domain/draft-history.ts'
import { isSlug, newSlug } from '../domain/keys.ts'
import type { Precondition } from '../domain/reading/requests.ts'
import { roundContentOf, sheetOf, slotChangesOf } from '../domain/rounds.ts'
import { assertMayInRound, mayDoInRound } from '../domain/tournament-access.ts'
import * as changes from '../domain/tournament-changes.ts'
import { seesRound } from '../domain/tournament-views.ts'
import type { DeletedRound, SavedRound, SavedTournament } from '../domain/tournaments.ts'
import type { Ports } from '../ports/ports.ts'
import type { WriteOnce } from '../ports/store.ts'
import { makeOnce, type RepeatPorts } from './repeats.ts'
import {
  admit,
  admitToRound,
  changeTournament,
  changeWithPacks,
  findRound,
  getTournament,
  inTournament,
  notFound,
  type RoundInTournament,
  type TournamentPorts,
  type TournamentReadPorts,
} from './tournaments.ts'

type RoundCheck = Precondition<RoundInTournament>

/** A round of which the account may see something; `not_found` otherwise (D-60). */
export function getRound(
  ports: TournamentReadPorts,
  accountId: string,
  slug: string,
  roundId: string,
): Awaitable<RoundInTournament> {
  return whenKnown(getTournament(ports, accountId, slug), (tournament) => {
    const round = findRound(tournament, roundId)
    return round !== null && seesRound(tournament, round, accountId)
      ? { tournament, round }
      : notFound()
  })
}

/** A round with its draft, for its staff; `not_found` or `forbidden` otherwise (D-60, D-61). */
export function getDraft(
  ports: TournamentReadPorts,
  accountId: string,
  slug: string,
  roundId: string,
): Awaitable<RoundInTournament> {
  return whenKnown(getTournament(ports, accountId, slug), (tournament) => {
    const round = admitToRound(tournament, roundId, accountId, 'readDraft')
    return { tournament, round }
  })
}

/** The stored versions of a round's draft, newest first; the first is the current draft. Throws as `getDraft`. */
export async function getDraftHistory(
  ports: TournamentReadPorts,
  accountId: string,
  slug: string,
  roundId: string,
): Promise<readonly SavedDraft[]> {
  await getDraft(ports, accountId, slug, roundId)
  return ports.tournaments.readVersions(slug, roundId)
}

/**
 * Adds a round after the others.
 *
 * @param key the idempotency key: repeated with the same input, the call returns the round that it made first.
 */
export async function createRound(
  ports: TournamentPorts & RepeatPorts,
  accountId: string,
  slug: string,
  input: RoundInput,
  key: string | null = null,
): Promise<RoundInTournament> {
  const content = roundContentOf(input)
  const id = newSlug(ports.random)
  const add = (tournament: SavedTournament, now: number) => {
    admit(tournament, accountId, 'addRound')
    return withOwnLinks(accountId, tournament, changes.addRound(tournament, content, id, now))
  }
  const asked = { accountId, key, of: ['createRound', slug, content] }
  const write = async (once: WriteOnce | null) =>
    inTournament(await changeTournament(ports, accountId, slug, add, once), id)
  return makeOnce(ports, asked, id, write, (made) => getDraft(ports, accountId, slug, made))
}

/** Replaces all rounds, in the order of the input; drafts that it leaves out are deleted. */
export async function replaceRounds(
  ports: TournamentPorts,
  accountId: string,
  slug: string,
  input: RoundsInput,
  check: Precondition<SavedTournament>,
): Promise<SavedTournament> {
  const sheet = sheetOf(input)
  const change = (saved: SavedTournament, now: number) => {
    admit(saved, accountId, 'arrangeRounds', check)
    const changed = changes.replaceRounds(saved, sheet, () => newSlug(ports.random), now)
    return withOwnLinks(accountId, saved, changed)
  }
  return (await changeTournament(ports, accountId, slug, change)) ?? notFound(check)
}

/** Replaces the draft of a round. */
export async function replaceRound(
  ports: TournamentPorts,
  accountId: string,
  slug: string,
  roundId: string,
  input: RoundInput,
  check: RoundCheck,
): Promise<RoundInTournament> {
  const content = roundContentOf(input)
  const edit: RoundEdit = (saved, round, now) => changes.replaceRound(saved, round, content, now)
  return changeRound(ports, accountId, slug, roundId, edit, check)
}

/** Changes slots of a draft, all or none. Throws `conflict` with `slots`: those that no longer are as in `from` (D-62). */
export async function changeSlots(
  ports: TournamentPorts,
  accountId: string,
  slug: string,
  roundId: string,
  input: SlotChanges,
  check?: RoundCheck,
): Promise<RoundInTournament> {
  const slots = slotChangesOf(input)
  const edit: RoundEdit = (saved, round, now) => changes.changeSlots(saved, round, slots, now)
  return changeRound(ports, accountId, slug, roundId, edit, check)
}

/** Deletes a round, with its pack if it is released. */
export async function deleteRound(
  ports: TournamentPorts,
  accountId: string,
  slug: string,
  roundId: string,
  check: RoundCheck,
): Promise<void> {
  const result = await changeWithPacks(ports, accountId, slug, (saved, now) => {
    const round = admitToRound(saved, roundId, accountId, 'delete', check)
    return changes.removeRound(saved, round, now)
  })
  if (result === null) notFound(check)
}

/** The deleted rounds that can be restored and whose drafts the account may see, last deleted first. */
export async function listDeletedRounds(
  ports: TournamentReadPorts & Pick<Ports, 'clock'>,
  accountId: string,
  slug: string,
): Promise<readonly DeletedRound[]> {
  const tournament = await getTournament(ports, accountId, slug)
  admit(tournament, accountId, 'readDrafts')
  const deleted = await ports.tournaments.listDeletedRounds(slug, restorableFrom(ports))
  return deleted.filter(({ round }) => mayDoInRound(tournament, round, accountId, 'readDraft'))
}

/** Makes a deleted round the last one of the tournament again, as a draft (D-82). */
export async function restoreRound(
  ports: TournamentPorts & RepeatPorts,
  accountId: string,
  slug: string,
  roundId: string,
  key: string | null = null,
): Promise<RoundInTournament> {
  if (!isSlug(slug)) notFound()
  const at = ports.clock.now()
  const times = { after: restorableFrom(ports), at }
  const restore = (tournament: SavedTournament, deleted: SavedRound) => {
    assertMayInRound(tournament, deleted, accountId, 'edit')
    return changes.restoreRound(tournament, deleted, at)
  }
  const { tournaments } = ports
  const asked = { accountId, key, of: ['restoreRound', slug, roundId] }
  const write = async (once: WriteOnce | null) => {
    const saved = await tournaments.restoreRound(slug, roundId, accountId, times, restore, once)
    return inTournament(saved, roundId)
  }
  return makeOnce(ports, asked, roundId, write, () => getDraft(ports, accountId, slug, roundId))
}

const restorableFrom = ({ clock }: Pick<Ports, 'clock'>): number =>
  clock.now() - DELETED_ROUND_DAYS * DAY_MS

/** Returns `after`; throws `forbidden` if links of a round change and the account may not set them (D-85). */
function withOwnLinks(
  accountId: string,
  before: SavedTournament,
  after: SavedTournament,
): SavedTournament {
  for (const round of changes.relinked(before, after)) {
    assertMayInRound(after, round, accountId, 'setLinks')
  }
  return after
}

type RoundEdit = (saved: SavedTournament, round: SavedRound, now: number) => SavedTournament

async function changeRound(
  ports: TournamentPorts,
  accountId: string,
  slug: string,
  roundId: string,
  edit: RoundEdit,
  check?: RoundCheck,
): Promise<RoundInTournament> {
  const saved = await changeTournament(ports, accountId, slug, (tournament, now) => {
    const round = admitToRound(tournament, roundId, accountId, 'edit', check)
    return withOwnLinks(accountId, tournament, edit(tournament, round, now))
  })
  return inTournament(saved, roundId, check)
}
