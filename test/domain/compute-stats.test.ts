import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import type { ForcedMod, Ruleset } from '../../src/contract/mods.ts'
import { Stats } from '../../src/contract/packs.ts'
import type { Bucket } from '../../src/contract/pools.ts'
import { type Beatmap, ratingNeeds } from '../../src/domain/beatmaps.ts'
import { computeStats } from '../../src/domain/stats.ts'
import { aBeatmap, pool, withBuckets } from '../support/a-beatmap.ts'
import { base, knownBeatmaps, knownRatings } from '../support/known.ts'

const NOW = Date.parse('2026-10-03T18:30:04.120Z')
const none = knownRatings()

const forced = (code: string, ...set: ForcedMod[]): Bucket => ({
  code,
  color: 0,
  mods: { kind: 'forced', set },
})

/** The stats of beatmap 1 in one slot, its rating with mods being 9. */
const statsOf = (slots: string, beatmap: Partial<Beatmap>, ...custom: Bucket[]) => {
  const each = withBuckets(pool(slots), ...custom)
  const known = knownBeatmaps(aBeatmap(1, beatmap))
  const ratings = ratingNeeds(each, known).map((key) => [key, { stars: 9 }] as const)
  return computeStats(each, known, knownRatings(...ratings), NOW)
}

describe('the check: 129891 in NM1 and 75 in DT1', () => {
  const pack = pool('NM1 129891', 'DT1 75')
  const beatmaps = knownBeatmaps(
    aBeatmap(129891, { stars: 7.8058, length: 258, bpm: 222.22 }),
    aBeatmap(75, { stars: 2.55, length: 142, bpm: 119.999 }),
  )
  const ratings = knownRatings([base(75, 'DT'), { stars: 3.61 }])

  it('comes out to the digit', () => {
    expect(computeStats(pack, beatmaps, ratings, NOW)).toEqual({
      srMin: 3.61,
      srMax: 7.81,
      srAvg: 5.71,
      lenMin: 95,
      lenMax: 258,
      bpmMin: 180,
      bpmMax: 222,
      mods: ['NM', 'DT'],
      modes: ['base'],
      count: 2,
      complete: true,
      computedAt: '2026-10-03T18:30:04.120Z',
    })
  })

  it('has its fields in the order of the table (D-45) and fits its schema', () => {
    const stats = computeStats(pack, beatmaps, ratings, NOW)
    expect(Object.keys(stats)).toEqual(Object.keys(Stats.properties))
    expect(Value.Check(Stats, stats)).toBe(true)
  })
})

describe('spec 2.6 rule 1: which rating a slot counts with', () => {
  it.each([
    ['NM1', 'plain'],
    ['HD1', 'plain'],
    ['FM1', 'plain'],
    ['TB1', 'plain'],
    ['-', 'plain'],
    ['HR1', 'with mods'],
    ['DT1', 'with mods'],
  ])('%s counts with its %s rating', (slot, which) => {
    expect(statsOf(`${slot} 1`, { stars: 4 }).srAvg).toBe(which === 'plain' ? 4 : 9)
  })

  it.each<[ForcedMod[], string]>([
    [['HD'], 'plain'],
    [['EZ'], 'with mods'],
    [['HR'], 'with mods'],
    [['DT'], 'with mods'],
    [['HT'], 'with mods'],
    [['FL'], 'with mods'],
    [['HD', 'HR'], 'with mods'],
    [['HD', 'FL'], 'with mods'],
    [['EZ', 'HD', 'DT'], 'with mods'],
  ])('a custom slot that forces %j counts with its %s rating (D-36)', (set, which) => {
    const { srAvg } = statsOf('X1 1', { stars: 4 }, forced('X', ...set))
    expect(srAvg).toBe(which === 'plain' ? 4 : 9)
  })

  it('a custom slot with free mods, or with none said, counts with its plain rating', () => {
    const free: Bucket = { code: 'X', color: 0, mods: { kind: 'free' } }
    expect(statsOf('X1 1', { stars: 4 }, free).srAvg).toBe(4)
    expect(statsOf('X1 1', { stars: 4 }, { code: 'X', color: 0 }).srAvg).toBe(4)
  })

  it.each<[Ruleset, ForcedMod[]]>([
    ['taiko', ['FL']],
    ['fruits', ['FL']],
    ['mania', ['FL']],
    ['taiko', ['HD', 'FL']],
    ['fruits', ['HD', 'FL']],
    ['mania', ['HD', 'FL']],
  ])('in %s, %j equals the plain rating', (ruleset, set) => {
    const stats = statsOf('X1 1', { ruleset, stars: 4 }, forced('X', ...set))
    expect(stats).toMatchObject({ srAvg: 4, complete: true })
  })
})

