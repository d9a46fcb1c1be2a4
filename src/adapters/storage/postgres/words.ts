import { type RawBuilder, sql } from 'kysely'
import type { Db, Token, WordIndex, WordQuery, WordScan } from '../engine.ts'
import { prepareQueries } from '../query.ts'

/** Candidates of one scan: as many as are looked at in a tenth of a second. */
const MOST_CANDIDATES = 50_000

/**
 * An index of the GIN kind finds all packs that match before the newest of them is known. So each pack has
 * tokens of its neighbourhood, too: a scan begins with the newest 4,096 ids, where common words are found
 * at once, and then takes more, which rare words are found in as quickly.
 */
const neighbourhoods = [
  { prefix: 'i', size: 4_096 },
  { prefix: 'j', size: 32_768 },
] as const

/** Apart from the words, which are large. */
const columns = sql.raw(
  `pack_id, maps, stars, length_min, length_max, bpm_min, bpm_max, mods, rulesets`,
)

const queries = prepareQueries({
  remove: ({ id }: { id: number }) => sql`delete from search_pack where pack_id = ${id}`,

  greatest: () => sql<{ id: number | null }>`select max(pack_id) as id from search_pack`,

  // Nothing but the index may answer: any other plan reads the words of every pack. Estimates of what is
  // turned off would have the statement compiled first.
  onlyByIndex: () => sql`
    select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
      set_config('enable_indexonlyscan', 'off', true), set_config('jit', 'off', true)`,
})

/** The words of packs in a column of type tsvector, with an index. */
export const postgresWords: WordIndex = {
  each: (json) => sql`json_array_elements(cast(${json} as json))`,

  async add(tx, row, tokens) {
    const all = [
      ...tokens,
      ...neighbourhoods.map(({ prefix, size }) => near(prefix, row.pack_id, size)),
    ]
    const values = { ...row, words: sql`array_to_tsvector(${all})` }
    await tx.insertInto('search_pack').values(values).execute()
  },

  async remove(tx, id) {
    await queries.remove(tx, { id })
  },

  async find(tx, query) {
    const { match, except, before, limit } = query
    const exceptions = except.map(conditionText)
    if (match.length === 0) {
      // Without words, the newest are next to each other.
      const newest = sql`select * from search_pack where pack_id < ${before}
        order by pack_id desc limit ${MOST_CANDIDATES}`
      const lacks = exceptions.map((text) => sql`and not words @@ cast(${text} as tsquery)`)
      return scanOf(tx, query, newest, sql.join(lacks, sql` `))
    }
    const text = [conditionText(match), ...exceptions.map((each) => `!(${each})`)].join(' & ')
    const [greatest] = await queries.greatest(tx, {})
    let upTo = Math.min(before, (greatest?.id ?? 0) + 1)
    await queries.onlyByIndex(tx, {})
    const ids: number[] = []
    for (const { prefix, size } of neighbourhoods) {
      const window = `${tokenText({ text: near(prefix, upTo - 1, size), isPrefix: false })} & ${text}`
      const wanted = { ...query, limit: limit - ids.length }
      ids.push(...(await firstOf(tx, wanted, candidatesOf(window, upTo))))
      if (ids.length === limit) return { ids, end: ids.at(-1) ?? null }
      upTo = Math.floor((upTo - 1) / size) * size
      if (upTo <= 0) return { ids, end: null }
    }
    const rest = { ...query, limit: limit - ids.length }
    const scan = await scanOf(tx, rest, candidatesOf(text, upTo))
    return { ids: [...ids, ...scan.ids], end: scan.end }
  },
}

function near(prefix: string, id: number, size: number): string {
  return `${prefix}_${Math.floor(id / size)}`
}

/** The sum keeps the condition out of the index of the key, which would read the words of all that it holds. */
function candidatesOf(text: string, upTo: number): RawBuilder<unknown> {
  return sql`select ${columns} from search_pack
    where words @@ cast(${text} as tsquery) and pack_id + 0 < ${upTo}
    order by pack_id desc limit ${MOST_CANDIDATES}`
}

async function firstOf(
  tx: Db,
  { passes, limit }: WordQuery,
  candidates: RawBuilder<unknown>,
  lacks: RawBuilder<unknown> = sql``,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select found.pack_id as id from (${candidates}) as found
      join pack on pack.id = found.pack_id
    where ${passes} ${lacks} order by found.pack_id desc limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

async function scanOf(
  tx: Db,
  query: WordQuery,
  candidates: RawBuilder<unknown>,
  lacks?: RawBuilder<unknown>,
): Promise<WordScan> {
  const ids = await firstOf(tx, query, candidates, lacks)
  if (ids.length === query.limit) return { ids, end: ids.at(-1) ?? null }
  const { rows } = await sql<{ packs: number; lowest: number | null }>`
    select count(*) as packs, min(pack_id) as lowest from (${candidates}) as found`.execute(tx)
  const { packs = 0, lowest = null } = rows[0] ?? {}
  return { ids, end: packs < MOST_CANDIDATES ? null : lowest }
}

function conditionText(condition: readonly (readonly Token[])[]): string {
  return condition.map((tokens) => `(${tokens.map(tokenText).join(' | ')})`).join(' & ')
}

function tokenText({ text, isPrefix }: Token): string {
  const quoted = text.replaceAll(/['\\]/g, (sign) => sign + sign)
  return `'${quoted}'${isPrefix ? ':*' : ''}`
}
