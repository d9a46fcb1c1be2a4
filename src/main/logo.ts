import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import type { Logo } from '../domain/installation.ts'
import { checkAspect, invisible, LogoProblem, readSvg } from '../domain/logo.ts'
import { pngChunk } from '../site/preview/png-chunk.ts'
import { shown } from './variables.ts'

/** In bytes. A PNG of flat colours at full size has less. */
const MOST = { '.svg': 65_536, '.png': 262_144 }

/**
 * Reads the logo of an installation from its data folder, as it is safe to serve (D-104).
 *
 * @param name of a file in `folder`. Throws `LogoProblem`.
 */
export function readLogo(folder: string, name: string): Logo {
  if (!/^[\w-][\w.-]{0,99}\.(?:svg|png)$/.test(name)) {
    throw new LogoProblem('is no name of a file; give one such as logo.svg or logo.png')
  }
  const ending = extname(name) as keyof typeof MOST
  const file = readWithin(folder, name, MOST[ending])
  const bytes = ending === '.svg' ? Buffer.from(readSvg(decode(file))) : rewritePng(file)
  const path = `assets/logo-${hash('sha256', bytes, 'base64url').slice(0, 16)}${ending}`
  return { type: ending === '.svg' ? 'image/svg+xml' : 'image/png', path, bytes }
}

/** A link to elsewhere in the folder is followed: containers mount files so. */
function readWithin(folder: string, name: string, most: number): Buffer {
  let file: number | null = null
  try {
    const [root, path] = [realpathSync(folder), realpathSync(join(folder, name))]
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
      throw new LogoProblem('is a link out of the data folder; put the file itself there')
    }
    // What is no file must not be waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const bytes = Buffer.alloc(most + 1)
    if (!fstatSync(file).isFile()) throw new LogoProblem('is no file')
    const length = readSync(file, bytes, 0, bytes.length, 0)
    if (length > most) throw new LogoProblem(`has more than ${most} bytes; make it smaller`)
    return bytes.subarray(0, length)
  } catch (error) {
    if (error instanceof LogoProblem) throw error
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new LogoProblem(`cannot be read (${code}); put it into ${shown(folder)}`)
  } finally {
    if (file !== null) closeSync(file)
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new LogoProblem('is not in UTF-8; save it so')
  }
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const MOST_PIXELS = 1_024

/** Samples of a pixel by colour type, and the depths that it may have (RFC 2083). */
const colorTypes = new Map([
  [0, { samples: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { samples: 3, depths: [8, 16] }],
  [3, { samples: 1, depths: [1, 2, 4, 8] }],
  [4, { samples: 2, depths: [8, 16] }],
  [6, { samples: 4, depths: [8, 16] }],
])
const PALETTE = 3
/** From this type on, pixels have their own transparency. */
const ALPHA = 4

type Chunk = { readonly name: string; readonly data: Buffer }

/** The same picture without anything but its pixels, its palette and its transparency. Throws `LogoProblem`. */
function rewritePng(file: Buffer): Buffer {
  const [header, ...chunks] = chunksOf(file)
  if (header?.name !== 'IHDR' || header.data.length !== 13) throw broken('has no header')
  const form = readHeader(header.data)
  const { rowBytes, height, color } = form
  const palette = chunks.find(({ name }) => name === 'PLTE')
  const paletteLength = palette?.data.length ?? 0
  const isPaletteGood = paletteLength > 0 && paletteLength <= 768 && paletteLength % 3 === 0
  if (color === PALETTE && !isPaletteGood) throw broken('has no palette')
  const transparency = chunks.find(({ name }) => name === 'tRNS')
  const length = transparency?.data.length ?? 0
  const isTransparencyGood =
    color === PALETTE ? length > 0 && length <= paletteLength / 3 : length === [2, 0, 6][color]
  if (transparency && !isTransparencyGood) throw broken('has no transparency')
  const others = color === PALETTE ? [palette, transparency] : [transparency]
  const rows = inflate(chunks, height * (1 + rowBytes))
  for (let at = 0; at < rows.length; at += 1 + rowBytes) {
    if (rows[at]! > 4) throw broken('has a row that cannot be read')
  }
  checkPixels(unfiltered(rows, form), form, paletteLength / 3, transparency?.data)
  return Buffer.concat([
    SIGNATURE,
    ...[
      header,
      ...others.filter((each) => each !== undefined),
      { name: 'IDAT', data: deflateSync(rows, { level: 9 }) },
      { name: 'IEND', data: Buffer.alloc(0) },
    ].map(({ name, data }) => pngChunk(name, data)),
  ])
}

const broken = (problem: string): LogoProblem => new LogoProblem(`is no PNG picture: it ${problem}`)

function chunksOf(file: Buffer): Chunk[] {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw broken('does not begin as one')
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; ;) {
    if (at + 12 > file.length) throw broken('ends too early')
    const length = file.readUInt32BE(at)
    const [start, end] = [at + 8, at + 8 + length]
    if (end + 4 > file.length) throw broken('ends too early')
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end)) throw broken('is damaged')
    const name = file.toString('latin1', at + 4, start)
    if (name === 'IEND') return chunks
    chunks.push({ name, data: file.subarray(start, end) })
    at = end + 4
  }
}

