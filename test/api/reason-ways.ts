import { once } from 'node:events'
import type { Socket } from 'node:net'
import { DISCORD_URL_EXAMPLE } from '../../src/contract/announcements.ts'
import {
  MAX_CANDIDATES,
  MAX_REMARKS,
  MAX_ROUNDS,
  MAX_SLOTS,
  MAX_STAFF,
  MAX_TOURNAMENTS,
} from '../../src/contract/bounds.ts'
import type { ApiErrorReason } from '../../src/contract/error-reasons.ts'
import { asOperator } from '../../src/domain/moderation.ts'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import { createRound } from '../../src/operations/rounds.ts'
import { suspendPlayer } from '../../src/operations/moderation.ts'
import { setRole } from '../../src/operations/staff.ts'
import { createTournament, moderateTournament } from '../../src/operations/tournaments.ts'
import { StoreUnavailable } from '../../src/ports/store.ts'
import type { Ask, Reply } from '../support/door.ts'
import type { Host } from '../support/house.ts'
import { sendRaw } from './raw.ts'
import { spendRequests, spendWrites } from './spend.ts'
import { aRound, type Scene } from './tournament-scene.ts'
import { openFaultyHouse } from './tournament-refusals.ts'

const DAY_MS = 86_400_000
const away = new StoreUnavailable('the database cannot be reached')

export const { house, faults } = await openFaultyHouse()
const { ports, doors } = house
const { url } = doors.pools

type Asking = Omit<Ask, 'key'> & { readonly as?: Host }
const ask = (
  scene: Scene,
  method: string,
  path: string,
  { as = scene.host, ...rest }: Asking = {},
) => {
  house.clock.nextMinute()
  return as.ask(method, path, rest)
}
export const slots = (scene: Scene, ...changes: object[]) =>
  ask(scene, 'PATCH', `${scene.roundPath}/slots`, { body: { changes } })
const makeRound = (scene: Scene, changes: object) =>
  ask(scene, 'POST', `${scene.path}/rounds`, { body: aRound(changes) })
const release = (scene: Scene, body: object, path = scene.roundPath) =>
  ask(scene, 'PUT', `${path}/release`, { body })
const rename = (scene: Scene, headers: Record<string, string>) =>
  ask(scene, 'PATCH', scene.path, { body: { name: 'Cup' }, headers })
const candidate = { mod: 'NM', index: 1, beatmapId: 5 }
const propose = (scene: Scene, body: object) =>
  ask(scene, 'POST', `${scene.roundPath}/candidates`, { body })
const replaceAll = async (scene: Scene, rounds: object[]) =>
  ask(scene, 'PUT', `${scene.path}/rounds`, {
    body: { rounds },
    headers: await scene.as(scene.path),
  })
/** A release of a round with these slots. */
const releaseOf = async (scene: Scene, its: object[], body: object = {}) => {
  const { round } = (await makeRound(scene, { name: 'Finals', slots: its })).json
  return release(scene, { at: 'now', ...body }, `${scene.path}/rounds/${round.id}`)
}
const accountOf = async ({ gameId }: Host): Promise<string> =>
  (await ports.accounts.findByGameId(gameId))!.id
const slur = slurs[0]!.stem.replaceAll('*', '')
const times = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)
const key = (token: string) => (): Promise<Reply> => {
  house.clock.nextMinute()
  return doors.pools.ask('GET', '/me', { headers: { authorization: `Bearer ${token}` } })
}
const raw =
  (...lines: string[]) =>
  () =>
    sendRaw(url, lines)
const chunked = ({ host, path }: Scene) => [
  `POST /api/v1${path}/rounds HTTP/1.1`,
  `Authorization: Bearer ${host.key}`,
  'Content-Type: application/json',
  'Transfer-Encoding: chunked',
]

