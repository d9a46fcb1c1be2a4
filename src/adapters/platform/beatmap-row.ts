import { type Static, type TSchema, Type } from 'typebox'
import type { Beatmap } from '../../domain/beatmaps.ts'
import { fromWire, wireRulesets } from './ruleset-names.ts'

const Size = Type.Number({ minimum: 0, maximum: 1e9 })
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const BeatmapSetRow = Type.Object({
  title: Type.String(),
  title_unicode: Type.Optional(orNull(Type.String())),
  artist: Type.String(),
  artist_unicode: Type.Optional(orNull(Type.String())),
  creator: Type.String(),
})

/** A beatmap as it comes over the wire; what we do not use may be anything. */
export const BeatmapRow = Type.Object({
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
  beatmapset: BeatmapSetRow,
})
export type BeatmapRow = Static<typeof BeatmapRow>

/** Text that every store can hold: one refuses U+0000, and most change a lone surrogate. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '')

/** The beatmap that a row tells of. */
export const toBeatmap = (row: BeatmapRow): Beatmap => {
  const { beatmapset: set } = row
  return {
    id: row.id,
    setId: row.beatmapset_id,
    ruleset: fromWire(row.mode),
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
