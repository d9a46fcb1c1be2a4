import {
  MAX_BEATMAP_ID,
  MAX_CUSTOM_BUCKETS,
  MAX_SLOT_INDEX,
  MAX_SLOTS,
} from '../contract/bounds.ts'
import type { Slot } from '../contract/slot.ts'
import { isCode } from './bucket-code.ts'
import { checkNumber } from './check-number.ts'
import { checkLabel, checkVisible } from './check-text.ts'
import type { PoolProblem } from './pool.ts'
import type { TakenCodes } from './taken-codes.ts'

/**
 * What is wrong with the slots (spec 2.3, D-20 to D-22).
 *
 * @param taken the codes of the buckets; those that the slots add go into it.
 * @param room how many custom buckets the slots may still add.
 */
export function checkSlots(
  slots: readonly Slot[],
  taken: TakenCodes,
  room: number,
  fewest: number,
): PoolProblem[] {
  const problems: PoolProblem[] = []
  const report = (place: string, remedy: string | null): void => {
    if (remedy !== null) problems.push({ place, remedy })
  }
  if (slots.length < fewest) report('slots', `must hold at least ${fewest} slot`)
  if (slots.length > MAX_SLOTS) report('slots', `must hold at most ${MAX_SLOTS} slots`)
  const seen = new Map<string, number>()
  let left = room
  for (const [position, slot] of slots.entries()) {
    const { mod, index, beatmapId } = slot
    const where = `slots[${position}]`
    if (mod !== null && !taken.has(mod)) {
      const remedy = checkNewCode(mod, where, taken)
      report(`${where}.mod`, remedy)
      if (remedy === null) {
        if (left <= 0) report(`${where}.mod`, noRoom(mod))
        left -= 1
      }
    }
    const place = `${index} ${mod ?? ''}`
    const first = seen.get(place)
    const badIndex = checkNumber(index, 1, MAX_SLOT_INDEX)
    report(`${where}.index`, badIndex)
    if (first === undefined) seen.set(place, position)
    else if (badIndex === null) report(`${where}.index`, twice(first))
    report(`${where}.beatmapId`, checkNumber(beatmapId, 1, MAX_BEATMAP_ID))
  }
  return problems
}

function checkNewCode(code: string, where: string, taken: TakenCodes): string | null {
  if (!isCode(code)) return checkLabel(code) ?? 'must be null or 1 to 12 letters or digits'
  const hidden = checkVisible(code)
  if (hidden !== null) return hidden
  const holder = taken.take(code, where)
  return holder === null
    ? null
    : `must be spelled ${holder.code} as in ${holder.where}, not ${code}: they differ only in case`
}

const twice = (first: number): string =>
  `must be another number: slots[${first}] has the same mod and index`

const noRoom = (code: string): string =>
  `must be the code of a bucket there is: ${code} would be one custom bucket more than the ${MAX_CUSTOM_BUCKETS} allowed`
