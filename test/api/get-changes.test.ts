import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { PackChange } from '../../src/contract/changes.ts'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import { hidePack, unhidePack } from '../../src/operations/moderation.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { until } from '../support/until.ts'
import { createFaults } from './faults.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { expectStanding, orderOf } from './standing.ts'

const faults = createFaults()
/** How often the feed was read. */
let reads = 0
const house = await openHouse({
  withPorts: (ports) => {
    const { changes, ...rest } = faults.withPorts(ports)
    const read: typeof changes.read = (...range) =>
      changes.read(...range).finally(() => (reads += 1))
    return { ...rest, changes: { ...changes, read } }
  },
})
afterAll(() => house.close())

const subject: Subject = { house, method: 'GET', prepare: async () => ({ path: '/changes' }) }

const DAY_MS = 86_400_000

const read = (host: Host, after: string, query = ''): Promise<Reply> =>
  host.get(`/changes?after=${after}${query}`)
const waitFor = (host: Host, after: string): Promise<Reply> => read(host, after, '&wait=25')
const now = async (host: Host): Promise<string> => (await host.get('/changes')).json.cursor
/** What has happened after a cursor, as one line each. */
const linesOf = (reply: Reply): string[] =>
  reply.json.changes.map(({ kind, slug }: PackChange) => `${kind} ${slug}`)

const open = async () => {
  house.clock.nextMinute()
  const [owner, other] = [await house.host(), await house.host()]
  return { owner, other, start: await now(owner) }
}

