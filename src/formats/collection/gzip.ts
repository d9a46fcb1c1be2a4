import { fault, FormatError } from '../format-error.ts'

/** Small enough that what a browser unpacks of one portion, up to a thousand times as much, fits in memory. */
const PORTION = 16 * 1024
const HEADER = 10

/** @param name what the packed file is called, in ASCII. */
export async function gzip(bytes: Uint8Array, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = (await transform(new CompressionStream('gzip'), bytes, Infinity))!
  const header = packed.slice(0, HEADER)
  // The flag FNAME (RFC 1952): a name follows the header.
  header[3] = 0x08
  return joined([header, new TextEncoder().encode(`${name}\0`), packed.subarray(HEADER)])
}

/**
 * Unpacks a file from an offset on.
 *
 * @param most how many bytes may come out; it stops there, however much would follow.
 * @throws FormatError at the offset.
 */
export async function gunzip(file: Uint8Array, offset: number, most: number): Promise<Uint8Array> {
  const stream = new DecompressionStream('gzip')
  const unpacked = await transform(stream, file.subarray(offset), most).catch(() => {
    throw new FormatError(fault('badPacked'), { offset })
  })
  if (unpacked !== null) return unpacked
  throw new FormatError(fault('largePacked', { most }), { offset })
}

/** What comes out of the stream; null, without reading on, when that is more than `most` bytes. */
async function transform(stream: ByteTransform, bytes: Uint8Array, most: number) {
  const fed = feed(stream, bytes)
  // Reading fails with it, and that is where it is reported.
  fed.catch(() => {})
  const reader = stream.readable.getReader()
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.length
      if (length > most) return null
      parts.push(read.value)
    }
    await fed
  } finally {
    await reader.cancel()
  }
  return joined(parts)
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
