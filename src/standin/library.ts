import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import data from './beatmaps.json' with { type: 'json' }
import { type AskedRating, factors, isRated, type Mode, modes, movingMods } from './mods.ts'

/** From the worst on; `ranked` of a row is its place, `graveyard` being −2. */
const statuses = [
  'graveyard',
  'wip',
  'pending',
  'ranked',
  'approved',
  'qualified',
  'loved',
] as const

/** Whether the platform keeps scores, and so everything about a rating. */
export function hasLeaderboard(status: (typeof statuses)[number]): boolean {
  return statuses.indexOf(status) > 2
}

const numberOrNull = Type.Unsafe<number | null>({ type: ['number', 'null'] })

/** What is known of a beatmap, all without mods; the rest is made up. */
export const KnownBeatmap = Type.Partial(
  Type.Object(
    {
      set: Type.Integer(),
      artist: Type.String(),
      title: Type.String(),
      creator: Type.String(),
      version: Type.String(),
      mode: Type.Enum(modes),
      stars: Type.Number(),
      seconds: Type.Integer(),
      bpm: numberOrNull,
      combo: numberOrNull,
      status: Type.Enum(statuses),
      /** Taken from downloads, wholly or with the platform's word on it alone. */
      takedown: Type.Enum(['disabled', 'information', 'none']),
      /** By the mods that affect the rating, in the order EZ HD HR DT HT FL: `DT`, `HR,DT`. */
      ratings: Type.Record(Type.String(), Type.Number()),
    },
    { additionalProperties: false },
  ),
)
export type KnownBeatmap = Static<typeof KnownBeatmap>
type BeatmapFacts = Required<Omit<KnownBeatmap, 'ratings'>>

type PoolRow = [
  id: number,
  set: number,
  artist: string,
  title: string,
  creator: string,
  version: string,
]
/**
 * The pools of the osu! World Cup 2023 (Qualifiers, Finals, Grand Finals), as facts; no ratings are known. Some of 2020
 * are in `earlierPools`.
 */
export const poolRows = data.pools as PoolRow[]

const realBeatmaps = new Map<number, KnownBeatmap>(
  [...poolRows, ...(data.earlierPools as PoolRow[])].map(
    ([id, set, artist, title, creator, version]) => [
      id,
      { set, artist, title, creator, version, mode: 'osu' },
    ],
  ),
)
// Measured on the real platform; a field that is missing was not noted.
for (const [id, facts] of Object.entries(data.measured)) {
  realBeatmaps.set(Number(id), { ...realBeatmaps.get(Number(id)), ...(facts as KnownBeatmap) })
}

/** All beatmaps: real facts, made-up ones, and the changes made to this stand-in. */
export function createLibrary() {
  const changed = new Map<number, KnownBeatmap>()
  const gone = new Set<number>()
  const known = (id: number): KnownBeatmap => ({ ...realBeatmaps.get(id), ...changed.get(id) })

  return {
    /** undefined: there is no such beatmap. */
    find: (id: number): BeatmapFacts | undefined => {
      // Ids from 10,000,000 on do not exist, unless a test has added a beatmap.
      const exists = changed.has(id) || (id >= 1 && id < 10_000_000)
      return exists && !gone.has(id) ? completeFacts(id, known(id)) : undefined
    },
    /** The rating of an existing beatmap in a ruleset, its own or one it converts to; 0 where none is stored. */
    rate: (id: number, facts: BeatmapFacts, asked: AskedRating): number => {
      const { mode } = asked
      const isOwn = mode === facts.mode
      const ratings = isOwn ? (known(id).ratings ?? {}) : {}
      const moving = movingMods(asked)
      const exact = ratings[moving.join(',')]
      if (exact !== undefined) return exact
      if (!isRated(asked, isOwn)) return 0
      const withDt = moving.includes('DT') ? ratings['DT'] : undefined
      const start = withDt ?? facts.stars * (isOwn ? 1 : 0.8)
      const others = withDt === undefined ? moving : moving.filter((mod) => mod !== 'DT')
      return round(start * modFactor(id, mode, others), 5)
    },
    /** Overrides facts of a beatmap, or adds one. */
    change: (id: number, facts: KnownBeatmap): void => {
      changed.set(id, { ...changed.get(id), ...facts })
    },
    remove: (ids: readonly number[]): void => ids.forEach((id) => gone.add(id)),
    /** Undoes every change and deletion. */
    restore: (): void => {
      changed.clear()
      gone.clear()
    },
  }
}

