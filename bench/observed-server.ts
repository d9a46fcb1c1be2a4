// The real server, which also reports to its parent what it has used and charged, and refuses nobody for a quota: what
// is measured is what a request costs and is charged, not how many there may be.
import { ShareCounter } from '../src/adapters/counters/memory.ts'
import {
  ACCOUNT_POINTS_PER_MINUTE,
  EDITS_PER_MINUTE,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../src/contract/quotas.ts'
import { BoundedMap } from '../src/domain/loading.ts'
import { CpuAllowance } from '../src/domain/quotas.ts'
import { serve } from '../src/main/serve.ts'

/** What the process has used and charged since it started. */
export type Observed = {
  /** CPU time of all its threads, ms. */
  readonly cpuMs: number
  /** CPU time that the meter has charged to addresses, ms. */
  readonly chargedMs: number
  /** Of each quota, in points of a share. */
  readonly points: Readonly<Record<'site' | 'edits' | 'requests' | 'writes', number>>
}

let chargedMs = 0
const points = { site: 0, edits: 0, requests: 0, writes: 0 }
/** What one of each takes of an account's minute, in parts of its share of the site. */
const pointsOf = {
  edit: ACCOUNT_POINTS_PER_MINUTE / EDITS_PER_MINUTE,
  request: ACCOUNT_POINTS_PER_MINUTE / REQUESTS_PER_MINUTE,
  write: ACCOUNT_POINTS_PER_MINUTE / WRITES_PER_MINUTE,
}

CpuAllowance.prototype.charge = (_name, ms) => void (chargedMs += ms)
CpuAllowance.prototype.waitMs = () => 0
ShareCounter.prototype.spend = ({ kind }, cost) => {
  if (kind === 'site') points.site += cost
  else if (kind === 'edits') points.edits += cost * pointsOf.edit
  return { isRefused: false, resetMs: 60_000, spent: 0 }
}

// The counters of keys are entries of a map with two numbers: these count on, and read as nothing.
const countOn = (each: 'request' | 'write') => {
  const name = `${each}s` as const
  return {
    enumerable: true,
    get: () => 0,
    set: (spent: number) => void (points[name] += spent * pointsOf[each]),
  }
}
const set = Object.getOwnPropertyDescriptor(BoundedMap.prototype, 'set')!.value
BoundedMap.prototype.set = function <V>(this: BoundedMap<string, V>, key: string, value: V): V {
  const isSpending = typeof value === 'object' && value !== null && 'writes' in value
  if (isSpending) {
    Object.defineProperties(value, { requests: countOn('request'), writes: countOn('write') })
  }
  return set.call(this, key, value) as V
} as never

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const observed: Observed = { cpuMs: (user + system) / 1000, chargedMs, points }
  process.send?.(observed)
})

await serve()
