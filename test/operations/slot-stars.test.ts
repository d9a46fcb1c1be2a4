import { expect, test } from 'vitest'
import type { ForcedMod } from '../../src/contract/mods.ts'
import { readSlotStars } from '../../src/operations/beatmap-look.ts'
import { aNewPack, someStats } from '../ports/sample-pack.ts'
import { aBeatmap, withBuckets } from '../support/a-beatmap.ts'
import { statsRig } from '../support/stats-rig.ts'

const buckets: readonly (readonly [code: string, forced: readonly ForcedMod[]])[] = [
  ['NM', []],
  ['HD', ['HD']],
  ['HR', ['HR']],
  ['X1', ['HD', 'DT']],
]
const kept = ['unknown', 'gone', 'known'] as const
const ratings = ['unknown', 'refused', 'rated'] as const

test('D-94: the stars of a slot are those of the game; without HD while that rating is unknown; else null', async () => {
  for (const [code, forced] of buckets) {
    for (const beatmap of kept) {
      for (const rating of ratings) {
        const { ports, beatmapCache, clock } = statsRig()
        const now = clock.now()
        if (beatmap !== 'unknown') {
          const [found, gone] = beatmap === 'known' ? [[aBeatmap(1, { stars: 5 })], []] : [[], [1]]
          await beatmapCache.keepBeatmaps(found, gone, now)
        }
        if (rating !== 'unknown') {
          const key = { beatmapId: 1, ruleset: 'base', mods: forced } as const
          await beatmapCache.keepRating(key, rating === 'refused' ? 'refused' : { stars: 7 }, now)
        }
        const slots = [{ mod: code, index: 1, beatmapId: 1 }]
        const dark = { code: 'X1', color: 1, mods: { kind: 'forced' as const, set: [...forced] } }
        const pack = {
          ...aNewPack({ stats: someStats(), updatedAt: now - 3_600_000 }),
          ...(code === 'X1' ? withBuckets({ slots }, dark) : { slots }),
        }
        const rated = rating === 'unknown' ? null : rating === 'refused' ? 5 : 7
        const withMods = rated ?? (forced.join() === 'HD' ? 5 : null)
        const stars = forced.length === 0 ? 5 : withMods
        expect(await readSlotStars(ports, pack), `${code} ${beatmap} ${rating}`).toEqual([
          beatmap === 'known' ? stars : null,
        ])
      }
    }
  }
})
