import type { BeatmapDetails } from '../contract/beatmaps.ts'

/** What is known of a slot's beatmap. */
export type SlotDetails = {
  /** Without mods. */
  readonly details: BeatmapDetails
  /** With the slot's mods; null while that rating is not known. */
  readonly stars: number | null
}

/** By the slot's position in the pool's own `slots`, counted from 0; slots of which nothing is known are left out. */
export type DetailsBySlot = ReadonlyMap<number, SlotDetails>
