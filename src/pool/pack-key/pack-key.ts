import { NAME_LENGTH } from '../../contract/bounds.ts'
import { builtinCodes } from '../../contract/mods.ts'
import type { Bucket } from '../../contract/pools.ts'
import {
  defaultBuckets,
  foldCode,
  isBuiltinCode,
  isCode,
  isCustom,
  isDefaultTable,
  slotsInPoolOrder,
} from '../slots.ts'
import { findProblems } from '../checks.ts'
import type { Pool } from '../pool.ts'
import { cleanLine, isVisible } from '../text.ts'
import { keyProblem } from './key-words.ts'
import { crc16, type PackKeyVersion } from './encode.ts'
import {
  KeyReader,
  malformed,
  PackKeyError,
  type PackKeyErrorCode,
  readSlots,
  readTable,
} from './layout.ts'

export { crc16, encodePackKey, toBase64url } from './encode.ts'

const CODE_LENGTH = 12

/**
 * The pool of a pack key, its slots in pool order; it may have none. White space around the key is ignored.
 * Names and codes that a pack cannot be saved with, which other readers accept, are cleaned.
 *
 * @throws PackKeyError, and nothing else, for any other text.
 */
export function decodePackKey(text: string): Pool {
  const opened = open(text)
  if (typeof opened === 'string') throw new PackKeyError(opened)
  const reader = new KeyReader(opened.content)
  const name = cleanName(reader.text())
  const hasTable = opened.version > 1
  const buckets = hasTable ? cleanTable(readTable(reader, opened.version)) : defaultBuckets
  const slots = readSlots(reader, buckets, hasTable)
  if (reader.bytesLeft > 0) throw malformed(keyProblem('keyGoesOn'))
  const [problem] = findProblems({ name, buckets, slots }, 0)
  if (problem !== undefined) throw malformed(keyProblem('keyOfProblem', problem))
  return {
    name,
    buckets: isDefaultTable(buckets) ? null : buckets,
    slots: slotsInPoolOrder({ buckets, slots }),
  }
}

function cleanName(text: string): string {
  const { length } = text.trim()
  if (length < 1 || length > NAME_LENGTH) {
    throw malformed(keyProblem('keyOfName', { most: NAME_LENGTH }))
  }
  const name = cleanLine(text)
  return isVisible(name) ? name : 'Pool'
}

/**
 * Codes that are unique in upper case open, although saving compares more widely (D-21): a code that
 * an earlier bucket has by that comparison gets a number, the lowest from 2 on that no code has.
 */
function cleanTable(table: readonly Bucket[]): Bucket[] {
  const upper = table.map(({ code }) => code.toUpperCase())
  const all = new Set(table.map(({ code }) => foldCode(code)))
  const taken = new Set<string>(builtinCodes)
  return table.map((bucket, at) => {
    const { code } = bucket
    const own = upper[at] ?? ''
    // What no reader accepts stays as it is, for the check of the whole pool to refuse.
    if (!isCustom(bucket) || !isCode(code)) return bucket
    if (isBuiltinCode(own) || upper.indexOf(own) < at) return bucket
    const shown = isVisible(code) ? code : 'X'
    const isTaken = (name: string): boolean =>
      taken.has(foldCode(name)) || (name !== code && all.has(foldCode(name)))
    let unique = shown
    for (let number = 2; isTaken(unique); number += 1) unique = withNumber(shown, number)
    taken.add(foldCode(unique))
    return unique === code ? bucket : { ...bucket, code: unique }
  })
}

function withNumber(code: string, number: number): string {
  const letters = Array.from(code).slice(0, CODE_LENGTH - String(number).length)
  return letters.join('') + number
}

const candidates = /(?<![A-Za-z0-9_-])pk[0-9]+\.[A-Za-z0-9_-]+/g

/**
 * The first pack key in a longer text: a chat message, a link. What only looks like a key (`pk2.0 is out`),
 * or is damaged, is skipped when a whole one follows, else returned, so that opening it reports what is wrong.
 *
 * @returns null when nothing looks like a key.
 */
export function findPackKey(text: string): string | null {
  const found = text.match(candidates) ?? []
  return found.find((candidate) => typeof open(candidate) !== 'string') ?? found[0] ?? null
}

/**
 * The bytes between the version byte and the checksum, or why there are none: text shape, encoding and
 * checksum are checked in this order. It does not throw, so that many candidates are cheap to check.
 */
function open(text: string): { version: PackKeyVersion; content: Uint8Array } | PackKeyErrorCode {
  const key = text.trim()
  if (key === '') return 'empty'
  const [start, number] = /^pk([0-9]+)\./.exec(key) ?? []
  if (start === undefined) return 'prefix'
  // In this exact spelling: `01` is no version.
  const version = ([1, 2, 3] as const).find((each) => String(each) === number)
  if (version === undefined) return 'version'
  const bytes = fromBase64url(key.slice(start.length))
  if (bytes === null) return 'encoding'
  const end = bytes.length - 2
  if (end < 1) return 'malformed'
  const checksum = ((bytes[end] ?? 0) << 8) | (bytes[end + 1] ?? 0)
  if (crc16(bytes, end) !== checksum) return 'checksum'
  return bytes[0] === version ? { version, content: bytes.subarray(1, end) } : 'version'
}

/**
 * The bytes; null for another alphabet, padding, or a length that leaves one dangling character. Bits
 * left over in the last character are ignored, as other readers of pack keys ignore them.
 */
export function fromBase64url(text: string): Uint8Array | null {
  if (text.length % 4 === 1 || !/^[A-Za-z0-9_-]*$/.test(text)) return null
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from({ length: bytes.length }, (_, at) => bytes.charCodeAt(at))
}
