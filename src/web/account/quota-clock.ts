import type { SiteQuota } from '../../contract/accounts.ts'

const LOOK_EACH_MS = 5_000
/** So that a look for the new minute does not still find the old one. */
const LATER_MS = 250

/**
 * Whole seconds until a window begins anew, counted down from what the site said.
 *
 * @param passedMs since it said so; a clock that was set back has passed nothing.
 */
export const secondsLeft = (resetSeconds: number, passedMs: number): number =>
  Math.max(0, Math.ceil(resetSeconds - Math.max(0, passedMs) / 1000))

/** How long to wait before the next look, in milliseconds: sooner where the minute ends sooner. */
export const nextLookMs = (quota: SiteQuota | null): number =>
  quota === null ? LOOK_EACH_MS : Math.min(LOOK_EACH_MS, quota.resetSeconds * 1000 + LATER_MS)
