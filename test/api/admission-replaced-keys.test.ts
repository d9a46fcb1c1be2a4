import { afterAll, describe, expect, it } from 'vitest'
import { issueKey, revokeKey } from '../../src/operations/keys.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
// The store opened once more, as the operator's command in another process has it.
const elsewhere = await house.again()
afterAll(async () => {
  await elsewhere.care.close()
  await house.close()
})

const WORKERS = 6
const ANSWERS = 30

/** Ways to end a key; each gives the one that is good from now on, if there is one. */
const endings: readonly [string, (host: Host) => Promise<string | null>][] = [
  ['replaced', async ({ gameId, username }) => (await house.hostOf(gameId, username)).key],
  [
    'replaced by another process',
    ({ gameId, username }) =>
      issueKey(
        { ...house.ports, ...elsewhere },
        { service: 'packs', keyPrefix: 'packs', gameId, username },
      ),
  ],
  [
    'revoked by another process',
    async ({ gameId }) => {
      await revokeKey(elsewhere, { service: 'packs', gameId })
      return null
    },
  ],
]

describe('under load, a key that is', () => {
  it.each(endings)('%s passes no request that begins afterwards (spec 5)', async (_, end) => {
    const host = await house.host()
    const path = `/packs/${await host.save(aPack())}`
    const asks = [
      () => host.get('/me'),
      () => host.get(path),
      () => host.get('/packs'),
      () => host.ask('PUT', path, { body: aPack() }),
    ]
    const passed = { before: 0, after: 0 }
    const refused = { before: 0, after: 0 }
    let phase: 'before' | 'after' = 'before'
    const over = new AbortController()

    const work = async (first: number): Promise<void> => {
      for (let count = first; !over.signal.aborted; count += 1) {
        const begun = phase
        house.clock.nextMinute()
        const { status } = await asks[count % asks.length]!()
        expect([200, 401]).toContain(status)
        const tally = status === 200 ? passed : refused
        tally[begun] += 1
      }
    }
    const until = async (isDone: () => boolean): Promise<void> => {
      while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 1))
    }

    const workers = Array.from({ length: WORKERS }, (_, first) => work(first))
    await until(() => passed.before >= ANSWERS)
    const fresh = await end(host)
    phase = 'after'
    if (fresh !== null) {
      expect((await house.doors.packs.ask('GET', '/me', { key: fresh })).status).toBe(200)
    }
    await until(() => refused.after + passed.after >= ANSWERS)
    over.abort()
    await Promise.all(workers)
    expect(passed.after).toBe(0)
  })
})
