import { pageNumbers } from '../../contract/bounds.ts'
import { refusal } from '../../contract/errors.ts'
import type {
  LogPage,
  ModeratedPackReply,
  ModeratedPlayerReply,
  ModeratedTournamentReply,
  ReasonedVerdict,
} from '../../contract/moderation.ts'
import type { poolsSessionApi, sessionApi } from '../../contract/session-api.ts'
import {
  asModerator,
  asOperatorFor,
  presentLogEntry,
  presentModeratedPack,
  presentModeratedTournament,
  presentPlayer,
} from '../../domain/moderation.ts'
import type { Session } from '../../domain/sessions.ts'
import {
  findPlayers,
  listModerated,
  listModeratedTournaments,
  moderatePack,
  orderPins,
  readModerationLog,
  suspendPlayer,
  unsuspendPlayer,
} from '../../operations/moderation.ts'
import { moderateTournament } from '../../operations/tournaments.ts'
import { type JsonBody, jsonBody } from '../answer.ts'
import type { Context } from '../context.ts'
import type { HandlerTable } from '../handler.ts'

/** The session endpoints of moderators (D-30). */
export const moderationHandlers: HandlerTable<
  Pick<
    typeof sessionApi,
    | 'listModerated'
    | 'hidePack'
    | 'unhidePack'
    | 'pinPack'
    | 'unpinPack'
    | 'orderPins'
    | 'readModerationLog'
    | 'findPlayers'
    | 'suspendPlayer'
    | 'unsuspendPlayer'
  >
> = {
  async listModerated({ ports, settings }, { viewer, query, page }) {
    const filter = { query: query.query ?? '', only: query.only ?? null }
    const { rows, total } = await listModerated(ports, viewer, filter, page)
    const packs = rows.map((row) => presentModeratedPack(row, viewer, settings.poolsOwnerName))
    return { json: jsonBody({ packs, ...pageNumbers(page, total) }) }
  },

  hidePack: decide('hide'),
  unhidePack: decide('unhide'),
  pinPack: decide('pin'),
  unpinPack: decide('unpin'),

  async orderPins({ ports }, { viewer, body }) {
    await orderPins(ports, viewer, body.slugs)
    return {}
  },

  async findPlayers({ ports }, { viewer, query, page }) {
    const { rows, total } = await findPlayers(ports, viewer, query.query ?? '', page)
    return { json: jsonBody({ players: rows.map(presentPlayer), ...pageNumbers(page, total) }) }
  },

  suspendPlayer: decidePlayer(suspendPlayer),
  unsuspendPlayer: decidePlayer(unsuspendPlayer),

  readModerationLog: readLog,
}

async function readLog(
  { ports }: Context,
  { viewer, page }: { readonly viewer: Session; readonly page: number },
): Promise<{ readonly json: JsonBody<LogPage> }> {
  const { rows, total } = await readModerationLog(ports, viewer, page)
  return { json: jsonBody({ entries: rows.map(presentLogEntry), ...pageNumbers(page, total) }) }
}

/** Those of the tournament-pools service (D-60). */
export const tournamentModerationHandlers: HandlerTable<
  Pick<
    typeof poolsSessionApi,
    'hideTournament' | 'unhideTournament' | 'listModeratedTournaments' | 'readModerationLog'
  >
> = {
  readModerationLog: readLog,

  async listModeratedTournaments({ ports }, { viewer, query, page }) {
    const filter = { query: query.query ?? '', isHidden: query.only === 'hidden' }
    const list = await listModeratedTournaments(ports, viewer, filter, page)
    const tournaments = list.rows.map(presentModeratedTournament)
    return { json: jsonBody({ tournaments, ...pageNumbers(page, list.total) }) }
  },

  hideTournament: decideTournament('hide'),
  unhideTournament: decideTournament('unhide'),
}

function decideTournament(action: 'hide' | 'unhide') {
  return async (
    { ports }: Context,
    { viewer, slug, body }: Decision,
  ): Promise<{ readonly json: JsonBody<ModeratedTournamentReply> }> => {
    const by = { ...asModerator(viewer, body.reason), replaces: body.replaces }
    const tournament = await moderateTournament(ports, slug, action, by)
    return { json: jsonBody({ tournament: presentModeratedTournament(tournament) }) }
  }
}

function decidePlayer(decision: typeof suspendPlayer) {
  return async (
    { ports }: Context,
    {
      viewer,
      params,
      body,
    }: {
      readonly viewer: Session
      readonly params: { readonly gameId: string }
      readonly body: ReasonedVerdict
    },
  ): Promise<{ readonly json: JsonBody<ModeratedPlayerReply> }> => {
    const gameId = Number(params.gameId)
    const { reason } = asOperatorFor(body.reason)
    const by = { ...asModerator(viewer), reason, replaces: body.replaces }
    await decision(ports, gameId, by)
    const { rows } = await findPlayers(ports, viewer, params.gameId, 1)
    const player = rows.find((each) => each.gameId === gameId)
    if (player === undefined) throw refusal('nothingAtPath')
    return { json: jsonBody({ player: presentPlayer(player) }) }
  }
}

type Decision = {
  readonly viewer: Session
  readonly slug: string
  readonly body: Partial<ReasonedVerdict>
}

function decide(action: 'hide' | 'unhide' | 'pin' | 'unpin') {
  return async (
    { ports, settings }: Context,
    { viewer, slug, body }: Decision,
  ): Promise<{ readonly json: JsonBody<ModeratedPackReply> }> => {
    const row = await moderatePack(ports, viewer, slug, action, body.reason, body.replaces)
    return { json: jsonBody({ pack: presentModeratedPack(row, viewer, settings.poolsOwnerName) }) }
  }
}
