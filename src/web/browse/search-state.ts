import * as words from '#texts/common'
import * as texts from '#texts/browse'
import { QUERY_LENGTH } from '../../contract/bounds.ts'
import {
  filterNames,
  isOpen,
  type PackFilter,
  readFilter,
  spanNames,
} from '../../contract/pack-filter.ts'
import { statsMods } from '../../contract/mods.ts'
import { useAddressState } from '../address-state.ts'

/** What packs can be sorted by: its name, and what comes first, usually and reversed. */
export const orders = {
  relevance: [texts.relevance, texts.bestFirst, texts.worstFirst],
  created: [texts.created, texts.newestFirst, texts.oldestFirst],
  updated: [texts.updated, texts.mostRecentFirst, texts.oldestFirst],
  name: [texts.name, texts.aToZ, texts.zToA],
  stars: [texts.stars, texts.highestFirst, texts.lowestFirst],
  length: [texts.length, texts.longestFirst, texts.shortestFirst],
  bpm: [words.bpm, texts.fastestFirst, texts.slowestFirst],
  beatmaps: [texts.maps, texts.mostFirst, texts.fewestFirst],
} as const
export type SortKey = keyof typeof orders

const isSortKey = (text: string): text is SortKey => Object.hasOwn(orders, text)

export type Criteria = PackFilter & {
  readonly query: string
  /** null: the usual order. */
  readonly sort: SortKey | null
  readonly isReversed: boolean
}

type Query = Pick<Criteria, 'query'>

/** Words, ids or links, which the server searches for. */
export const hasWords = ({ query }: Query): boolean => query.trim() !== ''

/** The orders that there are, the usual one first: without words, nothing is more relevant than something else. */
export const sortsFor = (criteria: Query): readonly SortKey[] =>
  Object.keys(orders)
    .filter(isSortKey)
    .slice(hasWords(criteria) ? 0 : 1)

export function orderOf(criteria: Pick<Criteria, 'query' | 'sort'>): SortKey {
  const sorts = sortsFor(criteria)
  return sorts.find((sort) => sort === criteria.sort) ?? sorts[0]!
}

/** Relevance, and newest first: the server has no other order. */
export const isServersOrder = (criteria: Criteria): boolean =>
  ['relevance', 'created'].includes(orderOf(criteria)) && !criteria.isReversed

/** How many of the filters are in use, without the query. */
export const countFilters = (criteria: Criteria): number =>
  spanNames.filter((name) => !isOpen(criteria[name])).length +
  Number(criteria.mods.length > 0) +
  Number(criteria.rulesets.length > 0)

/** Whether it can leave out packs for not being known. */
export const asksForStats = (criteria: Criteria): boolean =>
  countFilters({ ...criteria, beatmaps: anything.beatmaps }) > 0

/** Mods among the words, and the criteria with them as the filter in place of the words; null where there are none. */
export function modsInWords(criteria: Criteria): Pick<Criteria, 'query' | 'mods'> | null {
  const words = criteria.query.trim().split(/\s+/)
  const named = new Set(words.map((word) => word.toUpperCase()))
  const found = statsMods.filter((mod) => named.has(mod))
  if (found.length === 0) return null
  const rest = words.filter((word) => !found.some((mod) => mod === word.toUpperCase()))
  const mods = statsMods.filter((mod) => named.has(mod) || criteria.mods.includes(mod))
  return { query: rest.join(' '), mods }
}

export const isNarrowed = (criteria: Criteria): boolean =>
  hasWords(criteria) || countFilters(criteria) > 0

/** The same order, nothing left out. */
export const cleared = ({ sort, isReversed }: Criteria): Criteria => ({
  ...anything,
  sort,
  isReversed,
})

/** What the query of an address asks for. What it does not understand, it leaves out. */
export function readAddress(search: string): Criteria {
  const params = new URLSearchParams(search)
  const text = (name: string): string => params.get(name) ?? ''
  const query = text('q').slice(0, QUERY_LENGTH)
  const sort = text('sort')
  return {
    query,
    ...readFilter(Object.fromEntries(filterNames.map((name) => [name, text(name)]))),
    sort: isSortKey(sort) && sort !== sortsFor({ query })[0] ? sort : null,
    isReversed: text('reversed') === '1',
  }
}

export const anything: Criteria = readAddress('')

/** The query for an address, with `?` in front; empty when nothing is asked for. */
export function writeAddress(criteria: Criteria): string {
  const { query, mods, rulesets, sort, isReversed, showsUnrated } = criteria
  const params = new URLSearchParams()
  if (query !== '') params.set('q', query.slice(0, QUERY_LENGTH))
  for (const name of spanNames) {
    const [low, high] = criteria[name]
    if (!isOpen(criteria[name])) params.set(name, `${low ?? ''}-${high ?? ''}`)
  }
  if (mods.length > 0) params.set('mods', mods.join(','))
  if (rulesets.length > 0) params.set('rulesets', rulesets.join(','))
  if (sort !== null && sort !== sortsFor(criteria)[0]) params.set('sort', sort)
  if (isReversed) params.set('reversed', '1')
  if (showsUnrated) params.set('unrated', '1')
  // A comma may be in a query as it is, and reads better so.
  const text = params.toString().replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}

export type Change = (changes: Partial<Criteria>) => void

/** What is looked for, in the address. */
export function useCriteria(): readonly [Criteria, Change] {
  const [criteria, change] = useAddressState(readAddress, writeAddress)
  return [criteria, change]
}
