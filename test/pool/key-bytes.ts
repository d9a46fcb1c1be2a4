/** CRC-16/CCITT-FALSE bit by bit, written apart from the one under test. */
export function slowCrc16(bytes: readonly number[]): number {
  let crc = 0xffff
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const carry = ((crc >> 15) ^ (byte >> bit)) & 1
      crc = (crc << 1) & 0xffff
      if (carry === 1) crc ^= 0x1021
    }
  }
  return crc
}

/** `pk` + version + `.` + base64url of the bytes as they are. */
export function rawKey(version: number | string, bytes: readonly number[]): string {
  return `pk${version}.${Buffer.from(bytes).toString('base64url')}`
}

/** A key of these bytes with the right checksum behind them; the first byte is the version. */
export function sealedKey(
  bytes: readonly number[],
  version: number | string = bytes[0] ?? 0,
): string {
  const checksum = slowCrc16(bytes)
  return rawKey(version, [...bytes, checksum >> 8, checksum & 0xff])
}

/** A string as a key holds it: its length as one byte, then UTF-8. */
export function text(value: string): number[] {
  const bytes = Buffer.from(value)
  return [bytes.length, ...bytes]
}

/** The bytes of a key without prefix and checksum. */
export function bytesOf(key: string): number[] {
  return [...Buffer.from(key.slice(key.indexOf('.') + 1), 'base64url').subarray(0, -2)]
}

/** The built-ins as table entries in default order. */
export const builtinEntries: readonly number[] = [0, 1, 2, 3, 4, 5]
