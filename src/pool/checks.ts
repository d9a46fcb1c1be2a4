import {
  DESCRIPTION_LENGTH,
  MAX_BEATMAP_ID,
  MAX_BUCKETS,
  MAX_COLOR,
  MAX_CUSTOM_BUCKETS,
  MAX_SLOT_INDEX,
  MAX_SLOTS,
  NAME_LENGTH,
} from '../contract/bounds.ts'
import { AppError } from '../contract/errors.ts'
import { builtinCodes } from '../contract/mods.ts'
import type { Bucket, Slot } from '../contract/pools.ts'
import {
  checkForcedSet,
  completeBuckets,
  foldCode,
  isBuiltinCode,
  isCode,
  isCustom,
  isDefaultTable,
} from './buckets.ts'
import type { Pool, PoolDraft, PoolProblem } from './pool.ts'
import { checkLabel, checkName, checkText, checkVisible } from './text.ts'

/**
 * The pool that a draft stands for: checked, its name trimmed, its bucket table whole, fields that
 * are not ours left out (D-17, D-19 to D-23). A pool comes back equal.
 *
 * @throws AppError `bad_request` with the place and the remedy of the first problem.
 */
export function completePool(draft: PoolDraft, fewestSlots: FewestSlots = 1): Pool {
  const [problem] = findProblems(draft, fewestSlots)
  if (problem !== undefined) throw new AppError('bad_request', `${problem.place} ${problem.remedy}`)
  const table = completeBuckets(draft.buckets ?? [], draft.slots)
  return {
    name: draft.name.trim(),
    buckets: isDefaultTable(table) ? null : table,
    slots: draft.slots.map(({ mod, index, beatmapId }) => ({ mod, index, beatmapId })),
  }
}

/** How few slots a pool may have: a draft and a pack key may be empty, a saved pack may not (spec 2.8). */
type FewestSlots = 0 | 1

/** Everything that keeps a draft from being a pool (D-19 to D-23); none when it can be completed. */
export function findProblems(draft: PoolDraft, fewestSlots: FewestSlots = 1): PoolProblem[] {
  const problems: PoolProblem[] = []
  const report: Report = (place, remedy) => {
    if (remedy !== null) problems.push({ place, remedy })
  }
  const taken: TakenCodes = new Map(
    builtinCodes.map((code) => [foldCode(code), { code, where: 'a built-in bucket' }]),
  )
  const buckets = draft.buckets ?? []
  report('name', checkName(draft.name.trim(), NAME_LENGTH))
  checkBuckets(buckets, taken, report)
  const room = MAX_CUSTOM_BUCKETS - buckets.filter(isCustom).length
  checkSlots(draft.slots, taken, Math.max(0, room), fewestSlots, report)
  return problems
}

/** What keeps a text from being a description (D-19): at most one problem. */
export function findDescriptionProblems(text: string | undefined): PoolProblem[] {
  const remedy = checkText(text?.trim() ?? '', DESCRIPTION_LENGTH, true)
  return remedy === null ? [] : [{ place: 'description', remedy }]
}

/**
 * A pack's description as it is stored: trimmed, null when nothing is left (D-19).
 *
 * @throws AppError `bad_request`: over 500 UTF-16 code units, controls other than line breaks, half a surrogate pair.
 */
export function completeDescription(text: string | undefined): string | null {
  const [problem] = findDescriptionProblems(text)
  if (problem !== undefined) throw new AppError('bad_request', `description ${problem.remedy}`)
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}

/** What is wrong with a number, to be read after its place; null when nothing is. */
export function checkNumber(value: number, lowest: number, highest: number): string | null {
  if (!Number.isInteger(value)) return `must be a whole number from ${lowest} to ${highest}`
  return value < lowest || value > highest ? `must be from ${lowest} to ${highest}` : null
}

type Report = (place: string, remedy: string | null) => void

/** A code and where it stands: `buckets[2]`, or `a built-in bucket`. */
type TakenCode = { readonly code: string; readonly where: string }
/** By `foldCode`. */
type TakenCodes = Map<string, TakenCode>

