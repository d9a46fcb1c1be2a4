/** How often an account or an address may do something in one window (spec 8). */

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Requests of one account to one service in a minute. */
export const REQUESTS_PER_MINUTE = 60
/** POST, PUT, PATCH and DELETE of one account on one service in a minute; they count as requests too. */
export const WRITES_PER_MINUTE = 10
/** Failed key attempts of one address in a minute. */
export const FAILURES_PER_MINUTE = 20
/** New keys of one account in an hour, on the account page (D-41). */
export const NEW_KEYS_PER_HOUR = 10
