import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type Ruleset, rulesets, type StatsMod, statsMods } from '../../contract/mods.ts'
import { listen } from '../browser.ts'

/** Both ends count; null is open. */
export type Span = readonly [low: number | null, high: number | null]

export const isOpen = ([low, high]: Span): boolean => low === null && high === null

/** What can be chosen as a range. */
export const spanNames = ['stars', 'length', 'bpm', 'beatmaps'] as const
export type SpanName = (typeof spanNames)[number]

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

export const openSpan: Span = [null, null]

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

/** So long that nobody types more; longer ones come from somewhere else. */
const LONGEST_QUERY = 200

/** What the query of an address asks for. What it does not understand, it leaves out. */
export function readAddress(search: string): Criteria {
  const params = new URLSearchParams(search)
  const span = (name: SpanName): Span => readSpan(params.get(name))
  const sort = params.get('sort')
  return {
    query: (params.get('q') ?? '').slice(0, LONGEST_QUERY),
    stars: span('stars'),
    length: span('length'),
    bpm: span('bpm'),
    beatmaps: span('beatmaps'),
    mods: readList<StatsMod>(params.get('mods'), statsMods),
    rulesets: readList<Ruleset>(params.get('rulesets'), rulesets),
    sort: sortKeys.find((key): key is SortKey => key === sort) ?? anything.sort,
    isReversed: params.get('reversed') === '1',
    showsUnrated: params.get('unrated') === '1',
  }
}

/** `5-6.5`, `5-` or `-6.5`; anything else is open. */
function readSpan(text: string | null): Span {
  const parts = /^(\d{1,7}(?:\.\d{1,2})?)?-(\d{1,7}(?:\.\d{1,2})?)?$/.exec(text ?? '')
  if (parts === null) return openSpan
  const [low, high] = [readEnd(parts[1]), readEnd(parts[2])]
  return low !== null && high !== null && low > high ? openSpan : [low, high]
}

const LARGEST = 1_000_000

const readEnd = (text: string | undefined): number | null =>
  text === undefined || text === '' ? null : Math.min(Number(text), LARGEST)

function readList<T extends string>(text: string | null, all: readonly T[]): readonly T[] {
  const named = (text ?? '').split(',')
  return all.filter((name) => named.includes(name))
}

/** The query for an address, with `?` in front; empty when nothing is asked for. */
export function writeAddress(criteria: Criteria): string {
  const params = new URLSearchParams()
  if (criteria.query !== '') params.set('q', criteria.query.slice(0, LONGEST_QUERY))
  for (const name of spanNames) {
    if (!isOpen(criteria[name])) params.set(name, writeSpan(criteria[name]))
  }
  if (criteria.mods.length > 0) params.set('mods', criteria.mods.join(','))
  if (criteria.rulesets.length > 0) params.set('rulesets', criteria.rulesets.join(','))
  if (criteria.sort !== anything.sort) params.set('sort', criteria.sort)
  if (criteria.isReversed) params.set('reversed', '1')
  if (criteria.showsUnrated) params.set('unrated', '1')
  // A comma may stand in a query as it is, and reads better so.
  const text = params.toString().replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}

const writeSpan = ([low, high]: Span): string => `${low ?? ''}-${high ?? ''}`

/** Changes some of what is looked for. */
export type Change = (changes: Partial<Criteria>) => void

/** Browsers allow an address to change only so often. */
const PAUSE_MS = 200

/** What is looked for. It stands in the address, so that it can be shared and come back to. */
export function useCriteria(): readonly [Criteria, Change] {
  const [criteria, setCriteria] = useState(() => readAddress(location.search))
  const latest = useRef(criteria)
  latest.current = criteria

  useEffect(() => {
    const write = (): void => {
      const address = location.pathname + writeAddress(latest.current) + location.hash
      if (address !== location.pathname + location.search + location.hash) {
        history.replaceState(history.state, '', address)
      }
    }
    const timer = setTimeout(write, PAUSE_MS)
    const unlisten = listen({ pagehide: write })
    return () => {
      clearTimeout(timer)
      unlisten()
    }
  }, [criteria])

  useEffect(() => listen({ popstate: () => setCriteria(readAddress(location.search)) }), [])

  const change: Change = useCallback(
    (changes) => setCriteria((before) => ({ ...before, ...changes })),
    [],
  )
  return [criteria, change]
}
