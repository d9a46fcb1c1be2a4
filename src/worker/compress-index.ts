import { hash } from 'node:crypto'
import { setImmediate as otherWork } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib'
import type { IndexFile, PublishedIndex } from '../operations/search-index.ts'
import type { SharedBuild } from '../ports/search-index.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const unzip = promisify(gunzip)

/** The highest level before time grows much faster than size shrinks: 50 ms for 1.6 MB. */
const BROTLI_QUALITY = 7
const GZIP_LEVEL = 6
/** Compressed bytes come back in pieces of this size; each comes through the main thread. */
const CHUNK_BYTES = 262_144

const fileOf = (bytes: Uint8Array): IndexFile => ({
  bytes,
  etag: `"${hash('sha256', bytes, 'base64url')}"`,
})

/**
 * The search index in every coding, made on the thread pool.
 *
 * @param pieces its text.
 * @param before what was published last: when the text is the same, so are its files.
 */
export const compressIndex = async (
  pieces: readonly string[],
  before: PublishedIndex['files'] | undefined,
): Promise<PublishedIndex['files']> => {
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
export const unpackIndex = async ({
  brotli: packed,
  gzip: zipped,
}: SharedBuild): Promise<PublishedIndex['files']> => ({
  br: fileOf(packed),
  gzip: fileOf(zipped),
  identity: fileOf(await unzip(zipped)),
})
