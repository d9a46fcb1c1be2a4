import { expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import type { Host, House } from '../support/house.ts'
import type { Faults } from './faults.ts'
import { spendRequests, spendWrites } from './spend.ts'
import { expectStanding } from './standing.ts'

/** An endpoint asked so that all would go well, were it not for what the test does to it. */
export type Subject = {
  readonly house: House
  readonly service?: ServiceName
  readonly method: string
  /** What to ask for; made by the host before the test begins to spoil things. */
  readonly prepare: (host: Host) => Promise<Prepared>
}

export type Prepared = { path: string; body?: unknown; headers?: Record<string, string> }

const begin = async ({ house, service = 'packs', method, prepare }: Subject) => {
  house.clock.nextMinute()
  const host = await house.host(service)
  const { path, ...rest } = await prepare(host)
  const ask = (key: string | undefined): Promise<Reply> =>
    house.doors[service].ask(method, path, { key, ...rest })
  return { host, ask }
}

/** 401 as it is everywhere (spec 5, 7). */
export const refusesStrangers = (subject: Subject): void => {
  const { house, service = 'packs' } = subject

  it('wants a key: unauthorized (spec 5 rule 6)', async () => {
    const { ask } = await begin(subject)
    const reply = await ask(undefined)
    expectError(reply, 'unauthorized', 'send your API key as Authorization: Bearer <key>')
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    expectStanding(reply)
    expect(quotaOf(reply)).toMatchObject({ limit: 20, remaining: 19 })
  })

  it('wants a live key: invalid_api_key when it is wrong or replaced (spec 5 rule 6)', async () => {
    const { host, ask } = await begin(subject)
    await house.hostOf(host.gameId, host.username, service)
    for (const [key, message] of [
      ['wrong', /not an API key of this service/],
      [host.key, /wrong, revoked or replaced/],
    ] as const) {
      const reply = await ask(key)
      expectError(reply, 'invalid_api_key', message)
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
      expectStanding(reply)
    }
  })
}

const expectWait = (reply: Reply, limit: number): void => {
  expectError(reply, 'rate_limited', /minute; wait for the next$/)
  const quota = quotaOf(reply)
  expect(quota).toMatchObject({ limit, remaining: 0 })
  expect(reply.headers.get('retry-after')).toBe(String(quota.reset))
  expectStanding(reply)
}

/** 429 as it is everywhere (spec 8). */
export const refusesOverQuota = (subject: Subject): void => {
  const { house, service = 'packs', method } = subject

  it('wants a request left in the minute (spec 8)', async () => {
    const { host, ask } = await begin(subject)
    await spendRequests(house, host, service)
    expectWait(await ask(host.key), 60)
    house.clock.nextMinute()
    expect((await ask(host.key)).status).toBeLessThan(300)
  })

  if (method === 'GET') return

  it('wants a write left in the minute (spec 8)', async () => {
    const { host, ask } = await begin(subject)
    await spendWrites(house, host, service)
    expectWait(await ask(host.key), 10)
    house.clock.nextMinute()
    expect((await ask(host.key)).status).toBeLessThan(300)
  })
}

/** 500 as it is everywhere: says nothing of the cause, and is over with it (spec 7, D-14). */
export const survivesFaults = (
  subject: Subject,
  faults: Faults,
  ports: readonly Parameters<Faults['during']>[0][],
): void => {
  it.each(ports)('says nothing of why the %s failed, and works again (D-14)', async (port) => {
    const { host, ask } = await begin(subject)
    const reply = await faults.during(port, () => ask(host.key))
    expectError(reply, 'internal_error', 'something failed on our side; try again later')
    expect(reply.headers.get('retry-after')).toBe('5')
    expectStanding(reply)
    expect((await ask(host.key)).status).toBeLessThan(300)
  })
}
