import { BEATMAP_ID_PATTERN, GAME_ID_PATTERN } from '../contract/bounds.ts'
import { tournamentRoutes, usageRoutes } from '../contract/pools-routes.ts'
import { sharedRoutes } from '../contract/routes.ts'
import type { poolsApi } from '../contract/services.ts'
import type { TournamentPage } from '../contract/tournaments.ts'
import { type Call, callOf, type ClientOptions, mapData, type WithResponse } from './call.ts'
import {
  connect,
  type Connection,
  isObject,
  isPageOf,
  type JsonFields,
  type Operations,
} from './connection.ts'
import { MapcrateError } from './errors.ts'
import type { PoolsClient } from './pools-client.ts'
import {
  checkSlug,
  checkVersion,
  iteratePages,
  type ServiceClient,
  serviceFunctions,
} from './service.ts'
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

const holds =
  (name: string) =>
  (body: JsonFields): boolean =>
    isObject(body[name])
const lists =
  (name: string) =>
  (body: JsonFields): boolean =>
    Array.isArray(body[name])
const isTournamentPage = isPageOf('tournaments', ({ slug }) => typeof slug === 'string')

/** @internal */
export const poolsOperations: Operations<PoolsApi> = {
  routes: { ...sharedRoutes, ...tournamentRoutes, ...usageRoutes },
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
    listStaff: lists('staff'),
    setRole: holds('member'),
    removeMember: null,
    listCandidates: isPageOf('candidates', isNamed),
    proposeCandidate: holds('candidate'),
    voteOnCandidate: holds('candidate'),
    removeCandidate: null,
    listRemarks: isPageOf('remarks', isNamed),
    addRemark: holds('remark'),
    updateRemark: holds('remark'),
    removeRemark: null,
    getTournamentChecks: lists('checks'),
    getRoundChecks: lists('checks'),
    getBeatmapUsage: isPageOf('uses', isUse),
    listBeatmapUsage: isPageOf('uses', isUse),
    getOpenapi: ({ openapi }) => typeof openapi === 'string',
  },
  once: [
    'createTournament',
    'createRound',
    'replaceRounds',
    'replaceRound',
    'changeSlots',
    'proposeCandidate',
    'addRemark',
  ],
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
  const functions: Omit<PoolsClient, keyof ServiceClient> = {
    listTournaments: ({ page = 1, search, ruleset, rank, year, ...options } = {}) => {
      const asked = Object.entries({ search, ruleset, rank, year }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      )
      return callOf(
        send('listTournaments', { query: { ...Object.fromEntries(asked), page } }, options),
      )
    },
    listMyTournaments: ({ page = 1, ...options } = {}) =>
      callOf(send('listMyTournaments', { query: { page } }, options)),
    createTournament: (body, options) =>
      partOf('tournament', () => send('createTournament', { body }, options)),
    getTournament: (slug, options) =>
      partOf('tournament', () => send('getTournament', tournamentAt(slug), options)),
    updateTournament: (slug, body, { ifMatch, ...options } = {}) =>
      partOf('tournament', () =>
        send('updateTournament', { ...tournamentAt(slug), body, ...matching(ifMatch) }, options),
      ),
    deleteTournament: (slug, { ifMatch, ...options } = {}) =>
      nothing(() =>
        send('deleteTournament', { ...tournamentAt(slug), ...matching(ifMatch) }, options),
      ),
    createRound: (slug, body, options) =>
      partOf('round', () => send('createRound', { ...tournamentAt(slug), body }, options)),
    replaceRounds: (slug, rounds, { ifMatch, ...options }) =>
      partOf('tournament', () =>
        send(
          'replaceRounds',
          { ...tournamentAt(slug), body: { rounds }, ifMatch: strong(ifMatch) },
          options,
        ),
      ),
    getRound: (slug, round, options) =>
      partOf('round', () => send('getRound', roundAt(slug, round), options)),
    replaceRound: (slug, round, body, { ifMatch, ...options }) =>
      partOf('round', () =>
        send('replaceRound', { ...roundAt(slug, round), body, ifMatch: strong(ifMatch) }, options),
      ),
    deleteRound: (slug, round, { ifMatch, ...options }) =>
      nothing(() =>
        send('deleteRound', { ...roundAt(slug, round), ifMatch: strong(ifMatch) }, options),
      ),
    changeSlots: (slug, round, changes, options) =>
      partOf('round', () =>
        send('changeSlots', { ...roundAt(slug, round), body: { changes } }, options),
      ),
    releaseRound: (slug, round, at, { ifMatch, ...options } = {}) =>
      partOf('round', () =>
        send(
          'releaseRound',
          { ...roundAt(slug, round), body: { at }, ...matching(ifMatch) },
          options,
        ),
      ),
    getDraftHistory: (slug, round, { page = 1, ...options } = {}) =>
      callOf(
        later(() => send('getDraftHistory', { ...roundAt(slug, round), query: { page } }, options)),
      ),
    getDraftVersion: (slug, round, version, options) =>
      partOf('version', () =>
        send(
          'getDraftVersion',
          { ...roundAt(slug, round), version: checkVersion(version) },
          options,
        ),
      ),
    getTournamentChecks: (slug, options) =>
      partOf('checks', () => send('getTournamentChecks', tournamentAt(slug), options)),
    getRoundChecks: (slug, round, options) =>
      partOf('checks', () => send('getRoundChecks', roundAt(slug, round), options)),
    listStaff: (slug, options) =>
      partOf('staff', () => send('listStaff', tournamentAt(slug), options)),
    setRole: (slug, gameId, role, options) =>
      partOf('member', () =>
        send('setRole', { ...memberAt(slug, gameId), body: { role } }, options),
      ),
    removeMember: (slug, gameId, options) =>
      nothing(() => send('removeMember', memberAt(slug, gameId), options)),
    listCandidates: (slug, round, { page = 1, ...options } = {}) =>
      callOf(
        later(() => send('listCandidates', { ...roundAt(slug, round), query: { page } }, options)),
      ),
    proposeCandidate: (slug, round, body, options) =>
      partOf('candidate', () =>
        send('proposeCandidate', { ...roundAt(slug, round), body }, options),
      ),
    voteOnCandidate: (slug, round, id, vote, options) =>
      partOf('candidate', () =>
        send('voteOnCandidate', { ...partAt(slug, round, id), body: { vote } }, options),
      ),
    removeCandidate: (slug, round, id, options) =>
      nothing(() => send('removeCandidate', partAt(slug, round, id), options)),
    listRemarks: (slug, round, { page = 1, ...options } = {}) =>
      callOf(
        later(() => send('listRemarks', { ...roundAt(slug, round), query: { page } }, options)),
      ),
    addRemark: (slug, round, body, options) =>
      partOf('remark', () => send('addRemark', { ...roundAt(slug, round), body }, options)),
    updateRemark: (slug, round, id, body, options) =>
      partOf('remark', () => send('updateRemark', { ...partAt(slug, round, id), body }, options)),
    removeRemark: (slug, round, id, options) =>
      nothing(() => send('removeRemark', partAt(slug, round, id), options)),
    getBeatmapUsage: (beatmapId, { page = 1, ...options } = {}) =>
      callOf(
        later(() => send('getBeatmapUsage', { ...beatmapAt(beatmapId), query: { page } }, options)),
      ),
    listBeatmapUsage: (beatmapIds, { page = 1, ...options } = {}) =>
      callOf(send('listBeatmapUsage', { query: { ids: beatmapIds.join(), page } }, options)),
    iterateBeatmapUsage: (beatmapIds, options) =>
      iteratePages(
        async (page) => {
          const { uses, ...rest } = await functions.listBeatmapUsage(beatmapIds, {
            ...options,
            page,
          })
          return { ...rest, items: uses }
        },
        ({ slug, mod, index }) => `${slug} ${mod} ${index}`,
      ),
    iterateTournaments: (options) =>
      iterate((page) => functions.listTournaments({ ...options, page })),
    iterateMyTournaments: (options) =>
      iterate((page) => functions.listMyTournaments({ ...options, page })),
  }
  return Object.assign(serviceFunctions(connection), functions)
}

