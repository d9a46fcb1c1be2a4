import * as texts from '#texts/common'
import { errorIn, readCount } from '../client/request.ts'
import { language } from '#texts/language'
import type { ErrorReply, SentProblem, SiteErrorCode } from '../contract/errors.ts'
import { formatWait } from './format.ts'

type Details = {
  status?: number
  retryAfter?: number | null
  reason?: string | null
  problems?: readonly SentProblem[] | undefined
}

/** Why a call of the site did not succeed, in a sentence for people. */
export class CallFailure extends Error {
  /** `unreachable`: no response came. `unreadable`: something responded, but not the site. */
  readonly code: SiteErrorCode | 'unreachable' | 'unreadable'
  /** Of the response; 0 when none came. */
  readonly status: number
  /** Whole seconds to wait before trying again; null when not known. */
  readonly retryAfter: number | null
  /** Why, more exactly than by the code; null when that is not known. */
  readonly reason: string | null
  /** What is wrong with what was sent. */
  readonly problems: readonly SentProblem[]

  constructor(code: CallFailure['code'], message: string, details: Details = {}) {
    super(message)
    this.name = 'CallFailure'
    this.code = code
    this.status = details.status ?? 0
    this.retryAfter = details.retryAfter ?? null
    this.reason = details.reason ?? null
    this.problems = details.problems ?? []
  }

  /** Whether the same request may succeed later. */
  get mayPass(): boolean {
    const { code, status } = this
    return code === 'rate_limited' || code === 'unreadable' || status === 0 || status >= 500
  }
}

/** Fetches from the site; throws a `CallFailure`, or an `AbortError` when the signal ended it. */
export async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init).catch((error: unknown) => {
    throw init.signal?.aborted ? error : unreachable()
  })
  if (!response.ok) throw await readFailure(response, init.body)
  return response
}

export const unreachable = (): CallFailure => new CallFailure('unreachable', texts.unreachable)

async function readFailure(response: Response, sent: unknown): Promise<CallFailure> {
  const { status, headers } = response
  const details = { status, retryAfter: readCount(headers, 'retry-after') }
  const body: unknown = await response.json().catch(() => null)
  if (errorIn(body) !== null) {
    const { error } = body as ErrorReply
    const { code, reason = null, problems } = error
    return new CallFailure(code, await messageOf(error, sent), { ...details, reason, problems })
  }
  const message = texts.unreadable({ status: String(status) })
  return new CallFailure('unreadable', message, details)
}

/** What the site says of a refusal: what is wrong with what was sent, or the reason. */
async function messageOf(
  { code, reason, message, problems }: ErrorReply['error'],
  sent: unknown,
): Promise<string> {
  if (problems !== undefined) {
    // Without a network, what was refused is still told.
    const words = await import('./refused-input.ts').catch(() => null)
    const text = words?.wordRefusal(reason, problems, sent)
    if (text != null) return text
  }
  if (language === 'en') return sentence(message)
  const texts: Readonly<Record<string, string>> = await import('#texts/refusals')
  return texts[keyOf(reason)] ?? texts[keyOf(code)] ?? sentence(message)
}

/** `name_taken` → `nameTaken`. */
const keyOf = (cause: unknown): string =>
  String(cause).replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.')

export const isSignedOut = (error: unknown): boolean =>
  error instanceof CallFailure && error.code === 'not_signed_in'

/** A sentence for whatever was thrown, and how long to wait where that is known. */
export function explain(error: unknown): string {
  if (!(error instanceof CallFailure)) return texts.failedHere
  if (isSignedOut(error)) return texts.sessionEnded
  const { message, retryAfter } = error
  return retryAfter === null
    ? message
    : texts.retryIn({ reason: message, wait: formatWait(retryAfter) })
}
