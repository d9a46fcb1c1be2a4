import type { Trouble } from '../../domain/platform.ts'

/** What is asked for: a token of the application's own, one for a player's code, or a route of the API. */
export type Route = 'token' | 'code' | 'me' | 'beatmaps' | 'attributes'

/** An answer as it came over the wire. */
export type WireAnswer = {
  readonly status: number
  /** `Retry-After` as sent; null when absent. */
  readonly retryAfter: string | null
  /** Whether it says how many calls are left, as the application does behind its routes, and no proxy. */
  readonly hasRateLimit: boolean
  /** `page` is anything that is not declared as JSON; `cut` did not arrive whole. */
  readonly body: 'json' | 'page' | 'broken' | 'cut' | 'too-long'
  /** The body, when it is whole and JSON; else undefined. */
  readonly json: unknown
}

/** Why an answer does not count. */
export type Fault = {
  readonly trouble: Exclude<Trouble, 'unasked'>
  /** For operators; nothing of what was sent or received but the status. */
  readonly cause: string
  readonly remedy: string
  /** Which calls wait (D-92); left out: none. */
  readonly stops?: 'all' | 'tokens'
  /** Whether the redirect address may be why: then messages name it. */
  readonly isOfRedirect?: boolean
  /** Which other sign-ins end like this one, of any person; left out: perhaps none. */
  readonly refuses?: 'same-redirect' | 'all'
}

/**
 * What an answer means:
 *
 * - `answer`: what was asked for.
 * - `gone`: there is no such beatmap.
 * - `refused`: these mods are not rated.
 * - `bad-code`: the mistake of the person who sent the code (D-91).
 * - `disabled`: the account of this player may not be used (D-42).
 * - `token-ended`: the token is not taken, and a new one may be.
 */
export type Means = 'answer' | 'gone' | 'refused' | 'bad-code' | 'disabled' | 'token-ended'

const NOTHING_TO_DO = 'nothing has to be done here, it is asked again'
const OUR_MISTAKE = 'this may be a mistake of Mapcrate: report it'
const CHECK_URL = 'check PLATFORM_URL'
const CHECK_CLIENT = 'check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET'

const down: Fault = { trouble: 'down', cause: 'it is away for now', remedy: NOTHING_TO_DO }

export const noAnswer = (route: Route, cause: string): Fault => stopping(route, { ...down, cause })

/** No token helps: a new one was asked for just now. */
export const noTokenTaken: Fault = {
  trouble: 'set-up',
  cause: 'it takes no token of this application',
  remedy: CHECK_CLIENT,
  stops: 'all',
}

/** Most likely they are gone; operators see it all the same, since it begins so where no player's token is taken. */
export const playerNotTaken: Fault = {
  trouble: 'unexpected',
  cause: 'it does not take the new token of a player',
  remedy: 'nothing has to be done if this is one player, whose account is gone then',
}

/** Of several players it does not say that they are gone. */
export const noPlayerTaken: Fault = {
  trouble: 'set-up',
  cause: 'it takes the new token of no player',
  remedy: `${CHECK_CLIENT}, and that the application was not revoked`,
}

/** The one text that may be compared: all others come in a language, or from a library that changes them. */
const SCOPE_MISSING = 'A required scope is missing.'

/**
 * The one place that says how the platform's answers are read: by status, by whether they are its own JSON, and by
 * headers. Only its own JSON says anything of players, codes and beatmaps: before it stand proxies, whose pages have the
 * same statuses.
 *
 * @param isAnswer whether the JSON of a 200 is what was asked for.
 */
export function readAnswer(
  route: Route,
  answer: WireAnswer,
  isAnswer: (json: unknown) => boolean,
): Means | Fault {
  const reading = read(route, answer, isAnswer)
  return typeof reading === 'string' ? reading : stopping(route, reading)
}

/** Says that calls pause, if this fault at this route is everybody's. */
function stopping(route: Route, fault: Fault): Fault {
  if (fault.stops !== undefined) return fault
  const isLasting = fault.trouble === 'set-up' || fault.trouble === 'blocked'
  // What a sign-in meets may be of this code, or of this redirect address, alone.
  const isOfAll = isLasting && route !== 'code' && route !== 'me'
  // That there is no answer is not the fault of 50 rows; of one rating it may be.
  const isAway = fault.trouble === 'down' && route === 'beatmaps'
  return isOfAll || isAway ? { ...fault, stops: 'all' } : fault
}

