import type { BeatmapDetails } from '../../contract/beatmap-details.ts'
import type { Bucket } from '../../contract/bucket.ts'
import { type ForcedMod, forcedMods } from '../../contract/mods.ts'
import { bucketTable, isCustom } from '../../pool/bucket-table.ts'

/** What a bucket says of mods. */
export type Play = {
  /** What its slots must be played with, in the order EZ HD HR DT HT FL. */
  readonly forced: readonly ForcedMod[]
  /** Players choose their mods. */
  readonly isFree: boolean
}

const plain: Play = { forced: [], isFree: false }

const playOf = (bucket: Bucket): Play => {
  if (isCustom(bucket)) {
    return bucket.mods?.kind === 'forced'
      ? { forced: bucket.mods.set, isFree: false }
      : { forced: [], isFree: bucket.mods?.kind === 'free' }
  }
  return {
    forced: forcedMods.filter((mod) => mod === bucket.code),
    isFree: bucket.code === 'FM',
  }
}

/** What each bucket of a table says of mods; a code that is in none, and no code, say nothing. */
export const playsOf = (
  buckets: readonly Bucket[] | null | undefined,
): ((mod: string | null) => Play) => {
  const plays = new Map<string | null, Play>()
  for (const bucket of bucketTable(buckets)) plays.set(bucket.code, playOf(bucket))
  return (mod) => plays.get(mod) ?? plain
}

const speedOf = (forced: readonly ForcedMod[]): number => {
  if (forced.includes('DT')) return 1.5
  return forced.includes('HT') ? 0.75 : 1
}

/** Whole, after the speed change, halves upward; digits that only binary numbers have do not count (D-32). */
const whole = (value: number): number => Math.round(Number(value.toPrecision(12)))

/** Whole seconds with the mods (D-32): 258 s under DT is 172. */
export const playedLength = (
  { length }: Pick<BeatmapDetails, 'length'>,
  forced: readonly ForcedMod[],
): number => whole(length / speedOf(forced))

/** Whole BPM with the mods (D-32): 222.22 under DT is 333. null when not known. */
export const playedBpm = (
  { bpm }: Pick<BeatmapDetails, 'bpm'>,
  forced: readonly ForcedMod[],
): number | null => (bpm === null ? null : whole(bpm * speedOf(forced)))
