import { afterAll, describe, expect, it } from 'vitest'
import type { ClientOptions } from '../../src/client/call.ts'
import { connect } from '../../src/client/connection.ts'
import { packsClient, packsOperations } from '../../src/client/packs.ts'
import { realTime } from '../../src/client/time.ts'
import type { PackChange } from '../../src/contract/changes.ts'
import { withoutQuotas } from '../api/spend.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { until } from '../support/until.ts'
import { type Fault, openFaultProxy } from './fault-proxy.ts'

const house = await openHouse({ withPorts: withoutQuotas })
const proxy = await openFaultProxy(house.doors.packs.url)
afterAll(async () => {
  await proxy.close()
  await house.close()
})

const PAUSE_MS = 5_000

/** A client whose pauses are short, and for how long it wanted to pause. */
const open = async (options: Partial<ClientOptions> = {}) => {
  const host = await house.host()
  const timers: number[] = []
  const time = {
    now: realTime.now,
    after(ms: number, work: () => void) {
      timers.push(ms)
      return realTime.after(ms > 10_000 ? ms : ms / 100, work)
    },
  }
  const all = { baseUrl: proxy.url, key: host.key, retries: 0, timeout: 120_000, ...options }
  return { host, timers, client: packsClient(connect(packsOperations(), all, time)) }
}

const save = (host: Host) => host.save(aPack())

/** The next changes that come, as one line each; each is caused when it is waited for. */
const take = async (
  changes: AsyncIterableIterator<PackChange>,
  cause: readonly (() => Promise<unknown>)[],
): Promise<string[]> => {
  const lines: string[] = []
  for (const next of cause) {
    const coming = changes.next()
    await next()
    const { value } = await coming
    lines.push(`${value.kind} ${value.slug}`)
  }
  return lines
}

describe('getChanges', () => {
  it('reads once, from a cursor on, and waits if it is told to (D-73)', async () => {
    const { host, client } = await open()
    const { cursor, ...rest } = await client.getChanges()
    expect(rest).toEqual({ changes: [], more: false })
    const slug = await save(host)
    const page = await client.getChanges({ after: cursor, wait: 25 })
    expect(page.changes).toMatchObject([{ kind: 'created', slug }])
    expect(page.cursor).toBe(page.changes[0]!.cursor)
    expect((await client.getChanges({ after: page.cursor })).changes).toEqual([])
  })

  it('gives the service its time in addition to the time limit', async () => {
    const { client, timers } = await open({ timeout: 60_000 })
    const { cursor } = await client.getChanges()
    expect(timers).toEqual([60_000])
    await client.getChanges({ after: cursor, wait: 1 })
    expect(timers).toEqual([60_000, 61_000])
  })

  it('holds up no other call while it waits', async () => {
    const { host, client } = await open()
    const waiting = client.getChanges({ wait: 25 })
    let isAnswered = false
    void waiting.then(() => (isAnswered = true))
    for (let call = 0; call < 3; call += 1) await client.getMe()
    expect(isAnswered).toBe(false)
    // The first of these may have come before the request.
    await until(async () => {
      await save(host)
      return isAnswered
    })
    expect((await waiting).changes.length).toBeGreaterThan(0)
  })

  it('throws bad_request for a cursor that is none', async () => {
    const { client } = await open()
    const reading = client.getChanges({ after: 'x' })
    await expect(reading).rejects.toMatchObject({ code: 'bad_request', status: 400 })
  })
})

describe('followChanges', () => {
  it('yields each change as it comes', async () => {
    const { host, client } = await open()
    const slug = await save(host)
    const after = (await client.getChanges()).cursor
    const lines = await take(client.followChanges({ after }), [
      () => host.put(slug, aPack()),
      () => host.put(slug, aPack()),
      () => host.delete(slug),
    ])
    expect(lines).toEqual([`changed ${slug}`, `changed ${slug}`, `deleted ${slug}`])
  })

  it('begins now, or after a change', async () => {
    const { host, client } = await open()
    await save(host)
    const changes = client.followChanges()
    const coming = changes.next()
    const slugs: string[] = []
    let hasCome = false
    void coming.then(() => (hasCome = true))
    // The first of these may have come before the request.
    await until(async () => {
      slugs.push(await save(host))
      return hasCome
    })
    const first: PackChange = (await coming).value
    expect(slugs).toContain(first.slug)
    const last = await save(host)
    const after = (await client.getChanges({ after: first.cursor })).changes.at(-2)?.cursor
    const [line] = await take(client.followChanges({ after: after ?? first.cursor }), [
      async () => {},
    ])
    expect(line).toBe(`created ${last}`)
  })

  const rateLimited = JSON.stringify({ error: { code: 'rate_limited', message: 'later' } })
  const faults: [string, Fault][] = [
    ['a connection that ends before the request arrives', 'drop'],
    ['an answer that is lost', 'lose'],
    ['a proxy without the service behind it', { status: 502, body: '' }],
    ['a proxy that gives up on the wait', { status: 504, body: '' }],
    ['a quota that others have used up', { status: 429, body: rateLimited }],
  ]

  it.each(faults)('goes on after %s, and yields each change once', async (_what, fault) => {
    const { host, client, timers } = await open({ maxWait: 0 })
    const after = (await client.getChanges()).cursor
    const changes = client.followChanges({ after })
    const slugs: string[] = []
    const lines: string[] = []
    for (let round = 0; round < 3; round += 1) {
      slugs.push(await save(host))
      proxy.expect(fault, fault)
      lines.push(...(await take(changes, [async () => {}])))
    }
    expect(lines).toEqual(slugs.map((slug) => `created ${slug}`))
    expect(timers.filter((ms) => ms === PAUSE_MS)).toHaveLength(6)
  })

  it('pauses where the service answers before the time, as one does that shuts down', async () => {
    const { host, client, timers } = await open()
    const after = (await client.getChanges()).cursor
    const body = JSON.stringify({ changes: [], cursor: after, more: false })
    const early = { status: 200, headers: { 'content-type': 'application/json' }, body }
    proxy.expect(early, early)
    const slug = await save(host)
    expect(await take(client.followChanges({ after }), [async () => {}])).toEqual([
      `created ${slug}`,
    ])
    expect(timers.filter((ms) => ms === PAUSE_MS)).toHaveLength(2)
  })

  it('throws what no repetition mends', async () => {
    const { client } = await open()
    const following = client.followChanges({ after: 'x' }).next()
    await expect(following).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('ends with its signal, while it waits', async () => {
    const { client } = await open()
    const { cursor } = await client.getChanges()
    const ending = new AbortController()
    const following = client.followChanges({ after: cursor, signal: ending.signal }).next()
    await client.getMe()
    ending.abort(new Error('enough'))
    await expect(following).rejects.toThrow('enough')
  })
})
