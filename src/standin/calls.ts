/** The calls of the wire that count toward the platform's limits. */
export const callKinds = ['token', 'me', 'beatmaps', 'attributes'] as const

export type CallKind = (typeof callKinds)[number]

export type LoggedCall = {
  readonly kind: CallKind
  /** ms since the epoch, by the stand-in's clock. */
  readonly at: number
  /** The beatmaps asked for; empty for token and me. */
  readonly ids: readonly number[]
  /** The body of an attributes call. */
  asked?: unknown
  /** null while, or because, it was not answered. */
  status: number | null
}

const MINUTE_MS = 60_000

/** Enough for half a day at the published limit; a stand-in that runs for weeks must not grow. */
const MAX_KEPT = 50_000

/** The calls in the order they came. */
export function createCallLog(clock: () => number) {
  let calls: LoggedCall[] = []
  return {
    note: (kind: CallKind, ids: readonly number[]): LoggedCall => {
      const call: LoggedCall = { kind, at: clock(), ids, status: null }
      if (calls.length >= MAX_KEPT) calls = calls.slice(MAX_KEPT / 10)
      calls.push(call)
      return call
    },
    report: () => {
      const byMinute = Map.groupBy(calls, ({ at }) => at - (at % MINUTE_MS))
      const minutes = [...byMinute].map(([minute, within]) => ({ minute, ...countByKind(within) }))
      return { ...countByKind(calls), busiestMinute: busiestMinute(calls), minutes, calls }
    },
    clear: () => {
      calls = []
    },
  }
}

function countByKind(calls: readonly LoggedCall[]) {
  const counts = callKinds.map((kind) => [kind, calls.filter((call) => call.kind === kind).length])
  return { total: calls.length, ...Object.fromEntries(counts) }
}

/** The most calls in any stretch of 60 seconds, wherever it begins: what the published limit of 60 speaks of. */
function busiestMinute(calls: readonly LoggedCall[]): number {
  let first = 0
  let most = 0
  for (const [last, { at }] of calls.entries()) {
    while (calls[first]!.at <= at - MINUTE_MS) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** The limits that the platform enforces, in calls a minute. */
export const CALLS_PER_TOKEN = 1_200
export const TOKENS_PER_ADDRESS = 60

/**
 * A limit as the platform enforces it, by token or by address: a window of a minute begins with its first call, and
 * refused calls do not count.
 *
 * @param perMinute null for no limit.
 */
export function createWindows(clock: () => number, perMinute: number | null) {
  const windows = new Map<string, { readonly endsAt: number; count: number }>()
  return {
    perMinute,
    /** @returns how many calls are left after this one; null when it is refused. */
    admit: (key: string): number | null => {
      if (perMinute === null) return Infinity
      const now = clock()
      for (const [name, { endsAt }] of windows) if (endsAt <= now) windows.delete(name)
      const window = windows.get(key) ?? { endsAt: now + MINUTE_MS, count: 0 }
      windows.set(key, window)
      if (window.count >= perMinute) return null
      window.count += 1
      return perMinute - window.count
    },
  }
}

/** A limit for tests, on calls of all kinds in any 60 seconds; the platform has none like it. */
export function createThrottle(clock: () => number, perMinute: number | null) {
  let limit = perMinute
  let admitted: number[] = []
  return {
    setLimit: (next: number | null) => {
      limit = next
    },
    /** Whether the call may pass. A refused call is not counted. */
    admit: (): boolean => {
      const now = clock()
      admitted = admitted.filter((at) => at > now - MINUTE_MS)
      if (limit !== null && admitted.length >= limit) return false
      admitted.push(now)
      return true
    },
  }
}