describe('200 changes', () => {
  it('is { changes, cursor, more }, oldest first, in the order of D-73', async () => {
    const { owner, other, start } = await open()
    const at = new Date(house.clock.now()).toISOString()
    const first = await owner.save(aPack({ visibility: 'public' }))
    const second = await owner.save(aPack({ visibility: 'public' }))
    const reply = await read(other, start)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expectStanding(reply)
    expect(orderOf(reply.json)).toEqual(['changes', 'cursor', 'more'])
    const [a, b] = reply.json.changes
    expect([a, b]).toEqual([
      { cursor: expect.any(String), at, kind: 'created', slug: first },
      { cursor: expect.any(String), at, kind: 'created', slug: second },
    ])
    expect(orderOf(a)).toEqual(['cursor', 'at', 'kind', 'slug'])
    expect(reply.json).toMatchObject({ cursor: b.cursor, more: false })
    expect(linesOf(await read(other, a.cursor))).toEqual([`created ${second}`])
    expect((await read(other, b.cursor)).json).toEqual({
      changes: [],
      cursor: b.cursor,
      more: false,
    })
  })

  it('has for others what comes to the public list, changes there and leaves it', async () => {
    const { owner, other, start } = await open()
    const slug = await owner.save(aPack())
    const put = (visibility: 'public' | 'unlisted' | 'private') =>
      owner.put(slug, aPack({ visibility }))
    await put('public')
    await put('public')
    await put('private')
    await put('unlisted')
    await put('public')
    await hidePack(house.ports, slug)
    await put('public')
    await unhidePack(house.ports, slug)
    await owner.delete(slug)
    expect(linesOf(await read(other, start))).toEqual(
      ['shown', 'changed', 'hidden', 'shown', 'hidden', 'shown', 'deleted'].map(
        (kind) => `${kind} ${slug}`,
      ),
    )
    expect(linesOf(await read(owner, start))).toEqual(
      'created changed changed changed changed changed hidden changed shown deleted'
        .split(' ')
        .map((kind) => `${kind} ${slug}`),
    )
  })

  it('has nothing of what others may not see, and the cursor stays as it was sent', async () => {
    const { owner, other, start } = await open()
    const slug = await owner.save(aPack({ visibility: 'private' }))
    await owner.put(slug, aPack({ visibility: 'unlisted' }))
    await hidePack(house.ports, slug)
    await owner.delete(slug)
    const quiet = await read(other, start)
    expect(quiet.json).toEqual({ changes: [], cursor: start, more: false })
    expect(linesOf(await read(owner, start))).toHaveLength(4)
  })

  it('says nothing of who has gone with an account', async () => {
    const { other, start } = await open()
    const leaver = await house.hostOf(77_777, 'leaver')
    const listed = await leaver.save(aPack({ visibility: 'public' }))
    await leaver.save(aPack())
    const account = await house.ports.accounts.findByGameId(77_777)
    await house.ports.accounts.remove(account!.id, house.clock.now())
    expect(linesOf(await read(other, start))).toEqual([`created ${listed}`, `deleted ${listed}`])
  })

  it('begins now where after is left out', async () => {
    const { owner, other } = await open()
    await owner.save(aPack({ visibility: 'public' }))
    const reply = await other.get('/changes')
    expect(reply.json).toEqual({ changes: [], cursor: expect.any(String), more: false })
    const slug = await owner.save(aPack({ visibility: 'public' }))
    expect(linesOf(await read(other, reply.json.cursor))).toEqual([`created ${slug}`])
  })

  it('begins for others where it did before, if only what they may not see has come', async () => {
    const { owner, other } = await open()
    await owner.save(aPack({ visibility: 'public' }))
    const [mine, start] = [await now(owner), await now(other)]
    const slug = await owner.save(aPack())
    expect(await now(other)).toBe(start)
    expect(await now(owner)).not.toBe(mine)
    house.clock.advance(31 * DAY_MS)
    expect(await now(other)).toBe(start)
    await owner.put(slug, aPack({ visibility: 'public' }))
    expect(linesOf(await read(other, start))).toEqual([`shown ${slug}`])
  })

  it('has 100 at most, and says whether there are more that the caller may see', async () => {
    const { owner, other, start } = await open()
    const { id } = (await owner.get('/me')).json.user
    const { slug } = (await owner.post(aPack({ visibility: 'public' }))).json.pack
    const save = (visibility: 'public' | 'private') =>
      house.ports.packs.replace(slug, id, (saved) => ({
        ...saved,
        visibility,
        updatedAt: saved.updatedAt + 1,
      }))
    for (let at = 1; at < 100; at += 1) await save('public')
    const whole = await read(other, start)
    expect(whole.json).toMatchObject({ more: false, changes: { length: 100 } })
    await save('private')
    await save('private')
    const first = await read(other, start)
    expect(first.json).toMatchObject({ more: true, changes: { length: 100 } })
    expect(first.json.cursor).toBe(first.json.changes.at(-1).cursor)
    const rest = await read(other, first.json.cursor)
    expect(linesOf(rest)).toEqual([`hidden ${slug}`])
    expect(rest.json.more).toBe(false)
    const own = await read(owner, first.json.cursor)
    expect(linesOf(own)).toEqual([`changed ${slug}`, `changed ${slug}`])
  })

  it('is the same for a reader who may see nothing of what came, however long ago that was (D-74)', async () => {
    const { owner, other } = await open()
    await owner.save(aPack({ visibility: 'public' }))
    const cursor = await now(other)
    for (const days of [1, 31, 31]) {
      await owner.save(aPack())
      house.clock.advance(days * DAY_MS)
      while (await house.ports.changes.forget(house.clock.now() - 30 * DAY_MS)) continue
      expect((await read(other, cursor)).json).toEqual({ changes: [], cursor, more: false })
    }
  })

  it('carries a strong ETag; the same again is 304 (D-13)', async () => {
    const { owner, other, start } = await open()
    const reply = await read(other, start)
    const etag = reply.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    const again = await other.get(`/changes?after=${start}&wait=0`, { 'If-None-Match': etag })
    expect(again).toMatchObject({ status: 304, text: '' })
    await owner.save(aPack({ visibility: 'public' }))
    const changed = await other.get(`/changes?after=${start}`, { 'If-None-Match': etag })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
  })

  describe('with wait', () => {
    it('is answered as soon as something comes, and not by what the caller may not see', async () => {
      const { owner, other, start } = await open()
      const waiting = waitFor(other, start)
      await owner.save(aPack())
      const slug = await owner.save(aPack({ visibility: 'public' }))
      const reply = await waiting
      expect(linesOf(reply)).toEqual([`created ${slug}`])
      expect(reply.json.cursor).toBe(reply.json.changes[0].cursor)
    })

    it('is answered at once where something is there', async () => {
      const { owner, start } = await open()
      const slug = await owner.save(aPack())
      expect(linesOf(await waitFor(owner, start))).toEqual([`created ${slug}`])
    })

    it('waits without after, too, for what comes from then on', async () => {
      const { owner, other } = await open()
      const before = await owner.save(aPack({ visibility: 'public' }))
      const waiting = other.get('/changes?wait=25')
      let isAnswered = false
      void waiting.then(() => (isAnswered = true))
      // Each comes before the request or after it.
      const slugs: string[] = []
      await until(async () => {
        house.clock.nextMinute()
        slugs.push(await owner.save(aPack({ visibility: 'public' })))
        await owner.delete(slugs.at(-1)!)
        return isAnswered
      })
      const [line = ''] = linesOf(await waiting)
      expect(line).not.toContain(before)
      expect(slugs).toContain(line.split(' ')[1])
    })

    it('is empty when the time is over', async () => {
      const { other, start } = await open()
      const reply = await read(other, start, '&wait=1')
      expect(reply.json).toEqual({ changes: [], cursor: start, more: false })
    })

    it('hears of what another process has saved', async () => {
      const { owner, other, start } = await open()
      const waiting = waitFor(other, start)
      const { id } = (await owner.get('/me')).json.user
      const elsewhere = await house.again()
      const slug = await owner.save(aPack())
      await elsewhere.packs.replace(slug, id, (saved) => ({ ...saved, visibility: 'public' }))
      expect(linesOf(await waiting)).toEqual([`shown ${slug}`])
      await elsewhere.care.close()
    })

    it('counts once', async () => {
      const { owner, other, start } = await open()
      const before = quotaOf(await other.get('/me')).remaining
      const waiting = waitFor(other, start)
      await owner.save(aPack())
      await owner.save(aPack({ visibility: 'public' }))
      expectStanding(await waiting)
      expect(quotaOf(await other.get('/me')).remaining).toBe(before - 2)
    })

    it.each([
      ['in the same minute', 20_000, { limit: 60, remaining: 59, reset: 40 }],
      ['in the next one, full again', 70_000, { limit: 60, remaining: 60, reset: 50 }],
    ])(
      'reports the quota of the minute in which it is answered: %s (D-9)',
      async (_, ms, quota) => {
        const { owner, start } = await open()
        const other = await house.host()
        house.clock.nextMinute()
        const before = reads
        const waiting = waitFor(other, start)
        // From then on, it waits.
        await until(async () => reads > before)
        house.clock.advance(ms)
        await owner.save(aPack({ visibility: 'public' }))
        expect(quotaOf(await waiting)).toEqual(quota)
      },
    )

    it('answers HEAD without a body (D-12)', async () => {
      const { owner, other, start } = await open()
      const waiting = other.ask('HEAD', `/changes?after=${start}&wait=25`)
      await owner.save(aPack({ visibility: 'public' }))
      expect(await waiting).toMatchObject({ status: 200, text: '' })
    })
  })
})

