import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { expect, inject, it, vi } from 'vitest'
import { takeDatabase } from '../../support/postgres-databases.ts'

const MADE =
  'create table thing (id integer primary key); insert into thing (id) values (1), (2), (3)'

const idsOf = (rows: readonly unknown[]) => rows.map((row) => (row as { id: number }).id)

/** The ids of a table as the engine of this run gives them, without an order and with one. */
async function read(): Promise<number[][]> {
  const queries = ['select id from thing', 'select id from thing order by id']
  if (inject('engine') === 'sqlite') {
    using database = new DatabaseSync(':memory:')
    database.exec(MADE)
    return queries.map((text) => idsOf(database.prepare(text).all()))
  }
  const taken = await takeDatabase()
  const client = new Client(taken.url)
  await client.connect()
  await client.query(`create temporary${MADE.slice('create'.length)}`)
  const answers: number[][] = []
  for (const text of queries) answers.push(idsOf((await client.query({ text })).rows))
  await client.end()
  await taken.giveBack()
  return answers
}

it('rows that no ORDER BY sorts come reversed, however many files of tests a worker has run', async () => {
  for (let files = 0; files < 2; files += 1) {
    vi.resetModules()
    await import('../../support/any-row-order.ts')
    expect(await read()).toEqual([
      [3, 2, 1],
      [1, 2, 3],
    ])
  }
})
