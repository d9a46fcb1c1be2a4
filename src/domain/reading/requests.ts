import {
  BEATMAP_ID_PATTERN,
  CURSOR_PATTERN,
  IDEMPOTENCY_KEY_PATTERN,
  MAX_BEATMAP_ID,
  MAX_SLOTS,
  PAGE_PATTERN,
  SLUG_PATTERN,
  VERSION_PATTERN,
  WAIT_PATTERN,
} from '../../contract/bounds.ts'
import type { ChangeQuery } from '../../contract/changes.ts'
import { AppError, refusal, usageIdsMessage } from '../../contract/errors.ts'
import type { ServiceName } from '../../contract/services.ts'
import type { UsageLook, UsageQuery } from '../../contract/usage.ts'

/** The content codings that an answer can have, the smallest first; `identity` is no coding. */
export const contentCodings = ['br', 'zstd', 'gzip', 'identity'] as const
export type ContentCoding = (typeof contentCodings)[number]

/** `q` as RFC 9110 writes it: 0 to 1 with at most three decimals. */
const WEIGHT = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/

/**
 * The coding to answer in: the one that the client prefers, among equals the first of `available`
 * (RFC 9110, 12.5.3). `identity` when the client states no preference, or refuses every coding.
 *
 * @param acceptEncoding the header; undefined when there is none.
 * @param available the codings to choose from, the best first; `identity` among them.
 */
export function chooseCoding<C extends ContentCoding>(
  acceptEncoding: string | undefined,
  available: readonly C[],
): C | 'identity' {
  if (acceptEncoding === undefined) return 'identity'
  const weights = readWeights(acceptEncoding)
  let best: C | 'identity' = 'identity'
  let most = 0
  for (const coding of available) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight > most) {
      best = coding
      most = weight
    }
  }
  return best
}

/**
 * Whether a request names pages or JSON in `Accept`, and which it prefers: pages where it names both alike, as a
 * browser may. null where it names neither, or only to refuse it.
 */
export function namedKind(accept: string | undefined): 'page' | 'json' | null {
  if (accept === undefined) return null
  const weights = readWeights(accept)
  const page = weights.get('text/html') ?? 0
  const json = Math.max(0, ...[...weights].map(([name, q]) => (name.endsWith('json') ? q : 0)))
  if (page === 0 && json === 0) return null
  return page >= json ? 'page' : 'json'
}

/** By name, in lower case: of `Accept` and of `Accept-Encoding`. */
function readWeights(accept: string): ReadonlyMap<string, number> {
  return new Map(
    accept.split(',').map((member) => {
      const [name = '', ...parameters] = member.split(';').map((part) => part.trim())
      return [name.toLowerCase().replace(/^x-gzip$/, 'gzip'), weightIn(parameters)]
    }),
  )
}

function weightIn(parameters: readonly string[]): number {
  const q = parameters.find((parameter) => /^q\s*=/i.test(parameter))
  if (q === undefined) return 1
  const text = q.slice(q.indexOf('=') + 1).trim()
  return WEIGHT.test(text) ? Number(text) : 0
}

/** What `If-Match` asks for: any state at all, or one of these strong tags, quotes included. */
export type IfMatch = '*' | readonly string[]

/** Throws unless the write may go ahead; null is a resource that is not there for the caller. */
export type Precondition<T> = (current: T | null) => void

/** One member of the list, perhaps empty (RFC 9110, 5.6.1), up to its comma or the end. */
const MEMBER = /[ \t]*(?:(W\/)?("[!#-~\x80-\xff]*")[ \t]*)?(?:,|$)/y

/**
 * Reads `If-Match` (RFC 9110, 13.1.1, D-48) without weak tags: they match nothing. Throws for
 * anything but `*` or a list of entity tags (`bad_request`).
 */
export function readIfMatch(header: string): IfMatch {
  const text = header.trim()
  if (text === '*') return '*'
  const strong: string[] = []
  let members = 0
  for (MEMBER.lastIndex = 0; MEMBER.lastIndex < text.length;) {
    const [, weak, tag] = MEMBER.exec(text) ?? refuse()
    if (tag === undefined) continue
    members += 1
    if (weak === undefined) strong.push(tag)
  }
  return members === 0 ? refuse() : strong
}

function refuse(): never {
  throw refusal('ifMatch')
}

/**
 * What a write with this `If-Match` checks before anything is changed (D-48): whether a tag names the state that is
 * saved (D-86). A resource that is not there passes unless the header is `*`: the caller's own 404 then says so.
 *
 * @param isCurrent whether a tag is of the current state.
 * @param missing what to say of `*` when there is no resource.
 * @returns undefined when the header was not sent; otherwise it throws `precondition_failed`.
 */
export function preconditionOf<T>(
  ifMatch: IfMatch | null,
  isCurrent: (tag: string, current: T) => boolean,
  missing: 'nothingToMatch' | 'nothingHereToMatch' = 'nothingToMatch',
): Precondition<T> | undefined {
  if (ifMatch === null) return undefined
  const isNamed = (current: T): boolean =>
    ifMatch === '*' || ifMatch.some((tag) => isCurrent(tag, current))
  return (current) => {
    if (current === null ? ifMatch !== '*' : isNamed(current)) return
    throw refusal(current === null ? missing : 'changedMeanwhile')
  }
}

