/** One call of the platform's wire. */
export type WireCall = {
  readonly method: 'GET' | 'POST'
  /** Behind the platform's address, without the query: what messages call it by. */
  readonly path: string
  readonly query?: URLSearchParams
  /** A form, or an object that is sent as JSON. */
  readonly body?: URLSearchParams | Readonly<Record<string, unknown>>
  /** The bearer token; left out where none is asked for. */
  readonly token?: string
}

/** What came back. */
export type WireAnswer = {
  readonly status: number
  /** `Retry-After` as it stands; null when absent. */
  readonly retryAfter: string | null
  /** The body, when it is whole and JSON; else undefined. */
  readonly json: unknown
  /** What is wrong with the body, in words; null when nothing is. */
  readonly flaw: string | null
}

/** How messages name a call: never with its query, body or token. */
export const nameOf = ({ method, path }: WireCall): string => `${method} ${path}`
