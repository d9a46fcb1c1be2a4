import { describe, expect, it } from 'vitest'
import { type ForcedMod, forcedMods, type Ruleset } from '../../src/contract/mods.ts'
import { playedDifficulty } from '../../src/pool/played-values.ts'

/** CS 4, AR 9, OD 8 and HP 5 with the mods. */
const played = (mods: readonly ForcedMod[], ruleset: Ruleset = 'base', changes = {}) => {
  const plain = { circleSize: 4, approachRate: 9, overallDifficulty: 8, healthDrain: 5 }
  const difficulty = playedDifficulty({ ...plain, ruleset, ...changes }, mods)
  const { circleSize, approachRate, overallDifficulty, healthDrain } = difficulty
  return [circleSize, approachRate, overallDifficulty, healthDrain]
}

describe('CS, AR, OD and HP with mods', () => {
  it.each<[ForcedMod[], number[]]>([
    [[], [4, 9, 8, 5]],
    [['HD'], [4, 9, 8, 5]],
    [['FL'], [4, 9, 8, 5]],
    [['HR'], [5.2, 10, 10, 7]],
    [['EZ'], [2, 4.5, 4, 2.5]],
    [['DT'], [4, 10.33, 9.78, 5]],
    [['HT'], [4, 7.67, 6.22, 5]],
    [
      ['HD', 'HR', 'DT'],
      [5.2, 11, 11.11, 7],
    ],
    [
      ['EZ', 'HT'],
      [2, 1, 0.89, 2.5],
    ],
  ])('are those of the game under %j', (mods, values) => {
    expect(played(mods)).toEqual(values)
  })

  it('are computed from exact values and rounded last', () => {
    expect(played(['EZ', 'DT'], 'base', { approachRate: 9.3 })[1]).toBe(7.48)
  })

  it('fall below 0 where the game lets them', () => {
    expect(played(['HT'], 'base', { approachRate: 0 })[1]).toBe(-5)
  })

  it('stay as they are where no mod changes them, beyond 10 too', () => {
    const odd = { circleSize: 12, approachRate: 9.123, healthDrain: 11 }
    expect(played([], 'base', odd)).toEqual([12, 9.123, 8, 11])
    expect(played(['HR'], 'base', odd)).toEqual([12, 10, 10, 11])
  })

  it('keep the circles and the approach of rulesets without them', () => {
    expect(played(['HR', 'DT'], 'taiko')).toEqual([4, 9, 12.22, 7])
    expect(played(['HR', 'DT'], 'mania')).toEqual([4, 9, 10, 7])
    expect(played(['EZ', 'DT'], 'fruits')).toEqual([2, 7.4, 4, 2.5])
  })

  it('are finite numbers for every value of the platform and all mods', () => {
    for (const value of [-100, 0, 4.999, 5, 10, 1e9]) {
      const all = { circleSize: value, approachRate: value, overallDifficulty: value }
      for (const mod of forcedMods)
        expect(played([mod], 'base', all).every(Number.isFinite)).toBe(true)
    }
  })
})
