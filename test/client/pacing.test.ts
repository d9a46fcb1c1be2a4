import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClientOptions, Wait } from '../../src/client/call.ts'
import { connect } from '../../src/client/connection.ts'
import { MapcrateError } from '../../src/client/errors.ts'
import { packsClient, packsOperations } from '../../src/client/packs.ts'
import { expectError, type Reply } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { HandTime } from './hand-time.ts'

const house = await openHouse()
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

/**
 * A client whose time is the house's clock, and what became of its requests.
 *
 * @param before runs in front of each attempt, which it is told the number of.
 */
const open = async (
  options: Partial<ClientOptions> = {},
  before: (host: Host, attempt: number) => Promise<unknown> = async () => {},
) => {
  const host = await house.host()
  const time = new HandTime(house.clock)
  const answers: { status: number; at: number; method: string }[] = []
  const waits: Wait[] = []
  const watched: typeof fetch = async (target, init) => {
    await time.hold(() => before(host, answers.length + 1))
    const at = house.clock.now()
    const answer = await time.fetch(target, init)
    answers.push({ status: answer.status, at, method: init?.method ?? '' })
    return answer
  }
  const connection = connect(
    packsOperations(),
    {
      baseUrl: host.door.url,
      key: host.key,
      fetch: watched,
      onWait: (wait) => waits.push(wait),
      ...options,
    },
    time,
  )
  const refused = () => answers.filter(({ status }) => status === 429)
  return { host, client: packsClient(connection), answers, waits, refused }
}

const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

/** How many minutes on the clock the work took, part of one included. */
const minutesOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = house.clock.now()
  await work()
  return Math.floor((house.clock.now() - begun) / 60_000) + 1
}

describe('bulk work meets no 429 (spec 8)', () => {
  it('45 saves at once: 10 a minute', async () => {
    const { client, answers, refused } = await open()
    const minutes = await minutesOf(() => times(45, () => client.createPack(aPack())))
    expect(refused()).toEqual([])
    expect(answers).toHaveLength(45)
    expect(minutes).toBe(5)
  })

  it('45 saves one after the other', async () => {
    const { client, refused } = await open()
    const minutes = await minutesOf(async () => {
      for (let at = 0; at < 45; at += 1) await client.createPack(aPack())
    })
    expect(refused()).toEqual([])
    expect(minutes).toBe(5)
  })

  it('200 reads at once: 60 a minute', async () => {
    const { client, refused } = await open()
    const minutes = await minutesOf(() => times(200, () => client.getMe()))
    expect(refused()).toEqual([])
    expect(minutes).toBe(4)
  })

  it('reads and writes together, begun late in a minute', async () => {
    house.clock.advance(57_300)
    const { client, refused } = await open()
    await Promise.all([
      times(30, () => client.createPack(aPack())),
      times(100, () => client.listPacks()),
    ])
    expect(refused()).toEqual([])
  })

  it('reads do not stand behind writes that wait', async () => {
    const { client, answers } = await open()
    const writing = times(15, () => client.createPack(aPack()))
    const begun = house.clock.now()
    await times(5, () => client.getMe())
    expect(house.clock.now() - begun).toBeLessThan(60_000)
    await writing
    const reads = answers.filter(({ method }) => method === 'GET')
    expect(reads.every(({ at }) => at - begun < 60_000)).toBe(true)
  })

  it('comes in the order in which it was asked for', async () => {
    const { client } = await open()
    const done: number[] = []
    await times(25, async (at) => {
      await client.createPack(aPack({ name: `Pack ${at}` }))
      done.push(at)
    })
    expect(done).toEqual(done.toSorted((a, b) => a - b))
  })

  it('next to somebody else who spends from the same account', async () => {
    const { client, host, refused } = await open()
    await client.getMe()
    const others: Promise<Reply>[] = []
    for (let round = 0; round < 4; round += 1) {
      others.push(...Array.from({ length: 10 }, () => host.get('/me')))
      await Promise.all(others)
      await times(20, () => client.getMe())
    }
    expect(refused()).toEqual([])
  })
})

