import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { rulesets, statsMods } from '../../../contract/mods.ts'
import {
  bitsOf,
  isOpen,
  type PackFilter,
  type Span,
  spanNames,
} from '../../../contract/pack-filter.ts'
import type { Stats } from '../../../contract/packs.ts'
import type { Condition, Term } from '../../../domain/search.ts'
import type { IndexedPack } from '../../../domain/packs.ts'
import { isNear, variantsOf } from '../../../pool/words.ts'
import type { SearchStore } from '../../../ports/search.ts'
import type { Engine, Token } from '../engine.ts'
import { prepareListQuery, prepareQueries } from '../query.ts'
import { cursorsOf } from './feed.ts'

/** Words that differ by a typing error are looked for among so many. */
const MOST_VARIANTS = 20_000
/** More than a search takes: what took longer waited for others. In ms. */
const MOST_CHARGED = 20
/** No word and no pair of words is longer: longer ones are nowhere. */
const LONGEST_TOKEN = 200

export function createSearchStore(engine: Engine): SearchStore {
  const { charge, db, read, words } = engine
  const near = prepareListQuery(
    (variants: readonly string[]) => sql<{ variant: string; word: string }>`
      select variant, word from search_near where variant in (${sql.join(variants)})
      limit ${sql.lit(MOST_VARIANTS)}`,
  )
  const { count, cursorKey, newestAt } = prepareQueries({
    count: () => sql<{ packs: number }>`
      select value as packs from shared_number where name = 'search_packs'`,

    cursorKey: ({ name }: { name: string }) => sql<{ key: string }>`
      select mark as key from shared_number where name = ${name}`,

    newestAt: ({ createdAt }: { createdAt: number }) => sql<{ id: number }>`
      select id from pack where visibility = 'public' and hidden_at is null
        and created_at <= ${createdAt}
      order by created_at desc, slug desc limit 1`,
  })

  /** Charges a search by the time for which its database was at work, which nothing else measures. */
  async function charged<T>(search: () => Promise<T>): Promise<T> {
    if (charge === null) return search()
    const begun = performance.now()
    try {
      return await search()
    } finally {
      charge(Math.min(performance.now() - begun, MOST_CHARGED))
    }
  }

  /** Other places than those of the feed of changes: neither opens what is sealed for the other. */
  async function readPlaces() {
    const [row] = await cursorKey(db, { name: 'change_cursor' })
    if (row === undefined) throw new Error('The store has lost its change_cursor')
    return cursorsOf(hash('sha256', `search ${row.key}`).slice(0, row.key.length))
  }

  return {
    async count() {
      const [row] = await count(db, {})
      return row?.packs ?? 0
    },

    find({ match, except, filter, after, limit }) {
      const tokens = conditionOf(match)
      if (tokens.some((each) => each.length === 0) || except.some((each) => each.length === 0)) {
        return Promise.resolve({ packs: [], next: null })
      }
      const without = except.map(conditionOf).filter((each) => each.every((any) => any.length > 0))
      return read(async (tx) => {
        const query = {
          match: tokens,
          except: without,
          before: after ?? Number.MAX_SAFE_INTEGER,
          ...passesOf(filter),
          columns: indexedColumns,
          // One more shows whether there are more.
          limit: limit + 1,
        }
        const { rows, end } = await charged(() => words.find<IndexRow>(tx, query))
        const found = rows.slice(0, limit)
        const next = rows.length > limit ? (found.at(-1)?.id ?? null) : end
        return { packs: found.map(({ id: _id, ...row }) => toIndexedPack(row)), next }
      })
    },

    async nearWords(asked) {
      const found = new Map<string, Set<string>>(asked.map((word) => [word, new Set()]))
      const variants = new Map(asked.map((word) => [word, new Set(variantsOf(word))]))
      const every = [...variants.values()].flatMap((each) => [...each])
      for (const { variant, word } of await near(db, every)) {
        for (const [one, all] of variants) {
          if (all.has(variant) && isNear(one, word)) found.get(one)?.add(word)
        }
      }
      return new Map([...found].map(([word, all]) => [word, [...all].toSorted()]))
    },

    async placeOf(createdAt) {
      const [newest] = await newestAt(db, { createdAt })
      return newest === undefined ? 0 : newest.id + 1
    },

    async sealPlace({ tier, after }) {
      return (await readPlaces()).seal({ seq: after === null ? 0 : after + 1, mark: tier })
    },

    async openPlace(text) {
      const place = (await readPlaces()).open(text)
      if (place === null) return null
      return { tier: place.mark, after: place.seq === 0 ? null : place.seq - 1 }
    },
  }
}

