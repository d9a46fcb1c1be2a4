import data from './expectations.json' with { type: 'json' }

/**
 * What the service makes of an answer:
 *
 * - `fine`: what was asked for.
 * - `people`: only the player's browser sees it.
 * - `denied`: the player did not agree; nothing has changed.
 * - `code-refused`: the mistake of the person who sent the code (D-91).
 * - `account`: this player cannot sign in (D-42).
 * - `gone`: there is no such beatmap.
 * - `no-rating`: the platform has none, so the plain rating counts.
 * - `new-token`: the token is not taken, and a new one may be.
 * - `throttled`, `down`: asked again later, with what is known until then.
 * - `set-up`, `blocked`: the operator has to do something.
 * - `bug`: a mistake of ours, or an unreadable answer.
 * - `unseen`: a mistake of ours that the answer does not show, so that tests prove that it is not made.
 */
export type Meaning =
  | 'fine'
  | 'people'
  | 'denied'
  | 'code-refused'
  | 'account'
  | 'gone'
  | 'no-rating'
  | 'new-token'
  | 'throttled'
  | 'down'
  | 'set-up'
  | 'blocked'
  | 'bug'
  | 'unseen'

/** One of the answers of the game platform. */
export type Expectation = {
  readonly number: number
  /** What is called; `code` is the token endpoint with a player's code, `token` without. */
  readonly route: 'authorize' | 'code' | 'token' | 'me' | 'beatmaps' | 'attributes'
  readonly when: string
  /** Any of them; null if there is no whole answer. */
  readonly status: number | readonly number[] | null
  readonly type: 'json' | 'html' | 'any' | 'none'
  /** `X-RateLimit-Limit`; null if there is none. */
  readonly limit: number | null
  /** Besides those that each JSON has: a pattern as in `body`, or null for none. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** See `Pattern`. */
  readonly body?: Pattern
  readonly then: Meaning
  readonly note?: string
  /** Where it was read; `inferred` if it was not. */
  readonly source: string
}

/**
 * What JSON looks like: `=a` is the text `a`, `/a/` a text that matches, `>0` and `<1` numbers, and `text`, `number`,
 * `boolean`, `list`, `any` what they say; `absent` is a key that must not be there. A list has as many entries, an object
 * these keys alone, unless it has the key `…`.
 */
type Pattern =
  | string
  | number
  | boolean
  | null
  | readonly Pattern[]
  | { readonly [key: string]: Pattern }

/** Every answer of the platform to what we ask, in the order of the ways to ask. */
export const expectations = data as readonly Expectation[]

export function expectation(number: number): Expectation {
  return expectations[number - 1]!
}

/** An answer as it came over the wire. */
export type SeenAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** What of an answer differs: `value` is what an answer of the right form says. */
type DifferenceKind = 'status' | 'limit' | 'limit-missing' | 'header' | 'body' | 'value'

export type Difference = { readonly kind: DifferenceKind; readonly text: string }

/** How an answer differs from what is expected, in words that hold nothing of what came but what may be shown. */
export function differences(expected: Expectation, answer: SeenAnswer): readonly string[] {
  return findDifferences(expected, answer).map(({ text }) => text)
}

/** As `differences`, with what of the answer it is. */
export function findDifferences(expected: Expectation, answer: SeenAnswer): readonly Difference[] {
  const { status, type, limit, headers = {}, body } = expected
  const found: Difference[] = []
  const note = (kind: DifferenceKind, text: string) => found.push({ kind, text })
  const statuses = Array.isArray(status) ? status : [status]
  if (!statuses.includes(answer.status)) {
    note('status', `the status is ${answer.status}, not ${statuses.join(' or ')}`)
  }
  const seenLimit = answer.headers.get('x-ratelimit-limit')
  if (seenLimit !== (limit === null ? null : String(limit))) {
    const kind = limit === null ? 'header' : seenLimit === null ? 'limit-missing' : 'limit'
    note(kind, `X-RateLimit-Limit is ${seenLimit ?? 'missing'}, not ${limit ?? 'missing'}`)
  }
  const left = answer.headers.get('x-ratelimit-remaining')
  if ((left === null) !== (limit === null)) {
    note(
      left === null ? 'limit-missing' : 'header',
      `X-RateLimit-Remaining is ${left === null ? 'missing' : 'there'}`,
    )
  }
  for (const [name, pattern] of Object.entries({ ...typeHeaders[type], ...headers })) {
    const value = answer.headers.get(name)
    if (value === null ? pattern !== null && pattern !== 'any' : pattern === null) {
      note('header', `the header ${name} is ${value === null ? 'missing' : 'there'}`)
    } else if (value !== null && !matches(pattern, value)) {
      note('header', `the header ${name} is another`)
    }
  }
  if (body !== undefined) {
    for (const text of bodyDifferences(body, answer.text)) note('body', text)
  }
  return found
}

const noWait = { 'retry-after': null }

const typeHeaders: Readonly<Record<Expectation['type'], Readonly<Record<string, string | null>>>> =
  {
    json: {
      ...noWait,
      'content-type': '=application/json',
      'cache-control': '=no-cache, private',
    },
    html: { ...noWait, 'content-type': '/^text/html\\b/' },
    any: noWait,
    none: {},
  }

function bodyDifferences(pattern: Pattern, text: string): readonly string[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return ['the body is no JSON']
  }
  return [...compare(pattern, json, 'the body')]
}

function* compare(pattern: Pattern, value: unknown, place: string): Generator<string> {
  if (Array.isArray(pattern)) {
    if (!Array.isArray(value)) yield `${place} is no list`
    else if (value.length !== pattern.length) {
      yield `${place} has ${value.length} entries, not ${pattern.length}`
    } else {
      for (const [at, each] of pattern.entries()) yield* compare(each, value[at], `${place}[${at}]`)
    }
  } else if (typeof pattern === 'object' && pattern !== null) {
    if (!isObject(value)) yield `${place} is no object`
    else yield* compareObject(pattern as Readonly<Record<string, Pattern>>, value, place)
  } else if (!matches(pattern, value)) {
    // Numbers and flags may be shown; texts could be a token.
    const isShown = typeof value === 'number' || typeof value === 'boolean' || value === null
    yield isShown ? `${place} is ${value}` : `${place} is another`
  }
}

function* compareObject(
  pattern: Readonly<Record<string, Pattern>>,
  value: Readonly<Record<string, unknown>>,
  place: string,
): Generator<string> {
  const isOpen = '…' in pattern
  for (const [key, each] of Object.entries(pattern)) {
    if (key === '…') continue
    const isThere = Object.hasOwn(value, key)
    if (each === 'absent') {
      if (isThere) yield `${place} has ${key}`
    } else if (!isThere) yield `${place} has no ${key}`
    else yield* compare(each, value[key], key)
  }
  const others = Object.keys(value).filter((key) => !Object.hasOwn(pattern, key))
  if (!isOpen && others.length > 0) yield `${place} has more: ${others.join(', ')}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  any: () => true,
  text: (value) => typeof value === 'string' && value !== '',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
}

function matches(pattern: unknown, value: unknown): boolean {
  if (typeof pattern !== 'string') return pattern === value
  if (pattern.startsWith('=')) return value === pattern.slice(1)
  if (pattern.startsWith('/')) {
    return typeof value === 'string' && new RegExp(pattern.slice(1, -1)).test(value)
  }
  if (pattern.startsWith('>')) return typeof value === 'number' && value > Number(pattern.slice(1))
  if (pattern.startsWith('<')) return typeof value === 'number' && value < Number(pattern.slice(1))
  return kinds[pattern]?.(value) === true
}
