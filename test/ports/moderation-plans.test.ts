import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  openSqliteFile,
  SQLITE_MIGRATIONS,
  type SqliteFile,
} from '../../src/adapters/storage/sqlite/file.ts'
import { type SqliteTempStore, tempSqliteStore } from './temp-store.ts'

let store: SqliteTempStore
let file: SqliteFile

beforeEach(async () => {
  store = await tempSqliteStore()
  file = await openSqliteFile(store.file, SQLITE_MIGRATIONS, 1000)
})

afterEach(async () => {
  file.reader.close()
  file.writer.close()
  await store.remove()
})

const planOf = (query: string): string[] =>
  file.reader
    .prepare(`explain query plan ${query}`)
    .all()
    .map(({ detail }) => String(detail))

it('moderators look through an index that holds what they search by, in the order of the list', () => {
  const query = `from pack where visibility <> 'private'
    and (lower(name) like '%x%' or owner_id in (select id from account where lower(username) like '%x%'))`
  const [page] = planOf(`select slots ${query} order by updated_at desc, id desc limit 50`)
  expect(page).toBe('SCAN pack USING INDEX pack_moderated')
  const [count] = planOf(`select count(*) ${query}`)
  expect(count).toBe('SCAN pack USING COVERING INDEX pack_moderated')
})

it('deleting an account looks nowhere through a whole table', () => {
  const children = file.reader
    .prepare(
      `select m.name as child, f."from" as field from sqlite_schema m, pragma_foreign_key_list(m.name) f
       where m.type = 'table' and f."table" = 'account'`,
    )
    .all()
  const tables = children.map(({ child }) => child)
  expect(tables).toEqual(expect.arrayContaining(['pack', 'tournament_staff', 'round_version']))
  for (const { child, field } of children) {
    const [plan] = planOf(`select 1 from ${String(child)} where ${String(field)} = 'x'`)
    expect(plan).toMatch(/^SEARCH /)
  }
})

it('the list of public tournaments sorts only equals of its index', () => {
  const plan = planOf(`select name from tournament where visibility = 'public' and hidden_at is null
    order by public_at desc, created_at desc, slug desc limit 50`)
  expect(plan).toEqual([
    'SCAN tournament USING INDEX tournament_public',
    'USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY',
  ])
})
