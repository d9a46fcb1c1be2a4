import { describe, expect, it } from 'vitest'
import { recomputeStats } from '../../src/operations/stats.ts'
import type { PackStore } from '../../src/ports/packs.ts'
import { slotsOf, statsRig } from '../support/stats-rig.ts'

const HOUR = 3_600_000

/** Three packs with complete stats, at a moment when all their beatmaps are cached. */
const threePacks = async () => {
  const rig = statsRig()
  const slugs = [1, 2, 3].map((at) => rig.save(slotsOf('DT', 2, at * 10)))
  await rig.workFor(HOUR)
  rig.platform.forgetCalls()
  const packs = {
    read: async (slug: string) => (slugs.includes(slug) ? rig.statsWork.row(slug).pack : null),
  } as PackStore
  return {
    ...rig,
    slugs,
    recompute: (slug: string | null) => recomputeStats({ ...rig.ports, packs }, slug),
  }
}

describe('recomputeStats', () => {
  it('all: every row and rating is asked for again, whenever it was learned', async () => {
    const { slugs, recompute, platform, workFor, statsOf } = await threePacks()
    platform.ratings.set('10 base DT', { stars: 7.5 })
    expect(await recompute(null)).toBe(3)
    await workFor(HOUR)
    expect(platform.beatmapCalls).toHaveLength(1)
    expect(platform.ratingCalls).toHaveLength(6)
    expect(statsOf(slugs[0]!)).toMatchObject({ srMax: 7.5, complete: true })
  })

  it('one pack: what its beatmaps need is asked for again, nothing else', async () => {
    const { slugs, recompute, platform, workFor } = await threePacks()
    expect(await recompute(slugs[1]!)).toBe(1)
    await workFor(HOUR)
    expect(platform.beatmapCalls).toEqual([[20, 21]])
    expect(platform.ratingCalls).toEqual(['20 base DT', '21 base DT'])
  })

  it('packs keep complete stats until the new ones are complete', async () => {
    const { slugs, recompute, platform, turn, workFor, statsOf } = await threePacks()
    platform.fails = () => true
    const before = slugs.map(statsOf)
    await recompute(null)
    await turn()
    expect(slugs.map(statsOf)).toEqual(before)
    platform.fails = () => false
    await workFor(HOUR)
    for (const [at, slug] of slugs.entries()) {
      expect(statsOf(slug)?.complete).toBe(true)
      expect(statsOf(slug)?.computedAt).not.toBe(before[at]?.computedAt)
    }
  })

  it('a pack that was given up is tried anew', async () => {
    const { slugs, recompute, statsWork, workFor, statsOf, clock } = await threePacks()
    Object.assign(statsWork.row(slugs[0]!), { dueAt: null, attempts: 41 })
    await recompute(slugs[0]!)
    expect(statsWork.row(slugs[0]!)).toMatchObject({ dueAt: clock.now(), attempts: 0 })
    await workFor(HOUR)
    expect(statsOf(slugs[0]!)?.complete).toBe(true)
  })

  it('a pack that a worker holds meanwhile is computed once more, from newer answers', async () => {
    const { slugs, recompute, platform, workFor, statsOf, beatmapCache, turn } = await threePacks()
    const [slug] = slugs
    await recompute(null)
    platform.ratings.set('10 base DT', { stars: 7.5 })
    // The operator recomputes anew when the worker has read its answers and not yet written stats.
    const keepRating = beatmapCache.keepRating.bind(beatmapCache)
    let isMarked = false
    beatmapCache.keepRating = async (...answer) => {
      await keepRating(...answer)
      if (isMarked) return
      isMarked = true
      platform.ratings.set('10 base DT', { stars: 8.5 })
      await recompute(slug!)
    }
    await turn()
    expect(isMarked).toBe(true)
    await workFor(HOUR)
    expect(statsOf(slug!)).toMatchObject({ srMax: 8.5, complete: true })
  })

  it('there is no such pack: not_found, and nothing is marked', async () => {
    const { recompute, statsWork, clock } = await threePacks()
    await expect(recompute('aaaaaaaaaa')).rejects.toMatchObject({ code: 'not_found' })
    expect(await statsWork.backlog(clock.now())).toEqual({ length: 0, oldestDueAt: null, total: 0 })
  })
})