/** Node closes such connections after minutes: the server is told the same at once. */
const timedOut = async (): Promise<Reply> => {
  const { server } = house.apps.pools
  const connected = once(server, 'connection')
  const reply = sendRaw(url, ['GET /api/v1/me HTTP/1.1'])
  const [socket] = (await connected) as [Socket]
  const error = Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  server.emit('clientError', error, socket)
  return reply
}

const fillTournaments = async (host: Host, count: number): Promise<void> => {
  const accountId = await accountOf(host)
  for (const at of times(count)) await createTournament(ports, accountId, { name: `Cup ${at}` })
}

const madeAt = (at: number) => ({ id: `said${String(at).padStart(6, '0')}`, createdAt: 1 })
const fillCandidates = async (scene: Scene, places: readonly object[]): Promise<void> => {
  const accountId = await accountOf(scene.host)
  const place = { slug: scene.slug, roundId: scene.id }
  for (const [at, where] of places.entries()) {
    const made = { mod: 'NM', index: 1, beatmapId: 1000 + at, note: null, ...where, ...madeAt(at) }
    await ports.discussion.propose(place, accountId, [made], () => {})
  }
}

const suspended = async (scene: Scene): Promise<Reply> => {
  const { gameId } = await scene.staff('host')
  await suspendPlayer(ports, gameId, { ...asOperator('spam'), reason: 'spam' })
  return ask(scene, 'DELETE', `${scene.path}/staff/${scene.host.gameId}`)
}

