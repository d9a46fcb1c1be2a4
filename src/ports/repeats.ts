import type { IdempotencyToken } from './packs.ts'

/** A write that an account makes once under a key, however often it is asked for (D-86). */
export type WriteOnce = IdempotencyToken & {
  readonly accountId: string
  /** What it makes: a slug or an id. */
  readonly made: string
  /** ms since the epoch. */
  readonly at: number
  /** Called when something was made under the key before; what it throws is passed on, and nothing is written. */
  readonly repeat: (earlier: { readonly fingerprint: string; readonly made: string }) => never
}
