import type { ChatAddress } from '../../domain/chat-address.ts'
import type { ChatMessage } from '../../domain/chat-messages.ts'
import type { Chat, ChatAnswer } from '../../ports/announcements.ts'
import type { Clock } from '../../ports/system.ts'
import {
  isPublicAddress,
  NoAnswer,
  type PinnedAnswer,
  postPinned,
  type Resolve,
} from './pinned-request.ts'

export type DiscordSettings = {
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
const UNSAID_WAIT_MS = 60_000

/**
 * Discord over its wire (https://discord.com/developers/docs/resources/webhook, "Execute Webhook", and
 * https://discord.com/developers/docs/topics/rate-limits).
 *
 * - `POST /api/v10/webhooks/{id}/{token}`, with JSON; `thread_id` in the query for a thread. With `wait=true` the answer
 *   is 200 with the message, which has an `id`, and only if it was saved.
 * - `allowed_mentions: { parse: [] }`: nothing in the message notifies anybody.
 * - 404 (code 10015) is a webhook that was deleted, 401 (code 50027) another token: neither is to be asked again.
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
        const read = readAnswer(answer)
        if (read.kind === 'limited' && isGlobal(answer)) globalUntil = clock.now() + read.retryInMs
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

function readAnswer(answer: PinnedAnswer): ChatAnswer {
  const { status } = answer
  if (status === 404 || status === 401) return { kind: 'gone' }
  if (status === 429) return { kind: 'limited', retryInMs: retryInMs(answer) }
  if (status === 200 || status === 204) {
    // One that breaks off, or is too long, has begun by saying that the message is there.
    const isSaid =
      status === 204 || answer.body === null || typeof jsonOf(answer)['id'] === 'string'
    if (isSaid) return { kind: 'sent', pauseMs: pauseMs(answer) }
    return { kind: 'failed', problem: 'status', reason: 'answered 200 without a message' }
  }
  // What a proxy refuses or has waited for too long may pass later; what Discord cannot read never does.
  const isOfMessage = status >= 400 && status < 500 && status !== 403 && status !== 408
  if (isOfMessage) return { kind: 'rejected' }
  return { kind: 'failed', problem: 'status', reason: `answered ${status}` }
}

/** The longest time that it asks to wait. */
function retryInMs(answer: PinnedAnswer): number {
  const said = [Number(answer.headers['retry-after']), Number(jsonOf(answer)['retry_after'])]
  const known = said.filter((seconds) => Number.isFinite(seconds) && seconds > 0)
  return known.length === 0 ? UNSAID_WAIT_MS : Math.ceil(Math.max(...known) * SECOND_MS)
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
