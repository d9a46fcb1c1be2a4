import { BEATMAP_ID_PATTERN, GAME_ID_PATTERN } from '../contract/bounds.ts'
import { isOfBeatmap } from '../contract/endpoint.ts'
import type { ProposalReply } from '../contract/discussion.ts'
import type { ReleaseInput } from '../contract/rounds.ts'
import { followRoutes, tournamentRoutes, usageRoutes } from '../contract/pools-routes.ts'
import { sharedRoutes } from '../contract/routes.ts'
import type { poolsApi } from '../contract/services.ts'
import type { TournamentChangePage } from '../contract/tournament-feed.ts'
import { callOf, type ClientOptions, type CreateOptions, nothingOf, partOf } from './call.ts'
import { followChanges, isChangePage, readChanges, type SendChanges } from './changes.ts'
import {
  connect,
  type Connection,
  isObject,
  isPageOf,
  type JsonFields,
  type Operations,
} from './connection.ts'
import { MapcrateError } from './errors.ts'
import { checkOutcome, isHeld, removalOf } from './lost-answers.ts'
import type { MatchOptions, PoolsClient, ViewOptions } from './pools-client.ts'
import {
  checkIdempotencyKey,
  newIdempotencyKey,
  type PathRule,
  slugRule,
  versionRule,
  waitMs,
} from './request.ts'
import { iteratePages, pageIn, type ServiceClient, serviceFunctions, slugOf } from './service.ts'
import { realTime } from './time.ts'

/**
 * A client of the tournament-pools service, whose keys and quotas are separate from those of the packs service
 * (spec 4.2, D-7). Nothing is sent before the first call.
 *
 * @throws TypeError if `baseUrl` is no http or https address, or `key` cannot be a key.
 */
export function createPoolsClient(options: ClientOptions): PoolsClient {
  return poolsClient(connect(poolsOperations, options, realTime))
}

type PoolsApi = typeof poolsApi

const pathRules: Readonly<Record<string, PathRule>> = {
  version: versionRule,
  beatmapId: {
    pattern: BEATMAP_ID_PATTERN,
    message: 'a beatmap id is a whole number from 1 on; no beatmap has another',
  },
  gameId: {
    pattern: GAME_ID_PATTERN,
    message: 'a game id is a whole number from 1 on; no player has another',
  },
}

const holds =
  (name: string) =>
  (body: JsonFields): boolean =>
    isObject(body[name])
const lists =
  (name: string) =>
  (body: JsonFields): boolean =>
    Array.isArray(body[name])
const isTournamentPage = isPageOf('tournaments', ({ slug }) => typeof slug === 'string')

const once: ReadonlySet<keyof PoolsApi> = new Set(['replaceRounds', 'replaceRound', 'changeSlots'])

/** @internal */
export const poolsOperations: Operations<PoolsApi> = {
  routes: { ...sharedRoutes, ...tournamentRoutes, ...usageRoutes, ...followRoutes },
  shapes: {
    getMe: holds('user'),
    listTournaments: isTournamentPage,
    listMyTournaments: isTournamentPage,
    createTournament: holds('tournament'),
    getTournament: holds('tournament'),
    updateTournament: holds('tournament'),
    deleteTournament: null,
    createRound: holds('round'),
    replaceRounds: holds('tournament'),
    getRound: holds('round'),
    replaceRound: holds('round'),
    deleteRound: null,
    changeSlots: holds('round'),
    releaseRound: holds('round'),
    getDraftHistory: isPageOf('versions', ({ version }) => Number.isInteger(version)),
    getDraftVersion: holds('version'),
    listDeletedRounds: lists('rounds'),
    restoreRound: holds('round'),
    listStaff: lists('staff'),
    getMember: holds('member'),
    setRole: holds('member'),
    removeMember: null,
    listCandidates: isPageOf('candidates', isNamed),
    proposeCandidate: (body) => holds('candidate')(body) || lists('candidates')(body),
    getCandidate: holds('candidate'),
    voteOnCandidate: holds('candidate'),
    moveCandidate: holds('candidate'),
    removeCandidate: null,
    listRemarks: isPageOf('remarks', isNamed),
    addRemark: holds('remark'),
    getRemark: holds('remark'),
    updateRemark: holds('remark'),
    removeRemark: null,
    getTournamentChecks: lists('checks'),
    getRoundChecks: lists('checks'),
    getBeatmapUsage: isPageOf('uses', isUse),
    listBeatmapUsage: isPageOf('uses', isUse),
    getChanges: isChangePage,
    getOpenapi: ({ openapi }) => typeof openapi === 'string',
  },
  ruleOf: (route, name) => pathRules[isOfBeatmap(route) ? 'beatmapId' : name] ?? slugRule,
  checkTag({ ifMatch }) {
    if (ifMatch !== null) return
    const message = 'ifMatch must be the ETag that was read; a proxy may have removed it'
    throw new MapcrateError('precondition_required', message)
  },
  isOnce: (name, { body, ifMatch = '*' }) =>
    once.has(name) ||
    // The first one takes the schedule, and the second one the pack.
    (name === 'releaseRound' && ifMatch === '*' && (body as ReleaseInput).at === null),
  free: 'getOpenapi',
  waitMs,
  checkOutcome,
  isHeld,
}

