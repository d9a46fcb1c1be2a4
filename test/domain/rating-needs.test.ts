import { describe, expect, it } from 'vitest'
import type { ForcedMod, Ruleset } from '../../src/contract/mods.ts'
import {
  countedStars,
  gameRatingOf,
  isNoRating,
  type Rating,
  ratingNeeds,
  ratingOf,
  ratingText,
  shownNeeds,
} from '../../src/domain/beatmaps.ts'
import { aBeatmap, pool, withBuckets } from '../support/a-beatmap.ts'
import { base, knownBeatmaps } from '../support/known.ts'

const needsOf = (ruleset: Ruleset, ...forced: ForcedMod[]) =>
  ratingOf({ beatmapId: 1, forced, countsAs: null }, ruleset)?.mods ?? null

describe('which rating is asked for', () => {
  it.each<[Ruleset, ForcedMod[]]>([
    ['base', ['EZ']],
    ['base', ['HR']],
    ['base', ['DT']],
    ['base', ['HT']],
    ['base', ['FL']],
    ['base', ['HD', 'FL']],
    ['base', ['HD', 'DT']],
    ['base', ['EZ', 'HD', 'DT']],
    ['taiko', ['EZ']],
    ['taiko', ['HR']],
    ['taiko', ['DT', 'FL']],
    ['fruits', ['HT']],
    ['fruits', ['HD', 'HR']],
    ['mania', ['DT']],
    ['mania', ['HT']],
    ['mania', ['EZ']],
    ['mania', ['HR']],
  ])('%s %j: with the whole set, in the beatmap’s own ruleset (D-36)', (ruleset, forced) => {
    expect(needsOf(ruleset, ...forced)).toEqual(forced)
  })

  it.each<[Ruleset, ForcedMod[]]>([
    ['base', []],
    ['base', ['HD']],
    ['mania', ['HD']],
    ['taiko', ['FL']],
    ['fruits', ['FL']],
    ['mania', ['FL']],
    ['taiko', ['HD', 'FL']],
    ['fruits', ['HD', 'FL']],
    ['mania', ['HD', 'FL']],
  ])('%s %j: none, the plain rating counts', (ruleset, forced) => {
    expect(needsOf(ruleset, ...forced)).toBeNull()
  })
})

describe('D-94: which rating the game shows', () => {
  it.each<[Ruleset, ForcedMod[]]>([
    ['base', ['HD']],
    ['base', ['HD', 'DT']],
    ['mania', ['DT']],
  ])('%s %j: with the whole set', (ruleset, forced) => {
    expect(gameRatingOf({ beatmapId: 1, forced }, ruleset)?.mods).toEqual(forced)
  })

  it.each<[Ruleset, ForcedMod[]]>([
    ['base', []],
    ['taiko', ['HD']],
    ['fruits', ['HD', 'FL']],
    ['mania', ['HD']],
  ])('%s %j: the plain one', (ruleset, forced) => {
    expect(gameRatingOf({ beatmapId: 1, forced }, ruleset)).toBeNull()
  })
})

describe('the needs of a pack', () => {
  const beatmaps = knownBeatmaps(aBeatmap(1), aBeatmap(2), aBeatmap(3, { ruleset: 'mania' }), [
    4,
    'gone',
  ])

  it('each once, in the order of the slots; none for plain, gone and unknown beatmaps', () => {
    const pack = withBuckets(
      pool('DT2 2', 'DT1 1', 'X1 2', 'NM1 1', 'HR1 4', 'HR2 5', 'DT3 3', 'DT4 2'),
      { code: 'X', color: 0, mods: { kind: 'forced', set: ['HD', 'DT'] } },
    )
    expect(ratingNeeds(pack, beatmaps)).toEqual([
      base(2, 'DT'),
      base(1, 'DT'),
      base(2, 'HD', 'DT'),
      { beatmapId: 3, ruleset: 'mania', mods: ['DT'] },
    ])
  })

  it('D-94: what pages show beyond that is HD alone, of base', () => {
    const shown = pool('NM1 1', 'HD2 2', 'HD1 1', 'DT1 1', 'HD3 3', 'HD4 4', 'HD5 5', 'HD6 2')
    expect(shownNeeds(shown, beatmaps)).toEqual([base(2, 'HD'), base(1, 'HD')])
    expect(ratingNeeds(shown, beatmaps)).toEqual([base(1, 'DT')])
  })

  it('old rows still tell what to ask for', () => {
    const old = new Map([[1, { value: aBeatmap(1), isOld: true }]])
    expect(ratingNeeds(pool('DT1 1'), old)).toEqual([base(1, 'DT')])
  })

  it('a rating’s text tells its beatmap, ruleset and mods apart', () => {
    const keys = [
      base(1, 'DT'),
      base(11, 'DT'),
      base(1, 'HD', 'DT'),
      { ...base(1, 'DT'), ruleset: 'mania' as const },
    ]
    expect(new Set(keys.map(ratingText)).size).toBe(keys.length)
    expect(ratingText(base(1, 'DT'))).toBe(ratingText(base(1, 'DT')))
  })
})

describe('which stars count of an answer (D-35, D-93)', () => {
  it.each<[Rating, number, boolean, number]>([
    ['refused', 4, true, 4],
    [{ stars: 0 }, 4, true, 4],
    [{ stars: 0 }, 0, true, 0],
    [{ stars: 0.01 }, 4, false, 0.01],
    [{ stars: 1 }, 4, false, 1],
    [{ stars: 5 }, 0, false, 5],
  ])('of %j beside %d without mods', (rating, plain, isNone, stars) => {
    expect(isNoRating(rating)).toBe(isNone)
    expect(countedStars(rating, plain)).toBe(stars)
  })
})
