import { AsyncLocalStorage } from 'node:async_hooks'
import { hash, randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { promiseHooks } from 'node:v8'
import zlib from 'node:zlib'
import { ADDRESS_CPU, LONGEST_CPU_WAIT_MS, NETWORK_CPU, UNPACED_CPU } from '../contract/quotas.ts'
import { CpuAllowance, networkOf } from '../domain/quotas.ts'
import { contentCodings } from '../domain/reading/requests.ts'
import type { Clock, Compressor, Hasher, Random, WorkBill, WorkMeter } from '../ports/system.ts'

export const systemClock: Clock = { now: () => Date.now() }

export const systemRandom: Random = { bytes: (count) => randomBytes(count) }

/** One call into the crypto library; a hash object would cost several times as much. */
export const systemHasher: Hasher = { sha256: (text) => hash('sha256', text, 'base64url') }

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)
/** Some runtimes are built without it. */
const zstd = typeof zlib.zstdCompress === 'function' ? promisify(zlib.zstdCompress) : null
const { constants } = zlib

/**
 * `small`: the highest level before time grows faster than size shrinks, 2 ms for a page of 117 KB. `fast`: a third of
 * that, for bodies that are a sixth larger.
 */
const BROTLI_QUALITY = { small: 5, fast: 2 }
const GZIP_LEVEL = { small: 6, fast: 2 }

/**
 * The base-2 logarithm of the smallest window that holds so many bytes: a larger one finds nothing more, but takes
 * megabytes, which make the runtime collect garbage for each page.
 */
const windowOf = (bytes: number): number =>
  Math.min(Math.max(Math.ceil(Math.log2(bytes + 16)), 16), 22)

/** On the runtime's thread pool, at levels that suit answers that a client waits for. */
export const systemCompressor: Compressor = {
  codings: contentCodings.filter((coding) => coding !== 'zstd' || zstd !== null),
  compress: (bytes, coding, effort) => {
    if (coding === 'gzip') return gzip(bytes, { level: GZIP_LEVEL[effort] })
    if (coding === 'zstd' && zstd !== null) return zstd(bytes)
    return brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_LGWIN]: windowOf(bytes.length),
      },
    })
  },
}

const BATCH_MS = 50
const BATCH_CHARACTERS = 65_536

/**
 * Writes log lines to stderr in batches: a write for each request would cost more than the request.
 * The last batch is written when the process exits; `kill -9` can lose 50 ms of lines.
 */
export function openLogStream(): { write(line: string): void } {
  let batch = ''
  let timer: NodeJS.Timeout | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const lines = batch
    batch = ''
    if (lines !== '') process.stderr.write(lines)
  }

  process.on('exit', flush)
  // That the reader of the log is gone is no reason to stop serving.
  process.stderr.on('error', () => {})
  return {
    write(line) {
      batch += line
      if (batch.length >= BATCH_CHARACTERS) flush()
      else timer ??= setTimeout(flush, BATCH_MS).unref()
    },
  }
}

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
