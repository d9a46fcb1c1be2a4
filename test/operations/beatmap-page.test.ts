import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ForcedMod } from '../../src/contract/mods.ts'
import { readBeatmapPage } from '../../src/operations/beatmap-page.ts'
import { aNewPack, someStats } from '../ports/sample-pack.ts'
import { aBeatmap, withBuckets } from '../support/a-beatmap.ts'
import { statsRig } from '../support/stats-rig.ts'

const sets = 'EZ HD HR DT HT FL EZ,HD HD,HR HD,DT HR,DT DT,FL'
  .split(' ')
  .map((set) => set.split(',')) as ForcedMod[][]
const custom = sets.map((set, at) => ({
  code: `X${at}`,
  color: at % 10,
  mods: { kind: 'forced' as const, set: [...set] },
}))

/** How often packs play the beatmap with each of the sets, and plain. */
const packsOf = fc.array(
  fc.record({
    plays: fc.array(fc.integer({ min: -1, max: sets.length - 1 }), { maxLength: 12, size: 'max' }),
    isListed: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
)

test('D-66: a beatmap is shown without mods, then as public packs play it, most often first', async () => {
  const property = fc.asyncProperty(packsOf, fc.constantFrom(1, 2), async (made, number) => {
    const { ports, beatmapCache, clock } = statsRig()
    await beatmapCache.keepBeatmaps([aBeatmap(7, { stars: 5.125 })], [], clock.now())
    await beatmapCache.publish([7], [])
    const packs = made.map(({ plays, isListed }) => {
      const other = { mod: 'NM', index: 1, beatmapId: 8 }
      const slots = plays.map((set, at) => ({
        mod: set < 0 ? 'NM' : `X${set}`,
        index: at + 2,
        beatmapId: 7,
      }))
      const stats = someStats()
      const visibility = isListed ? 'public' : 'unlisted'
      return {
        ...aNewPack({ stats, visibility, ...withBuckets({ slots: [other, ...slots] }, ...custom) }),
        ownerUsername: 'ada',
      }
    })
    const uses = packs.flatMap((pack) =>
      pack.slots
        .filter(({ beatmapId }) => beatmapId === 7)
        .map((slot) => ({ ...pack, ...slot, packName: pack.name, round: null })),
    )
    const usage = {
      // All are on the first page of uses; the others have none.
      list: async ([id]: readonly number[], at: number) => ({
        uses: id === 7 && at === 1 ? uses : [],
        totals: new Map([[7, uses.length]]),
      }),
      pooledWith: async (...asked: number[]) => {
        // The ten that are most often with it in its fifty newest packs.
        expect(asked).toEqual([7, 50, 10])
        return [{ beatmapId: 8, packs: 2 }]
      },
    }
    const read = async (slug: string) => packs.find((pack) => pack.slug === slug) ?? null
    const page = await readBeatmapPage(
      { ...ports, usage, packs: { read } } as never,
      7,
      number,
      'Pools',
    )
    if (uses.length === 0) {
      expect(page).toBeNull()
      return
    }

    const times = new Map<string, number>()
    for (const { plays, isListed } of made) {
      for (const set of isListed ? plays.filter((each) => each >= 0) : []) {
        times.set(sets[set]!.join(), (times.get(sets[set]!.join()) ?? 0) + 1)
      }
    }
    const played = page!.played.map(({ mods }) => mods.join())
    const counts = played.slice(1).map((mods) => times.get(mods)!)
    expect(page!.played[0]).toEqual({ mods: [], stars: 5.13 })
    expect(new Set(played).size).toBe(Math.min(8, times.size + 1))
    expect(counts).toEqual([...times.values()].toSorted((a, b) => b - a).slice(0, 7))
    expect(page!.usage).toMatchObject({ total: uses.length, page: number })
    expect(page!.pooledWith).toEqual([{ id: 8, packs: 2 }])
  })
  await fc.assert(property, { numRuns: 100 })
})