/** Of `pack`: what the search index shows of it; `stats` is JSON. */
export const indexedColumns = sql`pack.slug, pack.name, pack.owner_id as "ownerId",
  pack.description, json_array_length(pack.slots) as "slotCount",
  (select username from account where account.id = pack.owner_id) as "ownerUsername",
  pack.stats, pack.created_at as "createdAt", pack.updated_at as "updatedAt"`

export type IndexRow = Omit<IndexedPack, 'stats'> & { readonly stats: string | null }

export function toIndexedPack({ stats, ...row }: IndexRow): IndexedPack {
  return { ...row, stats: stats === null ? null : (JSON.parse(stats) as Stats) }
}

/** Without terms that no pack can have. */
function conditionOf(condition: Condition): Token[][] {
  return condition.map((terms) => terms.map(queryTokenOf).filter(isPossible))
}

function queryTokenOf(term: Term): Token {
  return { text: tokenOf(term), isPrefix: 'isPrefix' in term && term.isPrefix }
}

/** A term as it is kept: `migrations/` lists the kinds. */
export function tokenOf(term: Term): string {
  const content = 'id' in term ? String(term.id) : term.word.replaceAll(' ', '_')
  return prefixes[term.kind] + content
}

const prefixes = { beatmap: 'b_', set: 's_', name: 'n_', text: 't_', pair: 'p_', any: '' } as const

const isPossible = ({ text }: Token): boolean =>
  text.length <= LONGEST_TOKEN && /^[\p{L}\p{M}\p{N}_]+$/u.test(text)

const listed = sql`pack.visibility = 'public' and pack.hidden_at is null`
/** Beyond every value. */
const LARGEST = 2 ** 31
/** A ruleset that every pack has: for filters that name none. */
const ANY_RULESET = 1 << 8

/** Each filter on its own column, always in the same words, so that engines keep the query prepared. */
function passesOf(filter: PackFilter): { passes: RawBuilder<unknown>; isFiltered: boolean } {
  const { stars, length, bpm, beatmaps, mods, rulesets: modes, showsUnrated } = filter
  const isNamed = mods.length > 0 || modes.length > 0
  if (!isNamed && spanNames.every((name) => isOpen(filter[name]))) {
    return { passes: listed, isFiltered: false }
  }
  const within = (span: Span, low: string, high: string) => {
    const [from, to] = [span[0] ?? -LARGEST, span[1] ?? LARGEST]
    const fits = sql`${sql.ref(low)} >= cast(${from} as double precision)
      and ${sql.ref(high)} <= cast(${to} as double precision)`
    return passesIf(fits, low, showsUnrated || isOpen(span))
  }
  const mask = bitsOf(mods, statsMods)
  const anyOf = modes.length === 0 ? ANY_RULESET : bitsOf(modes, rulesets)
  const named = sql`found.mods & cast(${mask} as integer) = cast(${mask} as integer)
    and (found.rulesets | ${sql.lit(ANY_RULESET)}) & cast(${anyOf} as integer) <> 0`
  const passes = sql`${listed}
    and ${within(stars, 'found.stars', 'found.stars')}
    and ${within(length, 'found.length_min', 'found.length_max')}
    and ${within(bpm, 'found.bpm_min', 'found.bpm_max')}
    and ${within(beatmaps, 'found.maps', 'found.maps')}
    and ${passesIf(named, 'found.mods', showsUnrated || !isNamed)}`
  return { passes, isFiltered: true }
}

/** @param passesUnknown whether a pack passes of which this column is not known. */
function passesIf(fits: RawBuilder<unknown>, column: string, passesUnknown: boolean) {
  return sql`case when ${sql.ref(column)} is null then cast(${passesUnknown ? 1 : 0} as integer)
    when ${fits} then 1 else 0 end = 1`
}
