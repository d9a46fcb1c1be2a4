import { gzipSync } from 'node:zlib'

/** How .NET writes a text that is shorter than 128 bytes. */
export const text = (value: string): Buffer =>
  Buffer.concat([Buffer.of(Buffer.byteLength(value)), Buffer.from(value)])

export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

export const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}

/** Noon of 1 January 2000 in days of OLE Automation. */
const NOON_OF_2000 = 36_526.5

/** An .osdb file with its content as it is, or packed as from version 7 on. */
export const osdbFile = (
  mark: string,
  isPacked: boolean,
  ...content: readonly Buffer[]
): Uint8Array => {
  const rest = [double(NOON_OF_2000), text('Ada'), ...content]
  const packed = isPacked ? [gzipSync(Buffer.concat([text(mark), ...rest]))] : rest
  return new Uint8Array(Buffer.concat([text(mark), ...packed]))
}