function readHeader(data: Buffer) {
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)]
  const [depth = 0, color = 0, compression, filter, interlace] = data.subarray(8)
  const kind = colorTypes.get(color)
  if (width === 0 || height === 0 || width > MOST_PIXELS || height > MOST_PIXELS) {
    throw new LogoProblem(
      `is ${width} × ${height} pixels large; it may have ${MOST_PIXELS} × ${MOST_PIXELS}`,
    )
  }
  if (interlace === 1) throw new LogoProblem('is interlaced; save it without')
  if (!kind?.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace !== 0) {
    throw broken('is of an unknown kind')
  }
  checkAspect(width, height)
  const bits = kind.samples * depth
  return { rowBytes: Math.ceil((width * bits) / 8), width, height, color, depth, bits }
}

type Form = ReturnType<typeof readHeader>

/** The bytes of the rows, one after another, without what each says of how it is written (RFC 2083, 6). */
function unfiltered(rows: Buffer, { rowBytes, height, bits }: Form): Buffer {
  const step = Math.ceil(bits / 8)
  const made = Buffer.alloc(rowBytes * height)
  for (let row = 0; row < height; row += 1) {
    const filter = rows[row * (1 + rowBytes)]!
    const start = row * rowBytes
    for (let at = 0; at < rowBytes; at += 1) {
      const left = at < step ? 0 : made[start + at - step]!
      const up = row === 0 ? 0 : made[start + at - rowBytes]!
      const corner = at < step || row === 0 ? 0 : made[start + at - rowBytes - step]!
      const predicted = [0, left, up, (left + up) >> 1, nearest(left, up, corner)][filter]!
      made[start + at] = rows[row * (1 + rowBytes) + 1 + at]! + predicted
    }
  }
  return made
}

/** Paeth's predictor. */
function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [toLeft, toUp, toCorner] = [left, up, corner].map((each) => Math.abs(guess - each))
  if (toLeft! <= toUp! && toLeft! <= toCorner!) return left
  return toUp! <= toCorner! ? up : corner
}

/** Throws `LogoProblem` where none of them can be seen, or one has no colour. */
function checkPixels(
  pixels: Buffer,
  { rowBytes, width, height, color, depth, bits }: Form,
  colors: number,
  transparency: Buffer | undefined,
): void {
  let isSeen = false
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * rowBytes + Math.floor((x * bits) / 8)
      if (bits < 8) {
        const value = (pixels[at]! >> (8 - bits - ((x * bits) % 8))) & ((1 << bits) - 1)
        if (color === PALETTE && value >= colors) throw broken('has a pixel outside its palette')
        if (color === PALETTE) isSeen ||= transparency?.[value] !== 0
        else isSeen ||= transparency?.readUInt16BE(0) !== value
      } else if (color === PALETTE) {
        if (pixels[at]! >= colors) throw broken('has a pixel outside its palette')
        isSeen ||= transparency?.[pixels[at]!] !== 0
      } else if (color >= ALPHA) {
        isSeen ||= pixels.readUIntBE(at + (bits - depth) / 8, depth / 8) > 0
      } else isSeen ||= !isClear(pixels.subarray(at, at + bits / 8), depth, transparency)
    }
  }
  if (!isSeen) throw invisible()
}

/** Whether a pixel has the colour that is transparent, which has 16 bits for each sample. */
function isClear(pixel: Buffer, depth: number, transparency: Buffer | undefined): boolean {
  if (transparency === undefined) return false
  if (depth === 16) return pixel.equals(transparency)
  return pixel.every((sample, at) => transparency.readUInt16BE(2 * at) === sample)
}

/** No more than the picture needs is ever decompressed. */
function inflate(chunks: readonly Chunk[], length: number): Buffer {
  const packed = Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data))
  let rows: Buffer
  try {
    rows = inflateSync(packed, { maxOutputLength: length })
  } catch {
    throw broken('has pixels that cannot be read')
  }
  if (rows.length !== length) throw broken('has too few pixels')
  return rows
}
