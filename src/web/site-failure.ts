import * as texts from '#texts/common'
import { errorIn, readCount } from '../client/request.ts'
import { language } from '#texts/language'
import type { ErrorReply, SentProblem, SiteErrorCode } from '../contract/errors.ts'
import { followClock, formatWait } from './format.ts'

/**
 * What has become of a write that failed. `refused`: an answer says that nothing was changed; so is a failure to read.
 * `not sent`: the browser knew that it has no connection. `unknown`: the answer is lost, or says nothing of it.
 */
type Outcome = 'refused' | 'not sent' | 'unknown'

type Details = {
  outcome?: Outcome
  status?: number
  retryAfter?: number | null
  reason?: string | null
  problems?: readonly SentProblem[] | undefined
}

/** Why a call of the site did not succeed, in a sentence for people. */
export class CallFailure extends Error {
  /** `unreachable`: no response came. `unreadable`: something responded, but not the site. */
  readonly code: SiteErrorCode | 'unreachable' | 'unreadable'
  readonly outcome: Outcome
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
    this.outcome = details.outcome ?? 'refused'
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
export async function request(url: string, init: RequestInit, isWrite = false): Promise<Response> {
  const isOffline = !navigator.onLine
  const response = await fetch(url, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw unreachable(!isWrite ? 'refused' : isOffline ? 'not sent' : 'unknown')
  })
  followClock(response)
  if (!response.ok) throw await readFailure(response, init.body, isWrite)
  return response
}

/** What a response says in JSON; throws as `request` does. */
export async function readReply(response: Response, isWrite: boolean): Promise<unknown> {
  const { status } = response
  try {
    return await response.json()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw unreadable(status, { outcome: isWrite ? 'unknown' : 'refused' })
  }
}

export const unreachable = (outcome: Outcome = 'refused'): CallFailure =>
  new CallFailure('unreachable', outcome === 'unknown' ? texts.perhapsDone : texts.unreachable, {
    outcome,
  })

function unreadable(status: number, details: Details & { outcome: Outcome }): CallFailure {
  const message =
    details.outcome === 'unknown' ? texts.perhapsDone : texts.unreadable({ status: String(status) })
  return new CallFailure('unreadable', message, { ...details, status })
}

/** Errors of the service that come before anything is done. Of others, a commit may have gone through. */
const before: readonly unknown[] = ['read_only', 'no_room']

async function readFailure(
  response: Response,
  sent: unknown,
  isWrite: boolean,
): Promise<CallFailure> {
  const { status, headers } = response
  const retryAfter = readCount(headers, 'retry-after')
  const body: unknown = await response.json().catch(() => null)
  const isOurs = errorIn(body) !== null
  const { error } = isOurs ? (body as ErrorReply) : {}
  const isOpen = status >= 500 ? !before.includes(error?.reason) : status === 408 && !isOurs
  const outcome = isWrite && isOpen ? 'unknown' : 'refused'
  if (error === undefined) return unreadable(status, { outcome, retryAfter })
  const { code, reason = null, problems } = error
  const message = await messageOf(status, error, sent)
  return new CallFailure(code, message, { outcome, status, retryAfter, reason, problems })
}

/** Of refusals of a request as such, whose messages name its parts to programs. */
const ofProtocol: readonly number[] = [400, 405, 410, 412, 413, 415, 428]
/** Reasons among them that come with what a person has entered. */
const ofPeople: ReadonlySet<string> = new Set(['invalid_field', 'slur', 'bad_request'])

/** What the site says of a refusal: what is wrong with what was sent, or the reason. */
async function messageOf(
  status: number,
  { code, reason, message, problems }: ErrorReply['error'],
  sent: unknown,
): Promise<string> {
  if (problems !== undefined) {
    // Without a network, what was refused is still told.
    const words = await import('./refused-input.ts').catch(() => null)
    const text = words?.wordRefusal(reason, problems, sent)
    if (text != null) return text
  }
  const isOfPeople = !ofProtocol.includes(status) || ofPeople.has(reason ?? code)
  // What moderators do is in English everywhere, and this has a reason in it.
  const isEnglish = language === 'en' || reason === 'decided_already'
  if (isEnglish && isOfPeople) return sentence(message)
  const known: Readonly<Record<string, string>> = await import('#texts/refusals').catch(() => ({}))
  return known[keyOf(reason)] ?? known[keyOf(code)] ?? sentence(message)
}

/** `name_taken` → `nameTaken`. */
const keyOf = (cause: unknown): string =>
  String(cause).replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())

const sentence = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.')

/** Also of what is out of the person's sight. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof CallFailure && error.status === 404

export const isSignedOut = (error: unknown): boolean =>
  error instanceof CallFailure && error.code === 'not_signed_in'

/** Whether something may have been changed although this was thrown. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof CallFailure && error.outcome === 'unknown'

/** A sentence for whatever was thrown, and how long to wait where that is known. */
export function explain(error: unknown): string {
  if (!(error instanceof CallFailure)) return texts.failedHere
  if (isSignedOut(error)) return texts.sessionEnded
  const { message, retryAfter, status } = error
  if (isUnknown(error)) return status >= 500 ? texts.perhapsDone : message
  return retryAfter === null
    ? message
    : texts.retryIn({ reason: message, wait: formatWait(retryAfter) })
}
