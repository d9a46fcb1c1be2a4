/** The calls of the wire that count toward the platform's limit. */
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

/** Enough for half a day at the limit; a stand-in that runs for weeks must not grow. */
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

/** The most calls in any stretch of 60 seconds, wherever it begins. */
function busiestMinute(calls: readonly LoggedCall[]): number {
  let first = 0
  let most = 0
  for (const [last, { at }] of calls.entries()) {
    while (calls[first]!.at <= at - MINUTE_MS) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

/**
 * The platform's limit of token calls by address: a window of a minute begins with its first call, and refused calls do
 * not count.
 */
export function createTokenWindows(clock: () => number, perMinute: number | null) {
  const windows = new Map<string, { readonly endsAt: number; count: number }>()
  return {
    /** @returns how many calls are left after this one; null when it is refused. */
    admit: (address: string): number | null => {
      if (perMinute === null) return Infinity
      const now = clock()
      for (const [name, { endsAt }] of windows) if (endsAt <= now) windows.delete(name)
      const window = windows.get(address) ?? { endsAt: now + MINUTE_MS, count: 0 }
      windows.set(address, window)
      if (window.count >= perMinute) return null
      window.count += 1
      return perMinute - window.count
    },
  }
}

/**
 * The platform's limit in its strictest reading, calls in any 60 seconds: a client that keeps to it
 * also keeps to windows that start at the top of a minute.
 */
export function createThrottle(clock: () => number, perMinute: number | null) {
  let limit = perMinute
  let admitted: number[] = []
  return {
    setLimit: (next: number | null) => {
      limit = next
    },
    /** @returns 0 when the call may pass, else the whole seconds to wait. A refused call is not counted. */
    admit: (): number => {
      const now = clock()
      admitted = admitted.filter((at) => at > now - MINUTE_MS)
      if (limit !== null && admitted.length >= limit) {
        return Math.max(1, Math.ceil(((admitted[0] ?? now) + MINUTE_MS - now) / 1000))
      }
      admitted.push(now)
      return 0
    },
  }
}
