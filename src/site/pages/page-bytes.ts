import { createHash } from 'node:crypto'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { GzipFront } from '../../ports/system.ts'
import { ANYBODYS_END, type FixedText, type PageText } from './html.ts'

/** A page for viewers who are not signed in, compressed up to its end (`pageEnd`); `length` in bytes, with its end. */
export type PackedPage = {
  readonly etag: string
  readonly length: number
  readonly front: GzipFront
}

/** The highest level before time grows faster than size shrinks. */
const LEVEL = 6
/** For a few kilobytes: most of what those take is getting memory for what could be looked back at. */
const SMALL = { windowBits: 13, memLevel: 6 }
/** Ends at a whole byte, and nothing after it refers to anything before it. */
const finishFlush = constants.Z_FULL_FLUSH
/** A gzip header without name and time, made on no system in particular (RFC 1952, 2.3). */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)
const encoder = new TextEncoder()

/**
 * Compresses a page. What it has in common with all pages of its kind, a fifth of it and half of what is sent, is
 * compressed once, without a reference to what stands before it; what follows refers to it as if all were compressed
 * as one.
 */
export function packPage(text: PageText): PackedPage {
  const fixed = fixedOf(text.fixed)
  const [before, after] = [encoder.encode(text.before), encoder.encode(text.after)]
  const parts = [
    HEADER,
    deflateRawSync(before, { level: LEVEL, finishFlush, ...SMALL }),
    fixed.deflated,
    deflateRawSync(after, { level: LEVEL, finishFlush, dictionary: fixed.bytes }),
  ]
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  const all = [before, fixed.bytes, after]
  const hash = createHash('sha1')
  let [crc, length] = [0, 0]
  for (const part of all) {
    hash.update(part)
    crc = crc32(part, crc)
    length += part.length
  }
  return {
    etag: `"${hash.update(ANYBODYS_END).digest('base64url')}"`,
    length: length + ANYBODYS_END.length,
    front: { bytes, crc, length },
  }
}

type Fixed = { readonly bytes: Uint8Array; readonly deflated: Uint8Array }

const knownFixed = new WeakMap<FixedText, Fixed>()

function fixedOf(text: FixedText): Fixed {
  const known = knownFixed.get(text)
  if (known !== undefined) return known
  const bytes = encoder.encode(text.text)
  const fixed = { bytes, deflated: deflateRawSync(bytes, { level: 9, finishFlush }) }
  knownFixed.set(text, fixed)
  return fixed
}