/** How each reason comes about. A reason without a way to it does not compile; D-87. */
export const ways: Readonly<Record<ApiErrorReason, (scene: Scene) => Promise<Reply>>> = {
  malformed_request: raw('GET /api/v1/me HTTP/1.1', 'Host: y'),
  unsupported_expectation: raw('GET /api/v1/me HTTP/1.1', 'Expect: a-miracle'),
  headers_too_large: raw('GET /api/v1/me HTTP/1.1', `A: ${'b'.repeat(20_000)}`),
  request_timeout: timedOut,
  invalid_json: (scene) => ask(scene, 'POST', '/tournaments', { body: '{' }),
  not_an_object: (scene) => ask(scene, 'POST', '/tournaments', { body: '[]' }),
  invalid_field: (scene) => ask(scene, 'POST', '/tournaments', { body: {} }),
  slur: (scene) => ask(scene, 'POST', '/tournaments', { body: { name: slur } }),
  no_such_round: (scene) => replaceAll(scene, [aRound({ id: 'AAAAAAAAAA' })]),
  no_such_place: (scene) => propose(scene, { ...candidate, index: 9 }),
  time_passed: (scene) => release(scene, { at: '2020-01-01T00:00:00.000Z' }),
  invalid_query: (scene) => ask(scene, 'GET', '/tournaments?rank=first'),
  async cursor_from_later(scene) {
    const { cursor } = (await ask(scene, 'GET', '/changes')).json
    await house.alter('delete from tournament_change')
    return ask(scene, 'GET', `/changes?after=${cursor}`)
  },
  async gone(scene) {
    const { cursor } = (await ask(scene, 'GET', '/changes')).json
    house.clock.advance(31 * DAY_MS)
    await makeRound(scene, { name: 'Semifinals' })
    await makeRound(scene, { name: 'Finals' })
    while (await ports.tournamentChanges.forget(house.clock.now() + 1)) continue
    return ask(scene, 'GET', `/changes?after=${cursor}`)
  },
  invalid_if_match: (scene) => rename(scene, { 'if-match': 'abc' }),
  invalid_idempotency_key: (scene) =>
    ask(scene, 'POST', '/tournaments', {
      body: { name: 'Cup' },
      headers: { 'idempotency-key': 'a b' },
    }),
  async idempotency_key_used(scene) {
    const headers = { 'idempotency-key': 'once' }
    await ask(scene, 'POST', '/tournaments', { body: { name: 'Cup' }, headers })
    return ask(scene, 'POST', '/tournaments', { body: { name: 'Another' }, headers })
  },
  unauthorized: () => doors.pools.ask('GET', '/me'),
  key_not_live: async (scene) => {
    await house.hostOf(scene.host.gameId, scene.host.username, 'pools')
    return ask(scene, 'GET', '/me')
  },
  key_of_other_service: async () => key((await house.host('packs')).key)(),
  key_placeholder: key('undefined'),
  key_quoted: key('"pools_abc"'),
  bearer_twice: key('Bearer pools_abc'),
  not_a_key: key('wrong'),
  key_with_other_characters: key('pools_a!b'),
  key_cut_short: (scene) => key(scene.host.key.slice(0, -3))(),
  key_too_long: (scene) => key(`${scene.host.key}abc`)(),
  key_mistyped: (scene) =>
    key(scene.host.key.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A')))(),
  forbidden: async (scene) =>
    ask(scene, 'DELETE', scene.path, { as: await scene.staff('referee') }),
  no_such_path: (scene) => ask(scene, 'GET', '/nowhere'),
  nothing_visible: async (scene) =>
    ask(scene, 'GET', scene.path, { as: await house.host('pools') }),
  no_such_player: (scene) =>
    ask(scene, 'PUT', `${scene.path}/staff/987654321`, { body: { role: 'tester' } }),
  method_not_allowed: (scene) => ask(scene, 'DELETE', '/tournaments'),
  name_taken: (scene) => makeRound(scene, { name: 'QUARTERFINALS' }),
  slot_changed: (scene) => slots(scene, { mod: 'NM', index: 1, from: null, to: null }),
  no_such_slot: (scene) => slots(scene, { mod: 'NM', index: 9, from: null, to: null }),
  async invalid_pool(scene) {
    const added = Array.from('ABCDEFGHI', (mod) => ({ mod, index: 1, from: 'none', to: null }))
    await slots(scene, ...added.slice(1))
    return slots(scene, added[0]!)
  },
  async round_scheduled(scene) {
    await release(scene, { at: '2999-01-01T00:00:00.000Z' })
    return replaceAll(scene, [aRound({ name: 'Finals' })])
  },
  async round_released(scene) {
    await release(scene, { at: 'now' })
    return replaceAll(scene, [aRound({ name: 'Finals' })])
  },
  no_slots: (scene) => releaseOf(scene, []),
  beatmaps_missing: (scene) => releaseOf(scene, [...scene.slots, { mod: 'NM', index: 2 }]),
  no_beatmap: (scene) => releaseOf(scene, [{ mod: 'NM', index: 1 }], { incomplete: true }),
  async schedule_would_fail(scene) {
    await release(scene, { at: '2999-01-01T00:00:00.000Z' })
    return slots(scene, { mod: 'NM', index: 1, from: { beatmapId: 75 }, to: null })
  },
  discord_off: (scene) =>
    ask(scene, 'PATCH', scene.path, { body: { discordUrl: DISCORD_URL_EXAMPLE } }),
  async tournament_hidden(scene) {
    await scene.publish()
    await moderateTournament(ports, scene.slug, 'hide', asOperator('spam'))
    return release(scene, { at: 'now' })
  },
  last_host: (scene) => ask(scene, 'DELETE', `${scene.path}/staff/${scene.host.gameId}`),
  other_hosts_suspended: suspended,
  async candidate_exists(scene) {
    await propose(scene, candidate)
    return propose(scene, candidate)
  },
  async too_many_tournaments(scene) {
    await fillTournaments(scene.host, MAX_TOURNAMENTS - 1)
    return ask(scene, 'POST', '/tournaments', { body: { name: 'Cup' } })
  },
  async member_hosts_too_many(scene) {
    const other = await scene.staff('pooler')
    await fillTournaments(other, MAX_TOURNAMENTS)
    return ask(scene, 'PUT', `${scene.path}/staff/${other.gameId}`, { body: { role: 'host' } })
  },
  async too_many_rounds(scene) {
    const accountId = await accountOf(scene.host)
    for (const at of times(MAX_ROUNDS - 1)) {
      await createRound(ports, accountId, scene.slug, { name: `Week ${at}`, slots: [] })
    }
    return makeRound(scene, { name: 'One more' })
  },
  async too_many_staff(scene) {
    const accountId = await accountOf(scene.host)
    for (const at of times(MAX_STAFF)) {
      await ports.accounts.ensurePlayer({ gameId: 50_000 + at, username: `p${at}` }, `p${at}`, 0)
    }
    for (const at of times(MAX_STAFF - 1)) {
      await setRole(ports, accountId, scene.slug, 50_000 + at, { role: 'tester' })
    }
    const path = `${scene.path}/staff/${50_000 + MAX_STAFF - 1}`
    return ask(scene, 'PUT', path, { body: { role: 'tester' } })
  },
  async too_many_candidates(scene) {
    await fillCandidates(
      scene,
      times(MAX_CANDIDATES).map(() => ({})),
    )
    return propose(scene, candidate)
  },
  async too_many_candidates_of_round(scene) {
    const places = times(MAX_SLOTS * MAX_CANDIDATES).map((at) => ({
      mod: 'HR',
      index: 1 + (at % 64),
    }))
    await fillCandidates(scene, places)
    return propose(scene, candidate)
  },
  async too_many_remarks(scene) {
    const accountId = await accountOf(scene.host)
    const place = { slug: scene.slug, roundId: scene.id }
    for (const at of times(MAX_REMARKS)) {
      const remark = { slot: null, text: 'Too long', ...madeAt(at) }
      await ports.discussion.addRemark(place, accountId, remark, () => {})
    }
    return ask(scene, 'POST', `${scene.roundPath}/remarks`, { body: { text: 'One more' } })
  },
  changed_meanwhile: (scene) => rename(scene, { 'if-match': '"another"' }),
  nothing_to_match: async (scene) =>
    ask(scene, 'PATCH', scene.path, {
      body: { name: 'Cup' },
      headers: { 'if-match': '*' },
      as: await house.host('pools'),
    }),
  body_too_large: (scene) =>
    ask(scene, 'POST', '/tournaments', { body: { name: 'x'.repeat(17_000) } }),
  chunk_extensions_too_large: (scene) =>
    sendRaw(url, [...chunked(scene), '', `2;${'x'.repeat(20_000)}`, '{}', '0']),
  not_json: (scene) =>
    ask(scene, 'POST', '/tournaments', { body: 'a=b', headers: { 'content-type': 'text/plain' } }),
  encoded_body: (scene) =>
    ask(scene, 'POST', '/tournaments', { body: '{}', headers: { 'content-encoding': 'gzip' } }),
  precondition_required: (scene) => ask(scene, 'PUT', scene.roundPath, { body: aRound() }),
  async too_many_requests({ host }) {
    house.clock.nextMinute()
    await spendRequests(house, host, 'pools')
    return host.ask('GET', '/me')
  },
  async too_many_writes({ host }) {
    house.clock.nextMinute()
    await spendWrites(house, host, 'pools')
    return host.ask('POST', '/tournaments', { body: { name: 'Cup' } })
  },
  async too_many_failures() {
    house.clock.nextMinute()
    for (const _ of times(20)) await doors.pools.ask('GET', '/me')
    return doors.pools.ask('GET', '/me')
  },
  async read_only(scene) {
    await ports.operatorState.setReadOnly({ reason: null, since: 0 })
    await house.operator.look()
    const reply = await ask(scene, 'DELETE', scene.path)
    await ports.operatorState.setReadOnly(null)
    await house.operator.look()
    return reply
  },
  store_away: (scene) => faults.during('tournaments', () => ask(scene, 'GET', scene.path), away),
  internal_error: (scene) => faults.during('tournaments', () => ask(scene, 'GET', scene.path)),
}
