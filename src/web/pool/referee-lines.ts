import { refereeLines } from '../../formats/referee.ts'
import type { SlotView } from './slot-view.ts'

/** What a referee sends for a slot: its beatmap, then its mods. */
export const slotRefereeLines = ({ slot, bucket }: SlotView): string =>
  refereeLines({ name: '', buckets: bucket && [bucket], slots: [slot] }).trimEnd()
