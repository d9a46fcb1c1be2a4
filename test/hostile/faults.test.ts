import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createSqliteEngine, type SqliteEngine } from '../../src/adapters/storage/sqlite/engine.ts'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../../src/adapters/storage/sqlite/file.ts'
import { createSqliteCare } from '../../src/adapters/storage/sqlite/open.ts'
import { createStores } from '../../src/adapters/storage/stores.ts'
import { expectError, quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { onSqlite } from '../support/test-stores.ts'

const PATIENCE_MS = 1_000
let engine: SqliteEngine | undefined

/** A house whose store is reached, so that its disk can be made to fail. */
const house = await openHouse({
  open: async (path) => {
    const file = await openSqliteFile(path, SQLITE_MIGRATIONS, PATIENCE_MS)
    engine = createSqliteEngine(file, PATIENCE_MS)
    return onSqlite(path, createStores(engine, createSqliteCare(path, file, engine)))
  },
})
afterAll(house.close)
const writer = () => engine!.writer
const host = await house.host()
const slug = await host.save(aPack({ name: 'before' }))
const before = (await host.get('/me/packs')).text
afterEach(() => house.clock.nextMinute())

const expectOurFault = async (): Promise<void> => {
  for (const reply of await Promise.all([
    host.post(aPack()),
    host.put(slug, aPack({ name: 'after' })),
    host.delete(slug),
  ])) {
    expectError(reply, 'internal_error', 'something failed on our side; try again later')
    expect(quotaOf(reply).limit).toBe(10)
    expect(reply.headers.get('x-request-id')).toBeTruthy()
  }
  expect((await host.get('/me/packs')).text).toBe(before)
}

const expectService = async (): Promise<void> => {
  const made = await host.save(aPack())
  expect((await host.delete(made)).status).toBe(204)
  expect((await host.get('/me/packs')).text).toBe(before)
}

test('a read-only file: 500, nothing half-written, and service again', async () => {
  await sql`pragma query_only = on`.execute(writer())
  await expectOurFault()
  await sql`pragma query_only = off`.execute(writer())
  await expectService()
})

test('a full disk: 500, nothing half-written, and service again', async () => {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(writer())
  await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count)}`.execute(writer())
  const packs: string[] = []
  let failed = false
  for (let at = 0; at < 60 && !failed; at++) {
    if (at % 8 === 0) house.clock.nextMinute()
    const large = aPack({ name: `pack ${at}`, description: 'й'.repeat(500) })
    const reply = await host.post(large)
    if (reply.status === 201) packs.push(reply.json.pack.slug)
    else {
      failed = true
      expectError(reply, 'internal_error')
    }
  }
  expect(failed).toBe(true)
  house.clock.nextMinute()
  expect((await host.get('/me/packs')).json.total).toBe(1 + packs.length)
  await sql`pragma max_page_count = 1073741823`.execute(writer())
  for (const [at, made] of packs.entries()) {
    if (at % 8 === 0) house.clock.nextMinute()
    expect((await host.delete(made)).status).toBe(204)
  }
  house.clock.nextMinute()
  await expectService()
})

test('a file that another process locks: writes end in 500, reads go on at once', async () => {
  const other = new DatabaseSync(join(house.folder, 'mapcrate.db'))
  other.exec('BEGIN IMMEDIATE')
  const stranger = await house.host().catch(() => null)
  expect(stranger).toBeNull()
  let haveGivenUp = false
  const writes = expectOurFault().finally(() => {
    haveGivenUp = true
  })
  expect((await host.get(`/packs/${slug}`)).status).toBe(200)
  expect(haveGivenUp).toBe(false)
  await writes
  other.exec('ROLLBACK')
  other.close()
  await expectService()
})
