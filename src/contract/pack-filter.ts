import { type Ruleset, rulesets, type StatsMod, statsMods } from './mods.ts'

/** Both ends count; null is open. */
export type Span = readonly [low: number | null, high: number | null]

export const isOpen = ([low, high]: Span): boolean => low === null && high === null

/** Average stars, seconds and BPM of every beatmap, and the number of beatmaps. */
export const spanNames = ['stars', 'length', 'bpm', 'beatmaps'] as const
export type SpanName = (typeof spanNames)[number]

/** How Browse and the search filter public packs: a pack's ranges must lie within. */
export type PackFilter = Readonly<Record<SpanName, Span>> & {
  /** A pack must have them all. */
  readonly mods: readonly StatsMod[]
  /** A pack must have one of them; empty: any. */
  readonly rulesets: readonly Ruleset[]
  /** Packs for which a filtered value is unknown pass, too. */
  readonly showsUnrated: boolean
}

/** The parameters that state a filter, in the address of Browse and in a `SearchQuery`. */
export const filterNames = [...spanNames, 'mods', 'rulesets', 'unrated'] as const
type FilterTexts = { readonly [name in (typeof filterNames)[number]]?: string | undefined }

/** The filter that parameters state; what does not fit is ignored. */
export const readFilter = (texts: FilterTexts): PackFilter => ({
  stars: readSpan(texts.stars),
  length: readSpan(texts.length),
  bpm: readSpan(texts.bpm),
  beatmaps: readSpan(texts.beatmaps),
  mods: readList<StatsMod>(texts.mods, statsMods),
  rulesets: readList<Ruleset>(texts.rulesets, rulesets),
  showsUnrated: texts.unrated === '1',
})

const LARGEST = 1_000_000

/** `5-6.5`, `5-` or `-6.5`; anything else is open. */
function readSpan(text = ''): Span {
  const parts = /^(\d{1,7}(?:\.\d{1,2})?)?-(\d{1,7}(?:\.\d{1,2})?)?$/.exec(text)
  const endOf = (part = ''): number | null => (part === '' ? null : Math.min(Number(part), LARGEST))
  const [low, high] = [endOf(parts?.[1]), endOf(parts?.[2])]
  return low !== null && high !== null && low > high ? [null, null] : [low, high]
}

function readList<T extends string>(text = '', all: readonly T[]): readonly T[] {
  const named = text.split(',')
  return all.filter((name) => named.includes(name))
}

/** One bit for each of `statsMods`, or of `rulesets`; others have none. */
export const bitsOf = (names: readonly string[], all: readonly string[]): number =>
  all.reduce((bits, name, at) => (names.includes(name) ? bits | (1 << at) : bits), 0)
