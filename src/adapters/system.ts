import { hash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { contentCodings } from '../domain/reading/requests.ts'
import type { Clock, Compressor, Hasher, Random } from '../ports/system.ts'

/** The machine's time. */
export const systemClock: Clock = { now: () => Date.now() }

/** The machine's secure randomness. */
export const systemRandom: Random = { bytes: (count) => randomBytes(count) }

/** One call into the crypto library; a hash object would cost several times as much. */
export const systemHasher: Hasher = { sha256: (text) => hash('sha256', text, 'base64url') }

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)
/** Some runtimes are built without it. */
const zstd = typeof zlib.zstdCompress === 'function' ? promisify(zlib.zstdCompress) : null
const { constants } = zlib

/** The highest level before time grows faster than size shrinks: 2 ms for a page of 117 KB. */
const BROTLI_QUALITY = 5
const GZIP_LEVEL = 6

/** On the runtime's thread pool, at levels that suit answers made while somebody waits. */
export const systemCompressor: Compressor = {
  codings: contentCodings.filter((coding) => coding !== 'zstd' || zstd !== null),
  compress: (bytes, coding) => {
    if (coding === 'gzip') return gzip(bytes, { level: GZIP_LEVEL })
    if (coding === 'zstd' && zstd !== null) return zstd(bytes)
    return brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    })
  },
}
