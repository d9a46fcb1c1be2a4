import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** How a body can be sent; `identity` is as it is. */
export type Encoding = 'br' | 'gzip' | 'identity'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Above this size the best brotli level takes longer than anybody should wait. */
const LARGE_BYTES = 262_144

/** Makes a body small for good: slowly, on the thread pool. */
export const encodeForKeeps = async (
  bytes: Buffer,
  encoding: Exclude<Encoding, 'identity'>,
): Promise<Buffer> =>
  encoding === 'gzip'
    ? zip(bytes, { level: 9 })
    : brotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: bytes.length > LARGE_BYTES ? 9 : 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })

/** The weight that `Accept-Encoding` gives to a coding (RFC 9110, 12.5.3); 0 is not accepted. */
const weightOf = (accepted: string, coding: string): number => {
  for (const part of accepted.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    if (name === coding) {
      const q = parameters.find((parameter) => parameter.startsWith('q='))
      return q === undefined ? 1 : Number(q.slice(2)) || 0
    }
  }
  return 0
}

/** The smallest form that the client takes. */
export const chooseEncoding = (accepted: string | undefined): Encoding => {
  const header = accepted ?? ''
  if (weightOf(header, 'br') > 0) return 'br'
  return weightOf(header, 'gzip') > 0 ? 'gzip' : 'identity'
}
