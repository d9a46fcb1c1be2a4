import { DAY_MS } from '../contract/quotas.ts'
import type { KeyFacts } from '../contract/site-key.ts'
import { timestamp } from './present-pack.ts'

/** The day that a moment lies in, by UTC: whole days since the epoch. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS)

/** A day as people read it: 2026-11-21. */
const dayText = (day: number): string => timestamp(day * DAY_MS).slice(0, 10)

/** What can be told of a key (D-40). */
export const presentKey = (key: {
  readonly shown: string
  readonly createdAt: number
  readonly lastUsedDay: number | null
}): KeyFacts => ({
  shown: key.shown,
  createdAt: timestamp(key.createdAt),
  lastUsedOn: key.lastUsedDay === null ? null : dayText(key.lastUsedDay),
})
