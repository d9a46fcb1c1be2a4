import type { BeatmapDetails } from '../../contract/beatmap-details.ts'
import type { ForcedMod } from '../../contract/mods.ts'
import { roundHalfUp } from '../../pool/round-half-up.ts'
import { speedOf } from '../../pool/speed.ts'

/** Whole seconds with the mods (D-32): 258 s under DT is 172. */
export const playedLength = (
  { length }: Pick<BeatmapDetails, 'length'>,
  forced: readonly ForcedMod[],
): number => roundHalfUp(length / speedOf(forced), 0)

/** Whole BPM with the mods (D-32): 222.22 under DT is 333. null when not known. */
export const playedBpm = (
  { bpm }: Pick<BeatmapDetails, 'bpm'>,
  forced: readonly ForcedMod[],
): number | null => (bpm === null ? null : roundHalfUp(bpm * speedOf(forced), 0))
