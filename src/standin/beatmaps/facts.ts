/** The platform's names of the rulesets, in the order of `mode_int`. */
export const modes = ['osu', 'taiko', 'fruits', 'mania'] as const
export type Mode = (typeof modes)[number]

/** What a row is made from; whatever is not known of a beatmap is made up. */
export type BeatmapFacts = {
  readonly set: number
  readonly artist: string
  readonly title: string
  readonly creator: string
  readonly version: string
  readonly mode: Mode
  /** Plain star rating. */
  readonly stars: number
  /** Length in seconds, without mods. */
  readonly seconds: number
  readonly bpm: number | null
}

/** A beatmap of which something is known. */
export type KnownBeatmap = Partial<BeatmapFacts> & {
  /** Ratings by what moves them, in the order EZ HD HR DT HT FL: `DT`, `HR,DT`. */
  readonly ratings?: Readonly<Record<string, number>>
}
