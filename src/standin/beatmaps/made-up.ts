import { between, pick, roll, round } from './dice.ts'
import type { BeatmapFacts, KnownBeatmap, Mode } from './facts.ts'
import { modFactor } from './mods.ts'

/** Made-up sets count from here, far above real ones, so that no set has two titles. */
const FIRST_MADE_UP_SET = 5_000_000
const DIFFICULTIES_OF_A_SET = 3

const first = [
  'Amber',
  'Glass',
  'Hollow',
  'Midnight',
  'Paper',
  'Silver',
  'Violet',
  'Winter',
] as const
const second = ['Carousel', 'Harbour', 'Lantern', 'Meridian', 'Parade', 'Signal', 'Tide'] as const
const bands = [
  'Blue Static',
  'Kaze & Ko',
  'Nine Rivers',
  'The Paper Cranes',
  'vela feat. Ono',
] as const
const mappers = ['arbor', 'Fennec-', 'kumo_no_ue', 'Lindgrove', '[ quartz ]', 'Tideline'] as const

const names: ReadonlyArray<readonly [below: number, name: string]> = [
  [2, 'Easy'],
  [2.7, 'Normal'],
  [4, 'Hard'],
  [5.3, 'Insane'],
  [6.5, 'Expert'],
]

const difficultyName = (stars: number): string =>
  names.find(([below]) => stars < below)?.[1] ?? 'Extra'

const makeMode = (id: number): Mode => {
  const chance = roll(id, 'mode')
  if (chance < 0.85) return 'osu'
  if (chance < 0.91) return 'mania'
  return chance < 0.96 ? 'taiko' : 'fruits'
}

const makeStars = (id: number, mode: Mode, known: KnownBeatmap): number => {
  const withDt = known.ratings?.['DT']
  if (withDt !== undefined) return round(withDt / modFactor(id, mode, ['DT']), 5)
  // What a tournament plays is hard; the rest is spread.
  return known.title === undefined
    ? between(id, 'stars', 1.3, 8.2, 5)
    : between(id, 'stars', 5.6, 8.1, 5)
}

const makeBpm = (id: number): number | null => {
  const chance = roll(id, 'kind of bpm')
  if (chance < 0.02) return null
  return between(id, 'bpm', 90, 260, chance < 0.2 ? 2 : 0)
}

/** A beatmap's facts: what is known, and plausible values for the rest. A made-up title says so. */
export const completeFacts = (id: number, known: KnownBeatmap = {}): BeatmapFacts => {
  const set = known.set ?? FIRST_MADE_UP_SET + Math.floor(id / DIFFICULTIES_OF_A_SET)
  const mode = known.mode ?? makeMode(id)
  const stars = known.stars ?? makeStars(id, mode, known)
  return {
    set,
    artist: known.artist ?? pick(set, 'artist', bands),
    title: known.title ?? `${pick(set, 'first', first)} ${pick(set, 'second', second)} (made up)`,
    creator: known.creator ?? pick(set, 'creator', mappers),
    version: known.version ?? difficultyName(stars),
    mode,
    stars,
    seconds: known.seconds ?? between(id, 'seconds', 55, 330),
    bpm: known.bpm === undefined ? makeBpm(id) : known.bpm,
  }
}
