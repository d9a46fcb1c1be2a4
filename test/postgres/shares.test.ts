import { afterAll, describe, expect, it } from 'vitest'
import { createPostgresQuotaStore } from '../../src/adapters/counters/postgres.ts'
import { shareKinds } from '../../src/ports/quotas.ts'
import { tempPostgresStore } from '../ports/temp-store.ts'
import { until } from '../support/until.ts'

const HOUR = 3_600_000
const store = await tempPostgresStore()
const [one, two] = await Promise.all([
  store.open({ clock: 'database' }),
  store.open({ clock: 'database' }),
])
afterAll(() => store.remove())

describe('D-56: processes that share a database', () => {
  it('tell each other what was spent of a share, so that it is used up for all', async () => {
    const [here, there] = [createPostgresQuotaStore(one.run), createPostgresQuotaStore(two.run)]
    // By the hour: no test meets the end of that window by chance more than once.
    const share = { kind: 'new_beatmaps', service: 'packs', name: 'address 192.0.2.1' } as const
    while (!here.spendShare(share, 100, 600, Date.now()).isRefused);
    expect(there.spendShare(share, 1, 600, Date.now()).isRefused).toBe(false)
    await until(async () => there.spendShare(share, 1, 600, Date.now()).isRefused)
    const other = { ...share, name: 'address 192.0.2.2' }
    expect(there.spendShare(other, 1, 600, Date.now()).isRefused).toBe(false)
  })

  it('count every kind of share for all, and what is given back as well', async () => {
    const NOW = 1_700_000_000_000
    const [here, there] = [one, two].map(({ run }) =>
      createPostgresQuotaStore(run, { clock: 'caller' }),
    )
    await Promise.all(
      shareKinds.map(async (kind) => {
        const share = { kind, service: 'packs', name: 'address 192.0.2.3' } as const
        let own = 0
        /** Spends a point more there, until `others` have come from here. */
        const learn = (others: number) =>
          until(async () => {
            own += 1
            return there!.spendShare(share, 1, Infinity, NOW).spent === own - 1 + others
          })
        here!.spendShare(share, 7, Infinity, NOW)
        await learn(7)
        here!.spendShare(share, -3, Infinity, NOW)
        await learn(4)
      }),
    )
  })

  it('count calls to the platform by its clock, and wait by their own (D-53)', async () => {
    const ahead = () => Date.now() + 3 * HOUR
    let taken = 0
    for (let turn = 0; turn < 60; turn += 1) {
      const leave =
        turn % 2 === 0
          ? await one.callBudget.take('background', Date.now())
          : await two.callBudget.take('background', ahead())
      if (leave.granted) taken += 1
      else {
        const wait = leave.retryAt - (turn % 2 === 0 ? Date.now() : ahead())
        expect(wait).toBeLessThanOrEqual(60_000)
      }
    }
    expect(taken).toBe(40)
    expect(await two.callBudget.left(ahead())).toBeLessThanOrEqual(10)
    const failure = { call: 'GET /', trouble: 'throttled', reason: '429' } as const
    await two.callBudget.fail(failure, ahead(), { calls: 'all', askedUntil: ahead() + HOUR })
    const paused = await one.callBudget.take('background', Date.now())
    if (!paused.granted) expect(paused.retryAt - Date.now()).toBeLessThanOrEqual(60_000)
    const { pause, now } = await one.callBudget.report(Date.now())
    expect(pause!.askedUntil! - now).toBeLessThanOrEqual(HOUR)
    expect(await two.callBudget.left(ahead())).toBe(0)
  })
})