/** What is known, and plausible values for the rest. */
function completeFacts(id: number, known: KnownBeatmap): BeatmapFacts {
  // Made-up sets, of three beatmaps each, are numbered far above real ones, so that no set has two titles.
  const set = known.set ?? 5_000_000 + Math.floor(id / 3)
  const mode = known.mode ?? makeMode(id)
  const stars = known.stars ?? makeStars(id, mode, known)
  const seconds = known.seconds ?? between(id, 'seconds', 55, 330)
  const { artists, firstWords, secondWords, creators } = data.madeUp
  const title = `${pick(set, 'first', firstWords)} ${pick(set, 'second', secondWords)} (made up)`
  return {
    set,
    artist: known.artist ?? pick(set, 'artist', artists),
    title: known.title ?? title,
    creator: known.creator ?? pick(set, 'creator', creators),
    version: known.version ?? difficultyName(stars),
    mode,
    stars,
    seconds,
    bpm: known.bpm === undefined ? makeBpm(id) : known.bpm,
    combo: known.combo === undefined ? makeCombo(id, seconds) : known.combo,
    status: known.status ?? pick(set, 'status', madeStatuses),
    takedown: known.takedown ?? (roll(set, 'download') < 0.02 ? 'disabled' : 'none'),
  }
}

const madeStatuses = [
  ...(['ranked', 'ranked', 'ranked', 'loved', 'approved', 'graveyard', 'pending'] as const),
]

const makeCombo = (id: number, seconds: number) =>
  Math.round(seconds * between(id, 'combo', 2, 7, 2))

const LEAST_LONG = 100_000

function makeMode(id: number): Mode {
  const chance = roll(id, 'mode')
  // Pools have ids that are long, and one ruleset.
  const others = id < LEAST_LONG ? 0.15 : 0.005
  if (chance < 1 - others) return 'osu'
  if (chance < 1 - others * (0.09 / 0.15)) return 'mania'
  return chance < 1 - others * (0.04 / 0.15) ? 'taiko' : 'fruits'
}

function makeStars(id: number, mode: Mode, { ratings, title }: KnownBeatmap): number {
  const withDt = ratings?.['DT']
  if (withDt !== undefined) return round(withDt / modFactor(id, mode, ['DT']), 5)
  // Beatmaps of tournaments are hard; the rest is spread.
  const [low, high] = title === undefined ? [1.3, 8.2] : [5.6, 8.1]
  return between(id, 'stars', low, high, 5)
}

function makeBpm(id: number): number | null {
  const chance = roll(id, 'kind of bpm')
  return chance < 0.02 ? null : between(id, 'bpm', 90, 260, chance < 0.2 ? 2 : 0)
}

function difficultyName(stars: number): string {
  const above = { Extra: 6.5, Expert: 5.3, Insane: 4, Hard: 2.7, Normal: 2 }
  return Object.entries(above).find(([, least]) => stars >= least)?.[0] ?? 'Easy'
}

function modFactor(id: number, mode: Mode, moving: readonly string[]): number {
  return moving.reduce((product, mod) => {
    const [low = 1, high = 1] = factors[mode][mod] ?? []
    return product * between(id, `factor ${mode} ${mod}`, low, high, 3)
  }, 1)
}

