import { between, pick, roll, round } from './dice.ts'
import { type BeatmapFacts, type KnownBeatmap, type Mode, realBeatmaps } from './real-beatmaps.ts'

/** Ids from here on do not exist, unless somebody has put a beatmap there. */
const FIRST_MISSING_ID = 10_000_000

/**
 * All beatmaps: real facts, made-up ones, and what tests have changed. Each stand-in has its own, so that
 * changes do not leak between tests.
 */
export function createLibrary() {
  const changed = new Map<number, KnownBeatmap>()
  const gone = new Set<number>()

  const known = (id: number): KnownBeatmap => ({ ...realBeatmaps.get(id), ...changed.get(id) })

  const exists = (id: number): boolean =>
    Number.isSafeInteger(id) &&
    id >= 1 &&
    !gone.has(id) &&
    (id < FIRST_MISSING_ID || changed.has(id))

  /** undefined: there is no such beatmap. */
  const find = (id: number): BeatmapFacts | undefined =>
    exists(id) ? completeFacts(id, known(id)) : undefined

  /** The rating of an existing beatmap in a ruleset, its own or one it converts to. */
  const rate = (id: number, facts: BeatmapFacts, mode: Mode, mods: readonly string[]): number => {
    const moving = movingMods(mode, mods)
    const ratings = mode === facts.mode ? (known(id).ratings ?? {}) : {}
    const exact = ratings[moving.join(',')]
    if (exact !== undefined) return exact
    const start = mode === facts.mode ? facts.stars : facts.stars * 0.8
    const withDt = moving.includes('DT') ? ratings['DT'] : undefined
    const rating =
      withDt === undefined
        ? start * modFactor(id, mode, moving)
        : withDt *
          modFactor(
            id,
            mode,
            moving.filter((mod) => mod !== 'DT'),
          )
    return round(rating, 5)
  }

  return {
    find,
    rate,
    /** Overrides facts of a beatmap, or puts one where none is. */
    change: (id: number, facts: KnownBeatmap) => {
      changed.set(id, { ...changed.get(id), ...facts })
    },
    /** From now on these are deleted. */
    remove: (ids: readonly number[]) => {
      for (const id of ids) gone.add(id)
    },
    /** Undoes every change and deletion. */
    restore: () => {
      changed.clear()
      gone.clear()
    },
  }
}

/** Made-up sets count from here, far above real ones, so that no set has two titles. */
const FIRST_MADE_UP_SET = 5_000_000

const DIFFICULTIES_OF_A_SET = 3

/** A beatmap's facts: what is known, and plausible values for the rest. A made-up title says so. */
function completeFacts(id: number, known: KnownBeatmap = {}): BeatmapFacts {
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

function makeMode(id: number): Mode {
  const chance = roll(id, 'mode')
  if (chance < 0.85) return 'osu'
  if (chance < 0.91) return 'mania'
  return chance < 0.96 ? 'taiko' : 'fruits'
}

function makeStars(id: number, mode: Mode, known: KnownBeatmap): number {
  const withDt = known.ratings?.['DT']
  if (withDt !== undefined) return round(withDt / modFactor(id, mode, ['DT']), 5)
  // What a tournament plays is hard; the rest is spread.
  return known.title === undefined
    ? between(id, 'stars', 1.3, 8.2, 5)
    : between(id, 'stars', 5.6, 8.1, 5)
}

function makeBpm(id: number): number | null {
  const chance = roll(id, 'kind of bpm')
  if (chance < 0.02) return null
  return between(id, 'bpm', 90, 260, chance < 0.2 ? 2 : 0)
}

const names: ReadonlyArray<readonly [below: number, name: string]> = [
  [2, 'Easy'],
  [2.7, 'Normal'],
  [4, 'Hard'],
  [5.3, 'Insane'],
  [6.5, 'Expert'],
]

const difficultyName = (stars: number): string =>
  names.find(([below]) => stars < below)?.[1] ?? 'Extra'

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

/** The first mod that the ruleset does not take; undefined when it takes all. */
export const refusedMod = (mode: Mode, mods: readonly string[]): string | undefined =>
  mods.find((mod) => !accepted[mode].has(mod))

/** The mods that move the rating in this ruleset, each once, in the order EZ HD HR DT HT FL. */
function movingMods(mode: Mode, mods: readonly string[]): string[] {
  const asked = new Set(mods.map((mod) => sameSpeedAs[mod] ?? mod))
  return order.filter((mod) => asked.has(mod) && factors[mode][mod] !== undefined)
}

/** By how much these mods multiply the rating of one beatmap. */
const modFactor = (id: number, mode: Mode, moving: readonly string[]): number =>
  moving.reduce((product, mod) => {
    const [low, high] = factors[mode][mod] ?? [1, 1]
    return product * between(id, `factor ${mode} ${mod}`, low, high, 3)
  }, 1)

const common = ['EZ', 'NF', 'HT', 'DC', 'HR', 'SD', 'PF', 'DT', 'NC', 'HD', 'FL', 'CL', 'MU', 'NM']

/** What the platform takes for a ruleset; anything else is refused with 422. */
const accepted: Readonly<Record<Mode, ReadonlySet<string>>> = {
  osu: new Set([...common, 'SO', 'TD', 'BL', 'TC']),
  taiko: new Set([...common, 'SW', 'SG']),
  fruits: new Set([...common, 'MR', 'FF']),
  mania: new Set([...common, 'FI', 'CO', 'MR', '4K', '5K', '6K', '7K', '8K', '9K']),
}

type Span = readonly [low: number, high: number]

/** By how much a mod multiplies the rating; a mod that is missing here leaves it as it is. */
const factors: Readonly<Record<Mode, Readonly<Record<string, Span>>>> = {
  osu: {
    EZ: [0.9, 0.97],
    HD: [1.01, 1.03],
    HR: [1.03, 1.12],
    DT: [1.38, 1.46],
    HT: [0.74, 0.8],
    FL: [1.1, 1.3],
  },
  taiko: { EZ: [0.95, 0.99], HR: [1.01, 1.05], DT: [1.25, 1.35], HT: [0.78, 0.84] },
  fruits: { EZ: [0.82, 0.9], HR: [1.08, 1.2], DT: [1.32, 1.4], HT: [0.76, 0.82] },
  mania: { DT: [1.3, 1.4], HT: [0.78, 0.84] },
}

const order = ['EZ', 'HD', 'HR', 'DT', 'HT', 'FL']

const sameSpeedAs: Readonly<Record<string, string>> = { NC: 'DT', DC: 'HT' }
