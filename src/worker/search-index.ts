import { hash, randomUUID } from 'node:crypto'
import { setImmediate as otherWork } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'
import { fileTag } from '../domain/reading/requests.ts'
import {
  createIndexBuilder,
  type IndexFile,
  type IndexFiles,
  type PublishedIndex,
  type PublishedIndexCache,
} from '../operations/search-index.ts'
import type { Ports } from '../ports/ports.ts'
import type { SharedIndex } from '../ports/search.ts'
import { keepIndexFiles } from './index-files.ts'
import { startLoop, withinStopTime, type WorkerLog } from './loop.ts'

/** `sharedIndex` left out or null: no other process builds. */
type IndexLoopPorts = Pick<Ports, 'publicIndex' | 'clock'> & Partial<Pick<Ports, 'sharedIndex'>>

type IndexLoopOptions = {
  readonly indexCache: PublishedIndexCache
  /** The owner label of tournament pools (D-28). */
  readonly poolsOwnerName: string
  /** false: this process serves what others build. Left out: it builds too. */
  readonly isWorker?: boolean
  /** Where to keep the index as files too; null for nowhere. */
  readonly directory?: string | null
  readonly onBuilt?: ((build: IndexBuild) => void) | undefined
}

/** A finished build; `bytes` of the text, before it is compressed. */
export type IndexBuild = Readonly<Record<'packs' | 'bytes' | 'durationMs', number>>

export type IndexLoop = {
  /** Resolves when the first index is there, or the loop was stopped before. */
  readonly ready: Promise<unknown>
  /** Ends the loop. A build under way is abandoned. */
  readonly stop: () => Promise<void>
}

const POLL_INTERVAL_MS = 250
/** While a request waits for what another process builds. */
const BUSY_POLL_INTERVAL_MS = 50
/** Requests within this time that find the index old share a build. */
const BATCH_MS = 100
/** With another look and a build, a change waits for less than 2 s (D-39). */
const PAUSE_AFTER_BUILD_MS = 500
/** Longer than a build. With a build and three looks it stays below the 5 seconds that D-39 allows. */
const LEASE_MS = 2_500
/**
 * When nothing has changed for so long, the text is compressed once more, and harder. Changes that keep
 * coming never cost that, and few clients have the larger file by then, which they must load again.
 */
const QUIET_MS = 5_000

/** Keeps the search index up to date (spec 2.10, D-39). After a failure, the old one remains. */
export function startIndexLoop(
  { publicIndex, sharedIndex: shared = null, clock }: IndexLoopPorts,
  { indexCache, poolsOwnerName, isWorker = true, directory = null, onBuilt }: IndexLoopOptions,
  log: WorkerLog,
): IndexLoop {
  const buildIndex = createIndexBuilder(publicIndex, poolsOwnerName)
  const kept = directory === null ? null : keepIndexFiles(directory, log)
  const holder = randomUUID()
  let hasWaited = false
  /** Requests that wait for a look. They go by themselves: where no process builds, no look finds the index current. */
  const waiting = new Set<() => void>()
  /** What `publicIndex.state` was when the index was known to be current. */
  let freshState: object | null = null
  let quietText: IndexFile | null = null
  // For the text of one build after the other: new megabytes for each keep the garbage collector at work.
  let space = Buffer.alloc(0)

  const building = startLoop({
    work: async (signal) => {
      const now = clock.now()
      // Read before the version: what is committed in between makes another one of it.
      const state = await publicIndex.state()
      const asked = [...waiting]
      const version = await publicIndex.version()
      const isCurrent = () => indexCache.current()?.version === version
      let pause = asked.length === 0 ? POLL_INTERVAL_MS : BUSY_POLL_INTERVAL_MS
      if (shared !== null && !isCurrent()) await loadOther(shared)
      if (isCurrent()) {
        hasWaited = false
      } else if (isWorker && !hasWaited && asked.length === 0 && indexCache.current() !== null) {
        // The stats of a saved pack follow soon: one build at the next look shows both.
        hasWaited = true
      } else if (await acquireLease()) {
        await build(now, signal)
        hasWaited = false
        pause = PAUSE_AFTER_BUILD_MS
      }
      if (!isCurrent()) return pause
      indexCache.freshAt = now
      freshState = state
      for (const leave of asked) leave()
      return waiting.size > 0 ? BUSY_POLL_INTERVAL_MS : pause
    },
    batchMs: BATCH_MS,
    backOff: { firstMs: POLL_INTERVAL_MS, longestMs: 4_000 },
    log,
    failure: { message: 'building the search index failed' },
  })
  indexCache.catchUp = (withinMs) => {
    const state = publicIndex.state()
    if (!(state instanceof Promise)) return state === freshState ? undefined : nextCurrent(withinMs)
    return state.then((now) => (now === freshState ? undefined : nextCurrent(withinMs)))
  }
  void building.ended.finally(() => {
    indexCache.catchUp = () => undefined
    for (const leave of waiting) leave()
  })
  // Each process does this for itself: a published build is read once for each version.
  const compressing = startLoop({
    work: async () => {
      const text = indexCache.current()?.files.identity ?? null
      if (text === null) return Infinity
      if (text !== quietText) {
        quietText = text
        return QUIET_MS
      }
      const br = await compress(text, HARD_QUALITY)
      const index = indexCache.current()
      // Another text that came meanwhile has files of its own.
      if (index?.files.identity === text) {
        serve({ ...index, files: { ...index.files, br: async () => br } })
      }
      return Infinity
    },
    backOff: { firstMs: QUIET_MS, longestMs: QUIET_MS },
    log,
    failure: { message: 'compressing the search index failed' },
  })
  return {
    ready: Promise.race([indexCache.first(), building.ended]),
    stop: () => withinStopTime(Promise.all([building.stop(), compressing.stop(), kept?.stop()])),
  }

  /** Resolves after a look that begins from now on and finds the index current, or after so many ms. */
  function nextCurrent(withinMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const leave = (): void => {
      clearTimeout(timer)
      waiting.delete(leave)
      resolve()
    }
    const timer = setTimeout(leave, withinMs)
    waiting.add(leave)
    building.wake()
    return promise
  }

  /** Puts in place what another process has published. */
  async function loadOther(from: SharedIndex): Promise<void> {
    const other = await from.readOther(indexCache.current()?.version ?? null)
    if (other === null) return
    indexCache.isBuiltHere = false
    const { version, builtAt, packs } = other
    const bytes = await unbrotli(other.brotli)
    const text = { bytes, etag: etagOf(bytes) }
    const files = filesOf(text, codedFile(other.brotli, text, 'br'))
    put({ version, builtAt, packs, files })
  }

  async function acquireLease(): Promise<boolean> {
    indexCache.isBuiltHere =
      isWorker && (shared === null || (await shared.takeLease(holder, LEASE_MS)))
    return indexCache.isBuiltHere
  }

  async function build(now: number, signal: AbortSignal): Promise<void> {
    const begun = performance.now()
    const { version, parts, packs } = await buildIndex(async () => {
      await otherWork()
      signal.throwIfAborted()
    })
    // The store cannot tell yet what has changed.
    if (version === indexCache.current()?.version) return
    const bytes = concat(parts)
    await otherWork()
    const index = { version, builtAt: now, packs }
    const etag = etagOf(bytes)
    let br: IndexFile | null = null
    // Published first: what only this process had would never be published by a later look.
    if (shared !== null) {
      br = await compress({ bytes, etag }, FAST_QUALITY)
      // Read by processes of the version before.
      const zipped = await zip(bytes, { level: FAST_GZIP_LEVEL, chunkSize: CHUNK_BYTES })
      if (!(await shared.publish({ ...index, brotli: br.bytes, gzip: zipped }, holder))) return
    }
    put({ ...index, files: filesOf(textOf(parts, etag), br) })
    onBuilt?.({ packs, bytes: bytes.length, durationMs: performance.now() - begun })
  }

  function concat(parts: readonly Uint8Array[]): Uint8Array {
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    if (space.length < length) space = Buffer.allocUnsafeSlow(length)
    let at = 0
    for (const part of parts) {
      space.set(part, at)
      at += part.length
    }
    return space.subarray(0, length)
  }

  /** Puts an index in place. When its text is the one before, so are its files. */
  function put(index: PublishedIndex): void {
    const before = indexCache.current()?.files
    const isSame = before?.identity.etag === index.files.identity.etag
    if (isSame) return indexCache.put({ ...index, files: before })
    serve(index)
    compressing.wake()
  }

  function serve(index: PublishedIndex): void {
    indexCache.put(index)
    kept?.write(index.files)
  }
}