describe('the last few of a minute', () => {
  it('are spread over what is left of it', async () => {
    const { client, answers } = await open()
    const begun = house.clock.now()
    await times(10, () => client.createPack(aPack()))
    const at = answers.map((answer) => Math.round((answer.at - begun) / 1000))
    expect(at.slice(0, 8)).toEqual(Array(8).fill(0))
    expect(at.slice(8)).toEqual([20, 40])
  })

  it('go at once when they come late enough', async () => {
    const { client, waits } = await open()
    await times(8, () => client.createPack(aPack()))
    house.clock.advance(30_000)
    await client.createPack(aPack())
    expect(waits).toEqual([])
  })

  it('are told to whoever listens', async () => {
    const { client, waits } = await open()
    for (let at = 0; at < 11; at += 1) await client.createPack(aPack())
    expect(waits).toEqual([
      { reason: 'pacing', ms: 20_000, error: null },
      { reason: 'pacing', ms: 20_000, error: null },
      { reason: 'pacing', ms: 20_000, error: null },
    ])
  })
})

describe('pace: false', () => {
  it('waits a 429 out instead, and says so (spec 8)', async () => {
    const { client, refused, waits } = await open({ pace: false })
    house.clock.advance(10_500)
    const made = await times(11, () => client.createPack(aPack()))
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(11)
    expect(refused()).toHaveLength(1)
    expect(waits).toEqual([
      { reason: 'rate_limited', ms: 50_000, error: expect.any(MapcrateError) },
    ])
  })

  it('keeps account of the quotas all the same', async () => {
    const { client } = await open({ pace: false })
    await times(4, () => client.createPack(aPack()))
    expect(client.quota.writes).toMatchObject({ limit: 10, remaining: 6 })
  })

  it('waits once more when others were faster', async () => {
    const spendMinute = (host: Host) => times(10, () => host.post(aPack()))
    const { client, refused, answers } = await open({ pace: false }, async (host, attempt) => {
      if (attempt < 3) await spendMinute(host)
    })
    expect(await client.createPack(aPack())).toHaveProperty('slug')
    expect(refused()).toHaveLength(2)
    expect(answers).toHaveLength(3)
  })
})

describe('a 429 is waited out by itself', () => {
  const spendAll = async (host: Host) => {
    await times(10, () => host.post(aPack()))
    expectError(await host.post(aPack()), 'rate_limited')
  }

  it('once, when somebody else has used the minute up', async () => {
    const { client, host, refused } = await open()
    await spendAll(host)
    expect(await client.createPack(aPack())).toHaveProperty('slug')
    expect(refused()).toHaveLength(1)
  })

  it('but no longer than maxWait: rate_limited, with the seconds to wait (spec 7)', async () => {
    const { client, host } = await open({ maxWait: 20_000 })
    await spendAll(host)
    const begun = house.clock.now()
    await expect(client.createPack(aPack())).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
      retryAfter: 60,
      requestId: expect.any(String),
    })
    expect(house.clock.now()).toBe(begun)
  })

  it('until the signal of the call says otherwise', async () => {
    const controller = new AbortController()
    const { client, host } = await open({
      onWait: () => controller.abort(new Error('no patience')),
    })
    await spendAll(host)
    const begun = house.clock.now()
    await expect(client.createPack(aPack(), controller)).rejects.toThrow('no patience')
    expect(house.clock.now()).toBe(begun)
  })
})

describe('a signal ends the waiting of', () => {
  let controller: AbortController
  beforeEach(() => void (controller = new AbortController()))
  afterEach(() => controller.abort())

  it('one call that is being paced; those behind it move up', async () => {
    const { client, refused } = await open({ onWait: () => controller.abort(new Error('enough')) })
    await times(8, () => client.createPack(aPack()))
    const [given, up] = await Promise.allSettled([
      client.createPack(aPack({ name: 'first' }), controller),
      client.createPack(aPack({ name: 'second' })),
    ])
    expect(given).toMatchObject({ status: 'rejected', reason: new Error('enough') })
    expect(up).toMatchObject({ status: 'fulfilled', value: { name: 'second' } })
    expect((await client.listMyPacks()).total).toBe(9)
    expect(refused()).toEqual([])
  })

  it('all calls of a client', async () => {
    const { client, answers } = await open({ signal: controller.signal })
    await client.getMe()
    const calls = Promise.allSettled(Array.from({ length: 30 }, () => client.createPack(aPack())))
    controller.abort(new Error('shutting down'))
    const reasons = (await calls).map((call) => (call as PromiseRejectedResult).reason.message)
    expect(new Set(reasons)).toEqual(new Set(['shutting down']))
    await expect(client.getMe()).rejects.toThrow('shutting down')
    expect(answers.filter(({ status }) => status === 201)).toEqual([])
  })

  it('a call that was ended before it began, without sending anything', async () => {
    const { client, answers } = await open()
    await expect(client.getMe({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(answers).toEqual([])
  })
})
