import type { ByteReader } from './byte-reader.ts'
import { PackKeyError } from './pack-key-error.ts'

const MAX_BYTES = 5
const MAX_VALUE = 0xffff_ffff

/** Appends an unsigned LEB128 number, 0 to 2³²−1, in as few bytes as it takes. */
export function writeVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  bytes.push(rest)
}

/** Reads an unsigned LEB128 number of at most 5 bytes and 2³²−1; longer than needed is accepted. */
export function readVarint(reader: ByteReader): number {
  let value = 0
  // Multiplied rather than shifted: shifts count in signed 32 bits.
  for (let count = 0, unit = 1; count < MAX_BYTES; count += 1, unit *= 128) {
    const byte = reader.byte()
    value += (byte & 0x7f) * unit
    if (byte < 0x80) {
      if (value > MAX_VALUE) break
      return value
    }
  }
  throw new PackKeyError('malformed', 'a number is too large')
}
