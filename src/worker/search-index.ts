import { hash, randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as otherWork } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib'
import { SEARCH_INDEX_PATH } from '../contract/search-index.ts'
import type { IndexFile, PublishedIndex, PublishedIndexCache } from '../operations/search-index.ts'
import { createIndexBuilder, indexCodings } from '../operations/search-index.ts'
import type { Ports } from '../ports/ports.ts'
import type { IndexVersion, SharedBuild } from '../ports/search-index.ts'
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

const LOOK_EACH_MS = 250
/** From the start of one build to the next: with a build, a change waits for less than 2 s (D-39). */
const BUILD_EACH_MS = 750
/** When builds take longer than that, other work still runs between them. */
const SHORTEST_PAUSE_MS = 100
/** Longer than a build. With a build and two looks it stays below the 5 seconds that D-39 allows. */
const LEASE_MS = 2_500

/** Keeps the search index up to date (spec 2.10, D-39). After a failure, the old one remains. */
export function startIndexLoop(
  { publicIndex, sharedIndex: shared = null, clock }: IndexLoopPorts,
  { indexCache, poolsOwnerName, isWorker = true, directory = null, onBuilt }: IndexLoopOptions,
  log: WorkerLog,
): IndexLoop {
  const buildText = createIndexBuilder(publicIndex, poolsOwnerName)
  const files = directory === null ? null : keepIndexFiles(directory, log)
  const holder = randomUUID()
  const loop = startLoop({
    work: async (signal) => {
      const now = clock.now()
      // Read before the packs: what changes while they are read has another version and is seen next.
      const version = await publicIndex.version()
      const isNew = version !== indexCache.current()?.version
      const isOurs = isNew && !(await leaveToOthers(version))
      const pause = isOurs ? BUILD_EACH_MS - (await build(version, now, signal)) : LOOK_EACH_MS
      if (version === indexCache.current()?.version) indexCache.freshAt = now
      return Math.max(SHORTEST_PAUSE_MS, pause)
    },
    backOff: { firstMs: LOOK_EACH_MS, longestMs: 4_000 },
    log,
    failure: { message: 'building the search index failed' },
  })
  return {
    ready: Promise.race([indexCache.first(), loop.ended]),
    stop: () => withinStopTime(Promise.all([loop.stop(), files?.stop()])),
  }

  /** Puts in place what another process has built; false when this one is to build. */
  async function leaveToOthers(version: IndexVersion): Promise<boolean> {
    if (shared === null) {
      indexCache.isBuiltHere = isWorker
      return false
    }
    const built = await shared.readOther(indexCache.current()?.version ?? null)
    if (built !== null) {
      indexCache.isBuiltHere = false
      put({ ...built, files: await unpackIndex(built) })
    }
    if (indexCache.current()?.version === version) return true
    const hasLease = isWorker && (await shared.takeLease(holder, LEASE_MS))
    indexCache.isBuiltHere = hasLease
    return !hasLease
  }

  /** Resolves to how long the build took, ms. */
  async function build(version: IndexVersion, builtAt: number, signal: AbortSignal) {
    const begun = performance.now()
    const before = indexCache.current()?.files
    const { pieces, packs } = await buildText(async () => {
      await otherWork()
      signal.throwIfAborted()
    })
    const made = await compressIndex(pieces, before)
    signal.throwIfAborted()
    const index = { version, builtAt, packs }
    // Published first: what only this process had would never be published by a later look.
    const isPublished =
      shared === null ||
      (await shared.publish({ ...index, brotli: made.br.bytes, gzip: made.gzip.bytes }, holder))
    if (isPublished) put({ ...index, files: made })
    const durationMs = performance.now() - begun
    if (isPublished) onBuilt?.({ packs, bytes: made.identity.bytes.length, durationMs })
    return durationMs
  }

  function put(index: PublishedIndex): void {
    const before = indexCache.current()?.files
    indexCache.put(index)
    if (index.files !== before) files?.write(index.files)
  }
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const unzip = promisify(gunzip)

/** Higher levels take much longer for little; this takes 50 ms for 1.6 MB. */
const BROTLI_QUALITY = 7
const GZIP_LEVEL = 6
/** Compressed bytes come back in pieces of this size; each comes through the main thread. */
const CHUNK_BYTES = 262_144

type IndexFiles = PublishedIndex['files']

/**
 * The search index in every coding, made on the thread pool.
 *
 * @param before what was published last: when the text is the same, so are its files.
 */
async function compressIndex(
  pieces: readonly string[],
  before: IndexFiles | undefined,
): Promise<IndexFiles> {
  const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
  await otherWork()
  const identity = fileOf(bytes)
  if (before?.identity.etag === identity.etag) return before
  // One after the other: the second core is not ours alone.
  const zipped = await zip(bytes, { level: GZIP_LEVEL, chunkSize: CHUNK_BYTES })
  const packed = await brotli(bytes, {
    chunkSize: CHUNK_BYTES,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
  return { br: fileOf(packed), gzip: fileOf(zipped), identity }
}

/** The search index as another process has compressed it, in every coding. */
async function unpackIndex({ brotli: packed, gzip: zipped }: SharedBuild): Promise<IndexFiles> {
  return { br: fileOf(packed), gzip: fileOf(zipped), identity: fileOf(await unzip(zipped)) }
}

function fileOf(bytes: Uint8Array): IndexFile {
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url')}"` }
}

const suffixes = { br: '.br', gzip: '.gz', identity: '' } as const
const RETRY_MS = 5_000

/** Writes `packs/index.json`, `.gz` and `.br` below a directory; nothing waits for it. */
function keepIndexFiles(directory: string, log: WorkerLog) {
  let wanted: IndexFiles | null = null
  const { wake, stop } = startLoop({
    work: async () => {
      const files = wanted
      if (files === null) return Infinity
      await writeAll(directory, files)
      if (wanted === files) wanted = null
      return 0
    },
    backOff: { firstMs: RETRY_MS, longestMs: RETRY_MS },
    log,
    failure: { message: 'the files of the search index cannot be written', details: { directory } },
  })
  return {
    write: (files: IndexFiles): void => {
      wanted = files
      wake()
    },
    stop,
  }
}

/** A reader finds each file whole, the one before or this one. */
async function writeAll(directory: string, files: IndexFiles): Promise<void> {
  const path = join(directory, SEARCH_INDEX_PATH)
  const mark = `.${randomUUID()}.tmp`
  const made = indexCodings.map((coding) => ({
    to: path + suffixes[coding],
    from: path + suffixes[coding] + mark,
    bytes: files[coding].bytes,
  }))
  try {
    await mkdir(join(path, '..'), { recursive: true })
    for (const { from, bytes } of made) await writeFile(from, bytes)
    for (const { from, to } of made) await rename(from, to)
  } catch (error) {
    await Promise.allSettled(made.map(({ from }) => rm(from, { force: true })))
    throw error
  }
}
