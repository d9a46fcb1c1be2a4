import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { spendRequests, spendWrites } from '../api/spend.ts'
import { quotaOf, type Reply } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { until } from '../support/until.ts'

// A clock that jumps, as after a suspended machine, a wrong time zone or a bad time server: nobody is
// shut out for longer than two windows, and what the headers say of the wait is true (D-53).
const house = await openHouse()
afterAll(() => house.close())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const jumps = [
  ['3 hours ahead', 3 * HOUR],
  ['10 minutes ahead', 10 * MINUTE],
  ['2 minutes ahead', 2 * MINUTE],
  ['a minute ahead', MINUTE],
  ['a second ahead', 1000],
  ['a second behind', -1000],
  ['a minute behind', -MINUTE],
  ['3 hours behind', -3 * HOUR],
] as const

beforeEach(async () => {
  await advance(24 * HOUR)
  house.clock.nextMinute()
  house.clock.advance(59_500)
})

/** The clean-up that a jump sets off goes by the clock of its request: it must not outlast that moment. */
const advance = async (ms: number): Promise<void> => {
  await until(async () => {
    const { inUse, waiting } = house.ports.care.connections() ?? { inUse: 0, waiting: 0 }
    return inUse + waiting === 0
  })
  house.clock.advance(ms)
}

/** Asks until it is let in, waiting as `Retry-After` says; gives how long that took, ms. */
const waitFor = async (ask: () => Promise<Reply>): Promise<number> => {
  for (let waited = 0; ;) {
    const reply = await ask()
    const { reset } = quotaOf(reply)
    expect(reset).toBeGreaterThanOrEqual(1)
    expect(reset).toBeLessThanOrEqual(60)
    if (reply.status !== 429) return waited
    expect(reply.headers.get('retry-after')).toBe(String(reset))
    await advance(reset * 1000)
    waited += reset * 1000
    expect(waited).toBeLessThanOrEqual(2 * MINUTE)
  }
}

describe('a clock that jumps and is put right', () => {
  const ways: readonly (readonly [string, (host: Host) => Promise<void>])[] = [
    ['after one request', async (host) => void (await host.get('/me'))],
    ['after the whole quota', (host) => spendRequests(house, host)],
  ]

  for (const [where, jump] of jumps) {
    it.each(ways)(`${where}, %s: the quota is whole within two minutes`, async (_, spend) => {
      const host = await house.host()
      await host.get('/me')
      await advance(jump)
      await spend(host)
      await advance(-jump)
      await waitFor(() => host.get('/me'))
      await advance(2 * MINUTE)
      const reply = await host.get('/me')
      expect([reply.status, quotaOf(reply).remaining]).toEqual([200, 59])
      await spendRequests(house, host)
      expect((await host.get('/me')).status).toBe(429)
    })

    it(`${where}: writes and failed attempts come back as well`, async () => {
      const host = await house.host()
      const attempt = () => house.doors.packs.ask('GET', '/me')
      await advance(jump)
      await spendWrites(house, host)
      for (let count = 0; count <= 20; count += 1) await attempt()
      await advance(-jump)
      await waitFor(() => host.post(aPack()))
      await waitFor(attempt)
      await advance(2 * MINUTE)
      expect(quotaOf(await host.post(aPack()))).toMatchObject({ limit: 10, remaining: 9 })
      expect(quotaOf(await attempt())).toMatchObject({ limit: 20, remaining: 19 })
    })
  }

  it('to and fro across the top of a minute gives one quota for each minute, no more', async () => {
    const host = await house.host()
    let admitted = 0
    for (let turn = 0; turn < 10; turn += 1) {
      for (let count = 0; count < 20; count += 1) {
        if ((await host.get('/me')).status === 200) admitted += 1
      }
      house.clock.advance(turn % 2 === 0 ? 1000 : -1000)
    }
    expect(admitted).toBe(80)
  })
})
