/** How often an account or an address may do something in one window (spec 8). */

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Requests of one account to one service in a minute. */
export const REQUESTS_PER_MINUTE = 60
/** Writes of one account on one service in a minute; they count as requests too. */
export const WRITES_PER_MINUTE = 10
/** Failed key attempts of one address in a minute. */
export const FAILURES_PER_MINUTE = 20
/** Edits of tournaments by one account on the site in a minute; they are no writes (D-64). */
export const EDITS_PER_MINUTE = 120
/** Codes of sign-ins that the platform refuses, from one address in ten minutes of the clock (D-91). */
export const FAILED_CODES_PER_ADDRESS = 20
/** From all addresses of one /48 of IPv6. */
export const FAILED_CODES_PER_NETWORK = 60
export const FAILED_CODES_WINDOW_MS = 600_000
/** New keys of one account in an hour, on the account page (D-41). */
export const NEW_KEYS_PER_HOUR = 10

// Fair shares of the site (D-56): each request costs points of the account that is signed in, else of
// the address: those of its kind in advance, and more when its work has taken more CPU time than they pay for (D-75).
// The files of the pages and the search index cost none (spec 2.10).

/** Points of one account, on the site of one service, in a minute. */
export const ACCOUNT_POINTS_PER_MINUTE = 600
/** Points of one address (IPv6: of its /64), of all who are not signed in there: a venue shares one. */
export const ADDRESS_POINTS_PER_MINUTE = 1200

/** Points of all addresses of one /48 of IPv6 together. */
export const NETWORK_POINTS_PER_MINUTE = 4800
/** CPU time that one point pays for, ms. */
export const CPU_MS_PER_POINT = 1.5

// What one address may use of the CPU time of each process, whatever it asks for (D-75): so much of each second in the
// long run, and so much at once after a pause. Requests that have no time left wait; requests with a valid key do not
// count.

/** Of one address (IPv6: of its /64). */
export const ADDRESS_CPU = { msPerSecond: 70, burstMs: 600 } as const
/** Of one /48 of IPv6. */
export const NETWORK_CPU = { msPerSecond: 250, burstMs: 2000 } as const
/** CPU time of every request apart from its measured work: reading it, admitting or refusing it, sending the answer. */
export const REQUEST_CPU_MS = 0.25
// Connections that begin, and health checks, have an allowance of their own, so that a key is served and a monitor
// answered whatever else their address does (D-5). What has used it up waits, and is closed where it would wait too long.

/** Of one address (IPv6: of its /48). */
export const UNPACED_CPU = { msPerSecond: 25, burstMs: 1000 } as const
/** CPU time of accepting and closing a connection, and of a TLS handshake apart from its signature. */
export const CONNECT_CPU_MS = 0.15
export const HANDSHAKE_CPU_MS = 0.7
/** The longest wait; a request that would wait longer is refused after it. */
export const LONGEST_CPU_WAIT_MS = 2000

/** Points of each kind of request. */
export const siteCosts = {
  /** A page, found or not. */
  page: 1,
  /** A session endpoint that reads or changes one thing. */
  session: 1,
  /** A page of a list: up to 50 packs or entries. */
  list: 5,
  /** Up to 64 beatmaps and their ratings. */
  lookUp: 4,
  /** Everything that is kept about an account. */
  export: 20,
  /** A preview picture that has been drawn before. */
  picture: 1,
  /** In addition, when it has to be drawn. */
  drawing: 10,
  /** Each of the two steps of signing in. */
  signIn: 2,
} as const

export type SiteCost = keyof typeof siteCosts

/** Beatmaps that one address may add to the cache in an hour: ten look-ups of 64. */
export const NEW_BEATMAPS_PER_HOUR = 640
/** Beatmaps that all visitors together may add who are not signed in. */
export const ANONYMOUS_NEW_BEATMAPS_PER_HOUR = 6400