describe('spec 2.6 rule 2 and D-32: speed, then rounding', () => {
  it.each([
    ['NM1', 258, 258],
    ['DT1', 258, 172],
    ['DT1', 142, 95],
    ['DT1', 100, 67],
    ['HT1', 258, 344],
    ['HT1', 100, 133],
    ['EZ1', 100, 100],
    ['HDDT1', 100, 67],
    ['NM1', 0, 0],
  ])('in %s, %d s are %d s', (slot, length, shown) => {
    const customs = [forced('HT', 'HT'), forced('EZ', 'EZ'), forced('HDDT', 'HD', 'DT')]
    expect(statsOf(`${slot} 1`, { length }, ...customs)).toMatchObject({
      lenMin: shown,
      lenMax: shown,
    })
  })

  it.each([
    ['NM1', 222.22, 222],
    ['DT1', 222.22, 333],
    ['DT1', 119.999, 180],
    ['DT1', 119, 179],
    ['NM1', 180.55, 181],
    ['NM1', 222.5, 223],
    ['HT1', 222, 167],
    ['HT1', 180.55, 135],
    ['HT1', 178, 134],
  ])('in %s, %d BPM are %d BPM', (slot, bpm, shown) => {
    expect(statsOf(`${slot} 1`, { bpm }, forced('HT', 'HT'))).toMatchObject({
      bpmMin: shown,
      bpmMax: shown,
    })
  })

  it('FM and free mods leave length and BPM as they are', () => {
    expect(statsOf('FM1 1', { length: 100, bpm: 100 })).toMatchObject({ lenMin: 100, bpmMin: 100 })
  })
})

describe('D-32: stars have 2 decimals, halves rounded up', () => {
  it.each([
    [5.705, 5.71],
    [1.005, 1.01],
    [8.575, 8.58],
    [2.675, 2.68],
    [7.8058, 7.81],
    [7.804999, 7.8],
    [0.001, 0],
    [12.3449999, 12.34],
  ])('%d is %d', (stars, shown) => {
    const stats = statsOf('NM1 1', { stars })
    expect([stats.srMin, stats.srMax, stats.srAvg]).toEqual([shown, shown, shown])
  })

  it('the average is taken over the slots before it is rounded', () => {
    const stars = [1.004, 1.004, 1.007]
    const beatmaps = knownBeatmaps(...stars.map((each, at) => aBeatmap(at + 1, { stars: each })))
    expect(computeStats(pool('NM1 1', 'NM2 2', 'NM3 3'), beatmaps, none, NOW).srAvg).toBe(1.01)
  })

  it('the average of 5.70 and 5.71 is 5.71, though adding them falls short of the half', () => {
    const beatmaps = knownBeatmaps(aBeatmap(1, { stars: 5.7 }), aBeatmap(2, { stars: 5.71 }))
    expect(computeStats(pool('NM1 1', 'NM2 2'), beatmaps, none, NOW).srAvg).toBe(5.71)
  })

  it('a beatmap in two slots counts twice in the average (D-33)', () => {
    const beatmaps = knownBeatmaps(aBeatmap(1, { stars: 3 }), aBeatmap(2, { stars: 6 }))
    const stats = computeStats(pool('NM1 1', 'FM1 1', 'TB1 2'), beatmaps, none, NOW)
    expect(stats).toMatchObject({ srAvg: 4, count: 3, complete: true })
  })
})

