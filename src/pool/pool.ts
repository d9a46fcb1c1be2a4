import type { Bucket, Slot } from '../contract/pools.ts'
import type { Remedy } from './remedies.ts'

/** A pool as data: what a pack holds and a pack key encodes. Always valid and complete. */
export type Pool = {
  /** Trimmed; 1 to 64 UTF-16 code units (D-19). */
  readonly name: string
  /** The whole bucket table in pool order, built-ins included; null when it is the default one (D-22). */
  readonly buckets: readonly Bucket[] | null
  /** In the order they were sent (D-20); those of a decoded key are in pool order. */
  readonly slots: readonly Slot[]
}

/** Where a slot is: its bucket, and its number there. */
export type Place = Pick<Slot, 'mod' | 'index'>

/** Buckets and places, whatever is in them. Every `PoolDraft` is one. */
export type Layout = {
  /** May be partial (D-22); none is the default table. */
  readonly buckets?: readonly Bucket[] | null | undefined
  readonly slots: readonly Place[]
}

/** A pool that is typed, but neither complete nor known to be valid. Every `Pool` is one. */
export type PoolDraft = {
  readonly name: string
  /** May be partial (D-22); none is the default table. */
  readonly buckets?: readonly Bucket[] | null | undefined
  readonly slots: readonly Slot[]
}

/** What is wrong with a draft, as data. */
export type Found = { readonly place: string; readonly what: Remedy }

/** What is wrong with a draft, in English. */
export type PoolProblem = {
  /** The place as a path: `slots[3].index`, `buckets[0].mods.set`, `name`. */
  readonly place: string
  /** To be read after the place: `must be from 1 to 99`. */
  readonly remedy: string
}