/** What is thrown at once is thrown by the call, too. */
const later = async <T>(work: () => Promise<T>): Promise<T> => work()

function partOf<const N extends string, T>(
  name: N,
  work: () => Promise<WithResponse<{ readonly [K in N]: T }>>,
): Call<T> {
  return callOf(later(work).then((answer) => mapData(answer, (data) => data[name])))
}

const nothing = (work: () => Promise<WithResponse<unknown>>): Call<void> =>
  callOf(later(work).then((answer) => mapData(answer, () => undefined)))

const iterate = (readPage: (page: number) => Promise<TournamentPage>) =>
  iteratePages(
    async (page) => {
      const { tournaments, ...rest } = await readPage(page)
      return { ...rest, items: tournaments }
    },
    ({ slug }) => slug,
  )

const tournamentAt = (slug: string) => ({ slug: checkSlug(slug) })
const roundAt = (slug: string, round: string) => ({
  ...tournamentAt(slug),
  round: checkSlug(round),
})
const partAt = (slug: string, round: string, id: string) => ({
  ...roundAt(slug, round),
  id: checkSlug(id),
})

const BEATMAP_ID = new RegExp(BEATMAP_ID_PATTERN)

function beatmapAt(beatmapId: number) {
  if (BEATMAP_ID.test(String(beatmapId))) return { id: String(beatmapId) }
  throw new MapcrateError(
    'not_found',
    'a beatmap id is a whole number from 1 on; no beatmap has another',
  )
}

const GAME_ID = new RegExp(GAME_ID_PATTERN)

function memberAt(slug: string, gameId: number) {
  if (GAME_ID.test(String(gameId))) return { ...tournamentAt(slug), gameId }
  throw new MapcrateError(
    'not_found',
    'a game id is a whole number from 1 on; no player has another',
  )
}

/** Proxies that compress make a strong ETag weak, and weak ones match nothing. */
function strong(ifMatch: string | null): string {
  if (ifMatch !== null) return ifMatch.replace(/^W\//, '')
  const message = 'ifMatch must be the ETag that was read; a proxy may have removed it'
  throw new MapcrateError('precondition_required', message)
}

const matching = (ifMatch: string | null | undefined) =>
  ifMatch == null ? {} : { ifMatch: strong(ifMatch) }
