import { type RawBuilder, sql } from 'kysely'
import {
  type Db,
  endOf,
  isWord,
  MOST_CANDIDATES,
  type Token,
  type WordIndex,
  type WordQuery,
  type WordScan,
} from '../engine.ts'
import { prepareQueries } from '../query.ts'

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

const kept = sql.raw(
  'updated_at, beatmaps, maps, stars, length_min, length_max, bpm_min, bpm_max, mods, rulesets, words',
)
const ofRow = (row: string) =>
  sql.raw(
    `${row}.updated_at, ${row}.beatmaps, ${row}.maps, ${row}.stars, ${row}.length_min, ${row}.length_max, ${row}.bpm_min,
     ${row}.bpm_max, ${row}.mods, ${row}.rulesets, ${row}.words`,
  )

const queries = prepareQueries({
  put: ({ entries }: { entries: string }) => sql<{ word: string }>`
    with entry as (
      select pack_id, updated_at, beatmaps, maps, stars, length_min, length_max, bpm_min, bpm_max, mods, rulesets,
        array_to_tsvector(string_to_array(tokens, ' ')) as words
      from json_to_recordset(cast(${entries} as json)) as entry (
        pack_id bigint, updated_at bigint, beatmaps text, maps integer, stars double precision, length_min integer,
        length_max integer, bpm_min integer, bpm_max integer, mods integer, rulesets integer, tokens text)
    ), before as (
      select pack_id, search_pack.words from search_pack join entry using (pack_id)
    ), put as (
      insert into search_pack (pack_id, ${kept}) select pack_id, ${kept} from entry
      on conflict (pack_id) do update set (${kept}) = (select ${ofRow('excluded')})
      where (${ofRow('search_pack')}) is distinct from (${ofRow('excluded')})
      returning pack_id
    )
    select distinct word from before join put using (pack_id),
      unnest(tsvector_to_array(before.words)) as word`,

  remove: ({ id }: { id: number }) => sql<{ words: string[] }>`
    delete from search_pack where pack_id = ${id} returning tsvector_to_array(words) as words`,

  unused: ({ words }: { words: string }) => sql<{ word: string }>`
    select value as word from json_array_elements_text(cast(${words} as json))
    where not exists (
      select from search_pack where words @@ cast('''' || value || '''' as tsquery))`,

  // Nothing but the index may answer: any other plan reads the words of every pack. Estimates of what is
  // turned off would have the statement compiled first, and workers would mix the order of its parts. There is
  // one plan only, whatever is looked for: it is made once.
  onlyByIndex: ({ off }: { off: string }) => sql<{ greatest: number | null }>`
    select (select max(pack_id) from search_pack) as greatest,
      set_config('enable_seqscan', ${off}, true), set_config('enable_indexscan', ${off}, true),
      set_config('enable_indexonlyscan', ${off}, true), set_config('jit', ${off}, true),
      set_config('max_parallel_workers_per_gather', '0', true),
      set_config('plan_cache_mode', 'force_generic_plan', true)`,
})

/** The words of packs in a column of type tsvector, with an index. */
export const postgresWords: WordIndex = {
  each: (json) => sql`json_array_elements(cast(${json} as json))`,

  async put(tx, entries) {
    const rows = entries.map(({ row, tokens }) => {
      const places = neighbourhoods.map(({ prefix, size }) => near(prefix, row.pack_id, size))
      return { ...row, tokens: [tokens, ...places].join(' ') }
    })
    const had = await queries.put(tx, { entries: JSON.stringify(rows) })
    return had.flatMap(({ word }) => (isWord(word) ? word : []))
  },

  async remove(tx, id) {
    const [removed] = await queries.remove(tx, { id })
    return (removed?.words ?? []).filter(isWord)
  },

  async restart() {},

  async unused(tx, words) {
    const rows = await queries.unused(tx, { words: JSON.stringify(words) })
    return rows.map(({ word }) => word)
  },

  async find<R>(tx: Db, query: WordQuery): Promise<WordScan<R>> {
    const { match, except, before, isFiltered } = query
    const exceptions = except.map(conditionText)
    if (match.length === 0) {
      // Without words, the newest are next to each other.
      const newest = sql`select * from search_pack where pack_id < ${before}
        order by pack_id desc ${isFiltered ? mostCandidates : sql``}`
      const lacks = exceptions.map((text) => sql`and not words @@ cast(${text} as tsquery)`)
      return scan(tx, query, newest, newest, sql.join(lacks, sql` `))
    }
    const text = [conditionText(match), ...exceptions.map((each) => `!(${each})`)].join(' & ')
    const [begun] = await queries.onlyByIndex(tx, { off: 'off' })
    let upTo = Math.min(before, (begun?.greatest ?? 0) + 1)
    const windows: RawBuilder<unknown>[] = []
    for (const { prefix, size } of neighbourhoods) {
      const place = tokenText({ text: near(prefix, upTo - 1, size), isPrefix: false })
      windows.push(candidatesOf(`${place} & ${text}`, upTo, isFiltered))
      upTo = Math.floor((upTo - 1) / size) * size
      if (upTo <= 0) break
    }
    const rest = upTo > 0 ? candidatesOf(text, upTo, isFiltered) : null
    if (rest !== null) windows.push(rest)
    // One part is read after the other, and none after there are enough.
    const parts = windows.map((each) => sql`(${each})`)
    return scan(tx, query, sql.join(parts, sql` union all `), rest, sql``)
  },
}

function near(prefix: string, id: number, size: number): string {
  return `${prefix}_${Math.floor(id / size)}`
}

const mostCandidates = sql`limit ${sql.lit(MOST_CANDIDATES)}`

/** The sum keeps the condition out of the index of the key, which would read the words of all that it holds. */
function candidatesOf(text: string, upTo: number, isFiltered: boolean): RawBuilder<unknown> {
  return sql`select ${columns} from search_pack
    where words @@ cast(${text} as tsquery) and pack_id + 0 < ${upTo}
    order by pack_id desc ${isFiltered ? mostCandidates : sql``}`
}

/**
 * Reads candidates in their order until enough pass. Only a lateral join that is not merged into the query is
 * sure to keep the order: whatever the tables hold, each candidate is looked up in turn.
 *
 * @param last the candidates among which the scan may end early; null: none.
 */
async function scan<R>(
  tx: Db,
  query: WordQuery,
  candidates: RawBuilder<unknown>,
  last: RawBuilder<unknown> | null,
  lacks: RawBuilder<unknown>,
): Promise<WordScan<R>> {
  const { passes, isFiltered, limit } = query
  const { rows } = await sql<R & { id: number }>`
    select listed.* from (${candidates}) as found cross join lateral (
      select pack.id, ${query.columns} from pack
      where pack.id = found.pack_id and ${passes} ${lacks} offset 0
    ) as listed limit ${limit}`.execute(tx)
  const isWhole = !isFiltered || rows.length === limit || last === null
  return { rows, end: isWhole ? null : await endOf(tx, last) }
}

function conditionText(condition: readonly (readonly Token[])[]): string {
  return condition.map((tokens) => `(${tokens.map(tokenText).join(' | ')})`).join(' & ')
}

function tokenText({ text, isPrefix }: Token): string {
  const quoted = text.replaceAll(/['\\]/g, (sign) => sign + sign)
  return `'${quoted}'${isPrefix ? ':*' : ''}`
}