function read(
  route: Route,
  answer: WireAnswer,
  isAnswer: (json: unknown) => boolean,
): Means | Fault {
  const { status, body, json, hasRateLimit } = answer
  const isToken = route === 'token' || route === 'code'
  const error = errorOf(answer)

  if (status === 429) return isToken && error !== null ? tooManyTokens : throttled
  if (status === 503) return { ...down, stops: 'all' }
  if (status >= 500) return down
  if (body === 'cut') return noAnswer(route, 'the answer did not arrive whole')
  if (status >= 300 && status < 400) {
    return { trouble: 'set-up', cause: 'a redirect', remedy: CHECK_URL, refuses: 'all' }
  }
  if (status === 200) {
    if (isAnswer(json)) return 'answer'
    // The platform asks another service of its own for ratings, which gave no answer.
    return route === 'attributes' && hasNull(json, 'attributes') ? down : unreadable(body)
  }
  if (status === 403 && body === 'page') return blocked
  if (status === 404) {
    if (!isOwn(json) || !hasRateLimit) {
      const cause = 'there is no such route'
      return { trouble: 'set-up', cause, remedy: CHECK_URL, refuses: 'all' }
    }
    return route === 'attributes' ? 'gone' : wrongRequest
  }
  if (!isOwn(json)) return body === 'page' ? foreignPage : unreadable(body)
  if (isToken) return readRefusedToken(route, answer, error)
  if (status === 401) return 'token-ended'
  if (status === 403) {
    // A player's own account is refused in their language, and before the calls are counted.
    if (route === 'me' && error !== SCOPE_MISSING && !hasRateLimit) return 'disabled'
    return scopeMissing
  }
  // Which of the mods, or of the rulesets, is in no header: what we send is tested.
  if (status === 422 && route === 'attributes') return 'refused'
  return wrongRequest
}

/** Names of errors that say that the form is wrong, for every person. */
const FORM_ERRORS = ['unsupported_grant_type', 'invalid_scope']

/**
 * What the platform's OAuth library refuses (D-91). The name of an error alone says little: one version calls a bad code
 * `invalid_request`, the next `invalid_grant`; the hint distinguishes a bad code from a form that lacks a field.
 */
function readRefusedToken(route: Route, answer: WireAnswer, error: string | null): Means | Fault {
  const { status, json } = answer
  if (status === 401 && error === 'invalid_client') return clientRefused(route)
  if (status !== 400 || error === null) return status === 403 ? scopeMissing : wrongRequest
  if (route === 'token') {
    return [...FORM_ERRORS, 'invalid_request'].includes(error) ? wrongRequest : mayHaveNoToken
  }
  const hint = (json as { readonly hint?: unknown }).hint
  if (FORM_ERRORS.includes(error)) return wrongRequest
  if (typeof hint !== 'string') return 'bad-code'
  if (hint.startsWith('Check the `')) return wrongRequest
  return hint === 'Invalid redirect URI' ? otherRedirect : 'bad-code'
}

const throttled: Fault = {
  trouble: 'throttled',
  cause: 'it asks us to wait',
  remedy: 'if this lasts, see whether others use the same application or network address',
  stops: 'all',
}

const tooManyTokens: Fault = {
  trouble: 'throttled',
  cause: 'too many tokens were asked for from this network address',
  remedy: 'if this lasts, see whether others share the address',
  stops: 'tokens',
}

const blocked: Fault = {
  trouble: 'blocked',
  cause: 'a proxy in front of the platform refuses this server',
  remedy: 'ask from another network address, or write to the people who run the platform',
  refuses: 'all',
}

/** At sign-in it refuses no other: a person who signs in can take scopes out of the address that they are sent to. */
const scopeMissing: Fault = {
  trouble: 'set-up',
  cause: 'a scope is missing',
  remedy: 'check the application of PLATFORM_CLIENT_ID on the platform',
}

const mayHaveNoToken: Fault = {
  trouble: 'set-up',
  cause: 'this application may not have a token of its own',
  remedy: 'check that the application of PLATFORM_CLIENT_ID has an owner who is not restricted',
}

/** It refuses no other: a person who has a code can bring it to another of our addresses. */
const otherRedirect: Fault = {
  trouble: 'set-up',
  isOfRedirect: true,
  cause: 'the code was given out for another redirect address',
  remedy: 'check that proxies pass the Host header on, and PACKS_URL, SITE_URL and POOLS_URL',
}

const wrongRequest: Fault = {
  trouble: 'unexpected',
  cause: 'it finds our request wrong',
  remedy: OUR_MISTAKE,
}

const foreignPage: Fault = {
  trouble: 'unexpected',
  cause: 'its body is not declared as JSON',
  remedy: `${CHECK_URL}, and what stands between it and this server`,
}

function clientRefused(route: Route): Fault {
  const cause = 'the platform does not take this application'
  const redirect = route === 'code' ? ', and that the redirect address is registered there' : ''
  return {
    trouble: 'set-up',
    cause,
    remedy: CHECK_CLIENT + redirect,
    isOfRedirect: route === 'code',
    refuses: 'same-redirect',
  }
}

/** A 200 that is not what was asked for. */
export function unreadable(body: WireAnswer['body']): Fault {
  if (body === 'page') return foreignPage
  const cause = {
    json: 'its body is not what it should be',
    broken: 'its body is broken',
    cut: 'its body did not arrive whole',
    'too-long': 'its body is too long',
  }[body]
  return { trouble: 'unexpected', cause, remedy: OUR_MISTAKE }
}

/** All the platform's own answers are objects, its errors included. */
function isOwn(json: unknown): json is object {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

function errorOf({ json }: WireAnswer): string | null {
  const error = isOwn(json) ? (json as { readonly error?: unknown }).error : null
  return typeof error === 'string' ? error : null
}

function hasNull(json: unknown, key: string): boolean {
  return isOwn(json) && (json as Readonly<Record<string, unknown>>)[key] === null
}
