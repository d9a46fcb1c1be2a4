import { QUERY_LENGTH } from '../../contract/bounds.ts'
import type { Pack, Visibility } from '../../contract/packs.ts'
import type { IndexEntry } from '../../contract/search-index.ts'
import {
  DESCRIPTION_WORDS,
  foldWords,
  mayGoOn,
  searchedWords,
  spellingsOf,
} from '../../pool/words.ts'
import { useAddressState } from '../address-state.ts'
import { compareTexts, createOrders, readColumns } from '../browse/columns.ts'
import { orders as allOrders } from '../browse/search-state.ts'
import { rangeOf as bothOf } from '../format.ts'

const { updated, created, name, stars, beatmaps } = allOrders

/** What the packs can be sorted by, as on Browse. */
export const orders = { updated, created, name, stars, beatmaps } as const
export type SortKey = keyof typeof orders

/** `hidden`: by a moderator, whatever its visibility. */
export const states = ['public', 'unlisted', 'private', 'hidden'] as const
type State = (typeof states)[number]

export type View = {
  readonly query: string
  /** null: in any state. */
  readonly state: State | null
  readonly sort: SortKey
  readonly isReversed: boolean
}

/** Reads the query of an address; anything invalid is ignored. */
export function readView(search: string): View {
  const params = new URLSearchParams(search)
  const sort = params.get('sort') ?? ''
  const state = params.get('visibility')
  return {
    query: (params.get('q') ?? '').slice(0, QUERY_LENGTH),
    state: states.find((each) => each === state) ?? null,
    sort: Object.hasOwn(orders, sort) ? (sort as SortKey) : 'updated',
    isReversed: params.get('reversed') === '1',
  }
}

/** The query of an address for a view; empty if all packs are shown, most recently updated first. */
export function writeView({ query, state, sort, isReversed }: View): string {
  const params = new URLSearchParams()
  if (query !== '') params.set('q', query)
  if (state !== null) params.set('visibility', state)
  if (sort !== 'updated') params.set('sort', sort)
  if (isReversed) params.set('reversed', '1')
  return params.size === 0 ? '' : `?${params.toString()}`
}

export const isNarrowed = ({ query, state }: View): boolean => query.trim() !== '' || state !== null

/** Whether packs that are loaded later come after those that are shown: the site lists them in this order. */
export const isListOrder = ({ sort, isReversed }: View): boolean =>
  sort === 'updated' && !isReversed

export type Shown = {
  readonly packs: readonly Pack[]
  /** How many packs the query leaves of each state, and of all. */
  readonly counts: Readonly<Record<State | 'all', number>>
}

const known = new WeakMap<Pack, ReadonlySet<string>>()

/** What a pack is found by: 200 packs with long descriptions take longer to spell than a key may. */
function spelled(pack: Pack): ReadonlySet<string> {
  let all = known.get(pack)
  if (all === undefined) {
    const { name, description = '' } = pack
    all = new Set([...spellingsOf(name), ...spellingsOf(description, DESCRIPTION_WORDS)])
    known.set(pack, all)
  }
  return all
}

/** Finds packs with all words of a query in name or description, as the search of all packs does. */
function finderOf(query: string): (pack: Pack) => boolean {
  const { words, isOpen } = searchedWords([foldWords(query)], query)
  const last = words.at(-1) ?? ''
  const start = isOpen && mayGoOn(last) ? last : null
  return (pack) => {
    const all = spelled(pack)
    const begins = (): boolean => [...all].some((each) => each.startsWith(last))
    return words.every((word) => all.has(word) || (word === start && begins()))
  }
}

/** The packs of a view in its order, and how many other states would show. */
export function showPacks(packs: readonly Pack[], view: View): Shown {
  const found = packs.filter(finderOf(view.query))
  const countOf = (state: State): number => found.filter((pack) => isIn(pack, state)).length
  const chosen = found
    .filter((pack) => view.state === null || isIn(pack, view.state))
    .toSorted(compareTimes)
  const order = createOrders(readColumns(chosen.map(entryOf)))
  return {
    packs: Array.from(order(view.sort, view.isReversed), (row) => chosen[row]!),
    counts: {
      all: found.length,
      public: countOf('public'),
      unlisted: countOf('unlisted'),
      private: countOf('private'),
      hidden: countOf('hidden'),
    },
  }
}

const isIn = ({ visibility, hiddenAt }: Pack, state: State): boolean =>
  state === 'hidden' ? hiddenAt !== undefined : visibility === (state satisfies Visibility)

/** Most recently updated first, as are packs that are equal in any other order. */
const compareTimes = (a: Pack, b: Pack): number =>
  compareTexts(b.updatedAt, a.updatedAt) || compareTexts(b.createdAt, a.createdAt)

/** A pack as an entry of the search index, so that it is sorted and shown in the same way. */
export function entryOf({ slug, name, ownerName, stats, ...pack }: Pack): IndexEntry {
  const r = stats && bothOf(stats.srMin, stats.srMax)
  const l = stats && bothOf(stats.lenMin, stats.lenMax)
  const b = stats && bothOf(stats.bpmMin, stats.bpmMax)
  return {
    s: slug,
    n: name,
    o: ownerName,
    c: pack.slots.length,
    d: pack.description ?? '',
    u: pack.updatedAt,
    t: pack.createdAt,
    ...(r && { r }),
    ...(stats && stats.srAvg !== null && { a: stats.srAvg }),
    ...(l && { l }),
    ...(b && { b }),
    ...(stats && { m: stats.mods.join(','), g: stats.modes.join(','), k: stats.complete }),
  }
}

/** From one pack to another in the order in which they are shown, with both; the other alone if the one is not shown. */
export function rangeOf(
  packs: readonly Pack[],
  from: string | null,
  to: string,
): readonly string[] {
  const slugs = packs.map(({ slug }) => slug)
  const ends = [from === null ? -1 : slugs.indexOf(from), slugs.indexOf(to)]
  if (ends[0] === -1) return [to]
  return slugs.slice(Math.min(...ends), Math.max(...ends) + 1)
}

/** The pack that is next to where some were: the first after the first of them, else the one before it. */
export function nextOf(packs: readonly Pack[], gone: ReadonlySet<string>): string | null {
  const at = packs.findIndex(({ slug }) => gone.has(slug))
  const after = packs.slice(Math.max(at, 0)).find(({ slug }) => !gone.has(slug))
  return (after ?? packs[at - 1])?.slug ?? null
}

/** The view, in the address. Another state or order adds an entry to the history; a query does not. */
export function useView(): readonly [View, change: (changes: Partial<View>) => void] {
  const [view, change] = useAddressState(readView, writeView)
  return [view, (changes) => change(changes, changes.query === undefined)]
}
