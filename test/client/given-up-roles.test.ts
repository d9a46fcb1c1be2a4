import { afterAll, expect, it } from 'vitest'
import type { ClientOptions } from '../../src/client/call.ts'
import { connect } from '../../src/client/connection.ts'
import { MapcrateError } from '../../src/client/errors.ts'
import type { PoolsClient } from '../../src/client/pools-client.ts'
import { poolsClient, poolsOperations } from '../../src/client/tournaments.ts'
import { staffRoles } from '../../src/contract/tournaments.ts'
import { withoutQuotas } from '../api/spend.ts'
import { openHouse } from '../support/house.ts'
import { type Fault, hurried, openFaultProxy } from './fault-proxy.ts'

const house = await openHouse({ withPorts: withoutQuotas })
const proxy = await openFaultProxy(house.doors.pools.url)
afterAll(async () => {
  await proxy.close()
  await house.close()
})

const clientOf = async (given: Partial<ClientOptions> = {}) => {
  const { key, gameId } = await house.host('pools')
  const options = { timeout: 3_000_000, pace: false, baseUrl: proxy.url, key, ...given }
  return { gameId, client: poolsClient(connect(poolsOperations, options, hurried)) }
}

/** What happens to the attempts of a write. */
const moments: readonly (readonly Fault[])[] = [
  [],
  ['lose'],
  ['drop'],
  ['lose', 'drop'],
  ['drop', 'lose'],
  ['lose', 'lose', 'lose', 'lose'],
]

/** Everything that a member can become by what a host says. */
const standings = [
  ...staffRoles.map((role) => ({ role, isLimited: false })),
  ...staffRoles.filter((role) => role !== 'host').map((role) => ({ role, isLimited: true })),
  { role: 'stranger', isLimited: false } as const,
]

it.each(
  (['private', 'public'] as const).flatMap((visibility) =>
    standings.map((standing) => ({ visibility, ...standing })),
  ),
)(
  'a host of a $visibility tournament who becomes $role (limited: $isLimited) is not told that nothing was changed',
  async ({ visibility, role, isLimited }) => {
    const other = await clientOf()
    for (const faults of moments) {
      const own = await clientOf()
      const { slug } = await own.client.createTournament({ name: 'Harbour Lights Cup', visibility })
      const { id } = await own.client.createRound(slug, { name: 'Finals' })
      await own.client.setRole(slug, other.gameId, 'host')
      const state = async () => JSON.stringify(await other.client.listStaff(slug))
      const before = await state()
      proxy.expect(...faults)
      const sent =
        role === 'stranger'
          ? own.client.removeMember(slug, own.gameId)
          : own.client.setRole(slug, own.gameId, role, isLimited ? { rounds: [id] } : {})
      const error = await sent.then(
        () => null,
        (reason: unknown) => reason,
      )
      proxy.expect()
      const isChanged = (await state()) !== before
      const told = `${JSON.stringify(faults)}: ${String(error)}`
      if (error === null) expect(isChanged, told).toBe(role !== 'host')
      else {
        expect(error, told).toBeInstanceOf(MapcrateError)
        if (isChanged) expect((error as MapcrateError).code, told).toBe('unreachable')
      }
      if (faults.length === 0) expect(error, told).toBe(null)
      await other.client.deleteTournament(slug)
    }
  },
)

type Place = {
  readonly slug: string
  readonly round: string
  readonly candidate: string
  readonly remark: string
  readonly gameId: number
  /** Of the round. */
  readonly ifMatch: string
}

const orNull = <T>(read: Promise<T>): Promise<T | null> =>
  read.catch((error: unknown) => {
    if (error instanceof MapcrateError && error.code === 'not_found') return null
    throw error
  })

