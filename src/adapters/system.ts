import { hash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { contentCodings } from '../domain/reading/requests.ts'
import type { Clock, Compressor, Hasher, Random } from '../ports/system.ts'

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

/** On the runtime's thread pool, at levels that suit answers made while somebody waits. */
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