describe('400 bad_request', () => {
  let host: Host
  let cursor: string
  beforeEach(async () => {
    const { owner, start } = await open()
    host = owner
    cursor = start
  })

  const wrongAfter =
    'after must be one cursor as it was received; leave it out to begin with what happens from now on'

  it.each(['', 'x', 'Zm9vYmFyYmF6cXV4Y29ycw', 'Zm9vYmFyYmF6cXV4Y29ycg%3D%3D', '%00', 'null', '0'])(
    'takes no cursor that was not received: %j',
    async (after) => {
      expectError(await read(host, after), 'bad_request', wrongAfter)
    },
  )

  it('takes one cursor', async () => {
    expectError(await read(host, cursor, `&after=${cursor}`), 'bad_request', wrongAfter)
  })

  it.each(['', '26', '-1', '1.5', '05', '+5', '1e1', '0x5', '٥', 'forever', '5&wait=5'])(
    'waits for no wait=%s',
    async (wait) => {
      const message = 'wait must be one whole number of seconds from 0 to 25'
      expectError(await read(host, cursor, `&wait=${wait}`), 'bad_request', message)
    },
  )

  it('ignores other names (D-15)', async () => {
    expect((await read(host, cursor, '&page=x&since=y')).status).toBe(200)
  })

  it('says that a cursor is from after what was restored from a backup', async () => {
    await host.save(aPack())
    const lost = await now(host)
    await house.alter('delete from pack_change where seq = (select max(seq) from pack_change)')
    expectError(
      await read(host, lost),
      'bad_request',
      /^after is a cursor from after the last change/,
    )
  })
})

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('410 gone', () => {
  it('names the cursor to continue with', async () => {
    const { owner, other, start } = await open()
    const slug = await owner.save(aPack({ visibility: 'public' }))
    house.clock.advance(31 * DAY_MS)
    await owner.put(slug, aPack({ visibility: 'public' }))
    await owner.put(slug, aPack({ visibility: 'public' }))
    while (await house.ports.changes.forget(house.clock.now() + 1)) continue
    const reply = await waitFor(other, start)
    expectError(
      reply,
      'gone',
      /^changes are kept for 30 days, and some after this cursor are gone; /,
    )
    expectStanding(reply)
    const [, cursor = ''] = /after=([\w-]{22})$/.exec(reply.json.error.message) ?? []
    const changed = `changed ${slug}`
    expect(linesOf(await read(other, cursor))).toEqual([changed, changed])
  })

  it('is the answer after lost commits, too: nothing is passed over in silence', async () => {
    const { owner, start } = await open()
    const slug = await owner.save(aPack())
    const { cursor } = (await read(owner, start)).json
    // Another change has come to its place.
    await house.alter(
      'update pack_change set mark = (mark + 1) % 1000 where seq = (select max(seq) from pack_change)',
    )
    await owner.put(slug, aPack())
    expectError(await read(owner, cursor), 'gone')
  })
})

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => survivesFaults(subject, faults, ['changes', 'quotas']))
