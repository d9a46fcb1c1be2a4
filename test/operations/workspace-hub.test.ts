import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemHasher, systemRandom } from '../../src/adapters/system.ts'
import type { WorkspaceEvent } from '../../src/contract/workspace.ts'
import { WorkspaceHub } from '../../src/operations/workspaces.ts'
import type { WorkspaceState } from '../../src/ports/workspaces.ts'
import { aSavedRound } from '../domain/a-tournament.ts'
import { HandClock } from '../support/hand-clock.ts'
import { HandTimers, settle } from '../support/hand-timers.ts'
import { changeTournament, makeTournament, setStaff } from '../support/sample-tournament.ts'
import { tempStore, type TempStore } from '../ports/temp-store.ts'
import type { Stores } from '../../src/adapters/storage/stores.ts'

const POLL_INTERVAL_MS = 200
const RENEWAL_MS = 10_000
const HEARTBEAT_MS = 15_000

const ROUND = 'round-0001'
/** As long as one may be. */
const aSlot = (index: number) => ({
  mod: 'NM',
  index,
  placeholder: 'p'.repeat(100),
  link: `https://example.com/${'l'.repeat(490)}`,
})

/** A page at the other end of a stream. */
class Page {
  readonly texts: string[] = []
  isOver = false
  /** It takes up nothing. */
  isSlow = false
  readonly sink = {
    send: (text: string): boolean => {
      if (this.isSlow || this.isOver) return false
      this.texts.push(text)
      return true
    },
    end: (): void => {
      this.isOver = true
    },
  }

  get last(): WorkspaceEvent {
    return JSON.parse(/data: (.*)\n\n$/.exec(this.texts.at(-1) ?? '')?.[1] ?? 'null')
  }
}

