import { type RawBuilder, sql } from 'kysely'
import {
  type Db,
  endOf,
  MOST_CANDIDATES,
  prepareQueries,
  type Token,
  type WordIndex,
  type WordQuery,
  type WordScan,
} from '../engine.ts'

const queries = prepareQueries({
  addWords: ({ id, words }: { id: number; words: string }) =>
    sql`insert into search_words (rowid, words) values (${id}, ${words})`,
  removeWords: ({ id }: { id: number }) => sql`delete from search_words where rowid = ${id}`,
  removePack: ({ id }: { id: number }) => sql`delete from search_pack where pack_id = ${id}`,
})

/** The words of packs in a table of FTS5, which holds no more than which packs have a token. */
export const sqliteWords: WordIndex = {
  each: (json) => sql`json_each(${json})`,

  async add(tx, row, tokens) {
    await tx.insertInto('search_pack').values(row).execute()
    await queries.addWords(tx, { id: row.pack_id, words: tokens.join(' ') })
  },

  async remove(tx, id) {
    await queries.removePack(tx, { id })
    await queries.removeWords(tx, { id })
  },

  async find<R>(tx: Db, query: WordQuery): Promise<WordScan<R>> {
    const { match, except, isFiltered } = query
    const exceptions = except.map(conditionText)
    // Nearly all candidates pass where nothing is filtered.
    const most = isFiltered ? MOST_CANDIDATES : -1
    if (match.length === 0) {
      const lacks = exceptions.map(
        (text) => sql`and not exists (
          select 1 from search_words where search_words match ${text} and rowid = found.pack_id)`,
      )
      const every = sql`select * from search_pack where pack_id < ${query.before}
        order by pack_id desc limit ${most}`
      return scan(tx, query, every, sql`(${every}) as found`, sql.join(lacks, sql` `))
    }
    const not = exceptions.length === 0 ? '' : ` NOT (${exceptions.join(' OR ')})`
    const matched = sql`select rowid as pack_id from search_words
      where search_words match ${conditionText(match) + not} and rowid < ${query.before}
      order by rowid desc limit ${most}`
    const filtered = sql`(${matched}) as matched
      cross join search_pack as found on found.pack_id = matched.pack_id`
    return scan(tx, query, matched, isFiltered ? filtered : sql`(${matched}) as found`, sql``)
  },
}

/** Joins are made in the order in which they are written: newest first, until there are enough. */
async function scan<R>(
  tx: Db,
  { passes, columns, limit, isFiltered }: WordQuery,
  candidates: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  lacks: RawBuilder<unknown>,
): Promise<WordScan<R>> {
  const { rows } = await sql<R & { id: number }>`
    select pack.id, ${columns} from ${from} cross join pack on pack.id = found.pack_id
    where ${passes} ${lacks} limit ${limit}`.execute(tx)
  const isWhole = !isFiltered || rows.length === limit
  return { rows, end: isWhole ? null : await endOf(tx, candidates) }
}

function conditionText(condition: readonly (readonly Token[])[]): string {
  return condition.map((tokens) => `(${tokens.map(tokenText).join(' OR ')})`).join(' AND ')
}

function tokenText({ text, isPrefix }: Token): string {
  return `"${text.replaceAll('"', '""')}"${isPrefix ? '*' : ''}`
}
