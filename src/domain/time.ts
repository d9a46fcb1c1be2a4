import { DAY_MS } from '../contract/quotas.ts'

/** A point in time as it goes over the wire: ISO 8601, UTC, milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString()

/** The day that a moment lies in, by UTC: whole days since the epoch. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS)