/** The open workspaces of one process. */
describe('WorkspaceHub', () => {
  let store: TempStore
  let stores: Stores
  let clock: HandClock
  let timers: HandTimers
  let hub: WorkspaceHub
  let slug: string
  /** How often the store was read, and what happens when it is. */
  let reads: number
  let onRead: () => void
  /** How often the tournament was read, and a draft made ready for events. */
  let tournamentReads: number
  let made: number
  let accounts = 0

  beforeEach(async () => {
    store = await tempStore()
    stores = await store.open()
    clock = new HandClock()
    timers = new HandTimers()
    reads = tournamentReads = made = 0
    onRead = () => {}
    const workspaces = {
      ...stores.workspaces,
      async read(...asked: Parameters<typeof stores.workspaces.read>) {
        reads += 1
        onRead()
        return stores.workspaces.read(...asked)
      },
    }
    const tournaments = {
      ...stores.tournaments,
      read(asked: string) {
        tournamentReads += 1
        return stores.tournaments.read(asked)
      },
    }
    const tagOf = () => `"${(made += 1)}"`
    const system = { clock, hasher: systemHasher, random: systemRandom }
    hub = new WorkspaceHub({ ...stores, workspaces, tournaments, ...system }, timers.after, tagOf)
    slug = await makeTournament(stores, await account())
  })
  afterEach(() => store.remove())

  const account = async (): Promise<string> => {
    const id = `account-${(accounts += 1)}`
    await stores.accounts.ensurePlayer({ gameId: accounts, username: id }, id, 0)
    return id
  }

  /** Somebody on the staff, who is signed in. */
  const member = async () => {
    const accountId = await account()
    const hash = `session of ${accountId}`
    const session = { hash, accountId, service: 'pools', device: null, csrf: 'c' } as const
    await stores.sessions.create({ ...session, createdAt: clock.now() }, null)
    await setStaff(stores, slug, accountId, 'tester')
    return { accountId, hash }
  }

  type Member = Awaited<ReturnType<typeof member>>

  const open = async (viewer: Member, page = new Page()) => {
    const stream = await hub.open(viewer, slug, null)
    stream.begin(page.sink)
    await settle()
    return { page, close: stream.close }
  }

  const states = async (): Promise<WorkspaceState> =>
    (await stores.workspaces.read([slug], clock.now())).get(slug)!

  /** Saves another draft of a round, with that many slots; gives its mark. */
  const save = async (at = 0, slots = 1): Promise<string> => {
    const { rounds } = await changeTournament(stores, slug, ({ rounds }) => {
      const { updatedAt } = rounds[at]!
      const made = Array.from({ length: slots }, (_, index) => aSlot(index + 1))
      return { rounds: rounds.with(at, { ...rounds[at]!, slots: made, updatedAt: updatedAt + 1 }) }
    })
    return String(rounds[at]!.updatedAt)
  }
  const addRound = () =>
    changeTournament(stores, slug, ({ rounds }) => ({
      rounds: [...rounds, aSavedRound({ id: 'round-0002', input: { name: 'Finals' } })],
    }))
  const idsIn = ({ changed = [] }: WorkspaceEvent) => changed.map(({ round }) => round.id)

  it('reads the store once for all streams, and not at all while there is none', async () => {
    const viewer = await member()
    const opened = [await open(viewer), await open(viewer), await open(await member())]
    const before = reads
    expect(await timers.run(POLL_INTERVAL_MS)).toBe(1)
    expect(reads).toBe(before + 1)
    for (const { close } of opened) close()
    expect(await timers.run(POLL_INTERVAL_MS)).toBe(1)
    expect(reads).toBe(before + 1)
    for (const ms of [POLL_INTERVAL_MS, RENEWAL_MS, HEARTBEAT_MS]) await timers.run(ms)
    for (const ms of [POLL_INTERVAL_MS, RENEWAL_MS, HEARTBEAT_MS])
      expect(await timers.run(ms)).toBe(0)
    await open(viewer)
    expect(await timers.run(POLL_INTERVAL_MS)).toBe(1)
  })

  it('reads the tournament again when it has changed, and not for who comes or goes', async () => {
    const { page } = await open(await member())
    await timers.run(POLL_INTERVAL_MS)
    const viewer = await member()
    await timers.run(POLL_INTERVAL_MS)
    const before = tournamentReads
    const { close } = await open(viewer)
    await timers.run(POLL_INTERVAL_MS)
    expect(page.last.here).toHaveLength(2)
    close()
    await settle()
    await timers.run(POLL_INTERVAL_MS)
    expect(page.last.here).toHaveLength(1)
    expect(tournamentReads).toBe(before)
    await save()
    await timers.run(POLL_INTERVAL_MS)
    expect(tournamentReads).toBe(before + 1)
  })

  it('shares a read among all streams that open while another is under way, which may be older', async () => {
    const viewers = await Promise.all(Array.from({ length: 20 }, member))
    let others: readonly Promise<unknown>[] = []
    onRead = () => {
      onRead = () => {}
      others = viewers.map((viewer) => hub.open(viewer, slug, null))
    }
    const before = reads
    await hub.open(await member(), slug, null)
    expect(await Promise.all(others)).toHaveLength(20)
    expect(reads).toBe(before + 2)
  })

  it('sends nothing while nothing changes but a comment every 15 seconds', async () => {
    const { page } = await open(await member())
    await timers.run(POLL_INTERVAL_MS)
    const { length } = page.texts
    await timers.run(POLL_INTERVAL_MS)
    await timers.run(POLL_INTERVAL_MS)
    expect(page.texts).toHaveLength(length)
    await timers.run(HEARTBEAT_MS)
    expect(page.texts.slice(length)).toEqual(['event: beat\ndata: 1\n\n'])
  })

  it('sends who does not take up what came before the newest state alone, when they do', async () => {
    const { page } = await open(await member())
    await timers.run(POLL_INTERVAL_MS)
    const { length } = page.texts
    page.isSlow = true
    let mark = ''
    for (let count = 0; count < 3; count += 1) {
      mark = await save()
      await timers.run(POLL_INTERVAL_MS)
    }
    await timers.run(HEARTBEAT_MS)
    expect(page.texts).toHaveLength(length)
    page.isSlow = false
    await timers.run(POLL_INTERVAL_MS)
    expect(page.texts).toHaveLength(length + 1)
    expect(page.last.marks.rounds[ROUND]).toBe(mark)
  })

  it('brings the drafts that have changed since the last poll, and once', async () => {
    await addRound()
    const { page } = await open(await member())
    await timers.run(POLL_INTERVAL_MS)
    await save(1)
    await timers.run(POLL_INTERVAL_MS)
    expect(idsIn(page.last)).toEqual(['round-0002'])
    await save()
    await save(1)
    await timers.run(POLL_INTERVAL_MS)
    expect(idsIn(page.last)).toEqual([ROUND, 'round-0002'])
    await open(await member())
    await timers.run(POLL_INTERVAL_MS)
    expect(page.last.here).toHaveLength(2)
    expect(idsIn(page.last)).toEqual([])
  })

  it('brings only the last change to who has missed one: the marks say that there was another', async () => {
    await addRound()
    const { page } = await open(await member())
    await timers.run(POLL_INTERVAL_MS)
    page.isSlow = true
    const missed = await save()
    await timers.run(POLL_INTERVAL_MS)
    await save(1)
    page.isSlow = false
    await timers.run(POLL_INTERVAL_MS)
    expect(idsIn(page.last)).toEqual(['round-0002'])
    expect(page.last.marks.rounds[ROUND]).toBe(missed)
  })

  it('leaves long drafts to be read beyond 64 KB', async () => {
    await addRound()
    const { page } = await open(await member())
    await timers.run(POLL_INTERVAL_MS)
    await save(0, 64)
    const mark = await save(1, 64)
    await timers.run(POLL_INTERVAL_MS)
    expect(idsIn(page.last)).toEqual([ROUND])
    expect(page.last.marks.rounds['round-0002']).toBe(mark)
  })

  it('reads a change once and makes one text of it, however many follow the tournament', async () => {
    const costs: (readonly number[])[] = []
    for (const more of [1, 29]) {
      for (let count = 0; count < more; count += 1) await open(await member())
      await timers.run(POLL_INTERVAL_MS)
      const before = [reads, tournamentReads, made]
      await save()
      await timers.run(POLL_INTERVAL_MS)
      await timers.run(POLL_INTERVAL_MS)
      costs.push([reads, tournamentReads, made].map((now, at) => now - before[at]!))
    }
    expect(costs).toEqual([
      [2, 1, 1],
      [2, 1, 1],
    ])
  })

  it('makes a text for each limit of the staff that follows, and none for each of them (D-81)', async () => {
    await addRound()
    const pages: Page[] = []
    for (const limit of [null, [ROUND], [ROUND], ['round-0002'], []]) {
      const viewer = await member()
      await changeTournament(stores, slug, ({ staff }) => ({
        staff: staff.map((each) =>
          each.accountId === viewer.accountId ? { ...each, rounds: limit } : each,
        ),
      }))
      pages.push((await open(viewer)).page)
    }
    await timers.run(POLL_INTERVAL_MS)
    made = 0
    await save()
    await timers.run(POLL_INTERVAL_MS)
    expect(made).toBe(2)
    expect(pages.map(({ last }) => idsIn(last))).toEqual([[ROUND], [ROUND], [ROUND], [], []])
    expect(pages[1]!.texts.at(-1)).toBe(pages[2]!.texts.at(-1))
  })

  it('sends the state as soon as it can to who could not take the first', async () => {
    const page = new Page()
    page.isSlow = true
    await open(await member(), page)
    page.isSlow = false
    await timers.run(POLL_INTERVAL_MS)
    expect(page.last.here).toHaveLength(1)
  })

  it('goes on after the store has failed for a while', async () => {
    const { page } = await open(await member())
    onRead = () => {
      throw new Error('The store is down')
    }
    await timers.run(POLL_INTERVAL_MS)
    expect(page.isOver).toBe(false)
    onRead = () => {}
    const mark = await save()
    await timers.run(POLL_INTERVAL_MS)
    expect(page.last.marks.rounds[ROUND]).toBe(mark)
  })

  it('keeps those here who have a stream open, for 25 seconds after its process is gone', async () => {
    await open(await member())
    for (let count = 0; count < 5; count += 1) {
      clock.advance(RENEWAL_MS)
      await timers.run(RENEWAL_MS)
      expect((await states()).here).toHaveLength(1)
    }
    clock.advance(25_001)
    expect((await states()).here).toHaveLength(0)
    // It was only busy, and another process has cleared up meanwhile.
    await stores.workspaces.renew('another process', clock.now())
    await timers.run(RENEWAL_MS)
    expect((await states()).here).toHaveLength(1)
  })

  it('shows the name that a player has since, from the next renewal on', async () => {
    const { page } = await open(await member())
    await timers.run(POLL_INTERVAL_MS)
    expect(page.last.here).toHaveLength(1)
    const renamed = { gameId: accounts, username: 'Renamed' }
    await stores.accounts.ensurePlayer(renamed, `account-${accounts}`, 1)
    await timers.run(RENEWAL_MS)
    await timers.run(POLL_INTERVAL_MS)
    expect(page.last.here.map(({ username }) => username)).toEqual(['Renamed'])
  })

  it('nobody is here any more when their stream is closed, also before it is noted that they are', async () => {
    const viewer = await member()
    const { close } = await open(viewer)
    const hasty = await hub.open(viewer, slug, null)
    hasty.begin(new Page().sink)
    hasty.close()
    close()
    await settle()
    await expect.poll(async () => (await states()).here).toEqual([])
  })

  it('holds 1,000 streams, and tells others when to try again (503)', async () => {
    const host = await member()
    // All of them at once: they have their places while it is looked up whether they may have them.
    const opened = Array.from({ length: 1_000 }, (_, at) =>
      hub.open({ accountId: `stranger ${at >> 3}`, hash: 'x' }, slug, null),
    )
    const refused = Promise.allSettled([...opened, hub.open(host, slug, null)])
    const errors = (await refused).map((each) => each.status === 'rejected' && each.reason.code)
    expect(errors.pop()).toBe('unavailable')
    expect(new Set(errors)).toEqual(new Set(['not_found']))
    // Places of those who were refused are free again.
    await open(host)
  })

  it('takes a place until the client is gone, and gives it back once', async () => {
    const viewer = await member()
    const streams = []
    for (let count = 0; count < 8; count += 1) streams.push(await hub.open(viewer, slug, null))
    const ninth = () => hub.open(viewer, slug, null)
    await expect(ninth()).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 30 })
    streams[0]!.close()
    streams[0]!.close()
    await ninth()
    await expect(ninth()).rejects.toMatchObject({ code: 'rate_limited' })
  })

  it('ends all streams when the process begins to shut down, and nobody is here any more', async () => {
    const [{ page }, other] = [await open(await member()), await open(await member())]
    hub.stop()
    expect([page.isOver, other.page.isOver]).toEqual([true, true])
    await expect.poll(async () => (await states()).here).toEqual([])
    const late = await open(await member())
    expect(late.page.texts).toHaveLength(1)
    expect(late.page.isOver).toBe(true)
  })
})