const brotli = promisify(brotliCompress)
const unbrotli = promisify(brotliDecompress)
const zip = promisify(gzip)

/** Of 1.4 MB: 412 KB in 4.5 ms, against 323 KB in 55 ms. */
const FAST_QUALITY = 1
const HARD_QUALITY = 9
const FAST_GZIP_LEVEL = 1
const GZIP_LEVEL = 6
/** Compressed bytes come back in pieces of this size; each comes through the main thread. */
const CHUNK_BYTES = 262_144

/** Compresses on the thread pool. */
async function compress(text: IndexFile, quality: number): Promise<IndexFile> {
  const { bytes } = text
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return codedFile(await brotli(bytes, { chunkSize: CHUNK_BYTES, params }), text, 'br')
}

/** @param br null: made when it is asked for. While packs are saved, most builds are never requested. */
function filesOf(identity: IndexFile, br: IndexFile | null): IndexFiles {
  return {
    identity,
    br: once(async () => br ?? compress(identity, FAST_QUALITY)),
    gzip: once(async () => {
      const zipped = await zip(identity.bytes, { level: GZIP_LEVEL, chunkSize: CHUNK_BYTES })
      return codedFile(zipped, identity, 'gzip')
    }),
  }
}

/** Makes a file when it is first asked for, and again when that has failed. */
function once(make: () => Promise<IndexFile>): () => Promise<IndexFile> {
  let made: Promise<IndexFile> | null = null
  return () => {
    if (made === null) {
      made = make()
      made.catch(() => (made = null))
    }
    return made
  }
}

/** One text has several compressed forms, fast and hard ones and those of other processes. */
function codedFile(bytes: Uint8Array, { etag }: IndexFile, coding: 'br' | 'gzip'): IndexFile {
  const form = `${coding}-${hash('sha1', bytes, 'base64url')}`
  return { bytes, etag: fileTag(etag.slice(1, -1), form) }
}

/** A text whose bytes are put together when they are first asked for: most clients take brotli. */
function textOf(parts: readonly Uint8Array[], etag: string): IndexFile {
  let bytes: Uint8Array | null = null
  return {
    etag,
    get bytes() {
      return (bytes ??= Buffer.concat(parts))
    },
  }
}

function etagOf(bytes: Uint8Array): string {
  return fileTag(hash('sha256', bytes, 'base64url'), '')
}
