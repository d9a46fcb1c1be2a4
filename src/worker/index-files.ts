import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SEARCH_INDEX_PATH } from '../contract/search-index.ts'
import { indexCodings, type PublishedIndex } from '../operations/search-index.ts'
import type { WorkerLog } from './worker-log.ts'

export type IndexFiles = {
  /** Takes over the newest index; returns before it is written. */
  readonly write: (files: PublishedIndex['files']) => void
  /** Writes nothing new any more, and waits for what is under way. */
  readonly stop: () => Promise<void>
}

const suffixes = { br: '.br', gzip: '.gz', identity: '' } as const
const RETRY_MS = 5_000

/** A reader finds each file whole, the one before or this one. */
const writeAll = async (directory: string, files: PublishedIndex['files']): Promise<void> => {
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

/**
 * Keeps the search index as files below a directory: `packs/index.json` with `.gz` and `.br` beside
 * it. What cannot be written is logged and tried again; nobody else waits for it.
 */
export const keepIndexFiles = (directory: string, log: WorkerLog): IndexFiles => {
  const stopping = new AbortController()
  let wanted: PublishedIndex['files'] | null = null
  let working: Promise<void> | null = null
  let retry: NodeJS.Timeout | undefined

  const work = async (): Promise<void> => {
    try {
      while (wanted !== null && !stopping.signal.aborted) {
        const files = wanted
        await writeAll(directory, files)
        if (wanted === files) wanted = null
      }
    } catch (error) {
      log.error({ err: error, directory }, 'the files of the search index cannot be written')
      if (!stopping.signal.aborted) retry = setTimeout(begin, RETRY_MS)
    } finally {
      working = null
    }
  }
  const begin = (): void => {
    retry = undefined
    working ??= work()
  }

  return {
    write: (files) => {
      wanted = files
      if (retry === undefined) begin()
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(retry)
      await working
    },
  }
}
