import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promiseHooks } from 'node:v8'
import { ADDRESS_CPU, UNPACED_CPU, LONGEST_CPU_WAIT_MS, NETWORK_CPU } from '../contract/quotas.ts'
import { CpuAllowance } from '../domain/cpu-allowance.ts'
import { networkOf } from '../domain/quotas.ts'
import type { WorkBill, WorkMeter } from '../ports/system.ts'

/** Garbage is collected and code compiled on other threads meanwhile: a quarter of what this one takes. */
const OTHER_THREADS = 1.25
/** Longer work of one request is interrupted where it can be. */
const TURN_MS = 4

type Work = { readonly bill: WorkBill; spentMs: number; turnEndsAtMs: number }

type WorkMeterOptions = {
  /** Of each address, and of each /48 of IPv6. */
  readonly addressCpu?: typeof ADDRESS_CPU
  readonly networkCpu?: typeof NETWORK_CPU
}

const current = new AsyncLocalStorage<Work>()
/** What this thread does for a request just now: one stretch at a time, without an end of its own inside another. */
let stretch: Stretch | null = null
/** The last reading of the CPU time, and when it was. */
let readMs = 0
let readAt = 0
let isHooked = false

type Stretch = {
  readonly work: Work
  readonly begunAt: number
  /** The last reading of the CPU time before it. */
  readonly readMs: number
}

/** Up to so long, the clock says what the CPU time was: asking the kernel takes longer than most promises do. */
const LONG_STRETCH_MS = 0.1
/** A stretch begins with a reading that is not older. */
const LATEST_READING_MS = 0.5

/** All that runs after an `await` is work, too: each continuation of a promise is a stretch of its request. */
function hookPromises(): void {
  if (isHooked) return
  isHooked = true
  let isOurs = false
  promiseHooks.createHook({
    before() {
      const work = stretch === null ? current.getStore() : undefined
      isOurs = work !== undefined
      if (work !== undefined) begin(work)
    },
    after() {
      if (isOurs) endStretch()
      isOurs = false
    },
  })
}

function begin(work: Work): void {
  const begunAt = performance.now()
  if (begunAt - readAt > LATEST_READING_MS) cpuMs()
  stretch = { work, begunAt, readMs }
}

function endStretch(): void {
  if (stretch === null) return
  const { work } = stretch
  const ms = stretchMs()
  stretch = null
  spend(work, ms * OTHER_THREADS)
}

/** CPU time of the stretch so far: not more than the process has used since the last reading before it. */
function stretchMs(): number {
  if (stretch === null) return 0
  const ms = performance.now() - stretch.begunAt
  return ms < LONG_STRETCH_MS ? ms : Math.min(ms, cpuMs() - stretch.readMs)
}

function spend(work: Work, ms: number): void {
  work.spentMs += ms
  work.bill(ms)
}

export function createWorkMeter({
  addressCpu = ADDRESS_CPU,
  networkCpu = NETWORK_CPU,
}: WorkMeterOptions = {}): WorkMeter {
  const addresses = new CpuAllowance(addressCpu)
  const networks = new CpuAllowance(networkCpu)
  const unpaced = new CpuAllowance(UNPACED_CPU)

  function chargeAddress(address: string, ms: number): void {
    const now = performance.now()
    addresses.charge(address, ms, now)
    const network = networkOf(address)
    if (network !== null) networks.charge(network, ms, now)
  }

  return {
    run(bill, start) {
      hookPromises()
      return current.run({ bill, spentMs: 0, turnEndsAtMs: TURN_MS }, start)
    },

    measure(run) {
      const work = current.getStore()
      if (work === undefined || stretch !== null) return run()
      begin(work)
      try {
        return run()
      } finally {
        endStretch()
      }
    },

    add(ms) {
      const work = current.getStore()
      if (work !== undefined) spend(work, ms)
    },

    spentMs,

    breathe() {
      const work = current.getStore()
      if (work === undefined || spentMs() < work.turnEndsAtMs) return undefined
      work.turnEndsAtMs = spentMs() + TURN_MS
      return nextTurn()
    },

    chargeAddress,

    admitUnpaced(address, ms) {
      const name = networkOf(address) ?? address
      const now = performance.now()
      const waitMs = unpaced.waitMs(name, now)
      if (waitMs > LONGEST_CPU_WAIT_MS) return null
      unpaced.charge(name, ms, now)
      chargeAddress(address, ms)
      return waitMs
    },

    addressWaitMs(address) {
      const now = performance.now()
      const network = networkOf(address)
      const ofNetwork = network === null ? 0 : networks.waitMs(network, now)
      return Math.max(addresses.waitMs(address, now), ofNetwork)
    },
  }
}

function spentMs(): number {
  const work = current.getStore()
  return work === undefined ? 0 : work.spentMs + (stretch?.work === work ? stretchMs() : 0)
}

/** CPU time of this process: Linux counts that of a thread only when its clock ticks, every few ms. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  readMs = (user + system) / 1000
  readAt = performance.now()
  return readMs
}