/** The tag that `If-None-Match` names, compared weakly (RFC 9110, 13.1.2); `*` names the first. */
export function matchedTag(
  ifNoneMatch: string | undefined,
  tags: readonly string[],
): string | null {
  if (ifNoneMatch === undefined) return null
  if (ifNoneMatch.trim() === '*') return tags[0] ?? null
  const named = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.find((tag) => named.includes(tag)) ?? null
}

export const matchesTag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  matchedTag(ifNoneMatch, [etag]) !== null

/** The tag of a file: of its content and, after a point, of the form in which it is sent; '' for the file as it is. */
export const fileTag = (content: string, form: string): string =>
  form === '' ? `"${content}"` : `"${content}.${form}"`

const FILE_TAG = /^"([^".]+)(?:\.[\w-]+)?"$/

/** As `matchedTag`, the tag of a file in any form (D-52): a client that has another form has its content. */
export function matchedFileTag(ifNoneMatch: string | undefined, etag: string): string | null {
  const named = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  const content = FILE_TAG.exec(etag)?.[1]
  const others = named.filter((tag) => FILE_TAG.exec(tag)?.[1] === content)
  return matchedTag(ifNoneMatch, [etag, ...others])
}

const KEY = new RegExp(IDEMPOTENCY_KEY_PATTERN)

/** Checks an `Idempotency-Key`; `bad_request` for an invalid one, and for two, which Node joins. */
export function readIdempotencyKey(key: string | string[]): string {
  if (typeof key === 'string' && KEY.test(key)) return key
  throw refusal('idempotencyKey')
}

const PAGE = new RegExp(PAGE_PATTERN)

/** The `page` of a query, 1 when it is left out; `bad_request` for anything but 1 to 999999 (D-15). */
export function readPage(query: unknown): number {
  const page: unknown = (query as { page?: unknown }).page
  if (page === undefined) return 1
  if (typeof page === 'string' && PAGE.test(page)) return Number(page)
  throw refusal('page')
}

/** The `page` of an address, as the browser application reads it: 1 for what is none. */
export function pageIn(query: unknown): number {
  const { page } = query as { readonly page?: unknown }
  return isText(page, PAGE) ? Number(page) : 1
}

const VERSION = new RegExp(VERSION_PATTERN)

/** The number of a version in a path; 0, which no version has, for anything else. */
export const readVersion = (text: string): number => (VERSION.test(text) ? Number(text) : 0)

const CURSOR = new RegExp(CURSOR_PATTERN)
const WAIT = new RegExp(WAIT_PATTERN)

/** Checks the query of `GET /changes` (D-73); `bad_request` that names the parameter. */
export function readChangeQuery(query: unknown): ChangeQuery {
  const { after, wait } = query as Readonly<Record<keyof ChangeQuery, unknown>>
  if (after !== undefined && !isText(after, CURSOR)) throw refusal('cursor')
  if (wait !== undefined && !isText(wait, WAIT)) throw refusal('wait')
  return { ...(after !== undefined && { after }), ...(wait !== undefined && { wait }) }
}

const ID = new RegExp(BEATMAP_ID_PATTERN)

/**
 * Checks the `ids` of a query (D-67): 1 to `most` different ids of beatmaps; `bad_request` otherwise. Returns them
 * in their order, each once, separated by commas.
 */
export function readUsageQuery(query: unknown, most: number): UsageQuery {
  const { ids } = query as Readonly<Record<string, unknown>>
  const different = new Set(typeof ids === 'string' ? ids.split(',') : [])
  const isValid = [...different].every((id) => ID.test(id) && Number(id) <= MAX_BEATMAP_ID)
  if (!isValid || different.size === 0 || different.size > most) {
    throw new AppError('bad_request:invalid_query', usageIdsMessage(most))
  }
  return { ids: [...different].join() }
}

/** As `readUsageQuery`, of what a page asks. */
export function readUsageLook(query: unknown): UsageLook {
  const { tournament } = query as Readonly<Record<string, unknown>>
  if (tournament !== undefined && !isText(tournament, SLUG)) {
    throw new AppError('bad_request:invalid_query', 'tournament must be the slug of one tournament')
  }
  const { ids } = readUsageQuery(query, MAX_SLOTS)
  return { ids, ...(tournament !== undefined && { tournament }) }
}

const SLUG = new RegExp(SLUG_PATTERN)

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** What the HTTP server's own errors mean here; each is thrown before our code sees the request. */
const meanings = new Map<unknown, Parameters<typeof refusal>[0]>([
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'notJsonMedia'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'bodyLength'],
])

/** What went wrong, in our words; null when it is a failure on our side. */
export function failureOf(error: unknown, service: ServiceName): AppError | null {
  if (error instanceof AppError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return refusal(service === 'pools' ? 'sheetTooLarge' : 'bodyTooLarge')
  }
  const meaning = meanings.get(code)
  return meaning === undefined ? null : refusal(meaning)
}
