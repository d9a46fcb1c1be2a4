import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { askedIds, type Gate } from './control.ts'
import { between, pick, roll } from './dice.ts'
import { answers, sendAnswer } from './faults.ts'
import { refusedMod } from './library.ts'
import { needScope } from './oauth.ts'
import { type BeatmapFacts, type Mode, modes } from './real-beatmaps.ts'
import type { State } from './state.ts'

/** Beatmap rows by 50 and ratings one by one. */
export function beatmapRoutes(app: FastifyInstance, state: State, gate: Gate): void {
  const { library, grants, assetsUrl } = state

  app.get(
    '/api/v2/beatmaps',
    { ...gate('beatmaps'), preHandler: needScope(grants, 'public') },
    async (request, reply) => {
      const ids = [...new Set(askedIds(request))].toSorted((a, b) => a - b)
      const found = ids.flatMap((id) => {
        const facts = library.find(id)
        return facts === undefined ? [] : [makeRow(id, facts, assetsUrl)]
      })
      return reply.send({ beatmaps: found })
    },
  )

  app.post(
    '/api/v2/beatmaps/:id/attributes',
    { ...gate('attributes'), preHandler: needScope(grants, 'public') },
    async (request, reply) => {
      const [id = 0] = askedIds(request)
      const facts = library.find(id)
      if (facts === undefined) return sendAnswer(reply, answers.missing)
      const asked = readRatingRequest(request.body, facts.mode)
      if (typeof asked === 'string') return reply.code(422).send({ error: asked })
      const stars = library.rate(id, facts, asked.mode, asked.mods)
      return {
        attributes: {
          star_rating: stars,
          max_combo: makeRow(id, facts, assetsUrl).max_combo,
          aim_difficulty: stars / 2,
        },
      }
    },
  )
}

type RatingRequest = { readonly mode: Mode; readonly mods: readonly string[] }

/**
 * What the body of an attributes call asks for, or why it is refused (422).
 * @param own the beatmap's ruleset; only an `osu` beatmap converts to another one.
 */
function readRatingRequest(body: unknown, own: Mode): RatingRequest | string {
  const { mods = [], ruleset = own } = (body ?? {}) as { mods?: unknown; ruleset?: unknown }
  const mode = modes.find((name) => name === ruleset)
  if (mode === undefined) return 'invalid ruleset'
  if (mode !== own && own !== 'osu') return `a beatmap of ${own} cannot be converted to ${mode}`
  if (!Array.isArray(mods)) return 'mods must be a list'
  const names = mods.map(String)
  const refused = refusedMod(mode, names)
  return refused === undefined ? { mode, mods: names } : `invalid mod for ruleset: ${refused}`
}

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

const statuses = [
  'ranked',
  'ranked',
  'ranked',
  'loved',
  'approved',
  'graveyard',
  'pending',
] as const

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

const coverKinds = ['cover', 'card', 'list', 'slimcover'] as const

const makeCovers = (set: number, assetsUrl: string): Record<string, string> =>
  Object.fromEntries(
    coverKinds.flatMap((kind) =>
      ['', '@2x'].map((size) => [
        kind + size,
        `${assetsUrl}/beatmaps/${set}/covers/${kind}${size}.jpg`,
      ]),
    ),
  )

function makeDate(id: number): string {
  const day = `${between(id, 'year', 2009, 2025)}-${two(between(id, 'month', 1, 12))}-${two(between(id, 'day', 1, 28))}`
  return `${day}T${two(between(id, 'hour', 0, 23))}:${two(between(id, 'minute', 0, 59))}:00Z`
}

const two = (value: number): string => String(value).padStart(2, '0')
