import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const TRUE_COLOR = 2
/** Each byte as the difference to the one above: flat areas become zeros. */
const FILTER_UP = 2

const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

const filtered = (rgb: Buffer, lineBytes: number): Buffer => {
  const lines = rgb.length / lineBytes
  const out = Buffer.alloc(rgb.length + lines)
  let to = 0
  for (let line = 0; line < lines; line++) {
    out[to++] = FILTER_UP
    for (let at = line * lineBytes; at < (line + 1) * lineBytes; at++) {
      out[to++] = ((rgb[at] ?? 0) - (rgb[at - lineBytes] ?? 0)) & 255
    }
  }
  return out
}

/** A picture as PNG: 8 bits a colour, no transparency. */
export const encodePng = ({
  width,
  height,
  rgb,
}: {
  readonly width: number
  readonly height: number
  readonly rgb: Buffer
}): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, TRUE_COLOR], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(filtered(rgb, width * 3), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
