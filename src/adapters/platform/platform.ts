import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { PLATFORM_TEXT_LENGTH } from '../../contract/bounds.ts'
import type { Beatmap, Rating } from '../../domain/beatmaps.ts'
import { SingleFlight } from '../../domain/loading.ts'
import type { CallBudget, Platform } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'
import { createCalls, isBudgetSpent, type WireCall } from './calls.ts'
import { createReadPlayer } from './sign-in.ts'
import { type Ask, createAsk, type Credentials } from './tokens.ts'

const TIMEOUT_MS = 10_000

export type PlatformSettings = Credentials & {
  /** The platform's address; a path in front of `/api` and `/oauth` is kept. */
  readonly url: string
  /** How calls name this installation; left out: without version and address. */
  readonly userAgent?: string
  readonly budget: CallBudget
  readonly clock: Clock
  /** For each call, from connecting to the last byte; left out: 10,000. */
  readonly timeoutMs?: number
}

/** The game platform over its wire. No error's message holds a secret, a token or a code. */
export function createPlatform(settings: PlatformSettings): Platform {
  const { clock, timeoutMs = TIMEOUT_MS, userAgent = 'Mapcrate' } = settings
  const url = settings.url.replace(/\/+$/, '')
  const calls = createCalls({ ...settings, url, timeoutMs, userAgent })
  const ask = createAsk(calls, clock, settings)

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

    readPlayer: createReadPlayer(calls, clock, url, settings),
  }
}

/** The platform silently cuts what is beyond, and what is missing from an answer counts as gone. */
const MAX_IDS = 50

const Size = Type.Number({ minimum: 0, maximum: 1e9 })
const Setting = Type.Number({ minimum: -1e9, maximum: 1e9 })
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
  cs: Setting,
  ar: Setting,
  accuracy: Setting,
  drain: Setting,
  max_combo: Type.Optional(orNull(Type.Integer({ minimum: -1e9, maximum: 1e9 }))),
  checksum: Type.Optional(orNull(Type.String())),
  beatmapset: Type.Object({
    title: Type.String(),
    title_unicode: Type.Optional(orNull(Type.String())),
    artist: Type.String(),
    artist_unicode: Type.Optional(orNull(Type.String())),
    creator: Type.String(),
  }),
})

const Rows = Type.Object({ beatmaps: Type.Array(BeatmapRow) })
const rows = Compile(Rows)

/** A platform that computes ratings itself answers -1 for a beatmap that it cannot load (D-93). */
const NOT_COMPUTED = -1
const Attributes = Type.Object({
  attributes: Type.Object({ star_rating: Type.Union([Size, Type.Literal(NOT_COMPUTED)]) }),
})
const attributes = Compile(Attributes)

/**
 * A row that cannot be read makes the whole answer an error: left out it would look like a beatmap that
 * is gone. A caller who needs the others asks again for fewer at a time.
 */
function createReadBeatmaps(ask: Ask): Platform['readBeatmaps'] {
  const reads = new SingleFlight<readonly Beatmap[]>(isBudgetSpent)

  return async (ids, caller, sharedBy = caller) => {
    if (ids.length > MAX_IDS) throw new RangeError(`at most ${MAX_IDS} ids, not ${ids.length}`)
    if (ids.length === 0) return []
    // One that is asked for twice would count twice towards 50, and come once.
    const sorted = [...new Set(ids)].toSorted((a, b) => a - b)
    const call: WireCall<Static<typeof Rows>> = {
      route: 'beatmaps',
      method: 'GET',
      path: '/api/v2/beatmaps',
      query: new URLSearchParams(sorted.map((id) => ['ids[]', String(id)])),
      isAnswer: (json): json is Static<typeof Rows> =>
        rows.Check(json) && isOfThese(json.beatmaps, sorted),
    }
    const read = async () => {
      const reading = await ask(call, caller)
      if (reading.means !== 'answer') throw new Error(`beatmaps cannot be ${reading.means}`)
      return reading.json.beatmaps.map(toBeatmap)
    }
    return reads.run(`${sharedBy}\n${sorted.join(' ')}`, read, caller)
  }
}

/** Each row once, and none that was not asked for. */
function isOfThese(beatmaps: readonly { readonly id: number }[], ids: readonly number[]): boolean {
  const open = new Set(ids)
  return beatmaps.every(({ id }) => open.delete(id))
}

function createReadRating(ask: Ask): Platform['readRating'] {
  const reads = new SingleFlight<Rating>(isBudgetSpent)

  return async ({ beatmapId, ruleset, mods }, caller, sharedBy = caller) => {
    const call: WireCall<Static<typeof Attributes>> = {
      route: 'attributes',
      method: 'POST',
      path: `/api/v2/beatmaps/${beatmapId}/attributes`,
      body: { mods, ruleset: ruleset === 'base' ? 'osu' : ruleset },
      isAnswer: (json) => attributes.Check(json),
    }
    const read = async (): Promise<Rating> => {
      const reading = await ask(call, caller)
      if (reading.means === 'answer') {
        const { star_rating: stars } = reading.json.attributes
        return stars === NOT_COMPUTED ? 'refused' : { stars }
      }
      if (reading.means === 'gone' || reading.means === 'refused') return reading.means
      throw new Error(`a rating cannot be ${reading.means}`)
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
    // Of a new upload that is not processed yet, 0 stands for unknown.
    bpm: row.bpm === 0 ? null : row.bpm,
    circleSize: row.cs,
    approachRate: row.ar,
    overallDifficulty: row.accuracy,
    healthDrain: row.drain,
    maxCombo: row.max_combo ?? null,
    checksum: row.checksum == null ? null : clean(row.checksum),
    status: clean(row.status),
    title: clean(set.title),
    titleUnicode: clean(set.title_unicode ?? set.title),
    artist: clean(set.artist),
    artistUnicode: clean(set.artist_unicode ?? set.artist),
    mapper: clean(set.creator),
  }
}

/** Text that every store can hold, and answers may: one store refuses U+0000, and most change a lone surrogate. */
function clean(text: string): string {
  return text.replaceAll('\0', '').slice(0, PLATFORM_TEXT_LENGTH).toWellFormed()
}
