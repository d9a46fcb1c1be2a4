import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RatingKey } from '../../src/domain/beatmaps.ts'
import type { BeatmapCache, CachedBeatmap, CachedRating } from '../../src/ports/beatmaps.ts'
import { aBeatmap } from '../support/a-beatmap.ts'

/** One cache, which several processes may share. */
type SharedCache = {
  open(): Promise<BeatmapCache>
  remove(): Promise<void>
}

const key = (beatmapId: number, ...mods: RatingKey['mods'][number][]): RatingKey => ({
  beatmapId,
  ruleset: 'base',
  mods,
})

/** What every BeatmapCache does. */
export const beatmapCacheSuite = (kind: string, newCache: () => Promise<SharedCache>): void => {
  describe(`BeatmapCache in ${kind}`, () => {
    let shared: SharedCache
    let cache: BeatmapCache
    let other: BeatmapCache

    beforeAll(async () => {
      shared = await newCache()
      cache = await shared.open()
      other = await shared.open()
    })

    afterAll(() => shared.remove())

    it('gives back every field of a beatmap, and when it was learned', async () => {
      const beatmap = aBeatmap(75, {
        bpm: null,
        checksum: null,
        maxCombo: null,
        stars: 2.549_999_9,
        titleUnicode: '愛 “quoted” \\ \u{1f3b5}',
      })
      await cache.keepBeatmaps([beatmap], [], 1_000)
      expect(await other.readBeatmaps([75])).toEqual(
        new Map([[75, { beatmap, at: 1_000, isPublic: false }]]),
      )
    })

    it('leaves out what it does not know', async () => {
      expect(await cache.readBeatmaps([9_999, 10_000])).toEqual(new Map())
      expect(await cache.readBeatmaps([])).toEqual(new Map())
      expect(await cache.readRatings([key(9_999, 'DT')])).toEqual([null])
      expect(await cache.readRatings([])).toEqual([])
    })

    it('remembers that a beatmap is gone, and that it came back', async () => {
      await cache.keepBeatmaps([], [101], 1_000)
      expect((await other.readBeatmaps([101])).get(101)).toEqual({
        beatmap: 'gone',
        at: 1_000,
        isPublic: false,
      })
      await cache.keepBeatmaps([aBeatmap(101)], [], 2_000)
      expect((await other.readBeatmaps([101])).get(101)?.at).toBe(2_000)
      await cache.keepBeatmaps([], [101], 3_000)
      expect((await other.readBeatmaps([101])).get(101)).toEqual({
        beatmap: 'gone',
        at: 3_000,
        isPublic: false,
      })
    })

    it('keeps ratings by beatmap, ruleset and mods, in the order asked', async () => {
      await cache.keepRating(key(75, 'DT'), { stars: 3.605_123 }, 1_000)
      await cache.keepRating(key(75, 'HR', 'DT'), 'refused', 2_000)
      await cache.keepRating({ ...key(75, 'DT'), ruleset: 'mania' }, 'gone', 3_000)
      const asked = [
        key(75, 'HR', 'DT'),
        key(75, 'HR'),
        key(75, 'DT'),
        { ...key(75, 'DT'), ruleset: 'mania' as const },
        key(75, 'DT'),
      ]
      const plain = { rating: { stars: 3.605_123 }, nones: 0, at: 1_000, isPublic: false }
      expect(await other.readRatings(asked)).toEqual([
        { rating: 'refused', nones: 1, at: 2_000, isPublic: false },
        null,
        plain,
        { rating: 'gone', nones: 1, at: 3_000, isPublic: false },
        plain,
      ])
    })

    it('takes a new rating over the one before', async () => {
      await cache.keepRating(key(200, 'FL'), 'refused', 1_000)
      await other.keepRating(key(200, 'FL'), { stars: 0 }, 2_000)
      expect(await cache.readRatings([key(200, 'FL')])).toEqual([
        { rating: { stars: 0 }, nones: 0, at: 2_000, isPublic: false },
      ])
    })

    it('D-93: counts the answers in a row that there is none, whoever keeps them', async () => {
      const nones = async () => {
        const read = [cache, other].map(async (each) => each.readRatings([key(201, 'FL')]))
        const counts = (await Promise.all(read)).map(([known]) => known?.nones)
        expect(counts[0]).toBe(counts[1])
        return counts[0]
      }
      await cache.keepRating(key(201, 'FL'), 'refused', 1_000)
      expect(await nones()).toBe(1)
      await other.keepRating(key(201, 'FL'), 'gone', 2_000)
      expect(await nones()).toBe(2)
      await cache.keepRating(key(201, 'FL'), 'refused', 3_000)
      await cache.expire([201])
      expect(await nones()).toBe(3)
      await cache.keepRating(key(201, 'FL'), { stars: 5 }, 4_000)
      expect(await nones()).toBe(0)
      await other.keepRating(key(201, 'FL'), 'refused', 5_000)
      expect(await nones()).toBe(1)
    })

    it('gives every process what was written last, whoever writes while others read', async () => {
      let runs = 0
      const step = fc.record({
        writer: fc.boolean(),
        id: fc.integer({ min: 1, max: 4 }),
        kind: fc.constantFrom('beatmap', 'same', 'gone', 'rating', 'expire', 'publish'),
        readsMeanwhile: fc.boolean(),
      })
      const sequences = fc.array(step, { minLength: 1, maxLength: 12 })
      await fc.assert(
        fc.asyncProperty(sequences, async (steps) => {
          const first = 1_000_000 + 10 * runs++
          const beatmaps = new Map<number, CachedBeatmap>()
          const ratings = new Map<number, CachedRating>()
          const ids = [1, 2, 3, 4].map((id) => first + id)
          const readAll = () =>
            Promise.all(
              [cache, other].flatMap((each) => [
                each.readBeatmaps(ids),
                each.readRatings(ids.map((id) => key(id, 'DT'))),
              ]),
            )
          for (const [at, { writer, id: place, kind, readsMeanwhile }] of steps.entries()) {
            const id = first + place
            const by = writer ? cache : other
            const write = async () => {
              if (kind === 'gone') {
                beatmaps.set(id, { isPublic: false, ...beatmaps.get(id), beatmap: 'gone', at })
                await by.keepBeatmaps([], [id], at)
              } else if (kind === 'rating') {
                ratings.set(id, {
                  isPublic: false,
                  ...ratings.get(id),
                  rating: { stars: at },
                  nones: 0,
                  at,
                })
                await by.keepRating(key(id, 'DT'), { stars: at }, at)
              } else if (kind === 'expire') {
                const [known, rated] = [beatmaps.get(id), ratings.get(id)]
                if (known) beatmaps.set(id, { ...known, at: 0 })
                if (rated) ratings.set(id, { ...rated, at: 0 })
                await by.expire([id])
              } else if (kind === 'publish') {
                const [known, rated] = [beatmaps.get(id), ratings.get(id)]
                if (known) beatmaps.set(id, { ...known, isPublic: true })
                if (rated) ratings.set(id, { ...rated, isPublic: true })
                await by.publish([id], [key(id, 'DT')])
              } else {
                const beatmap = aBeatmap(id, { title: kind === 'same' ? 'Same' : `Title ${at}` })
                beatmaps.set(id, { isPublic: false, ...beatmaps.get(id), beatmap, at })
                await by.keepBeatmaps([beatmap], [], at)
              }
            }
            await Promise.all([readsMeanwhile && readAll(), write(), readsMeanwhile && readAll()])
            const rated = ids.map((each) => ratings.get(each) ?? null)
            expect(await readAll()).toEqual([beatmaps, rated, beatmaps, rated])
          }
        }),
        { numRuns: 40 },
      )
    })

    it('D-74: says what was looked up for public packs, for as long as it is cached', async () => {
      const time = { at: 1_000 }
      await cache.keepBeatmaps([aBeatmap(401)], [402], time.at)
      await cache.keepRating(key(401, 'DT'), 'refused', time.at)
      await cache.keepRating(key(401, 'HR'), 'refused', time.at)
      await other.publish([401, 402, 403], [key(401, 'DT'), key(402, 'DT')])
      for (const each of [cache, other]) {
        const known = await each.readBeatmaps([401, 402, 403])
        // In no certain order.
        const shown = new Map([...known].map(([id, { isPublic }]) => [id, isPublic]))
        expect(shown).toEqual(
          new Map([
            [401, true],
            [402, true],
          ]),
        )
        const rated = await each.readRatings([key(401, 'DT'), key(401, 'HR'), key(402, 'DT')])
        expect(rated.map((one) => one?.isPublic)).toEqual([true, false, undefined])
      }
    })

    it('keeps the object of a beatmap while its details are the same', async () => {
      await cache.keepBeatmaps([aBeatmap(301)], [], 1_000)
      const before = (await cache.readBeatmaps([301])).get(301)?.beatmap
      await cache.keepBeatmaps([aBeatmap(301), aBeatmap(302)], [303], 2_000)
      const after = (await cache.readBeatmaps([301])).get(301)
      expect(after?.at).toBe(2_000)
      expect(after?.beatmap).toBe(before)
    })

    it('reads thousands at once', async () => {
      const ids = Array.from({ length: 2_500 }, (_, at) => 100_000 + at)
      await cache.keepBeatmaps(
        ids.slice(0, 1_300).map((id) => aBeatmap(id)),
        ids.slice(1_300),
        1_000,
      )
      const known = await cache.readBeatmaps([...ids, ...ids])
      expect([...known.keys()].toSorted((a, b) => a - b)).toEqual(ids)
      expect(known.get(101_299)?.beatmap).toEqual(aBeatmap(101_299))
      expect(known.get(101_300)?.beatmap).toBe('gone')
    })

    it('counts what is told as learned at the epoch, and forgets nothing', async () => {
      await cache.keepBeatmaps([aBeatmap(301), aBeatmap(302)], [303], 1_000)
      await cache.keepRating(key(301, 'DT'), { stars: 5 }, 1_000)
      await cache.keepRating(key(302, 'DT'), 'refused', 1_000)
      await other.expire([301, 303])
      const known = await cache.readBeatmaps([301, 302, 303])
      expect([301, 302, 303].map((id) => known.get(id)?.at)).toEqual([0, 1_000, 0])
      expect(await cache.readRatings([key(301, 'DT'), key(302, 'DT')])).toEqual([
        { rating: { stars: 5 }, nones: 0, at: 0, isPublic: false },
        { rating: 'refused', nones: 1, at: 1_000, isPublic: false },
      ])
      await other.expire(null)
      expect((await cache.readBeatmaps([302])).get(302)).toEqual({
        beatmap: aBeatmap(302),
        at: 0,
        isPublic: false,
      })
      expect((await cache.readRatings([key(302, 'DT')]))[0]?.at).toBe(0)
    })

    describe('forget', () => {
      const DAY = 86_400_000
      const START = 400 * DAY
      const forgetAll = async (before: number, goneBefore: number): Promise<number> => {
        for (let times = 0; times < 1_000; times += 1) {
          if (!(await cache.forget(before, goneBefore))) return times
        }
        throw new Error('it never ends')
      }
      const known = async (ids: readonly number[]) => {
        const beatmaps = await other.readBeatmaps(ids)
        return ids.filter((id) => beatmaps.has(id))
      }
      const rated = async (ids: readonly number[]) => {
        const ratings = await other.readRatings(ids.map((id) => key(id, 'HR')))
        return ids.filter((_, at) => ratings[at] !== null)
      }

      it('takes what is older than the bound, of beatmaps that are gone by their own bound', async () => {
        await forgetAll(START, START)
        for (const [id, at] of [
          [701, 0],
          [702, 9],
          [703, 10],
          [704, 11],
        ] as const) {
          await cache.keepBeatmaps([aBeatmap(id)], [id + 10], START + at)
          await cache.keepRating(key(id, 'HR'), { stars: 5 }, START + at)
          await cache.keepRating(key(id + 10, 'HR'), 'refused', START + at)
        }
        expect(await forgetAll(START + 9, START + 11)).toBeGreaterThan(0)
        for (const found of [known, rated]) {
          expect(await found([701, 702, 703, 704])).toEqual([702, 703, 704])
        }
        expect(await known([711, 712, 713, 714])).toEqual([714])
        // How often there was none must not be forgotten before it is asked for again (D-93).
        expect(await rated([711, 712, 713, 714])).toEqual([712, 713, 714])
        expect(await cache.forget(START + 9, START + 11)).toBe(false)
      })

      it('goes in slices, however much there is', async () => {
        const days = [1, 2, 3, 4, 5]
        for (const day of days) await cache.keepBeatmaps([], [800 + day], START + day * DAY)
        expect(await forgetAll(START, START + 4 * DAY)).toBeGreaterThanOrEqual(3)
        expect(await known(days.map((day) => 800 + day))).toEqual([804, 805])
      })

      it('leaves what was made old: pages still show it until there is something newer', async () => {
        await cache.keepBeatmaps([aBeatmap(901)], [902], START)
        await cache.keepRating(key(901, 'HR'), { stars: 5 }, START)
        await cache.expire([901, 902])
        await forgetAll(START + 90 * DAY, START + 90 * DAY)
        expect(await known([901, 902])).toEqual([901, 902])
        expect(await rated([901])).toEqual([901])
      })
    })
  })
}
