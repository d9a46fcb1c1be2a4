import type { ForcedMod, Ruleset } from '../contract/mods.ts'

/** CS (keys in mania), AR, OD and HP. */
export type Difficulty = Readonly<
  Record<'circleSize' | 'approachRate' | 'overallDifficulty' | 'healthDrain', number>
>

type Mods = readonly ForcedMod[]

/** How much faster a beatmap is played with the mods: DT 1.5, HT 0.75, else 1 (spec 2.6 rule 2). */
export function speedOf(mods: Mods): number {
  if (mods.includes('DT')) return 1.5
  return mods.includes('HT') ? 0.75 : 1
}

/** Whether stats count the stars without mods (spec 2.6 rule 1): none of EZ, HR, DT, HT and FL is forced (D-36). */
export const countsPlain = (mods: Mods): boolean => mods.every((mod) => mod === 'HD')

/** Whole seconds with the mods (D-32): 258 s under DT is 172. */
export function playedLength({ length }: { readonly length: number }, mods: Mods): number {
  return roundHalfUp(length / speedOf(mods), 0)
}

/** Whole BPM with the mods (D-32): 222.22 under DT is 333. null when not known. */
export function playedBpm({ bpm }: { readonly bpm: number | null }, mods: Mods): number | null {
  return bpm === null ? null : roundHalfUp(bpm * speedOf(mods), 0)
}

/**
 * CS, AR, OD and HP with the mods, to 2 decimals, as the game itself displays them. DT and HT shorten or
 * lengthen the approach time and the hit window, which gives the values that feel the same: AR 9 under
 * DT is 10.33. A value that no mod changes is returned as it is.
 */
export function playedDifficulty(
  beatmap: Difficulty & { readonly ruleset: Ruleset },
  mods: Mods,
): Difficulty {
  const { ruleset, circleSize, approachRate, overallDifficulty, healthDrain } = beatmap
  // Taiko and mania have neither circles nor an approach; no mod changes what they store there.
  const hasCircles = ruleset === 'base' || ruleset === 'fruits'
  return {
    circleSize: hasCircles ? played(circleSize, mods, 1.3, null) : circleSize,
    approachRate: hasCircles ? played(approachRate, mods, 1.4, approachTime) : approachRate,
    overallDifficulty: played(overallDifficulty, mods, 1.4, hitWindows[ruleset]),
    healthDrain: played(healthDrain, mods, 1.4, null),
  }
}

/** Milliseconds at the values 0, 5 and 10; linear in between and beyond. */
type Scale = readonly [at0: number, at5: number, at10: number]

const approachTime: Scale = [1800, 1200, 450]
/** The window of a full hit. In fruits there is none, and in mania it does not follow the speed. */
const hitWindows: Readonly<Record<Ruleset, Scale | null>> = {
  base: [80, 50, 20],
  taiko: [50, 35, 20],
  fruits: null,
  mania: null,
}

/** @param scale the times that the value stands for; null when the speed does not change it. */
function played(value: number, mods: Mods, underHr: number, scale: Scale | null): number {
  let result = value
  if (mods.includes('EZ')) result *= 0.5
  else if (mods.includes('HR')) result = Math.min(value * underHr, Math.max(value, 10))
  const speed = speedOf(mods)
  if (scale !== null && speed !== 1) result = valueAt(timeAt(result, scale) / speed, scale)
  if (result === value) return value
  return Math.sign(result) * roundHalfUp(Math.abs(result), 2)
}

function timeAt(value: number, [at0, at5, at10]: Scale): number {
  return value < 5 ? at5 + ((at0 - at5) * (5 - value)) / 5 : at5 - ((at5 - at10) * (value - 5)) / 5
}

function valueAt(time: number, [at0, at5, at10]: Scale): number {
  return time > at5 ? 5 - (5 * (time - at5)) / (at0 - at5) : 5 + (5 * (at5 - time)) / (at5 - at10)
}

/** Why stars are those without the mods (D-93). */
export const noRatingWith = (mods: Mods): string =>
  `the platform has no rating with ${mods.length > 1 ? 'them' : 'it'}`

/**
 * The ends and the average of some star ratings as stats give them: 2 decimals; null without any. 0 is none: it stands for
 * unknown, as the platform has it of a new upload.
 */
export function starStats(stars: readonly number[]) {
  const rated = stars.filter((each) => each > 0)
  if (rated.length === 0) return { srMin: null, srMax: null, srAvg: null }
  const sum = rated.reduce((total, each) => total + each, 0)
  return {
    srMin: roundHalfUp(Math.min(...rated), 2),
    srMax: roundHalfUp(Math.max(...rated), 2),
    srAvg: roundHalfUp(sum / rated.length, 2),
  }
}

/** A sum or quotient of stored values has so many significant digits; what comes after is noise. */
const DIGITS = 12
/** Of a value: further from a half, noise does not decide. */
const NOISE = 10 ** (1 - DIGITS)

/** Rounds a number from 0 on as on paper (D-32): 5.705 is 5.71, although its nearest binary number is less. */
export function roundHalfUp(value: number, decimals: number): number {
  const scale = 10 ** decimals
  const scaled = value * scale
  const size = Math.abs(scaled)
  // Writing and reading digits costs more than everything else.
  const isNearHalf = Math.abs((size % 1) - 0.5) <= size * NOISE
  return Math.round(isNearHalf ? Number(scaled.toPrecision(DIGITS)) : scaled) / scale
}