/** Checks a bucket list as it was sent, partial or whole (D-21 to D-23). Its codes go into `taken`. */
function checkBuckets(buckets: readonly Bucket[], taken: TakenCodes, report: Report): void {
  if (buckets.length > MAX_BUCKETS) report('buckets', `must hold at most ${MAX_BUCKETS} buckets`)
  if (buckets.filter(isCustom).length > MAX_CUSTOM_BUCKETS) {
    report('buckets', `must hold at most ${MAX_CUSTOM_BUCKETS} custom buckets`)
  }
  const builtins = new Map<string, string>()
  for (const [position, bucket] of buckets.entries()) {
    const where = `buckets[${position}]`
    const { code } = bucket
    if (isBuiltinCode(code)) {
      const first = builtins.get(code)
      if (isCustom(bucket)) {
        report(`${where}.color`, `must be left out: ${code} is a built-in bucket`)
      } else if (first !== undefined) {
        report(`${where}.code`, `must be another code: ${first} is ${code} already`)
      }
      builtins.set(code, first ?? where)
    } else {
      report(`${where}.code`, checkBucketCode(code, where, taken))
      if (isCustom(bucket)) {
        report(`${where}.color`, checkNumber(bucket.color, 0, MAX_COLOR))
        const forced = bucket.mods?.kind === 'forced' ? bucket.mods.set : null
        report(`${where}.mods.set`, forced && checkForcedSet(forced))
      } else {
        report(`${where}.color`, `must be from 0 to ${MAX_COLOR} in a custom bucket`)
      }
    }
  }
}

function checkBucketCode(code: string, where: string, taken: TakenCodes): string | null {
  return checkCode(code, where, taken, 'must be 1 to 12 letters or digits', (holder) =>
    holder.code === code
      ? `must be another code: ${holder.where} is ${code} already`
      : `must be another code: ${code} and ${holder.code} of ${holder.where} differ only in case`,
  )
}

/**
 * Checks the slots (spec 2.3, D-20 to D-22).
 *
 * @param taken the codes of the buckets; those that the slots add go into it.
 * @param room how many custom buckets the slots may still add.
 */
function checkSlots(
  slots: readonly Slot[],
  taken: TakenCodes,
  room: number,
  fewest: FewestSlots,
  report: Report,
): void {
  if (slots.length < fewest) report('slots', `must hold at least ${fewest} slot`)
  if (slots.length > MAX_SLOTS) report('slots', `must hold at most ${MAX_SLOTS} slots`)
  const seen = new Map<string, number>()
  let left = room
  for (const [position, { mod, index, beatmapId }] of slots.entries()) {
    const where = `slots[${position}]`
    if (mod !== null && taken.get(foldCode(mod))?.code !== mod) {
      const remedy = checkNewCode(mod, where, taken)
      report(`${where}.mod`, remedy)
      if (remedy === null) {
        if (left <= 0) report(`${where}.mod`, noRoomFor(mod))
        left -= 1
      }
    }
    const place = `${index} ${mod ?? ''}`
    const first = seen.get(place)
    const badIndex = checkNumber(index, 1, MAX_SLOT_INDEX)
    report(`${where}.index`, badIndex)
    if (first === undefined) seen.set(place, position)
    else if (badIndex === null) {
      report(`${where}.index`, `must be another number: slots[${first}] has the same mod and index`)
    }
    report(`${where}.beatmapId`, checkNumber(beatmapId, 1, MAX_BEATMAP_ID))
  }
}

function checkNewCode(code: string, where: string, taken: TakenCodes): string | null {
  const shape = 'must be null or 1 to 12 letters or digits'
  return checkCode(code, where, taken, shape, (holder) => {
    return `must be spelled ${holder.code} as in ${holder.where}, not ${code}: they differ only in case`
  })
}

/** Checks a code and adds it to `taken`; what it collides with there (D-21), `collision` words. */
function checkCode(
  code: string,
  where: string,
  taken: TakenCodes,
  shape: string,
  collision: (holder: TakenCode) => string,
): string | null {
  if (!isCode(code)) return checkLabel(code) ?? shape
  const hidden = checkVisible(code)
  if (hidden !== null) return hidden
  const fold = foldCode(code)
  const holder = taken.get(fold)
  if (holder !== undefined) return collision(holder)
  taken.set(fold, { code, where })
  return null
}

function noRoomFor(code: string): string {
  return `must be the code of a bucket there is: ${code} would be one custom bucket more than the ${MAX_CUSTOM_BUCKETS} allowed`
}
