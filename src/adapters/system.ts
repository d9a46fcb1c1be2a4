import { AsyncLocalStorage } from 'node:async_hooks'
import { hash, randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { promiseHooks } from 'node:v8'
import zlib from 'node:zlib'
import { ADDRESS_CPU, LONGEST_CPU_WAIT_MS, NETWORK_CPU, UNPACED_CPU } from '../contract/quotas.ts'
import { CpuAllowance, networkOf } from '../domain/quotas.ts'
import { contentCodings } from '../domain/reading/requests.ts'
import type {
  Clock,
  Compressor,
  GzipFront,
  Hasher,
  Random,
  WorkBill,
  WorkMeter,
} from '../ports/system.ts'

export const systemClock: Clock = { now: () => Date.now() }

/** Bytes that one call into the crypto library brings: it costs as much for one as for these. */
const POOL_BYTES = 4_096
let pool = new Uint8Array(0)
let used = 0

export const systemRandom: Random = {
  bytes(count) {
    if (count > POOL_BYTES) return randomBytes(count)
    if (used + count > pool.length) {
      pool = randomBytes(POOL_BYTES)
      used = 0
    }
    const bytes = Uint8Array.from(pool.subarray(used, used + count))
    // What may become a secret is nowhere else.
    pool.fill(0, used, (used += count))
    return bytes
  },
}

/** One call into the crypto library; a hash object would cost several times as much. */
export const systemHasher: Hasher = { sha256: (text) => hash('sha256', text, 'base64url') }

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)
const gunzip = promisify(zlib.gunzip)
/** Some runtimes are built without it. */
const zstd = typeof zlib.zstdCompress === 'function' ? promisify(zlib.zstdCompress) : null
const { constants } = zlib

/** The highest levels before time grows faster than size shrinks: 2 ms for a page of 117 KB, and 0.6 ms. */
const BROTLI_QUALITY = 5
const GZIP_LEVEL = 6

/**
 * The base-2 logarithm of the smallest window that holds so many bytes: a larger one finds nothing more, but takes
 * megabytes, which make the runtime collect garbage for each page.
 */
const windowOf = (bytes: number): number =>
  Math.min(Math.max(Math.ceil(Math.log2(bytes + 16)), 16), 22)

/** On the runtime's thread pool, at levels that suit answers that a client waits for. */
export const systemCompressor: Compressor = {
  codings: contentCodings.filter((coding) => coding !== 'zstd' || zstd !== null),
  compress: async (bytes, coding) => {
    if (coding === 'gzip') return trimmed(await gzip(bytes, { level: GZIP_LEVEL }))
    if (coding === 'zstd' && zstd !== null) return trimmed(await zstd(bytes))
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [constants.BROTLI_PARAM_LGWIN]: windowOf(bytes.length),
    }
    return trimmed(await brotli(bytes, { params }))
  },
  unpackFront: ({ bytes }) => gunzip(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
  join: joinGzip,
}

/** A copy of its own: the library's results are views of blocks of 16 KB, which would be kept whole. */
const trimmed = (bytes: Buffer): Uint8Array => new Uint8Array(bytes)

/** As many bytes as a stored block of deflate can hold (RFC 1951, 3.2.4). */
const STORED_BYTES = 65_535
const STORED_HEAD = 5
const GZIP_TRAILER = 8

function joinGzip(front: GzipFront, rest: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(rest.length / STORED_BYTES))
  const size = front.bytes.length + rest.length + blocks * STORED_HEAD + GZIP_TRAILER
  const whole = Buffer.allocUnsafe(size)
  whole.set(front.bytes)
  let at = front.bytes.length
  for (let block = 0; block < blocks; block += 1) {
    const part = rest.subarray(block * STORED_BYTES, (block + 1) * STORED_BYTES)
    whole[at] = block === blocks - 1 ? 1 : 0
    whole.writeUInt16LE(part.length, at + 1)
    whole.writeUInt16LE(part.length ^ 0xffff, at + 3)
    whole.set(part, at + STORED_HEAD)
    at += STORED_HEAD + part.length
  }
  whole.writeUInt32LE(zlib.crc32(rest, front.crc), at)
  whole.writeUInt32LE((front.length + rest.length) % 2 ** 32, at + 4)
  return whole
}

const BATCH_MS = 50
const BATCH_CHARACTERS = 65_536

type LogStream = { write(line: string): void }

let logStream: LogStream | null = null

/**
 * Writes log lines to stderr in batches: a write for each request would cost more than the request.
 * The last batch is written when the process exits; `kill -9` can lose 50 ms of lines. All logs of a process share it,
 * and so the order of their lines.
 */
export function openLogStream(): LogStream {
  logStream ??= createLogStream()
  return logStream
}

function createLogStream(): LogStream {
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

export function createWorkMeter(): WorkMeter {
  const addresses = new CpuAllowance(ADDRESS_CPU)
  const networks = new CpuAllowance(NETWORK_CPU)
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
