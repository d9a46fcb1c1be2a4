/** The calls of the wire that count toward the platform's limit. */
export const callKinds = ['token', 'me', 'beatmaps', 'attributes'] as const

export type CallKind = (typeof callKinds)[number]

/** One call as it came in. */
export type Call = {
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
const KEPT = 50_000

/** What tests look at to assert the budget; calls are kept in the order they came. */
export function createCallLog(clock: () => number) {
  let calls: Call[] = []
  return {
    note: (kind: CallKind, ids: readonly number[]): Call => {
      const call: Call = { kind, at: clock(), ids, status: null }
      if (calls.length >= KEPT) calls = calls.slice(KEPT / 10)
      calls.push(call)
      return call
    },
    report: () => ({
      ...countByKind(calls),
      busiestMinute: busiestMinute(calls),
      minutes: [...Map.groupBy(calls, minuteOf)].map(([minute, within]) => ({
        minute,
        ...countByKind(within),
      })),
      calls,
    }),
    clear: () => {
      calls = []
    },
  }
}

const countByKind = (calls: readonly Call[]) => ({
  total: calls.length,
  ...Object.fromEntries(
    callKinds.map((kind) => [kind, calls.filter((call) => call.kind === kind).length]),
  ),
})

const minuteOf = (call: Call): number => call.at - (call.at % MINUTE_MS)

/** The most calls that fell into any stretch of 60 seconds, wherever it begins. */
function busiestMinute(calls: readonly Call[]): number {
  let first = 0
  let most = 0
  calls.forEach((call, last) => {
    while ((calls[first]?.at ?? call.at) <= call.at - MINUTE_MS) first += 1
    most = Math.max(most, last - first + 1)
  })
  return most
}

/**
 * The platform's limit, in its strictest reading: so many calls in any 60 seconds, wherever they begin.
 * Who keeps within it keeps within windows that start at the top of a minute as well.
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
