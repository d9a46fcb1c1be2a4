import { afterAll, expect, it } from 'vitest'
import { connect } from '../../src/client/connection.ts'
import { MapcrateError } from '../../src/client/errors.ts'
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

const clientOf = async () => {
  const { key, gameId } = await house.host('pools')
  const options = { timeout: 3_000_000, pace: false, baseUrl: proxy.url, key }
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
