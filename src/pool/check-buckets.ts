import { MAX_BUCKETS, MAX_COLOR, MAX_CUSTOM_BUCKETS } from '../contract/bounds.ts'
import type { Bucket, CustomBucket } from '../contract/bucket.ts'
import { isBuiltinCode, isCode } from './bucket-code.ts'
import { isCustom } from './bucket-table.ts'
import { checkNumber } from './check-number.ts'
import { checkLabel, checkVisible } from './check-text.ts'
import { checkForcedSet } from './forced-set.ts'
import type { PoolProblem } from './pool.ts'
import type { TakenCodes } from './taken-codes.ts'

/** What is wrong with a bucket list as it was sent, partial or whole (D-21 to D-23). Its codes go into `taken`. */
export function checkBuckets(buckets: readonly Bucket[], taken: TakenCodes): PoolProblem[] {
  const problems: PoolProblem[] = []
  const report = (place: string, remedy: string | null): void => {
    if (remedy !== null) problems.push({ place, remedy })
  }
  if (buckets.length > MAX_BUCKETS) report('buckets', `must hold at most ${MAX_BUCKETS} buckets`)
  if (buckets.filter(isCustom).length > MAX_CUSTOM_BUCKETS) {
    report('buckets', `must hold at most ${MAX_CUSTOM_BUCKETS} custom buckets`)
  }
  const builtins = new Map<string, string>()
  for (const [position, bucket] of buckets.entries()) {
    const where = `buckets[${position}]`
    if (isBuiltinCode(bucket.code)) {
      const first = builtins.get(bucket.code)
      if (isCustom(bucket)) {
        report(`${where}.color`, `must be left out: ${bucket.code} is a built-in bucket`)
      } else if (first !== undefined) {
        report(`${where}.code`, `must be another code: ${first} is ${bucket.code} already`)
      }
      builtins.set(bucket.code, first ?? where)
    } else {
      report(`${where}.code`, checkCustomCode(bucket.code, where, taken))
      report(`${where}.color`, checkColor(bucket))
      if (isCustom(bucket)) report(`${where}.mods.set`, checkMods(bucket))
    }
  }
  return problems
}

function checkCustomCode(code: string, where: string, taken: TakenCodes): string | null {
  if (!isCode(code)) return checkLabel(code) ?? 'must be 1 to 12 letters or digits'
  const hidden = checkVisible(code)
  if (hidden !== null) return hidden
  const holder = taken.take(code, where)
  if (holder === null) return null
  return holder.code === code
    ? `must be another code: ${holder.where} is ${code} already`
    : `must be another code: ${code} and ${holder.code} of ${holder.where} differ only in case`
}

function checkColor(bucket: Bucket): string | null {
  if (!isCustom(bucket)) return `must be from 0 to ${MAX_COLOR} in a custom bucket`
  return checkNumber(bucket.color, 0, MAX_COLOR)
}

function checkMods(bucket: CustomBucket): string | null {
  return bucket.mods?.kind === 'forced' ? checkForcedSet(bucket.mods.set) : null
}
