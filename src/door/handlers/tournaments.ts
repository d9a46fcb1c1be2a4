import { PAGE_SIZE, pageNumbers } from '../../contract/bounds.ts'
import { API_PREFIX } from '../../contract/endpoint.ts'
import { refusal } from '../../contract/errors.ts'
import type { draftingApi } from '../../contract/pools-api.ts'
import type { RoundReply } from '../../contract/rounds.ts'
import type { TournamentPage, TournamentReply, TournamentView } from '../../contract/tournaments.ts'
import { refuseUnsearchable } from '../../domain/invalid-input.ts'
import { whenKnown } from '../../domain/loading.ts'
import type { Precondition } from '../../domain/reading/requests.ts'
import { memberOf, type Standing, standingIn } from '../../domain/tournament-access.ts'
import { presentCandidate, presentRemark } from '../../domain/discussion.ts'
import {
  presentDeleted,
  presentRound,
  presentSummary,
  presentTournament,
  savedRound,
  savedTournament,
} from '../../domain/tournament-views.ts'
import type { SavedRound, SavedTournament } from '../../domain/tournaments.ts'
import {
  changeSlots,
  createRound,
  deleteRound,
  getRound,
  listDeletedRounds,
  replaceRound,
  replaceRounds,
  restoreRound,
} from '../../operations/rounds.ts'
import { releaseRound } from '../../operations/releases.ts'
import {
  createTournament,
  deleteTournament,
  getTournament,
  updateTournament,
} from '../../operations/tournaments.ts'
import { checkOf, type JsonBody, jsonBody, memoJson } from '../answer.ts'
import type { Context } from '../context.ts'
import type { AdmittedRequest, HandlerTable } from '../handler.ts'
import { linkTo } from './packs.ts'

/** Tournaments and their rounds (D-60 to D-63), in the API and for sessions. */
export const tournamentHandlers: HandlerTable<
  Omit<
    typeof draftingApi,
    'getDraftHistory' | 'getDraftVersion' | 'listStaff' | 'getMember' | 'setRole' | 'removeMember'
  >
> = {
  async listTournaments(context, { page, query }) {
    const { search = '', ruleset = null, rank, year } = query
    refuseUnsearchable(search, 'search')
    const filter = { search, ruleset, rank: numberIn(rank), year: numberIn(year) }
    const { rows, total } = await context.ports.tournaments.listPublic(filter, page, PAGE_SIZE)
    const summaries = rows.map((tournament) => presentSummary(tournament, null))
    const asked = Object.entries({ search, ruleset, rank, year }).filter(([, value]) => value)
    return answerPage(context, '/tournaments', page, summaries, total, asked as [string, string][])
  },

  async listMyTournaments(context, { accountId, page }) {
    const list = await context.ports.tournaments.listOfMember(accountId, page, PAGE_SIZE)
    const summaries = list.rows.map((each) => presentSummary(each, each.role))
    return answerPage(context, '/me/tournaments', page, summaries, list.total)
  },

  async createTournament({ ports, settings }, { accountId, body, idempotencyKey }) {
    const tournament = await createTournament(ports, accountId, body, idempotencyKey)
    const location = `${settings.ownApiUrl}${API_PREFIX}/tournaments/${tournament.slug}`
    return { json: tournamentBody(tournament, accountId), headers: { location } }
  },

  getTournament({ ports }, call) {
    const reader = readerOf(call)
    return whenKnown(getTournament(ports, reader, call.slug), (tournament) => ({
      json: tournamentBody(tournament, reader),
    }))
  },

  async updateTournament({ ports, settings }, call) {
    const { accountId, slug, body } = call
    const check = tournamentCheck(call)
    const { sendsToDiscord = false } = settings
    const tournament = await updateTournament(ports, accountId, slug, body, check, sendsToDiscord)
    return { json: tournamentBody(tournament, accountId) }
  },

  async deleteTournament({ ports }, call) {
    await deleteTournament(ports, call.accountId, call.slug, tournamentCheck(call))
    return {}
  },

  async createRound({ ports, settings }, { accountId, slug, body, idempotencyKey }) {
    const created = await createRound(ports, accountId, slug, body, idempotencyKey)
    const location = `${settings.ownApiUrl}${API_PREFIX}/tournaments/${slug}/rounds/${created.round.id}`
    return { json: roundBody(created, accountId), headers: { location } }
  },

  async replaceRounds({ ports }, call) {
    const { accountId, slug, body } = call
    const check = required(tournamentCheck(call))
    const tournament = await replaceRounds(ports, accountId, slug, body, check)
    return { json: tournamentBody(tournament, accountId) }
  },

  getRound({ ports }, call) {
    const reader = readerOf(call)
    return whenKnown(getRound(ports, reader, call.slug, call.params.round), (found) => ({
      json: roundBody(found, reader),
    }))
  },

  async replaceRound({ ports }, call) {
    const { accountId, slug, params, body } = call
    const check = required(roundCheck(call))
    const replaced = await replaceRound(ports, accountId, slug, params.round, body, check)
    return { json: roundBody(replaced, accountId) }
  },

  async deleteRound({ ports }, call) {
    const { accountId, slug, params } = call
    await deleteRound(ports, accountId, slug, params.round, required(roundCheck(call)))
    return {}
  },

  async listDeletedRounds({ ports }, { accountId, slug }) {
    const deleted = await listDeletedRounds(ports, accountId, slug)
    return { json: jsonBody({ rounds: deleted.map(presentDeleted) }) }
  },

  async restoreRound({ ports }, { accountId, slug, params, idempotencyKey }) {
    const restored = await restoreRound(ports, accountId, slug, params.round, idempotencyKey)
    const discussion = await ports.discussion.read({ slug, roundId: params.round })
    const candidates = discussion.candidates.map(presentCandidate)
    const remarks = discussion.remarks.map(presentRemark)
    const round = presentRound(restored.tournament, restored.round, accountId)
    return { json: jsonBody({ round, candidates, remarks }, savedRound(round)) }
  },

  async changeSlots({ ports }, call) {
    const { accountId, slug, params, body } = call
    const changed = await changeSlots(ports, accountId, slug, params.round, body, roundCheck(call))
    return { json: roundBody(changed, accountId) }
  },

  async releaseRound({ ports }, call) {
    const { accountId, slug, params, body } = call
    const released = await releaseRound(
      ports,
      accountId,
      slug,
      params.round,
      body,
      roundCheck(call),
    )
    return { json: roundBody(released, accountId) }
  },
}

