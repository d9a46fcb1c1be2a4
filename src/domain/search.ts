import type { Ruleset, StatsMod } from '../contract/mods.ts'

/** What a public pack is found by. Words are folded: lower case, without marks, letters and digits only. */
export type PackWords = {
  /** Each word once. */
  readonly name: readonly string[]
  /** Of name, owner and description. */
  readonly text: readonly string[]
  /** Of these and of its maps: artist, title, mapper, difficulty, in Latin and in their own letters. */
  readonly any: readonly string[]
  /** Two neighbours of a text, joined by a space. */
  readonly pairs: readonly string[]
  readonly beatmapIds: readonly number[]
  readonly setIds: readonly number[]
  readonly facts: PackFacts
}

/** What Browse filters by. Ranges are null where they are not known. */
export type PackFacts = {
  readonly maps: number
  readonly stars: number | null
  readonly length: readonly [low: number, high: number] | null
  readonly bpm: readonly [low: number, high: number] | null
  /** null: there are no stats yet. */
  readonly mods: readonly StatsMod[] | null
  readonly rulesets: readonly Ruleset[] | null
}
