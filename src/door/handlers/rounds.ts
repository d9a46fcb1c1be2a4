import { API_PREFIX } from '../../contract/endpoint.ts'
import { refusal } from '../../contract/errors.ts'
import type { draftingApi } from '../../contract/pools-api.ts'
import type { RoundReply } from '../../contract/rounds.ts'
import { whenKnown } from '../../domain/awaitable.ts'
import { type Precondition, preconditionOf, tagsOf } from '../../domain/reading/requests.ts'
import { presentRound } from '../../domain/tournament-views.ts'
import type { SavedRound, SavedTournament } from '../../domain/tournaments.ts'
import {
  changeSlots,
  createRound,
  deleteRound,
  getRound,
  replaceRound,
  replaceRounds,
} from '../../operations/rounds.ts'
import { releaseRound } from '../../operations/releases.ts'
import type { JsonBody } from '../answer.ts'
import type { Call, HandlerTable } from '../handler.ts'
import { memoByRole, tournamentBody, tournamentCheck } from './tournaments.ts'

/** The rounds of tournaments (D-62, D-63), in the API and for sessions. */
export const roundHandlers: HandlerTable<
  Pick<
    typeof draftingApi,
    | 'createRound'
    | 'replaceRounds'
    | 'getRound'
    | 'replaceRound'
    | 'deleteRound'
    | 'changeSlots'
    | 'releaseRound'
  >
> = {
  async createRound({ ports, settings }, { accountId, slug, body }) {
    const created = await createRound(ports, accountId, slug, body)
    const location = `${settings.ownApiUrl}${API_PREFIX}/tournaments/${slug}/rounds/${created.round.id}`
    return { json: roundBody(created, accountId), headers: { location } }
  },

  async replaceRounds({ ports }, call) {
    const { accountId, slug, body } = call
    const check = required(tournamentCheck(call))
    const tournament = await replaceRounds(ports, accountId, slug, body, check)
    return { json: tournamentBody(tournament, accountId) }
  },

  getRound({ ports }, { accountId, slug, params }) {
    return whenKnown(getRound(ports, accountId, slug, params.round), (found) => ({
      json: roundBody(found, accountId),
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

  async changeSlots({ ports }, { accountId, slug, params, body }) {
    const changed = await changeSlots(ports, accountId, slug, params.round, body)
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

type RoundIn = { readonly tournament: SavedTournament; readonly round: SavedRound }

const memo = memoByRole<RoundReply>()

function roundBody({ tournament, round }: RoundIn, accountId: string): JsonBody<RoundReply> {
  return memo(round, tournament, accountId, () => ({
    round: presentRound(tournament, round, accountId),
  }))
}

function roundCheck({
  accountId,
  ifMatch,
}: Pick<Call, 'accountId' | 'ifMatch'>): Precondition<RoundIn> | undefined {
  const tags = (found: RoundIn) => tagsOf(roundBody(found, accountId).etag)
  return preconditionOf(ifMatch, tags, 'nothingHereToMatch')
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
