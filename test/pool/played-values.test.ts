import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ForcedMod, forcedMods, type Ruleset } from '../../src/contract/mods.ts'
import { playedDifficulty, roundHalfUp } from '../../src/pool/played-values.ts'

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

describe('rounding (D-32)', () => {
  const decimals = fc.constantFrom(0, 1, 2)

  it('is that of the decimal number, whatever its binary one is', () => {
    const thousandths = fc.integer({ min: 0, max: 20_000_000 })
    fc.assert(
      fc.property(thousandths, (number) => {
        expect(roundHalfUp(number / 1000, 2)).toBe(Math.floor((number + 5) / 10) / 100)
      }),
      { numRuns: 5_000 },
    )
  })

  it('takes a sum or a quotient for what it is on paper', () => {
    const hundredths = fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 1, maxLength: 64 })
    fc.assert(
      fc.property(hundredths, (all) => {
        const sum = all.reduce((total, each) => total + each / 100, 0)
        const exact = all.reduce((total, each) => total + each, 0)
        const { length } = all
        expect(roundHalfUp(sum / length, 2)).toBe(
          Math.floor((2 * exact + length) / (2 * length)) / 100,
        )
      }),
      { numRuns: 5_000 },
    )
  })

  it('looks at twelve digits and no more', () => {
    const value = fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), nearHalves)
    fc.assert(
      fc.property(value, decimals, (number, places) => {
        const scale = 10 ** places
        const read = Number((number * scale).toPrecision(12))
        expect(roundHalfUp(number, places)).toBe(Math.round(read) / scale)
      }),
      { numRuns: 20_000 },
    )
  })
})

const nearHalves = fc
  .tuple(fc.nat(100_000), fc.integer({ min: -2_000, max: 2_000 }), fc.constantFrom(1, 10, 100))
  .map(([whole, off, scale]) => ((whole + 0.5) / scale) * (1 + off * 1e-14))
