import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SEARCH_INDEX_PATH } from '../contract/search-index.ts'
import type { IndexFiles } from '../operations/search-index.ts'
import { startLoop, type WorkerLog } from './loop.ts'

const RETRY_MS = 5_000

/** Writes `packs/index.json`, `.gz` and `.br` below a directory; nothing waits for it. */
export function keepIndexFiles(directory: string, log: WorkerLog) {
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
    failure: {
      message: 'the files of the search index cannot be written to INDEX_DIR',
      details: { directory },
    },
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
  const copies = { '.br': await files.br(), '.gz': await files.gzip(), '': files.identity }
  const made = Object.entries(copies).map(([suffix, { bytes }]) => ({
    to: path + suffix,
    from: path + suffix + mark,
    bytes,
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
