import { FormatError } from '../format-error.ts'

/** Small enough that what a browser unpacks of one portion, up to a thousand times as much, fits in memory. */
const PORTION = 16 * 1024
const HEADER = 10
const FLAGS = 3
const HAS_NAME = 0x08

/**
 * Packs bytes.
 *
 * @param name what the packed file is called, in ASCII.
 */
export async function gzip(bytes: Uint8Array, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  for await (const part of passThrough(new CompressionStream('gzip'), bytes)) parts.push(part)
  const packed = joined(parts)
  const header = packed.slice(0, HEADER)
  header[FLAGS] = HAS_NAME
  const named = Uint8Array.from(Array.from(`${name}\0`, (letter) => letter.charCodeAt(0)))
  return joined([header, named, packed.subarray(HEADER)])
}

/**
 * Unpacks a file from an offset on.
 *
 * @param most how many bytes may come out; it stops there, however much would follow.
 * @throws FormatError at the offset.
 */
export async function gunzip(file: Uint8Array, offset: number, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    const packed = file.subarray(offset)
    for await (const part of passThrough(new DecompressionStream('gzip'), packed)) {
      length += part.length
      if (length > most) break
      parts.push(part)
    }
  } catch {
    const remedy = 'the compressed content cannot be read; it is damaged or incomplete'
    throw new FormatError(remedy, { offset })
  }
  if (length <= most) return joined(parts)
  throw new FormatError(`the compressed content must have at most ${most} bytes`, { offset })
}

async function* passThrough(stream: ByteTransform, bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const fed = feed(stream, bytes)
  // Reading fails with it, and that is where it is told.
  fed.catch(() => {})
  const reader = stream.readable.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
    await fed
  } finally {
    await reader.cancel()
  }
}

async function feed(stream: ByteTransform, bytes: Uint8Array): Promise<void> {
  const writer = stream.writable.getWriter()
  for (let at = 0; at < bytes.length; at += PORTION) {
    await writer.write(bytes.subarray(at, at + PORTION))
  }
  await writer.close()
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
