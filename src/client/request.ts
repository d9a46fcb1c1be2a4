import type { ApiErrorReason } from '../contract/error-reasons.ts'
import type { Static, TSchema } from 'typebox'
import { IDEMPOTENCY_KEY_PATTERN, SLUG_PATTERN, VERSION_PATTERN } from '../contract/bounds.ts'
import { type Method, partsOf, type PathNames, type Route } from '../contract/endpoint.ts'
import type { RoundSlot } from '../contract/rounds.ts'
import { MapcrateError } from './errors.ts'

/** Endpoints by name. */
export type Callables = Readonly<Record<string, Callable>>
type Callable = { readonly method: Method; readonly path: string }

/** The routes of a table of endpoints, which `contract/routes.ts` has without their schemas. */
export type RoutesOf<Api extends Callables> = {
  readonly [N in keyof Api]: `${Api[N]['method']} ${Api[N]['path']}` & Route
}

/** The input of a call: the names in its path, `body`, `query`, `idempotencyKey`, `ifMatch`, as far as its endpoint has them. */
export type CallInput<E> = (E extends { path: infer P extends string }
  ? { readonly [Name in PathNames<P> & keyof PathInput]: PathInput[Name] }
  : unknown) &
  (E extends { body: infer S extends TSchema } ? { readonly body: Static<S> } : unknown) &
  When<E, { paged: true } | { query: TSchema }, { readonly query?: Query }> &
  When<E, { idempotencyKey: true }, { readonly idempotencyKey?: string }> &
  When<E, { conditional: true }, { readonly ifMatch?: string | undefined }> &
  When<E, { conditional: 'required' }, { readonly ifMatch: string | null }>

/** What may be in braces in a path. */
type PathInput = {
  readonly slug: string
  readonly version: number
  readonly round: string
  readonly id: string
  readonly gameId: number
  readonly token: string
}

type When<E, Is, Then> = E extends Is ? Then : unknown
type Query = Readonly<Record<string, string | number>>

/** The result of a call; undefined if its endpoint answers without a body. */
export type CallReply<E> = E extends { success: { schema: infer S extends TSchema } }
  ? Static<S>
  : undefined

/** The input of a call of any endpoint. */
export type AnyInput = Partial<PathInput> & {
  readonly body?: unknown
  readonly query?: Query
  readonly idempotencyKey?: string
  readonly ifMatch?: string | null | undefined
}

export type Outgoing = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** `base` precedes the path of the endpoint; `proof` are headers that identify the caller. */
export function requestOf(
  route: Route,
  { body, query = {}, idempotencyKey, ifMatch, ...names }: AnyInput,
  base: string,
  proof: Readonly<Record<string, string>>,
): Outgoing {
  const { method, path } = partsOf(route)
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)])
  const search = new URLSearchParams(pairs).toString()
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(names[name as keyof typeof names] ?? ''),
  )
  return {
    url: `${base}${place}${search && `?${search}`}`,
    method,
    headers: {
      accept: 'application/json',
      ...proof,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...(ifMatch != null && { 'if-match': strongTag(ifMatch) }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}

/** Proxies that compress make a strong ETag weak, and weak ones match nothing. */
export const strongTag = (etag: string): string => etag.replace(/^W\//, '')

/** What may replace a name in the braces of a path, and the message for anything else. */
export type PathRule = { readonly pattern: string; readonly message: string }

export const slugRule: PathRule = {
  pattern: SLUG_PATTERN,
  message: 'a slug is 10 letters, digits, - or _; nothing has another',
}

export const versionRule: PathRule = {
  pattern: VERSION_PATTERN,
  message: 'a version is a number from 1 on; nothing has another',
}

/**
 * Checks what callers pass on in the path, which may be anything that was typed.
 *
 * @throws MapcrateError `not_found` for what no resource is called.
 */
export function checkInput(
  route: Route,
  input: AnyInput,
  ruleOf: (route: Route, name: string) => PathRule,
): void {
  for (const [, name = ''] of route.matchAll(/\{(\w+)\}/g)) {
    const { pattern, message } = ruleOf(route, name)
    const isName = new RegExp(pattern).test(String(input[name as keyof PathInput]))
    if (!isName) throw new MapcrateError('not_found', message)
  }
}

/** The error in a body; null if it has none. The code is not checked. */
export function errorIn(body: unknown) {
  const { error, slots } = (body ?? {}) as {
    error?: Partial<Record<string, unknown>>
    slots?: unknown
  }
  const { code, message, reason } = error ?? {}
  if (typeof message !== 'string') return null
  return {
    code,
    message,
    reason: typeof reason === 'string' ? (reason as ApiErrorReason) : null,
    slots: Array.isArray(slots) ? (slots as readonly RoundSlot[]) : null,
  }
}

/** A header of plain digits; null for anything else. */
export function readCount(headers: Headers, name: string): number | null {
  const text = headers.get(name) ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** For how long a call lets the service wait for something, in ms. */
export const waitMs = ({ query }: AnyInput): number => Number(query?.['wait'] ?? 0) * 1000

/** Whole seconds, also of a time by the clock of who sends it (RFC 9110, 10.2.3); null if there is neither. */
export function readRetryAfter(headers: Headers): number | null {
  const timeIn = (name: string) => Date.parse(headers.get(name) ?? '')
  const ms = timeIn('retry-after') - timeIn('date')
  return readCount(headers, 'retry-after') ?? (Math.max(0, ms / 1000) || null)
}

/** 128 random bits. `randomUUID` requires a secure context. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Throws `bad_request` for what cannot be a key. */
export function checkIdempotencyKey(key: string): string {
  if (new RegExp(IDEMPOTENCY_KEY_PATTERN).test(key)) return key
  throw new MapcrateError('bad_request', 'idempotencyKey must be 1 to 255 visible ASCII characters')
}
