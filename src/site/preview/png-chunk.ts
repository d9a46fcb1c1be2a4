import { crc32 } from 'node:zlib'

/** A part of a PNG file as it is written: its length, its name, its data and their checksum (RFC 2083, 3.2). */
export function pngChunk(name: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(name, 4, 'latin1')
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0)
  return Buffer.concat([head, data, tail])
}