/** The account that reads; the empty one for what is public (D-84). */
const readerOf = ({
  accountId,
  query,
}: Pick<AdmittedRequest, 'accountId'> & { readonly query: TournamentView }): string =>
  query.as === 'public' ? '' : accountId

const tournamentMemo = memoByRole<TournamentReply>()

/** All who have the same role for all rounds read the same, and so do all strangers. */
function tournamentBody(tournament: SavedTournament, accountId: string): JsonBody<TournamentReply> {
  const present = () => ({ tournament: presentTournament(tournament, accountId) })
  const { role = 'stranger', rounds = null } = memberOf(tournament, accountId) ?? {}
  // No answer has the address, but another one is another state.
  const channel = role === 'host' ? tournament.discord?.address.reveal() : undefined
  const saved = () => [savedTournament(present().tournament), channel]
  return rounds === null
    ? tournamentMemo(tournament, role, present, saved)
    : jsonBody(present(), saved())
}

/** The check of a conditional write: `If-Match` against the tags that the account would read. */
function tournamentCheck({
  accountId,
  ifMatch,
}: Pick<AdmittedRequest, 'accountId' | 'ifMatch'>): Precondition<SavedTournament> | undefined {
  const bodyOf = (tournament: SavedTournament) => tournamentBody(tournament, accountId)
  return checkOf(ifMatch, bodyOf, 'nothingHereToMatch')
}

/** As `memoJson`, for each role, and for who has none. */
function memoByRole<T>() {
  const memos = new Map<Standing, ReturnType<typeof memoJson<T>>>()
  return (source: object, standing: Standing, present: () => T, saved: () => unknown) => {
    const memo = memos.get(standing) ?? memoJson<T>()
    memos.set(standing, memo)
    return memo(source, '', present, saved)
  }
}

const numberIn = (text: string | undefined): number | null =>
  text === undefined ? null : Number(text)

/** A page of tournaments with links to its neighbours, which are of the same query. */
function answerPage(
  context: Context,
  path: string,
  page: number,
  tournaments: TournamentPage['tournaments'],
  total: number,
  query: readonly [name: string, value: string][] = [],
) {
  const fields = pageNumbers(page, total)
  const json = jsonBody<TournamentPage>({ tournaments, ...fields })
  return { json, headers: { link: linkTo(context, path, fields, query) } }
}

type RoundIn = { readonly tournament: SavedTournament; readonly round: SavedRound }

const roundMemo = memoByRole<RoundReply>()

function roundBody({ tournament, round }: RoundIn, accountId: string): JsonBody<RoundReply> {
  const present = () => ({ round: presentRound(tournament, round, accountId) })
  const saved = () => savedRound(present().round)
  return roundMemo(round, standingIn(tournament, round, accountId), present, saved)
}

function roundCheck({
  accountId,
  ifMatch,
}: Pick<AdmittedRequest, 'accountId' | 'ifMatch'>): Precondition<RoundIn> | undefined {
  return checkOf(ifMatch, (found: RoundIn) => roundBody(found, accountId), 'nothingHereToMatch')
}

/** Without `If-Match`, who may make the change is asked for it; others get the same as with it (D-60 to D-62). */
function required<T>(check: Precondition<T> | undefined): Precondition<T> {
  return (
    check ??
    ((current) => {
      if (current !== null) throw refusal('ifMatchMissing')
    })
  )
}
