import { createHash } from 'node:crypto'
import { between, pick, roll } from './dice.ts'
import { type BeatmapFacts, modes } from './facts.ts'

const statuses = [
  'ranked',
  'ranked',
  'ranked',
  'loved',
  'approved',
  'graveyard',
  'pending',
] as const
const coverKinds = ['cover', 'card', 'list', 'slimcover'] as const

const two = (value: number): string => String(value).padStart(2, '0')

const makeDate = (id: number): string => {
  const day = `${between(id, 'year', 2009, 2025)}-${two(between(id, 'month', 1, 12))}-${two(between(id, 'day', 1, 28))}`
  return `${day}T${two(between(id, 'hour', 0, 23))}:${two(between(id, 'minute', 0, 59))}:00Z`
}

const makeCovers = (set: number, assetsUrl: string): Record<string, string> =>
  Object.fromEntries(
    coverKinds.flatMap((kind) =>
      ['', '@2x'].map((size) => [
        kind + size,
        `${assetsUrl}/beatmaps/${set}/covers/${kind}${size}.jpg`,
      ]),
    ),
  )

const makeSet = ({ set, title, artist, creator }: BeatmapFacts, assetsUrl: string) => ({
  id: set,
  title,
  title_unicode: title,
  artist,
  artist_unicode: artist,
  creator,
  source: pick(set, 'source', ['', '', 'a made-up game']),
  tags: 'standin made-up tags',
  nsfw: roll(set, 'nsfw') < 0.03,
  track_id: roll(set, 'track') < 0.1 ? between(set, 'track id', 1, 9000) : null,
  availability: { download_disabled: roll(set, 'download') < 0.02, more_information: null },
  covers: makeCovers(set, assetsUrl),
})

/** A beatmap as the platform sends it: lengths in seconds and BPM, both without mods. */
export const makeRow = (id: number, facts: BeatmapFacts, assetsUrl: string) => ({
  id,
  beatmapset_id: facts.set,
  version: facts.version,
  difficulty_rating: facts.stars,
  mode: facts.mode,
  mode_int: modes.indexOf(facts.mode),
  status: pick(facts.set, 'status', statuses),
  total_length: facts.seconds,
  hit_length: facts.seconds - Math.min(between(id, 'breaks', 0, 20), facts.seconds),
  bpm: facts.bpm,
  cs: facts.mode === 'mania' ? pick(id, 'keys', [4, 7]) : between(id, 'cs', 3, 5, 1),
  ar: between(id, 'ar', 5, 10, 1),
  accuracy: between(id, 'accuracy', 4, 10, 1),
  drain: between(id, 'drain', 3, 8, 1),
  max_combo: Math.round(facts.seconds * between(id, 'combo', 2, 7, 2)),
  checksum:
    roll(id, 'checksum') < 0.01 ? null : createHash('md5').update(`standin ${id}`).digest('hex'),
  last_updated: makeDate(id),
  beatmapset: makeSet(facts, assetsUrl),
})
export type BeatmapRow = ReturnType<typeof makeRow>
