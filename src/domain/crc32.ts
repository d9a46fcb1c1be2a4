/**
 * One step of CRC-32 (reflected, polynomial EDB88320) for each value of a byte. Signed: an engine
 * keeps such numbers as machine integers.
 */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/** CRC-32 as in zip and PNG of the first `length` bytes: "123456789" gives CBF43926. */
export const crc32 = (bytes: Uint8Array, length: number): number => {
  let rest = -1
  for (let at = 0; at < length; at += 1) {
    rest = (rest >>> 8) ^ (TABLE[(rest ^ (bytes[at] ?? 0)) & 255] ?? 0)
  }
  return ~rest >>> 0
}
