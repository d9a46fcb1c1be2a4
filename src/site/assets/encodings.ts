import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { IndexCoding } from '../../operations/published-index.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Above this size the best brotli level takes longer than anybody should wait. */
const LARGE_BYTES = 262_144

/** Makes a body small for good: slowly, on the thread pool. */
export const encodeForKeeps = async (
  bytes: Buffer,
  coding: Exclude<IndexCoding, 'identity'>,
): Promise<Buffer> =>
  coding === 'gzip'
    ? zip(bytes, { level: 9 })
    : brotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: bytes.length > LARGE_BYTES ? 9 : 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })

/** Makes a body small that is sent once: quickly, on the thread pool. */
export const encodeOnce = async (
  bytes: Buffer,
  coding: Exclude<IndexCoding, 'identity'>,
): Promise<Buffer> =>
  coding === 'gzip'
    ? zip(bytes, { level: 5 })
    : brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
