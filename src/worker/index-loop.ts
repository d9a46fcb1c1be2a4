import { setImmediate as otherWork } from 'node:timers/promises'
import { createIndexBuilder } from '../operations/build-index.ts'
import type { IndexShelf } from '../operations/published-index.ts'
import type { PublicIndex } from '../ports/public-index.ts'
import type { Clock } from '../ports/system.ts'
import { compressIndex } from './compress-index.ts'
import { keepIndexFiles } from './index-files.ts'
import type { WorkerLog } from './worker-log.ts'

export type IndexLoopPorts = {
  readonly publicIndex: PublicIndex
  readonly clock: Clock
}

export type IndexLoopOptions = {
  /** Where each index is put for those who serve it. */
  readonly shelf: IndexShelf
  /** The owner label of tournament pools (D-28). */
  readonly poolsOwnerName: string
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
/** Files on a disk that hangs must not hold up the end of the process. */
const STOP_MS = 5_000

/**
 * Keeps the search index up to date until it is stopped (spec 2.10, D-39). When something fails, the
 * index before stays; it is logged and tried again.
 */
export const startIndexLoop = (
  { publicIndex, clock }: IndexLoopPorts,
  { shelf, poolsOwnerName, directory = null, onBuilt }: IndexLoopOptions,
  log: WorkerLog,
): IndexLoop => {
  const stopping = new AbortController()
  const { signal } = stopping
  const buildText = createIndexBuilder(publicIndex, poolsOwnerName)
  const files = directory === null ? null : keepIndexFiles(directory, log)
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

  /** How long the build took, ms. */
  const build = async (version: number, builtAt: number): Promise<number> => {
    const begun = performance.now()
    const before = shelf.current()?.files
    const { pieces, packs } = await buildText(breathe)
    const made = await compressIndex(pieces, before)
    signal.throwIfAborted()
    shelf.put({ version, builtAt, packs, files: made })
    if (made !== before) files?.write(made)
    const durationMs = performance.now() - begun
    onBuilt?.({ packs, bytes: made.identity.bytes.length, durationMs })
    return durationMs
  }

  /** How long to wait before the next look, ms. */
  const look = async (): Promise<number> => {
    const now = clock.now()
    // Read before the packs: what changes while they are read has another version and is seen next.
    const version = await publicIndex.version()
    const isNew = version !== shelf.current()?.version
    const pause = isNew ? BUILD_EACH_MS - (await build(version, now)) : LOOK_EACH_MS
    shelf.confirm(now)
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
