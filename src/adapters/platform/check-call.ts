import type { Difference, SeenAnswer } from './expectations.ts'
import type { Credentials } from './tokens.ts'

export type CheckSettings = Credentials & {
  /** The platform's address; a path in front of `/api` and `/oauth` is kept. */
  readonly url: string
  readonly userAgent: string
  /** Where people come back to; the first is enough to know that the secret is right. */
  readonly redirectUris: readonly string[]
  /** For each call; left out: 10,000. */
  readonly timeoutMs?: number
}

/** A call of the check. */
export type CheckCall = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly form?: Readonly<Record<string, string>>
  readonly json?: object
  readonly token?: 'own' | 'none of ours'
}

/** One call; a text if there was no whole answer. */
export async function makeCheckCall(
  { url, userAgent, timeoutMs = 10_000 }: CheckSettings,
  { method, path, form, json, token }: CheckCall,
  ownToken: string | null,
): Promise<SeenAnswer | string> {
  try {
    const response = await fetch(url.replace(/\/+$/, '') + path, {
      method,
      headers: {
        accept: 'application/json',
        'accept-language': 'en',
        'user-agent': userAgent,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token === 'own' ? ownToken : 'x'}` }),
      },
      ...(form !== undefined && { body: new URLSearchParams(form) }),
      ...(json !== undefined && { body: JSON.stringify(json) }),
      // Followed, a redirect would carry a secret to an address that is not configured.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    // The message may hold the address or a header.
    const { name, cause } = error as { name?: string; cause?: { code?: unknown } }
    if (name === 'TimeoutError') return `nothing within ${timeoutMs / 1000} s`
    return typeof cause?.code === 'string' ? cause.code : 'the connection failed'
  }
}

export const NO_ANSWER =
  'Nothing answers at PLATFORM_URL: check the address, and whether this machine may connect to it. If both are right, the platform is away for now.'

/** What is left unsaid of the call: a status or a body that the platform has never had there. */
const UNKNOWN_STATUS = 'The platform answers this call in another way than before: report it.'
const UNKNOWN_BODY = 'The answer has another form than before and may not be understood: report it.'

/**
 * What differences mean to the operator, by what differs. A status explains the rest of its answer, as does a page in
 * place of JSON; headers alone say nothing of the application, because proxies change them.
 *
 * @param meansHere what another status, body or value means for this call; null: nothing in particular.
 */
export function meaningOf(
  found: readonly Difference[],
  seen: SeenAnswer,
  meansHere: (kind: 'status' | 'body' | 'value', status: number) => string | null,
): string {
  const has = (kind: Difference['kind']) => found.some((each) => each.kind === kind)
  if (has('status')) {
    return meaningOfStatus(seen) ?? meansHere('status', seen.status) ?? UNKNOWN_STATUS
  }
  if (has('body') && readJson(seen) === null) return NOT_JSON
  const value = has('value') ? meansHere('value', seen.status) : null
  const body = has('body') ? (meansHere('body', seen.status) ?? UNKNOWN_BODY) : null
  const headers = [
    ...(has('limit') ? [OTHER_LIMIT] : []),
    ...(has('limit-missing') ? [NO_LIMIT] : []),
    ...(has('header') ? [OTHER_HEADERS] : []),
  ]
  return [value ?? body, ...headers].filter((text) => text !== null).join(' ')
}

const NOT_JSON =
  'Something else than the platform answers: check PLATFORM_URL, and what stands in between.'
const OTHER_LIMIT =
  'The platform allows another number of calls a minute than this software knows of: report it.'
const OTHER_HEADERS =
  'A proxy on the way changes headers, or the platform has changed them. Nothing has to be done if all else works.'
const NO_LIMIT =
  'A proxy on the way removes or changes headers: how many calls are left cannot be read, and a beatmap that was deleted cannot be told from a wrong address.'

/** What a status means whatever was asked; null if it explains nothing by itself. */
function meaningOfStatus(seen: SeenAnswer): string | null {
  const { status, headers } = seen
  const isJson = readJson(seen) !== null
  if (status >= 500) return 'The platform is away for now; that passes by itself.'
  if (status === 429) {
    return 'The platform asks this server to wait. If it lasts, others use the same application or network address.'
  }
  if (status >= 300 && status < 400)
    return 'PLATFORM_URL leads elsewhere: set it to the right address.'
  if (status === 403 && !isJson) {
    return 'A proxy in front of the platform refuses this server: use another network address, or write to those who run the platform.'
  }
  if (status === 403) return 'The application lacks a scope: check it on the platform.'
  if (status === 404 && !headers.has('x-ratelimit-limit')) {
    return 'PLATFORM_URL is wrong: the platform has no such route.'
  }
  return isJson ? null : NOT_JSON
}

/** Status, type, limit, and the rating or the name of an error; control characters, and what is secret, left out. */
export function describe(
  seen: SeenAnswer,
  { clientSecret }: CheckSettings,
  token: string | null,
): string {
  const { error, hint, attributes } = (readJson(seen) ?? {}) as Readonly<Record<string, unknown>>
  const texts = [error, hint].filter((text) => typeof text === 'string')
  const stars = (attributes as { star_rating?: unknown } | null | undefined)?.star_rating
  const type = seen.headers.get('content-type') ?? 'no Content-Type'
  const limit = seen.headers.get('x-ratelimit-limit')
  const secrets = [clientSecret, token ?? ''].filter((secret) => secret !== '')
  // A short one must not be cut out of the usual type.
  const withoutSecrets = (text: string): string =>
    secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text)
  return [
    String(seen.status),
    type.startsWith('application/json') ? 'application/json' : withoutSecrets(type),
    ...(limit === null ? [] : [`${withoutSecrets(limit)} a minute`]),
    ...(typeof stars === 'number' ? [`star_rating ${stars}`] : []),
    ...texts.map(withoutSecrets),
  ]
    .map((part) => part.replaceAll(/[^\x20-\x7e…]/g, '?').slice(0, 100))
    .join(', ')
}

export function readJson({ text }: SeenAnswer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
