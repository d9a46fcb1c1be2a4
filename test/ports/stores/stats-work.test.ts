import { beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import type { Stats } from '../../../src/contract/packs.ts'
import type { NewPack, SavedPack } from '../../../src/domain/packs.ts'
import type { DuePack } from '../../../src/ports/stats.ts'
import { aNewPack } from '../sample-pack.ts'
import { addOwners, withStore } from '../temp-store.ts'

const LEASE = 60_000

const someStats = (computedAt: string): Stats => ({
  srMin: 2.55,
  srMax: 7.81,
  srAvg: 5.18,
  lenMin: 142,
  lenMax: 258,
  bpmMin: 120,
  bpmMax: 222,
  mods: ['NM'],
  modes: ['base'],
  count: 2,
  complete: true,
  computedAt,
})

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

  it('gives at most as many as asked for, nothing before it is due', async () => {
    for (let at = 1; at <= 5; at++) await save(at * 1_000)
    expect(await take(3_000, 2)).toHaveLength(2)
    expect(await take(3_000, 2)).toHaveLength(1)
    expect(await take(3_000, 2)).toHaveLength(0)
  })

  it('writes stats and leaves updatedAt where it is (D-37)', async () => {
    const pack = await save(1_000)
    const [due] = await take(1_000)
    const stats = someStats('2026-01-01T00:00:00.000Z')
    expect(await two.statsWork.finish(due!, done(stats))).toBe(true)
    expect(await one.packs.read(pack.slug)).toEqual({ ...pack, stats })
    expect(await one.packs.listPublic(1, 50)).toEqual({ rows: [{ ...pack, stats }], total: 1 })
    expect(await take(1_000 + 2 * LEASE)).toEqual([])
  })

  it('leaves the stats there are when there are no new ones', async () => {
    const pack = await save(1_000, { stats: someStats('2026-01-01T00:00:00.000Z') })
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
      ...done(someStats('2026-01-01T00:00:00.000Z')),
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
    const stats = someStats('2026-01-01T00:00:00.000Z')
    expect(await two.statsWork.finish(due!, done(stats))).toBe(true)
    expect(await one.packs.read(pack.slug)).toEqual({ ...pack, hiddenAt: 1_500, stats })
  })

  it('tells how much there is to do, now and later', async () => {
    expect(await one.statsWork.nextDueAt()).toBeNull()
    await save(1_000)
    await save(2_000)
    const later = await save(3_000)
    expect(await one.statsWork.backlog(2_500)).toEqual({
      length: 2,
      oldestDueAt: 1_000,
      total: 3,
    })
    expect(await one.statsWork.nextDueAt()).toBe(1_000)
    const [first] = await take(2_500, 1)
    expect(await one.statsWork.backlog(2_500)).toEqual({
      length: 2,
      oldestDueAt: 1_000,
      total: 3,
    })
    expect(await one.statsWork.nextDueAt()).toBe(2_000)
    await two.statsWork.finish(first!, done())
    const [second] = await take(2_500, 1)
    await two.statsWork.finish(second!, { stats: null, dueAt: 10_000, attempts: 1 })
    expect(await one.statsWork.backlog(2_500)).toEqual({ length: 0, oldestDueAt: null, total: 2 })
    expect(await one.statsWork.nextDueAt()).toBe(later.updatedAt)
    await take(3_000, 1)
    expect(await one.statsWork.nextDueAt()).toBe(10_000)
    await two.statsWork.takeDue(10_000, 12_000, 1)
    expect(await one.statsWork.nextDueAt()).toBe(12_000)
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
      const outdated = someStats('2026-01-01T00:00:00.000Z')
      expect(await two.statsWork.finish(held!, done(outdated))).toBe(false)
      expect((await one.packs.read(pack.slug))?.stats).toBeNull()
      expect(await one.statsWork.nextDueAt()).toBe(1_000)

      // Taken again in the same millisecond, and so held until the same moment.
      const [again] = await take(1_000)
      expect(await two.statsWork.finish(held!, done(outdated))).toBe(false)
      const stats = someStats('2026-01-02T00:00:00.000Z')
      expect(await two.statsWork.finish(again!, done(stats))).toBe(true)
      expect((await one.packs.read(pack.slug))?.stats).toEqual(stats)
      expect(await one.statsWork.nextDueAt()).toBeNull()
    },
  )

  it('a lease that has expired ends the work of its holder once another holds the pack', async () => {
    const { slug } = await save(1_000)
    const [expired] = await take(1_000)
    const [current] = await take(1_000 + LEASE)
    const stats = someStats('2026-01-01T00:00:00.000Z')
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
