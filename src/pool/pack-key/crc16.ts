const POLYNOMIAL = 0x1021
const START = 0xffff

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ POLYNOMIAL : crc << 1
  return crc
})

/** CRC-16/CCITT-FALSE of the first `length` bytes: "123456789" gives 29B1. */
export function crc16(bytes: ArrayLike<number>, length: number): number {
  let crc = START
  for (let at = 0; at < length; at += 1) {
    crc = ((crc << 8) & 0xffff) ^ (table[(crc >> 8) ^ (bytes[at] ?? 0)] ?? 0)
  }
  return crc
}
