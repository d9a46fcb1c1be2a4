import { refereeLines } from '../../formats/referee.ts'
import type { SlotView } from './slot-view.ts'

/** What a referee sends for a slot: a comment with its name, its beatmap, then its mods. */
export const slotRefereeLines = ({ slot, bucket, beatmap }: SlotView): string => {
  const known = beatmap.state === 'known' ? [[slot.beatmapId, beatmap.details] as const] : []
  const pool = { name: '', buckets: bucket && [bucket], slots: [slot] }
  return refereeLines(pool, new Map(known)).trimEnd()
}
