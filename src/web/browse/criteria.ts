import type { Ruleset, StatsMod } from '../../contract/mods.ts'

/** What can be chosen as a range. */
export const spanNames = ['stars', 'length', 'bpm', 'beatmaps'] as const
export type SpanName = (typeof spanNames)[number]

/** Both ends count; null is open. */
export type Span = readonly [low: number | null, high: number | null]
export const openSpan: Span = [null, null]

/** What packs can be put in order by, the usual first. */
export const sortKeys = [
  'created',
  'updated',
  'name',
  'stars',
  'length',
  'bpm',
  'beatmaps',
] as const
export type SortKey = (typeof sortKeys)[number]

/** What somebody is looking for, and in which order they want to see it. */
export type Criteria = Readonly<Record<SpanName, Span>> & {
  readonly query: string
  /** A pack must have them all. */
  readonly mods: readonly StatsMod[]
  /** A pack must have one of them. */
  readonly rulesets: readonly Ruleset[]
  readonly sort: SortKey
  readonly isReversed: boolean
  /** Packs stay although what a filter asks for is not known of them yet. */
  readonly showsUnrated: boolean
}

export const anything: Criteria = {
  query: '',
  stars: openSpan,
  length: openSpan,
  bpm: openSpan,
  beatmaps: openSpan,
  mods: [],
  rulesets: [],
  sort: 'created',
  isReversed: false,
  showsUnrated: false,
}

export const isOpen = ([low, high]: Span): boolean => low === null && high === null

/** How many of the filters are in use; the search text is none of them. */
export const countFilters = (criteria: Criteria): number =>
  spanNames.filter((name) => !isOpen(criteria[name])).length +
  Number(criteria.mods.length > 0) +
  Number(criteria.rulesets.length > 0)

/** Does it leave out any pack? */
export const isNarrowed = (criteria: Criteria): boolean =>
  criteria.query.trim() !== '' || countFilters(criteria) > 0

/** The same order, nothing left out. */
export const cleared = ({ sort, isReversed }: Criteria): Criteria => ({
  ...anything,
  sort,
  isReversed,
})