function isUse({ slug }: JsonFields): boolean {
  return typeof slug === 'string'
}

function isNamed({ id }: JsonFields): boolean {
  return typeof id === 'string'
}

/** @internal */
export function poolsClient(connection: Connection<PoolsApi>): PoolsClient {
  const { send } = connection
  const sendChanges: SendChanges<TournamentChangePage> = (query, options) =>
    send('getChanges', { query }, options)
  const functions: Omit<PoolsClient, keyof ServiceClient> = {
    listTournaments: ({ page = 1, search, ruleset, rank, year, ...options } = {}) => {
      const asked = Object.entries({ search, ruleset, rank, year }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      )
      const query = { ...Object.fromEntries(asked), page }
      return callOf(send('listTournaments', { query }, options))
    },
    listMyTournaments: (options) => callOf(send('listMyTournaments', pageIn(options), options)),
    createTournament: (body, options) =>
      partOf('tournament', send('createTournament', { body, ...keyIn(options) }, options)),
    getTournament: (slug, { as, ...options } = {}) =>
      partOf('tournament', send('getTournament', { slug, query: viewIn(as) }, options)),
    updateTournament: (slug, body, options) => {
      const input = { slug, body, ...matchIn(options) }
      return partOf('tournament', send('updateTournament', input, options))
    },
    deleteTournament: (slug, options) =>
      nothingOf(send('deleteTournament', { slug, ...matchIn(options) }, options)),
    createRound: (slug, body, options) =>
      partOf('round', send('createRound', { slug, body, ...keyIn(options) }, options)),
    replaceRounds: (slug, rounds, options) => {
      const input = { slug, body: { rounds }, ifMatch: options.ifMatch }
      return partOf('tournament', send('replaceRounds', input, options))
    },
    getRound: (slug, round, { as, ...options } = {}) =>
      partOf('round', send('getRound', { slug, round, query: viewIn(as) }, options)),
    replaceRound: (slug, round, body, options) => {
      const input = { slug, round, body, ifMatch: options.ifMatch }
      return partOf('round', send('replaceRound', input, options))
    },
    deleteRound: (slug, round, options) => {
      const input = { slug, round, ifMatch: options.ifMatch }
      return removalOf(send('deleteRound', input, options), async () => {
        const { data } = await send('listDeletedRounds', { slug }, options)
        return data.rounds.some(({ id }) => id === round)
      })
    },
    listDeletedRounds: (slug, options) =>
      partOf('rounds', send('listDeletedRounds', { slug }, options)),
    restoreRound: (slug, round, options) =>
      partOf('round', send('restoreRound', { slug, round, ...keyIn(options) }, options)),
    changeSlots: (slug, round, changes, options) => {
      const input = { slug, round, body: { changes }, ...matchIn(options) }
      return partOf('round', send('changeSlots', input, options))
    },
    releaseRound: (slug, round, at, { incomplete, ...options } = {}) => {
      const body = { at, ...(incomplete !== undefined && { incomplete }) }
      const input = { slug, round, body, ...matchIn(options) }
      return partOf('round', send('releaseRound', input, options))
    },
    getDraftHistory: (slug, round, options) =>
      callOf(send('getDraftHistory', { slug, round, ...pageIn(options) }, options)),
    getDraftVersion: (slug, round, version, options) =>
      partOf('version', send('getDraftVersion', { slug, round, version }, options)),
    getTournamentChecks: (slug, { round, ...options } = {}) => {
      const query = round === undefined ? {} : { round }
      return partOf('checks', send('getTournamentChecks', { slug, query }, options))
    },
    getRoundChecks: (slug, round, options) =>
      partOf('checks', send('getRoundChecks', { slug, round }, options)),
    listStaff: (slug, options) => partOf('staff', send('listStaff', { slug }, options)),
    getMember: (slug, gameId, options) =>
      partOf('member', send('getMember', { slug, gameId }, options)),
    setRole: (slug, gameId, role, { rounds, ...options } = {}) => {
      const body = { role, ...(rounds !== undefined && { rounds: [...rounds] }) }
      const input = { slug, gameId, body, ...matchIn(options) }
      return partOf('member', send('setRole', input, options))
    },
    removeMember: (slug, gameId, options) =>
      removalOf(send('removeMember', { slug, gameId, ...matchIn(options) }, options), () =>
        send('listStaff', { slug }, options),
      ),
    listCandidates: (slug, round, options) =>
      callOf(send('listCandidates', { slug, round, ...pageIn(options) }, options)),
    proposeCandidate: (slug, round, body, options) => {
      const input = { slug, round, body, ...keyIn(options) }
      const answer = send('proposeCandidate', input, options)
      return callOf(answer.then(({ data, ...info }) => ({ ...info, data: proposedIn(data)[0]! })))
    },
    proposeCandidates: (slug, round, candidates, options) => {
      const input = { slug, round, body: { candidates: [...candidates] }, ...keyIn(options) }
      const answer = send('proposeCandidate', input, options)
      return callOf(answer.then(({ data, ...info }) => ({ ...info, data: proposedIn(data) })))
    },
    getCandidate: (slug, round, id, options) =>
      partOf('candidate', send('getCandidate', { slug, round, id }, options)),
    voteOnCandidate: (slug, round, id, vote, options) => {
      const input = { slug, round, id, body: { vote }, ...matchIn(options) }
      return partOf('candidate', send('voteOnCandidate', input, options))
    },
    moveCandidate: (slug, round, id, body, options) => {
      const input = { slug, round, id, body, ...matchIn(options) }
      return partOf('candidate', send('moveCandidate', input, options))
    },
    removeCandidate: (slug, round, id, options) =>
      removalOf(send('removeCandidate', { slug, round, id, ...matchIn(options) }, options), () =>
        send('listCandidates', { slug, round }, options),
      ),
    listRemarks: (slug, round, options) =>
      callOf(send('listRemarks', { slug, round, ...pageIn(options) }, options)),
    addRemark: (slug, round, body, options) =>
      partOf('remark', send('addRemark', { slug, round, body, ...keyIn(options) }, options)),
    getRemark: (slug, round, id, options) =>
      partOf('remark', send('getRemark', { slug, round, id }, options)),
    updateRemark: (slug, round, id, body, options) => {
      const input = { slug, round, id, body, ...matchIn(options) }
      return partOf('remark', send('updateRemark', input, options))
    },
    removeRemark: (slug, round, id, options) =>
      removalOf(send('removeRemark', { slug, round, id, ...matchIn(options) }, options), () =>
        send('listRemarks', { slug, round }, options),
      ),
    getBeatmapUsage: (beatmapId, options) =>
      callOf(send('getBeatmapUsage', { id: String(beatmapId), ...pageIn(options) }, options)),
    listBeatmapUsage: (beatmapIds, { page = 1, ...options } = {}) =>
      callOf(send('listBeatmapUsage', { query: { ids: beatmapIds.join(), page } }, options)),
    iterateBeatmapUsage: (beatmapIds, options) =>
      iteratePages(
        (page) => functions.listBeatmapUsage(beatmapIds, { ...options, page }),
        'uses',
        ({ slug, mod, index }) => `${slug} ${mod} ${index}`,
      ),
    getChanges: (options) => callOf(readChanges(sendChanges, options)),
    followChanges: (options) => followChanges(connection, sendChanges, options),
    iterateTournaments: (options) =>
      iteratePages(
        (page) => functions.listTournaments({ ...options, page }),
        'tournaments',
        slugOf,
      ),
    iterateMyTournaments: (options) =>
      iteratePages(
        (page) => functions.listMyTournaments({ ...options, page }),
        'tournaments',
        slugOf,
      ),
  }
  return Object.assign(serviceFunctions(connection), functions)
}

const proposedIn = (reply: ProposalReply) =>
  'candidates' in reply ? reply.candidates : [reply.candidate]

const viewIn = (as: ViewOptions['as']) => (as === undefined ? {} : { as })

/** A key for each call, so that its retries make nothing twice. */
const keyIn = ({ idempotencyKey = newIdempotencyKey() }: CreateOptions = {}) => ({
  idempotencyKey: checkIdempotencyKey(idempotencyKey),
})

const matchIn = ({ ifMatch = null }: MatchOptions = {}) => ({
  ifMatch: ifMatch ?? undefined,
})
