import type { TSchema } from 'typebox'
import type { Method, Success } from './endpoint.ts'
import type { SiteErrorStatus } from './site-errors.ts'
import type { SiteCost } from './site-shares.ts'

/** An endpoint of the site as data. None of them is part of the published API. */
export type SiteEndpoint = {
  readonly method: Method
  /** Below the site's address; `{slug}` stands for a pack's slug. */
  readonly path: string
  readonly summary: string
  /** Who may call it: anyone, whoever is signed in (401 otherwise), moderators (403 otherwise). */
  readonly who: 'anyone' | 'signed in' | 'moderators'
  /**
   * What must show that our own page asks: `page`, `Origin` or `Sec-Fetch-Site`; `token`, the header
   * `X-CSRF-Token` beside. Left out: nothing, it only reads.
   */
  readonly proof?: 'page' | 'token'
  /** What it costs of the share of whoever asks (D-56); left out: `session`. */
  readonly cost?: SiteCost
  /** Spends one request and one write of the account on the packs service (spec 8). */
  readonly spendsWrite?: true
  /** Takes `Idempotency-Key`, as the API's endpoint of the same name does. */
  readonly idempotencyKey?: true
  /** Takes `?page=` (D-15). */
  readonly paged?: true
  /** What else the query may hold; unknown names are ignored. */
  readonly query?: TSchema
  /** What the body must be; left out where none is read. */
  readonly body?: TSchema
  /** What the answer's `Content-Disposition` names, where it is a file to keep. */
  readonly download?: string
  readonly success: Success
  readonly errors: readonly SiteErrorStatus[]
}

/** Name of the endpoint → endpoint. */
export type SiteEndpointTable = Readonly<Record<string, SiteEndpoint>>

/** The header that a state change carries `Viewer.csrf` in. */
export const CSRF_HEADER = 'x-csrf-token'
