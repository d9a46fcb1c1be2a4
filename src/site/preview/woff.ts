import { inflateSync } from 'node:zlib'

const WOFF_HEADER = 44
const WOFF_ENTRY = 20
const SFNT_HEADER = 12
const SFNT_ENTRY = 16

/**
 * Unpacks a WOFF 1.0 font: the same tables one after the other, deflated one by one (W3C WOFF 1.0,
 * 3 to 5). The drawing library reads only the unpacked form.
 */
export const unpackWoff = (woff: Buffer): Buffer => {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('this is not a WOFF font')
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(SFNT_HEADER + count * SFNT_ENTRY)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  const parts: Buffer[] = [head]
  let end = head.length

  for (let at = 0; at < count; at++) {
    const from = WOFF_HEADER + at * WOFF_ENTRY
    const to = SFNT_HEADER + at * SFNT_ENTRY
    const [offset, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(from + field))
    if (offset === undefined || packed === undefined || length === undefined) break
    const bytes = woff.subarray(offset, offset + packed)
    const table = packed < length ? inflateSync(bytes, { maxOutputLength: length }) : bytes
    woff.copy(head, to, from, from + 4)
    woff.copy(head, to + 4, from + 16, from + 20)
    head.writeUInt32BE(end, to + 8)
    head.writeUInt32BE(length, to + 12)
    const padding = Buffer.alloc((4 - (length % 4)) % 4)
    parts.push(table, padding)
    end += table.length + padding.length
  }
  return Buffer.concat(parts)
}