describe('what is missing', () => {
  const there = aBeatmap(1, { stars: 4, length: 100, bpm: 150 })

  it('spec 2.6 rule 3: a gone beatmap is left out and does not make it incomplete; D-33: it counts', () => {
    const stats = computeStats(pool('NM1 1', 'DT1 2'), knownBeatmaps(there, [2, 'gone']), none, NOW)
    expect(stats).toMatchObject({ srMin: 4, srMax: 4, lenMax: 100, bpmMax: 150, count: 2 })
    expect(stats.complete).toBe(true)
  })

  it('D-34: mods come from the slots even when the beatmap is gone, modes from known beatmaps', () => {
    const stats = computeStats(pool('NM1 1', 'DT1 2'), knownBeatmaps(there, [2, 'gone']), none, NOW)
    expect(stats).toMatchObject({ mods: ['NM', 'DT'], modes: ['base'] })
  })

  it('an unknown beatmap is left out and makes it incomplete', () => {
    const stats = computeStats(pool('NM1 1', 'NM2 2'), knownBeatmaps(there), none, NOW)
    expect(stats).toMatchObject({ srMin: 4, srMax: 4, count: 2, complete: false })
  })

  it('when nothing is known every number is null', () => {
    const stats = computeStats(pool('NM1 1', 'HR1 2'), knownBeatmaps(), none, NOW)
    expect(stats).toMatchObject({
      srMin: null,
      srMax: null,
      srAvg: null,
      lenMin: null,
      lenMax: null,
      bpmMin: null,
      bpmMax: null,
      mods: ['NM', 'HR'],
      modes: [],
      count: 2,
      complete: false,
    })
  })

  it('when all are gone every number is null, and it is complete', () => {
    const stats = computeStats(pool('NM1 1'), knownBeatmaps([1, 'gone']), none, NOW)
    expect(stats).toMatchObject({ srAvg: null, lenMin: null, bpmMin: null, complete: true })
  })

  it('D-35: a rating not yet known leaves the stars out alone and makes it incomplete', () => {
    const stats = computeStats(
      pool('NM1 1', 'DT1 2'),
      knownBeatmaps(there, aBeatmap(2, { stars: 7, length: 300, bpm: 200 })),
      none,
      NOW,
    )
    expect(stats).toMatchObject({ srMin: 4, srMax: 4, srAvg: 4, lenMax: 200, bpmMax: 300 })
    expect(stats.complete).toBe(false)
  })

  it.each(['refused', 'gone'] as const)(
    'D-35: where the rating is %s the plain one counts, and it is complete',
    (rating) => {
      const known = knownRatings([base(1, 'DT'), rating])
      const stats = computeStats(pool('DT1 1'), knownBeatmaps(there), known, NOW)
      expect(stats).toMatchObject({ srAvg: 4, lenMin: 67, bpmMin: 225, complete: true })
    },
  )

  it('a beatmap without stars, as a new upload has none, is left out of the stars alone', () => {
    const stats = statsOf('NM1 1', { stars: 0 })
    expect(stats).toMatchObject({ srMin: null, srMax: null, srAvg: null, lenMin: 120 })
    expect(stats.complete).toBe(true)
  })

  it('a beatmap without BPM is left out of the BPM alone', () => {
    const stats = statsOf('NM1 1', { bpm: null })
    expect(stats).toMatchObject({ srAvg: 5, lenMin: 120, bpmMin: null, bpmMax: null })
    expect(stats.complete).toBe(true)
  })

  it('old knowledge counts, for it is better than none, but is not complete', () => {
    const oldBeatmap = new Map([[1, { value: there, isOld: true }]])
    const stats = computeStats(pool('NM1 1'), oldBeatmap, none, NOW)
    expect(stats).toMatchObject({ srAvg: 4, complete: false })

    const oldRating = new Map([['1 base DT', { value: { stars: 9 }, isOld: true }]])
    const rated = computeStats(pool('DT1 1'), knownBeatmaps(there), oldRating, NOW)
    expect(rated).toMatchObject({ srAvg: 9, complete: false })
  })

  it('that a beatmap is gone is no longer sure a day later', () => {
    const oldGone = new Map([[1, { value: 'gone' as const, isOld: true }]])
    expect(computeStats(pool('NM1 1'), oldGone, none, NOW).complete).toBe(false)
  })
})

describe('spec 2.6, D-34: mods', () => {
  const free: Bucket = { code: 'FR', color: 0, mods: { kind: 'free' } }
  const silent: Bucket = { code: 'SL', color: 0 }

  it.each<[string, string[], Bucket[], string[]]>([
    [
      'built-in ones in pool order',
      ['TB1 1', 'DT1 1', 'NM1 1', 'HD1 1'],
      [],
      ['NM', 'HD', 'DT', 'TB'],
    ],
    ['a free-mod slot as FM', ['FR1 1', 'TB1 1'], [free], ['FM', 'TB']],
    ['FM once', ['FR1 1', 'FM1 1'], [free], ['FM']],
    ['nothing for a custom slot that says nothing', ['SL1 1'], [silent], []],
    ['nothing for a slot without a bucket', ['- 1'], [], []],
    ['nothing for a bucket without slots', ['NM1 1'], [forced('X', 'EZ'), free], ['NM']],
    ['forced ones in their order', ['X1 1'], [forced('X', 'EZ', 'HD', 'FL')], ['EZ', 'HD', 'FL']],
    [
      'built-in ones first, then forced ones',
      ['X1 1', 'Y1 1', 'NM1 1', 'TB1 1', 'DT1 1'],
      [forced('X', 'FL'), forced('Y', 'HR')],
      ['NM', 'DT', 'TB', 'HR', 'FL'],
    ],
    [
      'a mod that is built-in and forced, once, with the built-in ones',
      ['X1 1', 'TB1 1', 'HR1 1'],
      [forced('X', 'HR', 'DT')],
      ['HR', 'TB', 'DT'],
    ],
  ])('%s', (_, slots, custom, mods) => {
    const each = withBuckets(pool(...slots), ...custom)
    expect(computeStats(each, knownBeatmaps(), none, NOW).mods).toEqual(mods)
  })

  it('modes stand in ruleset order, each once', () => {
    const rulesets = ['mania', 'base', 'fruits', 'base', 'taiko'] as const
    const beatmaps = rulesets.map((ruleset, at) => aBeatmap(at + 1, { ruleset }))
    const slots = pool('NM1 1', 'NM2 2', 'NM3 3', 'NM4 4', 'NM5 5')
    const { modes } = computeStats(slots, knownBeatmaps(...beatmaps), none, NOW)
    expect(modes).toEqual(['base', 'taiko', 'fruits', 'mania'])
  })
})
