import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { DoorPorts } from '../../src/door/context.ts'
import type { Answered } from '../../src/door/service-app.ts'
import { issueKey } from '../../src/operations/keys.ts'
import { expectError } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { until } from '../support/until.ts'

/** A house with a reader who waits, and how often the feed was read. */
const open = async () => {
  const answered: Answered[] = []
  const counted = { reads: 0 }
  const house = await openHouse({
    onAnswer: (answer) => void answered.push(answer),
    withPorts: (ports) => {
      const read: typeof ports.changes.read = (...range) =>
        ports.changes.read(...range).finally(() => (counted.reads += 1))
      return { ...ports, changes: { ...ports.changes, read } }
    },
  })
  onTestFinished(() => house.close())
  const [owner, reader] = [await house.host(), await house.host()]
  const start: string = (await reader.get('/changes')).json.cursor
  const ending = new AbortController()
  const begun = counted.reads
  const waiting = fetch(`${reader.door.url}/api/v1/changes?after=${start}&wait=25`, {
    headers: { authorization: `Bearer ${reader.key}` },
    signal: ending.signal,
  })
  // One read for the request, one for the wait.
  await until(async () => counted.reads > begun + 1)
  return { house, owner, reader, start, waiting, answered, counted, hangUp: () => ending.abort() }
}

it('a server that shuts down answers those who wait at once, and lets nobody wait any more (D-54)', async () => {
  const { house, owner, reader, start, waiting } = await open()
  house.drain()
  const empty = { changes: [], cursor: start, more: false }
  const answer = await waiting
  expect(answer.status).toBe(200)
  expect(answer.headers.get('connection')).toBe('close')
  expect(await answer.json()).toEqual(empty)
  expect((await reader.get(`/changes?after=${start}&wait=25`)).json).toEqual(empty)
  const slug = await owner.save(aPack({ visibility: 'public' }))
  const { json } = await reader.get(`/changes?after=${start}&wait=25`)
  expect(json.changes).toMatchObject([{ slug }])
})

it('a reader who hangs up is forgotten: the store is left alone', async () => {
  const { waiting, counted, hangUp } = await open()
  hangUp()
  await expect(waiting).rejects.toThrow()
  await until(async () => {
    const before = counted.reads
    await pause(500)
    return counted.reads === before
  })
})

it('the wait is no part of the time that metrics report', async () => {
  const { house, owner, waiting, answered } = await open()
  house.clock.advance(3_600_000)
  await owner.save(aPack({ visibility: 'public' }))
  expect((await waiting).status).toBe(200)
  const [, own] = answered.filter(({ route }) => route === '/api/v1/changes')
  expect(own).toMatchObject({ method: 'GET', status: 200, ms: 0 })
})

type Endings = Pick<
  DoorPorts,
  'apiKeys' | 'accounts' | 'suspensions' | 'clock' | 'random' | 'hasher'
>

type Owner = Pick<Host, 'gameId' | 'username'> & {
  readonly service: ServiceName
  readonly accountId: string
}

/** How a key ends. */
const endings: Readonly<Record<string, (ports: Endings, of: Owner) => Promise<unknown>>> = {
  'is replaced': (ports, { service, gameId, username }) =>
    issueKey(ports, { service, keyPrefix: service, gameId, username }),
  'is revoked': ({ apiKeys }, { accountId, service }) => apiKeys.revoke(accountId, service),
  'is of a player who is suspended': ({ suspensions }, { gameId }) =>
    suspensions.suspend(gameId, { action: 'suspend', moderatorId: null, at: 0, reason: 'Spam' }),
  'is of an account that is deleted': ({ accounts }, { accountId }) =>
    accounts.remove(accountId, 0),
}

/** A reader of the service who waits, in a house of their own. */
const beginToWait = async (service: ServiceName) => {
  const name = service === 'packs' ? 'changes' : 'tournamentChanges'
  let reads = 0
  const house = await openHouse({
    withPorts: (ports) => {
      const feed = ports[name]
      const read = (...range: Parameters<typeof feed.read>) =>
        feed.read(...range).finally(() => (reads += 1))
      return { ...ports, [name]: { ...feed, read } }
    },
  })
  onTestFinished(() => house.close())
  const reader = await house.host(service)
  const { id } = (await reader.get('/me')).json.user
  const { cursor } = (await reader.get('/changes')).json
  const begun = reads
  const waiting = reader.get(`/changes?after=${cursor}&wait=25`)
  await until(async () => reads > begun + 1)
  const { gameId, username } = reader
  return { house, waiting, owner: { service, gameId, username, accountId: id } }
}

it.each(['packs', 'pools'] as const)(
  'on %s, a key that ends while nothing comes ends the wait (spec 5)',
  async (service) => {
    // The time of the wait is never over.
    const begin = globalThis.setTimeout
    const timers = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((work: () => void, ms?: number) =>
        begin(work, ms === 25_000 ? 2 ** 31 - 1 : ms)) as typeof setTimeout)
    onTestFinished(() => timers.mockRestore())
    const { house, waiting, owner } = await beginToWait(service)
    await house.hostOf(owner.gameId, owner.username, service)
    expectError(await waiting, 'invalid_api_key')
  },
)

describe.each(Object.entries(endings))('a key that %s while its request waits (D-76)', (_, end) => {
  const cases = (['packs', 'pools'] as const).flatMap((service) =>
    ['by this process', 'by another one'].flatMap((by) =>
      // However long the clock says that the request has waited.
      [1, 0, -3_600_000].map((stepMs) => ({ service, by, stepMs })),
    ),
  )
  it.each(cases)('on $service, $by, while the clock moves by $stepMs ms: 401', async (given) => {
    const { service, by, stepMs } = given
    const { house, waiting, owner } = await beginToWait(service)
    house.clock.advance(stepMs)
    const other = by === 'by this process' ? null : await house.again()
    await end({ ...house.ports, ...other }, owner)
    await other?.care.close()
    // Whatever it is that ends the wait.
    house.drain()
    expectError(await waiting, 'invalid_api_key')
  })
})
