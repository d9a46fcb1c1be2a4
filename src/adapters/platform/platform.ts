import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type AuthorizationServer,
  ClientSecretPost,
  customFetch,
  nopkce,
  processAuthorizationCodeResponse,
  ResponseBodyError,
  skipStateCheck,
  validateAuthResponse,
} from 'oauth4webapi'
import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Beatmap, Rating } from '../../domain/beatmaps.ts'
import { CALLS_PER_SIGN_IN, PlatformError } from '../../domain/platform.ts'
import { SingleFlight } from '../../domain/single-flight.ts'
import type { CallBudget, Platform } from '../../ports/platform.ts'
import type { Clock } from '../../ports/system.ts'
import {
  BudgetSpent,
  createCalls,
  isBudgetSpent,
  type MakeCall,
  nameOf,
  PAID,
  TOKEN_PATH,
  unusable,
  type WireAnswer,
  type WireCall,
} from './calls.ts'
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
  const tradeCode = createTradeCode(makeCall, url, settings)

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

    // Both calls are taken from the budget before the first: a code that was traded and then cannot be
    // used is lost. The player's token serves for this one question and is kept nowhere.
    async readPlayer(code, redirectUri) {
      if (code === '') return null
      const leave = await budget.take('sign-in', clock.now(), CALLS_PER_SIGN_IN)
      if (!leave.granted) throw new BudgetSpent(tradeCall, leave.retryAt)
      let token: string | null = null
      try {
        token = await tradeCode(code, redirectUri)
      } finally {
        if (token === null) await budget.refund()
      }
      if (token === null) return null
      const answer = await makeCall({ ...meCall, token }, PAID)
      const me = answer.json
      if (answer.status !== 200 || !playerAnswer.Check(me)) throw unusable(meCall, answer)
      return {
        gameId: me.id,
        username: me.username,
        isRestricted: me.is_restricted,
        isDeleted: me.is_deleted,
        isBot: me.is_bot,
      }
    },
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

/** Whether somebody may sign in depends on these flags (D-42): none of them may be guessed. */
const playerAnswer = Compile(
  Type.Object({
    id: Id,
    username: Type.String({ minLength: 1 }),
    is_restricted: Type.Boolean(),
    is_deleted: Type.Boolean(),
    is_bot: Type.Boolean(),
  }),
)

/**
 * A row that cannot be read makes the whole answer an error: left out it would look like a beatmap that
 * is gone. A caller who needs the others asks again for fewer at a time.
 */
function createReadBeatmaps(ask: Ask): Platform['readBeatmaps'] {
  const reads = new SingleFlight<readonly Beatmap[]>(isBudgetSpent)

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
      const open = new Set(sorted)
      if (beatmaps.every(({ id }) => open.delete(id))) return beatmaps
      throw new PlatformError(`${nameOf(call)} answered 200, with rows that were not asked for`)
    }
    return reads.run(sorted.join(' '), read, caller)
  }
}

/** 404 and 422 count only as the platform's own JSON: a proxy's error page says nothing of beatmaps. */
function createReadRating(ask: Ask): Platform['readRating'] {
  const reads = new SingleFlight<Rating>(isBudgetSpent)

  return async ({ beatmapId, ruleset, mods }, caller) => {
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

/** All the platform's own answers are objects, its errors included. */
function isOwnAnswer({ json }: WireAnswer): boolean {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
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

const meCall: WireCall = { method: 'GET', path: '/api/v2/me' }
const tradeCall: WireCall = { method: 'POST', path: TOKEN_PATH }

/** What a header can carry; anything else is no token. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/

/**
 * Trades the code that a player came back with for their token; null when it is not good. The exchange
 * is the library's; its one request goes out like every other call. The caller has compared the state;
 * PKCE is not confirmed to be supported by the platform.
 *
 * @throws PlatformError when the platform does not answer clearly.
 */
function createTradeCode(
  makeCall: MakeCall,
  issuer: string,
  { clientId, clientSecret }: Credentials,
): (code: string, redirectUri: string) => Promise<string | null> {
  const server: AuthorizationServer = { issuer, token_endpoint: issuer + TOKEN_PATH }
  const client = { client_id: clientId }
  const isPlain = new URL(issuer).protocol === 'http:'

  return async (code, redirectUri) => {
    let refusal: PlatformError | null = null
    const send = async (_: string, { body }: { body: URLSearchParams }): Promise<Response> => {
      const answer = await makeCall({ ...tradeCall, body }, PAID)
      refusal = unusable(tradeCall, answer)
      if (answer.json === undefined) throw refusal
      return Response.json(answer.json, { status: answer.status })
    }
    try {
      const response = await authorizationCodeGrantRequest(
        server,
        client,
        ClientSecretPost(clientSecret),
        validateAuthResponse(server, client, new URLSearchParams({ code }), skipStateCheck),
        redirectUri,
        nopkce,
        { [customFetch]: send, [allowInsecureRequests]: isPlain },
      )
      const granted = await processAuthorizationCodeResponse(server, client, response)
      const { access_token: token, token_type: type } = granted
      if (type === 'bearer' && TOKEN.test(token)) return token
    } catch (error) {
      const isRefused = error instanceof ResponseBodyError && error.status === 400
      if (isRefused && error.error === 'invalid_grant') return null
      throw refusal ?? error
    }
    throw refusal ?? new Error('nothing was asked')
  }
}