export type BeatmapRow = ReturnType<typeof makeRow>

/** A beatmap as the platform sends it: lengths in seconds and BPM, both without mods. */
export function makeRow(id: number, facts: BeatmapFacts, assetsUrl: string) {
  const { set, title, artist, creator, version, mode, stars, seconds, bpm, status } = facts
  const md5 = createHash('md5').update(`standin ${id}`).digest('hex')
  const keys = pick(id, 'keys', [4, 7])
  const owner = between(set, 'owner', 1, 9_000_000)
  return {
    id,
    beatmapset_id: set,
    user_id: owner,
    // The platform puts the number of keys in front.
    version: mode === 'mania' ? `[${keys}K] ${version}` : version,
    difficulty_rating: stars,
    mode,
    mode_int: modes.indexOf(mode),
    convert: false,
    lazer_only: false,
    status,
    ranked: statuses.indexOf(status) - 2,
    is_scoreable: hasLeaderboard(status),
    total_length: seconds,
    hit_length: seconds - Math.min(between(id, 'breaks', 0, 20), seconds),
    bpm,
    cs: mode === 'mania' ? keys : between(id, 'cs', 3, 5, 1),
    ar: between(id, 'ar', 5, 10, 1),
    accuracy: between(id, 'accuracy', 4, 10, 1),
    drain: between(id, 'drain', 3, 8, 1),
    max_combo: facts.combo,
    checksum: roll(id, 'checksum') < 0.01 ? null : md5,
    last_updated: makeDate(id),
    deleted_at: null,
    current_user_playcount: 0,
    owners: [{ id: owner, username: creator }],
    beatmapset: {
      id: set,
      user_id: owner,
      title,
      title_unicode: title,
      artist,
      artist_unicode: artist,
      creator,
      anime_cover: false,
      status,
      source: pick(set, 'source', ['', '', 'a made-up game']),
      tags: 'standin made-up tags',
      nsfw: roll(set, 'nsfw') < 0.03,
      track_id: roll(set, 'track') < 0.1 ? between(set, 'track id', 1, 9000) : null,
      availability: {
        download_disabled: facts.takedown === 'disabled',
        more_information: facts.takedown === 'information' ? 'https://takedown.invalid/' : null,
      },
      covers: makeCovers(`${assetsUrl}/beatmaps/${set}/covers`),
    },
  }
}

export const coverSizes: Readonly<Record<string, readonly [width: number, height: number]>> = {
  cover: [900, 250],
  card: [400, 140],
  list: [150, 150],
  slimcover: [1920, 360],
}

function makeCovers(url: string): Record<string, string> {
  const names = Object.keys(coverSizes).flatMap((kind) => [kind, `${kind}@2x`])
  return Object.fromEntries(names.map((name) => [name, `${url}/${name}.jpg`]))
}

function makeDate(id: number): string {
  const part = (name: string, low: number, high: number): string =>
    String(between(id, name, low, high)).padStart(2, '0')
  const day = `${part('year', 2009, 2025)}-${part('month', 1, 12)}-${part('day', 1, 28)}`
  return `${day}T${part('hour', 0, 23)}:${part('minute', 0, 59)}:00Z`
}

/** A number in [0, 1) that looks random, and is the same in every run, or cached values would seem wrong. */
export function roll(id: number, purpose: string): number {
  let hash = 2_166_136_261
  for (const sign of `${purpose} ${id}`) {
    hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16_777_619)
  }
  // Neighbouring ids differ in their last digit alone; without mixing they would get neighbouring values.
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507)
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** A number from `low` to `high`, rounded to the decimals. */
function between(id: number, purpose: string, low: number, high: number, decimals = 0): number {
  return round(low + roll(id, purpose) * (high - low), decimals)
}

function pick<T>(id: number, purpose: string, list: readonly T[]): T {
  return list[Math.floor(roll(id, purpose) * list.length)]!
}

function round(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals
}
