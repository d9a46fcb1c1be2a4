import type { WireAnswer } from './wire-call.ts'

/** 50 rows come to some 250 KB; an answer far beyond that is not worth its memory. */
const MAX_BYTES = 4 * 1024 * 1024

const JSON_TYPE = /^application\/json\s*(?:;|$)/i

const flawed = (flaw: string): Pick<WireAnswer, 'json' | 'flaw'> => ({ json: undefined, flaw })

/** null when there is more than we take. */
const readBytes = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > MAX_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * The body of an answer, read within the time and size that it may take. A body that breaks off,
 * is late, too long, or no JSON is a flaw and no exception: the status may say enough without it.
 */
export const readJson = async (response: Response): Promise<Pick<WireAnswer, 'json' | 'flaw'>> => {
  const { body, headers } = response
  try {
    if (!JSON_TYPE.test(headers.get('content-type') ?? '')) {
      await body?.cancel()
      return flawed('whose body is not declared as JSON')
    }
    const bytes = body === null ? new Uint8Array() : await readBytes(body)
    if (bytes === null) return flawed(`whose body has more than ${MAX_BYTES} bytes`)
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), flaw: null }
  } catch {
    return flawed('whose body is broken or did not arrive whole')
  }
}
