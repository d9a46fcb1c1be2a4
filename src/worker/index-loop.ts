import { randomUUID } from 'node:crypto'
import { setImmediate as otherWork } from 'node:timers/promises'
import {
  createIndexBuilder,
  type IndexShelf,
  type PublishedIndex,
} from '../operations/search-index.ts'
import type { IndexVersion, PublicIndex, SharedIndex } from '../ports/search-index.ts'
import type { Clock } from '../ports/system.ts'
import { compressIndex, unpackIndex } from './compress-index.ts'
import { keepIndexFiles } from './index-files.ts'
import type { WorkerLog } from './worker-log.ts'

export type IndexLoopPorts = {
  readonly publicIndex: PublicIndex
  /** Left out or null: nobody else builds. */
  readonly sharedIndex?: SharedIndex | null
  readonly clock: Clock
}

export type IndexLoopOptions = {
  /** Where each index is put for those who serve it. */
  readonly shelf: IndexShelf
  /** The owner label of tournament pools (D-28). */
  readonly poolsOwnerName: string
  /** false: this process serves what others build. Left out: it builds too. */
  readonly isWorker?: boolean
  /** Where to keep the index as files too; null for nowhere. */
  readonly directory?: string | null
  /** Hears of each build. */
  readonly onBuilt?: ((build: IndexBuild) => void) | undefined
}

/** What a build was. */
export type IndexBuild = {
  readonly packs: number
  /** Of the text, before it is compressed. */
  readonly bytes: number
  readonly durationMs: number
}

export type IndexLoop = {
  /** Settles when the first index is there, or the loop was stopped before. */
  readonly ready: Promise<unknown>
  /** Ends the loop. A build under way is given up. */
  readonly stop: () => Promise<void>
}

const LOOK_EACH_MS = 250
/**
 * From the beginning of one build to that of the next. A change waits for as long, and for a build,
 * at worst: together they stay below the 2 seconds of D-39.
 */
const BUILD_EACH_MS = 750
/** When builds take longer than that, others get to work between them nevertheless. */
const SHORTEST_PAUSE_MS = 100
const LONGEST_BACK_OFF_MS = 4_000
/**
 * Longer than a build. When whoever builds is gone, another takes over after so much: with a build
 * and the looks before and behind it still below the 5 seconds that D-39 gives several machines.
 */
const TURN_MS = 2_500
/** Files on a disk that hangs must not hold up the end of the process. */
const STOP_MS = 5_000

/**
 * Keeps the search index up to date until it is stopped (spec 2.10, D-39). When something fails, the
 * index before stays; it is logged and tried again.
 */
export const startIndexLoop = (
  { publicIndex, sharedIndex: shared = null, clock }: IndexLoopPorts,
  { shelf, poolsOwnerName, isWorker = true, directory = null, onBuilt }: IndexLoopOptions,
  log: WorkerLog,
): IndexLoop => {
  const stopping = new AbortController()
  const { signal } = stopping
  const buildText = createIndexBuilder(publicIndex, poolsOwnerName)
  const files = directory === null ? null : keepIndexFiles(directory, log)
  const holder = randomUUID()
  let failures = 0
  let endSleep = () => {}

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const timer = setTimeout(resolve, ms)
      endSleep = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const breathe = async (): Promise<void> => {
    await otherWork()
    signal.throwIfAborted()
  }

  const put = (index: PublishedIndex): void => {
    const before = shelf.current()?.files
    shelf.put(index)
    if (index.files !== before) files?.write(index.files)
  }

  /** Takes over what another process has built; false when this one is to build. */
  const leaveToOthers = async (version: IndexVersion): Promise<boolean> => {
    if (shared === null) {
      shelf.noteBuilder(isWorker)
      return false
    }
    const built = await shared.readOther(shelf.current()?.version ?? null)
    if (built !== null) {
      shelf.noteBuilder(false)
      put({ ...built, files: await unpackIndex(built) })
    }
    if (shelf.current()?.version === version) return true
    const hasTurn = isWorker && (await shared.takeTurn(holder, TURN_MS))
    shelf.noteBuilder(hasTurn)
    return !hasTurn
  }

  const publish = (to: SharedIndex, { files: made, ...index }: PublishedIndex): Promise<boolean> =>
    to.publish({ ...index, brotli: made.br.bytes, gzip: made.gzip.bytes }, holder)

  /** How long the build took, ms. */
  const build = async (version: IndexVersion, builtAt: number): Promise<number> => {
    const begun = performance.now()
    const before = shelf.current()?.files
    const { pieces, packs } = await buildText(breathe)
    const made = await compressIndex(pieces, before)
    signal.throwIfAborted()
    const index = { version, builtAt, packs, files: made }
    // Published first: what only this process had would never be published by a later look.
    const isPublished = shared === null || (await publish(shared, index))
    if (isPublished) put(index)
    const durationMs = performance.now() - begun
    if (isPublished) onBuilt?.({ packs, bytes: made.identity.bytes.length, durationMs })
    return durationMs
  }

  /** How long to wait before the next look, ms. */
  const look = async (): Promise<number> => {
    const now = clock.now()
    // Read before the packs: what changes while they are read has another version and is seen next.
    const version = await publicIndex.version()
    const isNew = version !== shelf.current()?.version
    const isOurs = isNew && !(await leaveToOthers(version))
    const pause = isOurs ? BUILD_EACH_MS - (await build(version, now)) : LOOK_EACH_MS
    if (version === shelf.current()?.version) shelf.confirm(now)
    return Math.max(SHORTEST_PAUSE_MS, pause)
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const pause = await look()
        failures = 0
        await sleep(pause)
      } catch (error) {
        if (signal.aborted) return
        log.error({ err: error }, 'building the search index failed')
        await sleep(Math.min(LOOK_EACH_MS * 2 ** failures, LONGEST_BACK_OFF_MS))
        failures += 1
      }
    }
  }
  const ended = run()

  return {
    ready: Promise.race([shelf.first(), ended]),
    stop: async () => {
      stopping.abort()
      endSleep()
      const limit = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())
      await Promise.race([Promise.all([ended, files?.stop()]), limit])
    },
  }
}
