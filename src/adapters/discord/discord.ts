import { MAX_CHAT_CODE } from '../../contract/announcements.ts'
import { TOO_OLD_MS } from '../../domain/announcements.ts'
import type { ChatAddress } from '../../domain/chat-address.ts'
import type { ChatMessage } from '../../domain/chat-messages.ts'
import type { Chat, ChatAnswer, ChatRefusal } from '../../ports/announcements.ts'
import type { Clock } from '../../ports/system.ts'
import {
  isPublicAddress,
  NoAnswer,
  type PinnedAnswer,
  postPinned,
  type Resolve,
} from './pinned-request.ts'

type DiscordSettings = {
  /**
   * An origin in place of Discord's, which may be anywhere, since the operator has named it: the stand-in, or what plays
   * Discord in a test. null: Discord itself, at public addresses alone.
   */
  readonly url: string | null
  readonly userAgent: string
  readonly clock: Clock
  /** Left out: 5,000. */
  readonly timeoutMs?: number
  /** Left out: that of the system. */
  readonly resolve?: Resolve
}

const TIMEOUT_MS = 5_000
const MAX_BYTES = 65_536
const SECOND_MS = 1_000
/** Where a 429 does not say how long to wait, which proxies may answer. */
const DEFAULT_RETRY_AFTER_MS = 60_000
/** Where it says not at all, or until a time that has passed. */
const SHORTEST_WAIT_MS = 1_000
/** One answer must not silence all tournaments for years: what waits is too old by then. */
const LONGEST_GLOBAL_WAIT_MS = TOO_OLD_MS

/**
 * What Discord means by a code (https://discord.com/developers/docs/topics/opcodes-and-status-codes, JSON): there is no
 * such channel or thread, no such webhook, or its token is another one.
 */
const goneCodes: readonly (number | null)[] = [10_003, 10_015, 50_027]
/** Of answers that do not judge the message: who asks, where a proxy is, or when. */
const passingStatuses: readonly number[] = [401, 403, 407, 408, 425]

/**
 * Discord over its wire (https://discord.com/developers/docs/resources/webhook, "Execute Webhook", and
 * https://discord.com/developers/docs/topics/rate-limits).
 *
 * - `POST /api/v10/webhooks/{id}/{token}`, with JSON; `thread_id` in the query for a thread. With `wait=true` the answer
 *   is 200 with the message, which has an `id`, and only if it was saved.
 * - `allowed_mentions: { parse: [] }`: nothing in the message notifies anybody.
 * - 404 (code 10015, of a channel or thread 10003) is a webhook that was deleted, 401 (code 50027) another token: neither
 *   is to be asked again. Only Discord's own answers have a code: a 401 or 403 without one is that of something in between.
 * - `X-RateLimit-Remaining: 0` forbids another message for `X-RateLimit-Reset-After` seconds, which may have a fraction. 429
 *   has `Retry-After` and, in JSON, `retry_after`, both in seconds; with `global: true` it is about this server's address
 *   and every webhook.
 */
export function createDiscord(settings: DiscordSettings): Chat {
  const { url, userAgent, clock, timeoutMs = TIMEOUT_MS, resolve } = settings
  const isAllowed = url === null ? isPublicAddress : () => true
  let globalUntil = -Infinity

  return {
    async post(address, message): Promise<ChatAnswer> {
      const waitMs = globalUntil - clock.now()
      if (waitMs > 0) return { kind: 'limited', retryInMs: waitMs }
      try {
        const answer = await postPinned({
          url: addressOf(address, url),
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            'user-agent': userAgent,
          },
          body: bodyOf(message),
          timeoutMs,
          maxBytes: MAX_BYTES,
          isAllowed,
          resolve,
        })
        const read = readAnswer(answer, clock.now())
        if (read.kind === 'limited' && isGlobal(answer)) {
          globalUntil = clock.now() + Math.min(read.retryInMs, LONGEST_GLOBAL_WAIT_MS)
        }
        return read
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
        const problem = error.isRefused ? 'refused-address' : 'no-answer'
        return { kind: 'failed', problem, reason: error.message }
      }
    },
  }
}

function addressOf(address: ChatAddress, base: string | null): URL {
  const own = new URL(address.reveal())
  own.searchParams.set('wait', 'true')
  return base === null ? own : new URL(own.pathname + own.search, base)
}

const bodyOf = (message: ChatMessage): string =>
  JSON.stringify({ ...message, allowed_mentions: { parse: [] } })

function readAnswer(answer: PinnedAnswer, now: number): ChatAnswer {
  const { status } = answer
  // With `wait=true`, the status says whether the message was saved, whatever becomes of the body.
  if (status >= 200 && status < 300) return { kind: 'sent', pauseMs: pauseMs(answer) }
  if (status === 429) return { kind: 'limited', retryInMs: retryInMs(answer, now) }
  const code = codeOf(answer)
  const refusal = { status, code }
  if (isGone(refusal)) return { kind: 'gone', ...refusal }
  const isOfMessage = status >= 400 && status < 500 && !passingStatuses.includes(status)
  if (isOfMessage) return { kind: 'rejected', ...refusal }
  return { kind: 'failed', problem: 'status', ...refusal }
}

function isGone({ status, code }: ChatRefusal): boolean {
  // Whatever its body: an address that is not there is not to be asked again.
  if (status === 404) return true
  return (status === 401 || status === 403) && goneCodes.includes(code)
}

/** That Discord has given; null: it is not its answer. */
function codeOf(answer: PinnedAnswer): number | null {
  const { code } = jsonOf(answer)
  const isCode = typeof code === 'number' && Number.isInteger(code)
  return isCode && code >= 0 && code <= MAX_CHAT_CODE ? code : null
}

/** The longest time that it asks to wait. */
function retryInMs(answer: PinnedAnswer, now: number): number {
  const waits = [
    waitOf(answer.headers['retry-after'], now),
    waitOf(jsonOf(answer)['retry_after'], now),
  ]
  const known = waits.filter((ms) => ms !== null)
  return known.length === 0 ? DEFAULT_RETRY_AFTER_MS : Math.max(...known, SHORTEST_WAIT_MS)
}

/** A number of seconds, or a date of HTTP (RFC 9110, 10.2.3), as ms from now; null: it says neither. */
function waitOf(given: unknown, now: number): number | null {
  if (typeof given !== 'number' && typeof given !== 'string') return null
  const text = String(given).trim()
  const seconds = text === '' ? NaN : Number(text)
  if (!Number.isNaN(seconds))
    return Number.isFinite(seconds) ? Math.ceil(seconds * SECOND_MS) : null
  const date = /^[A-Z][a-z]{2,}, /.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(date) ? null : date - now
}

function pauseMs({ headers }: PinnedAnswer): number {
  if (headers['x-ratelimit-remaining'] !== '0') return 0
  const seconds = Number(headers['x-ratelimit-reset-after'])
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds * SECOND_MS) : 0
}

const isGlobal = (answer: PinnedAnswer): boolean =>
  jsonOf(answer)['global'] === true || answer.headers['x-ratelimit-global'] === 'true'

/** Empty where it is no JSON object. */
function jsonOf({ body }: PinnedAnswer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
