import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import type { PackChange } from '../../src/contract/changes.ts'
import { refusal } from '../../src/contract/errors.ts'
import { type PackFeedEntry, changeFor } from '../../src/domain/changes.ts'
import { ChangeHub } from '../../src/operations/changes.ts'
import type { After } from '../../src/operations/poll-loop.ts'
import type { ChangeFeed } from '../../src/ports/changes.ts'
import { aNewPack, freshSlug } from '../ports/sample-pack.ts'
import { addOwners, tempStore, type TempStore } from '../ports/temp-store.ts'
import { HandClock } from '../support/hand-clock.ts'
import { HandTimers, settle } from '../support/hand-timers.ts'

type PackHub = ChangeHub<PackFeedEntry, PackChange>

const WAIT_MS = 25_000
const POLL_INTERVAL_MS = 200
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

/** The feed of changes for the readers of one process (D-73). */
describe('ChangeHub', () => {
  let store: TempStore
  let stores: Stores
  let clock: HandClock
  let timers: HandTimers
  let start: string
  /** How often the store was read, and what happens when it is. */
  let reads: number
  let onRead: () => Promise<void>
  /** What is read before the next answers of the store get here. */
  let onAnswer: () => Promise<void>

  beforeEach(async () => {
    store = await tempStore()
    stores = await store.open()
    await addOwners(stores)
    clock = new HandClock()
    timers = new HandTimers()
    reads = 0
    onRead = async () => {}
    onAnswer = async () => {}
    start = await newest()
  })
  afterEach(() => store.remove())

  const newHub = (after = timers.after, { changes }: Pick<Stores, 'changes'> = stores): PackHub => {
    const read: ChangeFeed['read'] = async (...place) => {
      reads += 1
      await onRead()
      const portion = await changes.read(...place)
      await onAnswer()
      return portion
    }
    const readFor: ChangeFeed['readFor'] = (...place) => {
      reads += 1
      return changes.readFor(...place)
    }
    // As these, another store may take its place.
    const readLast: ChangeFeed['readLast'] = (limit) => changes.readLast(limit)
    const endFor: ChangeFeed['endFor'] = (accountId) => changes.endFor(accountId)
    return new ChangeHub({ feed: { read, readLast, readFor, endFor }, changeFor, clock }, after)
  }

  const save = async (visibility: 'public' | 'private' = 'public', ownerId = 'owner') => {
    const slug = freshSlug()
    const now = clock.now()
    const pack = aNewPack({ slug, ownerId, visibility, createdAt: now, updatedAt: now })
    await stores.packs.create(pack, null)
    return slug
  }

  async function newest(): Promise<string> {
    const portion = await stores.changes.read(null, 0)
    return portion.outcome === 'read' ? portion.newest : portion.outcome
  }

  const request = { accountId: 'other', waitMs: WAIT_MS, whenClosed: () => {}, readmit: () => {} }
  const slugsIn = ({ page }: { page: { changes: PackChange[] } }) =>
    page.changes.map(({ slug }) => slug)

  /** Reads until the hub has nothing more, without waiting. */
  const drain = async (hub: PackHub, after: string, accountId = 'other') => {
    const slugs: string[] = []
    for (let cursor = after, more = true; more;) {
      const answer = await hub.read({ ...request, accountId, after: cursor, waitMs: 0 })
      slugs.push(...slugsIn(answer))
      ;({ cursor, more } = answer.page)
    }
    return slugs
  }

  describe('while 1,000 readers wait', () => {
    const begin = async (hub: PackHub) => {
      const answers = range(1_000).map(() => hub.read({ ...request, after: start }))
      await settle()
      return answers
    }

    it('the store is read once in each interval for all of them, and once for what comes', async () => {
      const hub = newHub()
      const answers = await begin(hub)
      expect(reads).toBeLessThanOrEqual(2)
      for (const round of range(5)) {
        const before = reads
        expect(await timers.run(POLL_INTERVAL_MS), `round ${round}`).toBe(1)
        expect(reads - before).toBe(1)
      }
      const slug = await save()
      const before = reads
      await timers.run(POLL_INTERVAL_MS)
      for (const answer of await Promise.all(answers)) expect(slugsIn(answer)).toEqual([slug])
      expect(reads - before).toBe(1)
      // Nobody waits any more.
      expect(await timers.run(POLL_INTERVAL_MS)).toBeLessThanOrEqual(1)
      expect(await timers.run(POLL_INTERVAL_MS)).toBe(0)
      expect(reads - before).toBe(1)
    })

    it('a change that they may not see wakes none of them for good', async () => {
      const hub = newHub()
      const answers = await begin(hub)
      await save('private')
      const before = reads
      await timers.run(POLL_INTERVAL_MS)
      const slug = await save()
      await timers.run(POLL_INTERVAL_MS)
      for (const { page } of await Promise.all(answers)) {
        expect(page.changes).toMatchObject([{ slug }])
      }
      expect(reads - before).toBe(2)
    })

    it('all are answered when their time is over: empty, with the cursor that they sent', async () => {
      const answers = await begin(newHub())
      clock.advance(WAIT_MS)
      expect(await timers.run(WAIT_MS)).toBe(1_000)
      for (const { page, waitedMs } of await Promise.all(answers)) {
        expect(page).toEqual({ changes: [], cursor: start, more: false })
        expect(waitedMs).toBe(WAIT_MS)
      }
    })

    it('all are answered when the process begins to end, and later ones do not wait (D-54)', async () => {
      const hub = newHub()
      const answers = await begin(hub)
      hub.stop()
      for (const { page } of await Promise.all(answers)) {
        expect(page).toEqual({ changes: [], cursor: start, more: false })
      }
      const slug = await save()
      expect(slugsIn(await hub.read({ ...request, after: start }))).toEqual([slug])
      const { page } = await hub.read({ ...request, after: null })
      expect(page.changes).toEqual([])
    })
  })

  it('a reader whose connection closes is forgotten, and the store is left alone', async () => {
    const hub = newHub()
    let close = (): void => {}
    const whenClosed = (work: () => void) => void (close = work)
    const answer = hub.read({ ...request, after: start, whenClosed })
    await settle()
    close()
    expect((await answer).page.changes).toEqual([])
    const before = reads
    await timers.run(POLL_INTERVAL_MS)
    expect(await timers.run(POLL_INTERVAL_MS)).toBe(0)
    expect(reads).toBe(before)
  })

  it('a reader whose key ends waits no longer; whose key is good does, and while nothing tells of a key (spec 5)', async () => {
    const hub = newHub()
    let ends: () => Promise<void> | void = () => {}
    const readers = [
      { ...request, readmit: () => ends() },
      { ...request, readmit: async () => ends() },
      request,
    ]
    const answers: unknown[] = []
    for (const reader of readers) {
      void hub.read({ ...reader, after: start }).then((answer) => answers.push(answer))
    }
    await settle()
    const waitOn = async () => {
      for (const _ of range(10)) await timers.run(POLL_INTERVAL_MS)
    }
    await waitOn()
    ends = () => {
      throw new Error('the store is away')
    }
    await waitOn()
    expect(answers).toEqual([])
    ends = () => {
      throw refusal('noKey')
    }
    await waitOn()
    const nothing = { page: { changes: [], cursor: start, more: false }, waitedMs: 0 }
    expect(answers).toEqual([nothing, nothing])
    await save()
    await timers.run(POLL_INTERVAL_MS)
    expect(answers).toHaveLength(3)
  })

  it('a reader waits on while the store fails, and hears of what came meanwhile', async () => {
    const hub = newHub()
    const answer = hub.read({ ...request, after: start })
    await settle()
    onRead = () => Promise.reject(new Error('the disk is full'))
    const slug = await save()
    await timers.run(POLL_INTERVAL_MS)
    await expect(hub.read({ ...request, after: start })).rejects.toThrow('the disk is full')
    onRead = async () => {}
    await timers.run(POLL_INTERVAL_MS)
    expect(slugsIn(await answer)).toEqual([slug])
  })

  it('what was confirmed before a call is in its answer, though a read of the store is under way', async () => {
    const hub = newHub()
    await hub.read({ ...request, after: null, waitMs: 0 })
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    onAnswer = () => held
    const first = hub.read({ ...request, after: start, waitMs: 0 })
    await settle()
    const slug = await save()
    const second = hub.read({ ...request, after: start, waitMs: 0 })
    release()
    expect(slugsIn(await second)).toEqual([slug])
    await first
  })

  it('a change that comes in the moment in which a wait begins ends the wait', async () => {
    for (const steps of range(40)) {
      // What the store answers is read before, so that its answers come after so many steps exactly.
      let readNow: ChangeFeed['read'] = (...place) => stores.changes.read(...place)
      const read: ChangeFeed['read'] = (...place) => readNow(...place)
      const hub = newHub(timers.after, { changes: { ...stores.changes, read } })
      await hub.read({ ...request, after: null, waitMs: 0 })
      const after = await newest()
      const held = Promise.withResolvers<void>()
      onAnswer = () => held.promise
      let answered = false
      const answer = hub.read({ ...request, after })
      void answer.then(() => (answered = true))
      await settle()
      // Its read of the store begins when that of the other is over, and ends so many steps later.
      const other = hub.read({ ...request, after, waitMs: 0 })
      await settle()
      const slug = await save()
      const portion = await stores.changes.read(after, 10)
      onAnswer = async () => {}
      readNow = async () => {
        for (const _ of range(steps)) await Promise.resolve()
        return portion
      }
      held.resolve()
      expect(slugsIn(await other)).toEqual([slug])
      await settle()
      expect(answered, `after ${steps} steps`).toBe(true)
      expect(slugsIn(await answer)).toEqual([slug])
    }
  })

  it('a process that has just started reads older changes from the store, once for all readers', async () => {
    const slugs: string[] = []
    for (const _ of range(7)) slugs.push(await save())
    const hub = newHub()
    expect(await drain(hub, start)).toEqual(slugs)
    const before = reads
    expect(await drain(hub, start)).toEqual(slugs)
    // Whether something has come.
    expect(reads - before).toBe(1)
  })

  describe('more than is kept in memory', () => {
    it('reaches a reader who waited for it, each change once', async () => {
      const hub = newHub()
      const answer = hub.read({ ...request, after: start })
      await settle()
      const slugs: string[] = []
      for (const _ of range(2_100)) slugs.push(await save())
      await timers.run(POLL_INTERVAL_MS)
      const { page } = await answer
      expect(page).toMatchObject({ changes: { length: 100 }, more: true })
      expect([...slugsIn({ page }), ...(await drain(hub, page.cursor))]).toEqual(slugs)
    })

    it('is read from the store by those who are further back', async () => {
      const hub = newHub()
      await hub.read({ ...request, after: null, waitMs: 0 })
      const slugs: string[] = []
      for (const _ of range(2)) {
        for (const _ of range(1_200)) slugs.push(await save())
        await hub.read({ ...request, after: null, waitMs: 0 })
      }
      expect(await drain(hub, start)).toEqual(slugs)
    })

    it('moves nothing for a reader who sees nothing of it, and is searched once (D-74)', async () => {
      const hub = newHub()
      for (const _ of range(2_001)) await save('private')
      for (const each of [hub, hub, newHub()]) {
        const { page } = await each.read({ ...request, after: start, waitMs: 0 })
        expect(page).toEqual({ changes: [], cursor: start, more: false })
      }
      const before = reads
      await hub.read({ ...request, after: start, waitMs: 0 })
      // Whether something has come.
      expect(reads - before).toBe(1)
      const slug = await save()
      expect(await drain(hub, start)).toEqual([slug])
    })

    it('is searched once, too, however many readers there are who are up to date (D-74)', async () => {
      const hub = newHub()
      for (const _ of range(2_001)) await save('private')
      await hub.read({ ...request, after: start, waitMs: 0 })
      const after = await newest()
      const others = range(10_000).map((at) => `reader-${at}`)
      await Promise.all(
        others.map((accountId) => hub.read({ ...request, accountId, after, waitMs: 0 })),
      )
      const before = reads
      await hub.read({ ...request, after: start, waitMs: 0 })
      expect(reads - before).toBe(1)
    })
  })

  const anEntry = (at: number, isListed: boolean): PackFeedEntry => ({
    cursor: String(at + 1),
    at: clock.now(),
    kind: 'created',
    slug: `slug-${at}`,
    ownerId: 'owner',
    wasListed: false,
    isListed,
  })

  /** A store whose feed is empty at first, and has all of these when it grows. */
  const feedOf = (entries: readonly PackFeedEntry[]) => {
    let length = 0
    const read: ChangeFeed['read'] = (after, limit) => {
      const from = Number(after ?? length)
      const portion = entries.slice(0, length).slice(from, from + limit)
      return Promise.resolve({ outcome: 'read', entries: portion, newest: String(length) })
    }
    const readLast: ChangeFeed['readLast'] = (limit) => {
      const from = Math.max(0, length - limit)
      const last = entries.slice(from, length)
      return Promise.resolve({ entries: last, before: String(from), newest: String(length) })
    }
    const readFor: ChangeFeed['readFor'] = (_, after, limit) => {
      const rest = entries.slice(Number(after), length).filter(({ isListed }) => isListed)
      const portion = rest.slice(0, limit)
      return Promise.resolve({ outcome: 'read', entries: portion, newest: String(length) })
    }
    const changes = { ...stores.changes, read, readLast, readFor }
    return { changes, grow: () => void (length = entries.length) }
  }

  it.each([0, 1, 99, 1_999, 2_000, 2_001, 3_999, 4_000, 4_001])(
    'D-73: behind %i entries that a reader may not see, they get what they may, once, as memory and store hand it out',
    async (unseen) => {
      const entries = range(unseen + 101).map((at) => anEntry(at, at >= unseen))
      const { changes, grow } = feedOf(entries)
      const hub = newHub(timers.after, { changes })
      await hub.read({ ...request, after: null, waitMs: 0 })
      grow()
      const visible = entries.slice(unseen).map(({ slug }) => slug)
      // The first hub has read on since the feed was empty; the other one begins now, with the newest entries.
      const begun = newHub(timers.after, { changes })
      for (const each of [hub, begun]) {
        const seen: string[] = []
        let [answers, cursor, more] = [0, '0', true]
        for (; more; answers += 1) {
          const { page } = await each.read({ ...request, after: cursor, waitMs: 0 })
          expect(page.changes.length).toBeLessThanOrEqual(100)
          expect(page.changes.length).toBeGreaterThan(0)
          seen.push(...slugsIn({ page }))
          ;({ cursor, more } = page)
        }
        expect(seen).toEqual(visible)
        // However many it passes over, an answer holds 100 changes.
        expect(answers).toBe(2)
      }
    },
  )

  it('what a reader may not see changes nothing of their answers: neither what they hold, nor where they end, nor whether there is more (D-74)', async () => {
    const unseen = fc.constantFrom(0, 0, 0, 1, 2, 150, 2_000)
    const seen = fc.constantFrom(1, 2, 50, 98, 99, 100, 101)
    const anyRuns = fc.array(fc.tuple(unseen, seen), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(anyRuns, unseen, async (runs, last) => {
        const listed = [
          ...runs.flatMap(([before, count]) => [
            ...range(before).map(() => false),
            ...range(count).map(() => true),
          ]),
          ...range(last).map(() => false),
        ]
        const entries = listed.map((isListed, at) => anEntry(at, isListed))
        const visible = entries.filter(({ isListed }) => isListed)
        const { changes, grow } = feedOf(entries)
        const hub = newHub(timers.after, { changes })
        await hub.read({ ...request, after: null, waitMs: 0 })
        grow()
        for (const each of [hub, newHub(timers.after, { changes })]) {
          let cursor = '0'
          for (let from = 0; from === 0 || from < visible.length; from += 100) {
            const { page } = await each.read({ ...request, after: cursor, waitMs: 0 })
            const expected = visible.slice(from, from + 100)
            cursor = expected.at(-1)?.cursor ?? cursor
            const slugs = expected.map(({ slug }) => slug)
            expect([slugsIn({ page }), page.cursor, page.more]).toEqual([
              slugs,
              cursor,
              from + 100 < visible.length,
            ])
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('a reader begins where the feed ends for them, whatever else was saved, before the process began or after (D-74)', async () => {
    const begin = async (hub: PackHub) =>
      (await hub.read({ ...request, after: null, waitMs: 0 })).page.cursor
    for (const isPublic of [false, true, false]) {
      if (isPublic) await save()
      const hub = newHub()
      const cursor = await begin(hub)
      for (const _ of range(3)) {
        await save('private')
        expect(await begin(hub)).toBe(cursor)
        expect(await begin(newHub())).toBe(cursor)
      }
      const slug = await save()
      expect(await drain(newHub(), cursor)).toEqual([slug])
    }
  })

  it('a process whose store was put back begins anew', async () => {
    const hub = newHub()
    await save()
    const lost = await newest()
    await hub.read({ ...request, after: null, waitMs: 0 })
    const answer = hub.read({ ...request, after: lost })
    await settle()
    const restored = await (await tempStoreOf()).open()
    await addOwners(restored)
    const begun = await restored.changes.read(null, 0)
    Object.assign(stores.changes, restored.changes)
    void answer.catch(() => {})
    await timers.run(POLL_INTERVAL_MS)
    await expect(answer).rejects.toMatchObject({ code: 'bad_request' })
    const { page } = await hub.read({ ...request, after: null, waitMs: 0 })
    expect(begun).toMatchObject({ newest: page.cursor })
  })

  const others: TempStore[] = []
  afterEach(async () => {
    for (const other of others.splice(0)) await other.remove()
  })
  const tempStoreOf = async (): Promise<TempStore> => {
    const other = await tempStore()
    others.push(other)
    return other
  }

  it('readers of two processes who wait while others write get each change once, in order', async () => {
    // Real timers, so short that reads, writes and waits meet in every order.
    const hasty: After = (ms, work) => {
      const timer = setTimeout(work, ms === POLL_INTERVAL_MS ? 1 : 15)
      return () => clearTimeout(timer)
    }
    onRead = async () => {
      for (let turns = Math.floor(Math.random() * 4); turns > 0; turns -= 1) {
        await new Promise(setImmediate)
      }
    }
    const hubs = [newHub(hasty), newHub(hasty, await store.open())]
    let last: string | null = null
    const follow = async (at: number, accountId: string): Promise<PackChange[]> => {
      const seen: PackChange[] = []
      for (let cursor = start; ;) {
        // Each request may go to another process.
        const hub = hubs[(at + seen.length) % 2]!
        const waitMs = at % 3 === 0 ? 0 : WAIT_MS
        const { page } = await hub.read({ ...request, accountId, after: cursor, waitMs })
        seen.push(...page.changes)
        cursor = page.cursor
        if (seen.at(-1)?.slug === last) return seen
        await new Promise(setImmediate)
      }
    }
    const readers = range(24).map((at) => follow(at, at % 2 === 0 ? 'owner' : 'other'))
    await Promise.all(
      ['owner', 'other'].map(async (ownerId, at) => {
        for (const round of range(60)) {
          await save((round + at) % 3 === 0 ? 'private' : 'public', ownerId)
          if (round % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 2))
        }
      }),
    )
    last = await save('public', 'owner')
    const all = await allEntries()
    for (const [at, seen] of (await Promise.all(readers)).entries()) {
      const accountId = at % 2 === 0 ? 'owner' : 'other'
      expect(seen).toEqual(all.flatMap((entry) => changeFor(entry, accountId) ?? []))
    }
  })

  async function allEntries(): Promise<readonly PackFeedEntry[]> {
    const portion = await stores.changes.read(start, 10_000)
    return portion.outcome === 'read' ? portion.entries : []
  }
})
