import { NAME_LENGTH } from '../../contract/bounds.ts'
import { builtinCodes } from '../../contract/mods.ts'
import type { Bucket } from '../../contract/pools.ts'
import {
  bucketTable,
  defaultBuckets,
  foldCode,
  isBuiltinCode,
  isCode,
  isCustom,
  isDefaultTable,
} from '../buckets.ts'
import { findProblems } from '../checks.ts'
import type { Pool } from '../pool.ts'
import { slotsInPoolOrder } from '../slots.ts'
import { cleanLine, isVisible } from '../text.ts'
import { PackKeyError, type PackKeyVersion, seal, unseal } from './envelope.ts'
import {
  ByteReader,
  readSlots,
  readString,
  readTable,
  writeSlots,
  writeString,
  writeTable,
} from './layout.ts'

/**
 * The pool as a pack key, at most 1,440 characters of `[A-Za-z0-9_.-]`. The same pool always gives
 * the same key, whatever the order of its slots, in the oldest version that can hold it.
 */
export function encodePackKey(pool: Pool): string {
  const version = oldestVersion(pool)
  const table = bucketTable(pool.buckets)
  const bytes: number[] = [version]
  writeString(bytes, pool.name)
  if (version > 1) writeTable(bytes, table)
  writeSlots(bytes, table, slotsInPoolOrder(pool))
  return seal(version, bytes)
}

/** The oldest version that can hold the pool, so that as many readers as possible can open it. */
function oldestVersion({ buckets, slots }: Pool): PackKeyVersion {
  if (buckets?.some((bucket) => isCustom(bucket) && bucket.mods !== undefined)) return 3
  return buckets !== null || slots.some(({ mod }) => mod === null) ? 2 : 1
}

/** The name of a pool whose own name shows nothing. */
const NAMELESS = 'Pool'
/** The code of a bucket whose own code shows nothing. */
const CODELESS = 'X'
const CODE_LENGTH = 12

/**
 * The pool of a pack key, its slots in pool order; it may have none. White space around the key is
 * ignored. A valid key that `encodePackKey` would write otherwise opens, too.
 *
 * Other readers accept names and codes that a pack cannot be saved with. They are cleaned here: the
 * pool that comes out can be saved, and its own key is canonical.
 *
 * @throws PackKeyError, and nothing else, for any other text.
 */
export function decodePackKey(text: string): Pool {
  const envelope = unseal(text)
  if (typeof envelope === 'string') throw new PackKeyError(envelope)
  const reader = new ByteReader(envelope.content)
  const name = cleanName(readString(reader))
  const hasTable = envelope.version > 1
  const buckets = hasTable ? cleanTable(readTable(reader, envelope.version)) : defaultBuckets
  const slots = readSlots(reader, buckets, hasTable)
  if (!reader.isAtEnd) throw new PackKeyError('malformed', 'it goes on behind its last slot')
  const [problem] = findProblems({ name, buckets, slots }, 0)
  if (problem !== undefined) {
    throw new PackKeyError('malformed', `its ${problem.place} ${problem.remedy}`)
  }
  return {
    name,
    buckets: isDefaultTable(buckets) ? null : buckets,
    slots: slotsInPoolOrder({ buckets, slots }),
  }
}

function cleanName(text: string): string {
  const { length } = text.trim()
  if (length < 1 || length > NAME_LENGTH) {
    throw new PackKeyError('malformed', `its name must have 1 to ${NAME_LENGTH} characters`)
  }
  const name = cleanLine(text)
  return isVisible(name) ? name : NAMELESS
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
    const shown = isVisible(code) ? code : CODELESS
    const isTaken = (name: string): boolean =>
      taken.has(foldCode(name)) || (name !== code && all.has(foldCode(name)))
    let unique = shown
    for (let number = 2; isTaken(unique); number += 1) unique = withNumber(shown, number)
    taken.add(foldCode(unique))
    return unique === code ? bucket : { ...bucket, code: unique }
  })
}

function withNumber(code: string, number: number): string {
  const ending = String(number)
  return (
    Array.from(code)
      .slice(0, CODE_LENGTH - ending.length)
      .join('') + ending
  )
}

const candidates = /(?<![A-Za-z0-9_-])pk[0-9]+\.[A-Za-z0-9_-]+/g

/**
 * The first pack key in a longer text: a chat message, a link. It may stand behind anything but
 * `A–Z a–z 0–9 - _` and reaches to the first character that no key has.
 *
 * What only looks like a key (`pk2.0 is out`), or is damaged, is passed over when a whole one
 * follows; when none does, it is given all the same, so that opening it says what is wrong.
 *
 * @returns null when nothing looks like a key.
 */
export function findPackKey(text: string): string | null {
  let first: string | null = null
  for (const [candidate] of text.matchAll(candidates)) {
    if (typeof unseal(candidate) !== 'string') return candidate
    first ??= candidate
  }
  return first
}
