import { hash } from 'node:crypto'
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
import { prepareListQuery, prepareQueries } from '../query.ts'
import type { Tables } from '../tables.ts'

const columns = [
  'updated_at',
  'beatmaps',
  'maps',
  'stars',
  'length_min',
  'length_max',
  'bpm_min',
  'bpm_max',
  'mods',
  'rulesets',
] as const

const columnsOf = (prefix: string) => sql.raw(columns.map((name) => prefix + name).join(', '))

const queries = prepareQueries({
  putPack: (row: Tables['search_pack']) => sql`
    insert into search_pack (pack_id, ${columnsOf('')})
    values (${row.pack_id}, ${sql.join(columns.map((name) => row[name]))})
    on conflict (pack_id) do update set (${columnsOf('')}) = (${columnsOf('excluded.')})
    where (${columnsOf('search_pack.')}) is not (${columnsOf('excluded.')})`,
  addWords: ({ id, words }: { id: number; words: string }) =>
    sql`insert into search_words (rowid, words) values (${id}, ${words})`,
  removeWords: ({ id }: { id: number }) => sql`delete from search_words where rowid = ${id}`,
  addList: ({ id, words }: { id: number; words: string }) =>
    sql`insert or replace into search_pack_words (pack_id, words) values (${id}, ${words})`,
  removeList: ({ id }: { id: number }) => sql<{ words: string }>`
    delete from search_pack_words where pack_id = ${id} returning words`,
  removeLists: () => sql`delete from search_pack_words`,
  has: ({ word }: { word: string }) =>
    sql`select rowid from search_words where search_words match ${word} limit 1`,
  removePack: ({ id }: { id: number }) => sql`delete from search_pack where pack_id = ${id}`,
})

const listsOf = prepareListQuery(
  (ids: readonly number[]) => sql<{ id: number; words: string }>`
    select pack_id as id, words from search_pack_words where pack_id in (${sql.join(ids)})`,
)

const wordsOf = (list: string | undefined): string[] => (list ?? '').split(' ').filter(isWord)

/** Stands at the end of the list of a pack's words: `search_words` does not tell which tokens it has of a pack. */
const digestOf = (tokens: string): string => `_${hash('sha1', tokens, 'base64url')}`

/** The words of packs in a table of FTS5, which holds no more than which packs have a token. */
export const sqliteWords: WordIndex = {
  each: (json) => sql`json_each(${json})`,

  async put(tx, entries) {
    const held = entries.flatMap(({ row, isHeld }) => (isHeld ? row.pack_id : []))
    const lists = new Map((await listsOf(tx, held)).map(({ id, words }) => [id, words] as const))
    const had: string[] = []
    for (const { row, tokens, isHeld } of entries) {
      const { pack_id: id } = row
      await queries.putPack(tx, row)
      const [list, digest] = [lists.get(id), digestOf(tokens)]
      if (list?.endsWith(digest)) continue
      if (isHeld) await queries.removeWords(tx, { id })
      await queries.addWords(tx, { id, words: tokens })
      await queries.addList(tx, { id, words: [...wordsOf(tokens), digest].join(' ') })
      had.push(...wordsOf(list))
    }
    return had
  },

  async remove(tx, id) {
    await queries.removePack(tx, { id })
    await queries.removeWords(tx, { id })
    const [list] = await queries.removeList(tx, { id })
    return wordsOf(list?.words)
  },

  async restart(tx) {
    await queries.removeLists(tx, {})
  },

  async unused(tx, words) {
    const found: string[] = []
    for (const word of words) {
      if ((await queries.has(tx, { word: `"${word}"` })).length === 0) found.push(word)
    }
    return found
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