/** All that change, make or delete something, and may be sent again. */
const writes: Readonly<Record<string, (client: PoolsClient, place: Place) => Promise<unknown>>> = {
  updateTournament: (client, { slug }) => client.updateTournament(slug, { name: 'New' }),
  createRound: (client, { slug }) => client.createRound(slug, { name: 'Groups' }),
  releaseRound: (client, { slug, round }) => client.releaseRound(slug, round, 'now'),
  setRole: (client, { slug, gameId }) => client.setRole(slug, gameId, 'tester'),
  proposeCandidate: (client, { slug, round }) =>
    client.proposeCandidate(slug, round, { mod: 'NM', index: 1, beatmapId: 77 }),
  voteOnCandidate: (client, { slug, round, candidate }) =>
    client.voteOnCandidate(slug, round, candidate, 1),
  moveCandidate: (client, { slug, round, candidate }) =>
    client.moveCandidate(slug, round, candidate, { mod: 'NM', index: 2 }),
  addRemark: (client, { slug, round }) => client.addRemark(slug, round, { text: 'Too short' }),
  updateRemark: (client, { slug, round, remark }) =>
    client.updateRemark(slug, round, remark, { settled: true }),
  deleteTournament: (client, { slug }) => client.deleteTournament(slug),
  deleteRound: (client, { slug, round, ifMatch }) => client.deleteRound(slug, round, { ifMatch }),
  removeMember: (client, { slug, gameId }) => client.removeMember(slug, gameId),
  removeCandidate: (client, { slug, round, candidate }) =>
    client.removeCandidate(slug, round, candidate),
  removeRemark: (client, { slug, round, remark }) => client.removeRemark(slug, round, remark),
}

it.each(Object.entries(writes))(
  '%s: who is removed from the staff before it is sent again is not told that nothing was changed',
  async (_, write) => {
    const other = await clientOf({ baseUrl: house.doors.pools.url })
    const third = await clientOf()
    for (const faults of moments) {
      let attempts = 0
      let leave = async () => {}
      const own = await clientOf({
        fetch: async (...request) => {
          attempts += 1
          if (attempts === 2) await leave()
          return fetch(...request)
        },
      })
      const { client } = other
      const { slug } = await client.createTournament({ name: 'Harbour Lights Cup' })
      const slots = [75, 78].map((beatmapId, at) => ({ mod: 'NM', index: at + 1, beatmapId }))
      const { id: round } = await client.createRound(slug, { name: 'Finals', slots })
      const proposed = { mod: 'NM', index: 1, beatmapId: 76 }
      const { id: candidate } = await client.proposeCandidate(slug, round, proposed)
      const { id: remark } = await client.addRemark(slug, round, { text: 'Too long' })
      await client.setRole(slug, own.gameId, 'host')
      await client.setRole(slug, third.gameId, 'referee')
      const state = async () => {
        const tournament = await orNull(client.getTournament(slug))
        if (tournament === null) return null
        const staff = (await client.listStaff(slug)).filter(({ gameId }) => gameId !== own.gameId)
        const [candidates, remarks] = [
          await orNull(client.listCandidates(slug, round)),
          await orNull(client.listRemarks(slug, round)),
        ]
        const { rounds, name } = tournament
        return JSON.stringify({ name, rounds, staff, candidates, remarks })
      }
      const before = await state()
      const ifMatch = (await client.getRound(slug, round).withResponse()).etag ?? ''
      leave = async () => void (await orNull(client.removeMember(slug, own.gameId)))
      proxy.expect(...faults)
      const place = { slug, round, candidate, remark, gameId: third.gameId, ifMatch }
      const code = await write(own.client, place).then(
        () => null,
        (error: MapcrateError) => error.code,
      )
      proxy.expect()
      expect(code, JSON.stringify(faults)).toBe(faults.length === 0 ? null : 'unreachable')
      if (faults.length === 0) expect(await state()).not.toBe(before)
      attempts = 2
      if (faults.length > 0) {
        await expect(write(own.client, place)).rejects.toMatchObject({ code: 'not_found' })
      }
      await orNull(client.deleteTournament(slug))
    }
  },
)
