import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Ruleset, rulesets, type StatsMod, statsMods } from '../../contract/mods.ts'
import { listen } from '../browser.ts'
import { address } from '../page-data.ts'

/** Both ends count; null is open. */
export type Span = readonly [low: number | null, high: number | null]

export const isOpen = ([low, high]: Span): boolean => low === null && high === null

export const spanNames = ['stars', 'length', 'bpm', 'beatmaps'] as const
export type SpanName = (typeof spanNames)[number]

/** What packs can be sorted by: its name, and what comes first, usually and reversed. */
export const orders = {
  relevance: ['Relevance', 'best first', 'worst first'],
  created: ['Created', 'newest first', 'oldest first'],
  updated: ['Updated', 'most recent first', 'oldest first'],
  name: ['Name', 'A to Z', 'Z to A'],
  stars: ['Stars', 'highest first', 'lowest first'],
  length: ['Length', 'longest first', 'shortest first'],
  bpm: ['BPM', 'fastest first', 'slowest first'],
  beatmaps: ['Maps', 'most first', 'fewest first'],
} as const
export type SortKey = keyof typeof orders

const isSortKey = (text: string): text is SortKey => Object.hasOwn(orders, text)

export type Criteria = Readonly<Record<SpanName, Span>> & {
  readonly query: string
  /** A pack must have them all. */
  readonly mods: readonly StatsMod[]
  /** A pack must have one of them. */
  readonly rulesets: readonly Ruleset[]
  readonly sort: SortKey
  readonly isReversed: boolean
  /** Includes packs of which not everything is known that a filter asks for. */
  readonly showsUnrated: boolean
}

/** How many of the filters are in use, without the query. */
export const countFilters = (criteria: Criteria): number =>
  spanNames.filter((name) => !isOpen(criteria[name])).length +
  Number(criteria.mods.length > 0) +
  Number(criteria.rulesets.length > 0)

/** Whether it may leave out packs. */
export const isNarrowed = (criteria: Criteria): boolean =>
  criteria.query.trim() !== '' || countFilters(criteria) > 0

/** The same order, nothing left out. */
export function cleared({ sort, isReversed }: Criteria): Criteria {
  return { ...anything, sort: sort === 'relevance' ? anything.sort : sort, isReversed }
}

/** Longer ones were not typed. */
const LONGEST_QUERY = 200

/** What the query of an address asks for. What it does not understand, it leaves out. */
export function readAddress(search: string): Criteria {
  const params = new URLSearchParams(search)
  const text = (name: string): string => params.get(name) ?? ''
  const sort = text('sort')
  return {
    query: text('q').slice(0, LONGEST_QUERY),
    stars: readSpan(text('stars')),
    length: readSpan(text('length')),
    bpm: readSpan(text('bpm')),
    beatmaps: readSpan(text('beatmaps')),
    mods: readList<StatsMod>(text('mods'), statsMods),
    rulesets: readList<Ruleset>(text('rulesets'), rulesets),
    sort: isSortKey(sort) ? sort : usualSort(text('q')),
    isReversed: text('reversed') === '1',
    showsUnrated: text('unrated') === '1',
  }
}

/** How packs are sorted unless one chooses: words find what has them in its name first. */
export const usualSort = (query: string): SortKey => (query.trim() === '' ? 'created' : 'relevance')

const LARGEST = 1_000_000

/** `5-6.5`, `5-` or `-6.5`; anything else is open. */
function readSpan(text: string): Span {
  const parts = /^(\d{1,7}(?:\.\d{1,2})?)?-(\d{1,7}(?:\.\d{1,2})?)?$/.exec(text)
  const endOf = (part = ''): number | null => (part === '' ? null : Math.min(Number(part), LARGEST))
  const [low, high] = [endOf(parts?.[1]), endOf(parts?.[2])]
  return low !== null && high !== null && low > high ? [null, null] : [low, high]
}

function readList<T extends string>(text: string, all: readonly T[]): readonly T[] {
  const named = text.split(',')
  return all.filter((name) => named.includes(name))
}

export const anything: Criteria = readAddress('')

/** The query for an address, with `?` in front; empty when nothing is asked for. */
export function writeAddress(criteria: Criteria): string {
  const { query, mods, rulesets: modes, sort, isReversed, showsUnrated } = criteria
  const params = new URLSearchParams()
  if (query !== '') params.set('q', query.slice(0, LONGEST_QUERY))
  for (const name of spanNames) {
    const [low, high] = criteria[name]
    if (!isOpen(criteria[name])) params.set(name, `${low ?? ''}-${high ?? ''}`)
  }
  if (mods.length > 0) params.set('mods', mods.join(','))
  if (modes.length > 0) params.set('rulesets', modes.join(','))
  if (sort !== usualSort(query)) params.set('sort', sort)
  if (isReversed) params.set('reversed', '1')
  if (showsUnrated) params.set('unrated', '1')
  // A comma may be in a query as it is, and reads better so.
  const text = params.toString().replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}

/** Typing the first word sorts by relevance, and clearing the last as before, unless one has chosen otherwise. */
function withUsualSort(before: Criteria, changes: Partial<Criteria>): Criteria {
  const after = { ...before, ...changes }
  const isUsual = before.sort === usualSort(before.query) && changes.sort === undefined
  return isUsual ? { ...after, sort: usualSort(after.query) } : after
}

export type Change = (changes: Partial<Criteria>) => void

/** Browsers allow an address to change only so often. */
const PAUSE_MS = 200

/** What is looked for. It is in the address, so that it can be shared and come back to. */
export function useCriteria(): readonly [Criteria, Change] {
  const [criteria, setCriteria] = useState(() => readAddress(address().search))
  const latest = useRef(criteria)
  latest.current = criteria

  useEffect(() => {
    const write = (): void => {
      const search = writeAddress(latest.current)
      if (search === location.search) return
      history.replaceState(history.state, '', location.pathname + search + location.hash)
    }
    const timer = setTimeout(write, PAUSE_MS)
    const unlisten = listen({ pagehide: write })
    return () => {
      clearTimeout(timer)
      unlisten()
    }
  }, [criteria])

  useLayoutEffect(() => {
    const follow = (): void => setCriteria(readAddress(location.search))
    // The server may have rendered the page for everyone, whatever they look for.
    if (location.search !== '') follow()
    return listen({ popstate: follow })
  }, [])

  return [criteria, (changes) => setCriteria((before) => withUsualSort(before, changes))]
}
