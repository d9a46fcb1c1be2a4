import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Beatmap, Rating } from '../../domain/beatmaps.ts'
import { PlatformError } from '../../domain/platform.ts'
import { SingleFlight } from '../../domain/loading.ts'
import type { CallBudget, Platform } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'
import {
  createCalls,
  isBudgetSpent,
  isOwnAnswer,
  nameOf,
  unusable,
  type WireCall,
} from './calls.ts'
import { createReadPlayer } from './sign-in.ts'
import { type Ask, createAsk, type Credentials } from './tokens.ts'

const TIMEOUT_MS = 10_000

export type PlatformSettings = Credentials & {
  /** The platform's address; a path in front of `/api` and `/oauth` is kept. */
  readonly url: string
  readonly budget: CallBudget
  readonly clock: Clock
  /** For each call, from connecting to the last byte; left out: 10,000. */
  readonly timeoutMs?: number
}

/** The game platform over its wire. No error's message holds a secret, a token or a code. */
export function createPlatform(settings: PlatformSettings): Platform {
  const { budget, clock, timeoutMs = TIMEOUT_MS } = settings
  const url = settings.url.replace(/\/+$/, '')
  const makeCall = createCalls(url, timeoutMs, budget, clock)
  const ask = createAsk(makeCall, clock, settings)

  return {
    readBeatmaps: createReadBeatmaps(ask),
    readRating: createReadRating(ask),

    signInAddress(state, redirectUri) {
      const query = new URLSearchParams({
        client_id: settings.clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'identify public',
        state,
      })
      return `${url}/oauth/authorize?${query.toString()}`
    },

    readPlayer: createReadPlayer(makeCall, url, settings),
  }
}

/** The platform silently cuts what is beyond, and what is missing from an answer counts as gone. */
const MAX_IDS = 50

const Size = Type.Number({ minimum: 0, maximum: 1e9 })
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A beatmap as it comes over the wire; what we do not use may be anything. */
const BeatmapRow = Type.Object({
  id: Id,
  beatmapset_id: Id,
  version: Type.String(),
  difficulty_rating: Size,
  // The platform's first ruleset is `base` everywhere else (D-2).
  mode: Type.Enum(['osu', 'taiko', 'fruits', 'mania']),
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
 * A row that cannot be read makes the whole answer an error: left out it would look like a beatmap that
 * is gone. A caller who needs the others asks again for fewer at a time.
 */
function createReadBeatmaps(ask: Ask): Platform['readBeatmaps'] {
  const reads = new SingleFlight<readonly Beatmap[]>(isBudgetSpent)

  return async (ids, caller, sharedBy = caller) => {
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
      const open = new Set(sorted)
      if (beatmaps.every(({ id }) => open.delete(id))) return beatmaps
      throw new PlatformError(`${nameOf(call)} answered 200, with rows that were not asked for`)
    }
    return reads.run(`${sharedBy}\n${sorted.join(' ')}`, read, caller)
  }
}

/** 404 and 422 count only as the platform's own JSON: a proxy's error page says nothing of beatmaps. */
function createReadRating(ask: Ask): Platform['readRating'] {
  const reads = new SingleFlight<Rating>(isBudgetSpent)

  return async ({ beatmapId, ruleset, mods }, caller, sharedBy = caller) => {
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
    const key = `${sharedBy}\n${beatmapId} ${ruleset} ${mods.join(' ')}`
    return reads.run(key, read, caller)
  }
}

export function toBeatmap(row: Static<typeof BeatmapRow>): Beatmap {
  const { beatmapset: set } = row
  return {
    id: row.id,
    setId: row.beatmapset_id,
    ruleset: row.mode === 'osu' ? 'base' : row.mode,
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

/** Text that every store can hold: one refuses U+0000, and most change a lone surrogate. */
function clean(text: string): string {
  return text.toWellFormed().replaceAll('\0', '')
}
