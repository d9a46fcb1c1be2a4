import { type Ruleset, rulesets, type StatsMod, statsMods } from '../../contract/mods.ts'
import {
  anything,
  type Criteria,
  isOpen,
  openSpan,
  type SortKey,
  sortKeys,
  type Span,
  type SpanName,
  spanNames,
} from './criteria.ts'

/** So long that nobody types more; longer ones come from somewhere else. */
const LONGEST_QUERY = 200
const LARGEST = 1_000_000

const readEnd = (text: string | undefined): number | null =>
  text === undefined || text === '' ? null : Math.min(Number(text), LARGEST)

/** `5-6.5`, `5-` or `-6.5`; anything else is open. */
const readSpan = (text: string | null): Span => {
  const parts = /^(\d{1,7}(?:\.\d{1,2})?)?-(\d{1,7}(?:\.\d{1,2})?)?$/.exec(text ?? '')
  if (parts === null) return openSpan
  const [low, high] = [readEnd(parts[1]), readEnd(parts[2])]
  return low !== null && high !== null && low > high ? openSpan : [low, high]
}

const writeSpan = ([low, high]: Span): string => `${low ?? ''}-${high ?? ''}`

const readList = <T extends string>(text: string | null, all: readonly T[]): readonly T[] => {
  const named = (text ?? '').split(',')
  return all.filter((name) => named.includes(name))
}

/** What the query of an address asks for. What it does not understand, it leaves out. */
export const readAddress = (search: string): Criteria => {
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

/** The query for an address, with `?` in front; empty when nothing is asked for. */
export const writeAddress = (criteria: Criteria): string => {
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
