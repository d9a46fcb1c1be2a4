import { beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import type { Stats } from '../../../src/contract/packs.ts'
import type { NewPack, SavedPack } from '../../../src/domain/packs.ts'
import type { DuePack } from '../../../src/ports/stats.ts'
import { aNewPack, someStats } from '../sample-pack.ts'
import { addOwners, withStore } from '../temp-store.ts'

const LEASE = 60_000
const DAY = 86_400_000

const done = (stats: Stats | null = null) => ({ stats, dueAt: null, attempts: 0 })

describe('StatsWork', () => {
  let one: Stores
  let two: Stores

  withStore(beforeEach, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
  })

  const save = async (at: number, changes: Partial<NewPack> = {}): Promise<SavedPack> => {
    const pack = aNewPack({ createdAt: at, updatedAt: at, ...changes })
    const creation = await one.packs.create(pack, null)
    if (creation.outcome !== 'created') throw new Error(creation.outcome)
    return creation.pack
  }
  const slugsOf = (due: readonly DuePack[]) => due.map(({ pack }) => pack.slug)
  const take = (now: number, limit = 10) => two.statsWork.takeDue(now, now + LEASE, limit)

  it('makes each new pack due at once, the longest due first', async () => {
    const later = await save(2_000, { visibility: 'private' })
    const sooner = await save(1_000)
    const due = await take(2_000)
    expect(due).toEqual([
      { pack: sooner, attempt: 1, lease: 1 },
      { pack: later, attempt: 1, lease: 1 },
    ])
  })

  it('gives no pack twice before its lease ends, then to whoever asks', async () => {
    const { slug } = await save(1_000)
    const [first, second] = await Promise.all([
      one.statsWork.takeDue(1_000, 1_000 + LEASE, 10),
      two.statsWork.takeDue(1_000, 1_000 + LEASE, 10),
    ])
    expect([...slugsOf(first ?? []), ...slugsOf(second ?? [])]).toEqual([slug])
    expect(await take(999 + LEASE)).toEqual([])
    expect((await take(1_000 + LEASE)).map(({ attempt }) => attempt)).toEqual([2])
  })

  it('makes a save due at once, though its time is to come (D-26)', async () => {
    const now = Date.now()
    const { slug } = await save(now + 3_600_000)
    const isDue = async (): Promise<void> => {
      expect(await one.statsWork.nextDueAt(now + 1_000)).toBeLessThanOrEqual(now + 1_000)
      const [due] = await take(now + 1_000)
      expect(due?.pack.slug).toBe(slug)
      await one.statsWork.finish(due!, done())
    }
    await isDue()
    await one.packs.replace(slug, 'owner', ({ updatedAt, ...before }) => {
      return { ...before, updatedAt: updatedAt + 1 }
    })
    await isDue()
  })

  it('no attempt and no lease keeps a pack for longer than two days (D-53)', async () => {
    const [first, second] = [await save(1_000), await save(1_001)]
    const [due] = await take(1_001, 1)
    await one.statsWork.finish(due!, { stats: null, dueAt: 1_001 + 2 * DAY + 1, attempts: 1 })
    await two.statsWork.takeDue(1_001, 1_001 + 2 * DAY + 1, 1)
    expect(await one.statsWork.nextDueAt(1_002)).toBeGreaterThan(1_002)
    expect(await take(1_002)).toEqual([])
    // The clock is put right.
    expect(await one.statsWork.nextDueAt(1_000)).toBe(1_000)
    expect(slugsOf(await take(1_000)).toSorted()).toEqual([first.slug, second.slug].toSorted())
    expect(await one.statsWork.nextDueAt(1_000)).toBe(1_000 + LEASE)
  })

  it('gives at most as many as asked for, nothing before it is due', async () => {
    for (let at = 1; at <= 5; at++) await save(at * 1_000)
    expect(await take(3_000, 2)).toHaveLength(2)
    expect(await take(3_000, 2)).toHaveLength(1)
    expect(await take(3_000, 2)).toHaveLength(0)
  })

  it('asks again about facts, however far ahead the clock was when it asked last (D-53)', async () => {
    const { slug } = await save(1_000)
    const [due] = await take(2_000)
    await one.statsWork.finish(due!, { ...done(), askAgainAt: 2_000 + 365 * DAY })
    // A week is the longest that is waited for.
    expect(await one.statsWork.askAgain(2_000 + 358 * DAY, 10)).toBe(0)
    expect(await two.statsWork.askAgain(2_000, 10)).toBe(1)
    expect(slugsOf(await take(2_000))).toEqual([slug])
  })

  it('makes packs due again whose facts the platform did not have (D-93)', async () => {
    const [first, second] = [await save(1_000), await save(1_001)]
    for (const [at, due] of (await take(2_000)).entries()) {
      await one.statsWork.finish(due, { ...done(), askAgainAt: 9_000 - at })
    }
    expect(await one.statsWork.backlog(10_000)).toMatchObject({ total: 0 })
    expect(await two.statsWork.askAgain(8_998, 10)).toBe(0)
    expect(await two.statsWork.askAgain(9_000, 1)).toBe(1)
    expect(slugsOf(await take(9_000))).toEqual([second.slug])
    expect(await one.statsWork.askAgain(9_000, 10)).toBe(1)
    expect(await one.statsWork.askAgain(9_000, 10)).toBe(0)
    const [due] = await take(9_000)
    expect(due?.pack.slug).toBe(first.slug)
    // What is due for another reason keeps its time.
    await one.statsWork.finish(due!, { stats: null, dueAt: 20_000, attempts: 3, askAgainAt: 9_500 })
    expect(await two.statsWork.askAgain(9_500, 10)).toBe(1)
    expect(await take(19_999)).toEqual([])
    // A save begins anew.
    const [again] = await take(20_000)
    await one.statsWork.finish(again!, { ...done(), askAgainAt: 30_000 })
    await one.packs.replace(first.slug, 'owner', (before) => ({ ...before, updatedAt: 21_000 }))
    expect(await two.statsWork.askAgain(40_000, 10)).toBe(0)
  })

  it('recomputes all packs there are, the newest first, each once, whoever marks them (D-95)', async () => {
    const saved: string[] = []
    for (let at = 1; at <= 7; at++) saved.push((await save(at * 1_000)).slug)
    for (const due of await take(10_000)) await one.statsWork.finish(due, done())
    expect(await one.statsWork.markNext(10_000, 3)).toBe(0)
    await one.statsWork.beginRecomputation()
    const later = await save(11_000)
    expect(await two.statsWork.leftToMark()).toBe(7)
    const marked: string[] = []
    for (let now = 20_000; (await two.statsWork.leftToMark()) > 0; now += 1_000) {
      const counts = [one, two].map(({ statsWork }) => statsWork.markNext(now, 2))
      await Promise.all(counts)
      const due = await take(now)
      marked.push(
        ...slugsOf(due)
          .filter((slug) => slug !== later.slug)
          .toSorted(byAge),
      )
      for (const each of due) await one.statsWork.finish(each, done())
    }
    function byAge(a: string, b: string): number {
      return saved.indexOf(b) - saved.indexOf(a)
    }
    expect(marked).toEqual(saved.toReversed())
    expect(await one.statsWork.markNext(50_000, 3)).toBe(0)
  })

  it('writes stats and leaves updatedAt where it is (D-37)', async () => {
    const pack = await save(1_000)
    const [due] = await take(1_000)
    const stats = someStats()
    expect(await two.statsWork.finish(due!, done(stats))).toBe(true)
    expect(await one.packs.read(pack.slug)).toEqual({ ...pack, stats })
    expect(await one.packs.listPublic(1, 50)).toEqual({ rows: [{ ...pack, stats }], total: 1 })
    expect(await take(1_000 + 2 * LEASE)).toEqual([])
  })

  it('leaves the stats there are when there are no new ones', async () => {
    const pack = await save(1_000, { stats: someStats() })
    const [due] = await take(1_000)
    await two.statsWork.finish(due!, { stats: null, dueAt: 9_000, attempts: 1 })
    expect(await one.packs.read(pack.slug)).toEqual(pack)
    expect(await take(8_999)).toEqual([])
    expect(await take(9_000)).toEqual([{ pack, attempt: 2, lease: 2 }])
  })

  it('writes nothing once the pack was saved anew: it is due at once with no attempts (D-37)', async () => {
    const pack = await save(1_000)
    const [due] = await take(1_000)
    const saved = await one.packs.replace(pack.slug, 'owner', (before) => ({
      ...before,
      name: 'Another',
      stats: null,
      updatedAt: 2_000,
    }))
    const settled = await two.statsWork.finish(due!, {
      ...done(someStats()),
      attempts: 7,
    })
    expect(settled).toBe(false)
    expect(await one.packs.read(pack.slug)).toEqual(saved)
    expect(await take(2_000)).toEqual([{ pack: saved, attempt: 1, lease: 2 }])
  })

  it('writes nothing for a pack that is gone', async () => {
    const pack = await save(1_000)
    const [due] = await take(1_000)
    await one.packs.remove(pack.slug, 'owner', 0)
    expect(await two.statsWork.finish(due!, done())).toBe(false)
    expect(await one.statsWork.backlog(1_000)).toEqual({ length: 0, oldestDueAt: null, total: 0 })
  })

  it('keeps its work when a moderator hides the pack meanwhile', async () => {
    const pack = await save(1_000)
    const [due] = await take(1_000)
    await one.packs.moderate(pack.slug, () => ({ hiddenAt: 1_500, pinnedRank: null }))
    const stats = someStats()
    expect(await two.statsWork.finish(due!, done(stats))).toBe(true)
    expect(await one.packs.read(pack.slug)).toEqual({ ...pack, hiddenAt: 1_500, stats })
  })

  it('tells how much there is to do, now and later', async () => {
    expect(await one.statsWork.nextDueAt(1_000)).toBeNull()
    await save(1_000)
    await save(2_000)
    const later = await save(3_000)
    expect(await one.statsWork.backlog(2_500)).toEqual({
      length: 2,
      oldestDueAt: 1_000,
      total: 3,
    })
    expect(await one.statsWork.nextDueAt(1_000)).toBe(1_000)
    const [first] = await take(2_500, 1)
    expect(await one.statsWork.backlog(2_500)).toEqual({
      length: 2,
      oldestDueAt: 1_000,
      total: 3,
    })
    expect(await one.statsWork.nextDueAt(1_000)).toBe(2_000)
    await two.statsWork.finish(first!, done())
    const [second] = await take(2_500, 1)
    await two.statsWork.finish(second!, { stats: null, dueAt: 10_000, attempts: 1 })
    expect(await one.statsWork.backlog(2_500)).toEqual({ length: 0, oldestDueAt: null, total: 2 })
    expect(await one.statsWork.nextDueAt(1_000)).toBe(later.updatedAt)
    await take(3_000, 1)
    expect(await one.statsWork.nextDueAt(1_000)).toBe(10_000)
    await two.statsWork.takeDue(10_000, 12_000, 1)
    expect(await one.statsWork.nextDueAt(1_000)).toBe(12_000)
  })

  it('makes one pack due, or all of them, held or done', async () => {
    const packs: SavedPack[] = []
    for (let at = 1; at <= 3; at++) packs.push(await save(at * 1_000))
    const due = await take(3_000)
    await two.statsWork.finish(due[0]!, done())
    expect(await one.statsWork.markDue(packs[0]!.slug, 4_000)).toBe(1)
    expect(await one.statsWork.markDue('-_-_-_-_-_', 4_000)).toBe(0)
    expect(slugsOf(await take(4_000))).toEqual([packs[0]!.slug])
    expect(await one.statsWork.markDue(null, 5_000)).toBe(3)
    expect((await take(5_000)).map(({ attempt }) => attempt)).toEqual([1, 1, 1])
  })

  it.each([['one pack'], ['all packs']])(
    'a worker that holds a pack writes nothing once %s was marked due',
    async (which) => {
      const pack = await save(1_000)
      const [held] = await take(1_000)
      expect(await one.statsWork.markDue(which === 'one pack' ? pack.slug : null, 1_000)).toBe(1)
      const outdated = someStats()
      expect(await two.statsWork.finish(held!, done(outdated))).toBe(false)
      expect((await one.packs.read(pack.slug))?.stats).toBeNull()
      expect(await one.statsWork.nextDueAt(1_000)).toBe(1_000)

      // Taken again in the same millisecond, and so held until the same moment.
      const [again] = await take(1_000)
      expect(await two.statsWork.finish(held!, done(outdated))).toBe(false)
      const stats = someStats('2026-01-02T00:00:00.000Z')
      expect(await two.statsWork.finish(again!, done(stats))).toBe(true)
      expect((await one.packs.read(pack.slug))?.stats).toEqual(stats)
      expect(await one.statsWork.nextDueAt(1_000)).toBeNull()
    },
  )

  it('a lease that has expired ends the work of its holder once another holds the pack', async () => {
    const { slug } = await save(1_000)
    const [expired] = await take(1_000)
    const [current] = await take(1_000 + LEASE)
    const stats = someStats()
    expect(await one.statsWork.finish(expired!, done(stats))).toBe(false)
    expect(await take(1_000 + LEASE)).toEqual([])
    expect(await one.statsWork.finish(current!, done(stats))).toBe(true)
    expect((await one.packs.read(slug))?.stats).toEqual(stats)
  })

  it('marks more packs than one transaction takes, each once', async () => {
    await Promise.all(Array.from({ length: 1_001 }, (_, at) => save(at + 1)))
    await two.statsWork.takeDue(2_000, 3_000, 500)
    expect(await one.statsWork.markDue(null, 4_000)).toBe(1_001)
    expect(await one.statsWork.backlog(4_000)).toEqual({
      length: 1_001,
      oldestDueAt: 4_000,
      total: 1_001,
    })
  })
})
