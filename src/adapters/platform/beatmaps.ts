import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Ruleset } from '../../contract/mods.ts'
import type { Beatmap, Rating, RatingKey } from '../../domain/beatmaps.ts'
import { PlatformError } from '../../domain/platform.ts'
import { SingleFlight } from '../../domain/single-flight.ts'
import type { Platform } from '../../ports/platform.ts'
import { BudgetSpent, nameOf, unusable, type WireAnswer, type WireCall } from './calls.ts'
import type { Ask } from './tokens.ts'

/** The platform silently cuts what is beyond, and what is missing from an answer counts as gone. */
const MAX_IDS = 50

/** The platform's names of the rulesets; its first is `base` everywhere else (D-2). */
const wireRulesets = ['osu', 'taiko', 'fruits', 'mania'] as const

const Size = Type.Number({ minimum: 0, maximum: 1e9 })
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A beatmap as it comes over the wire; what we do not use may be anything. */
const BeatmapRow = Type.Object({
  id: Id,
  beatmapset_id: Id,
  version: Type.String(),
  difficulty_rating: Size,
  mode: Type.Enum(wireRulesets),
  status: Type.String(),
  total_length: Size,
  bpm: orNull(Size),
  cs: Type.Number(),
  ar: Type.Number(),
  accuracy: Type.Number(),
  drain: Type.Number(),
  max_combo: Type.Optional(orNull(Type.Integer())),
  checksum: Type.Optional(orNull(Type.String())),
  beatmapset: Type.Object({
    title: Type.String(),
    title_unicode: Type.Optional(orNull(Type.String())),
    artist: Type.String(),
    artist_unicode: Type.Optional(orNull(Type.String())),
    creator: Type.String(),
  }),
})

const rows = Compile(Type.Object({ beatmaps: Type.Array(BeatmapRow) }))

const attributes = Compile(Type.Object({ attributes: Type.Object({ star_rating: Size }) }))

/**
 * Beatmaps by 50. Absent means nonexistent, so an answer counts only as a whole: one row that
 * cannot be read makes the whole answer an error: left out, it would look like a beatmap that is gone.
 * Who must have the others asks again for fewer at a time.
 */
export function createReadBeatmaps(ask: Ask): Platform['readBeatmaps'] {
  const reads = new SingleFlight<readonly Beatmap[]>((error) => error instanceof BudgetSpent)

  return async (ids, caller) => {
    if (ids.length > MAX_IDS) throw new RangeError(`at most ${MAX_IDS} ids, not ${ids.length}`)
    if (ids.length === 0) return []
    const sorted = ids.toSorted((a, b) => a - b)
    const call: WireCall = {
      method: 'GET',
      path: '/api/v2/beatmaps',
      query: new URLSearchParams(sorted.map((id) => ['ids[]', String(id)])),
    }
    const read = async () => {
      const answer = await ask(call, caller)
      if (answer.status !== 200 || !rows.Check(answer.json)) throw unusable(call, answer)
      const beatmaps = answer.json.beatmaps.map(toBeatmap)
      if (wereAskedFor(beatmaps, sorted)) return beatmaps
      throw new PlatformError(`${nameOf(call)} answered 200, with rows that were not asked for`)
    }
    return reads.run(sorted.join(' '), read, caller)
  }
}

/**
 * Ratings with mods, one call each. 404 and 422 are the platform's word on a beatmap only when they
 * come as its own JSON: the error page of a proxy before it says nothing of beatmaps.
 */
export function createReadRating(ask: Ask): Platform['readRating'] {
  const reads = new SingleFlight<Rating>((error) => error instanceof BudgetSpent)

  return async ({ beatmapId, ruleset, mods }: RatingKey, caller) => {
    const call: WireCall = {
      method: 'POST',
      path: `/api/v2/beatmaps/${beatmapId}/attributes`,
      body: { mods, ruleset: ruleset === 'base' ? 'osu' : ruleset },
    }
    const read = async (): Promise<Rating> => {
      const answer = await ask(call, caller)
      const { status, json } = answer
      if (status === 200 && attributes.Check(json)) return { stars: json.attributes.star_rating }
      if (status === 404 && isOwnAnswer(answer)) return 'gone'
      if (status === 422 && isOwnAnswer(answer)) return 'refused'
      throw unusable(call, answer)
    }
    return reads.run(`${beatmapId} ${ruleset} ${mods.join(' ')}`, read, caller)
  }
}

/** The beatmap that a row tells of. */
export function toBeatmap(row: Static<typeof BeatmapRow>): Beatmap {
  const { beatmapset: set } = row
  return {
    id: row.id,
    setId: row.beatmapset_id,
    ruleset: toRuleset(row.mode),
    difficulty: clean(row.version),
    stars: row.difficulty_rating,
    length: row.total_length,
    bpm: row.bpm,
    circleSize: row.cs,
    approachRate: row.ar,
    overallDifficulty: row.accuracy,
    healthDrain: row.drain,
    maxCombo: row.max_combo ?? null,
    checksum: row.checksum ?? null,
    status: clean(row.status),
    title: clean(set.title),
    titleUnicode: clean(set.title_unicode ?? set.title),
    artist: clean(set.artist),
    artistUnicode: clean(set.artist_unicode ?? set.artist),
    mapper: clean(set.creator),
  }
}

function toRuleset(name: (typeof wireRulesets)[number]): Ruleset {
  return name === 'osu' ? 'base' : name
}

/** Text that every store can hold: one refuses U+0000, and most change a lone surrogate. */
function clean(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}

/** Whether these are beatmaps that were asked for, each once. */
function wereAskedFor(beatmaps: readonly Beatmap[], ids: readonly number[]): boolean {
  const open = new Set(ids)
  return beatmaps.every(({ id }) => open.delete(id))
}

/** JSON of an object: what all the platform's own answers are, its errors included. */
function isOwnAnswer({ json }: WireAnswer): boolean {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
