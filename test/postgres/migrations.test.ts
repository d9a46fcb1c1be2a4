import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import {
  POSTGRES_MIGRATIONS,
  preparePostgres,
} from '../../src/adapters/storage/postgres/migrations.ts'
import {
  openPostgresStores,
  type PostgresOptions,
} from '../../src/adapters/storage/postgres/open.ts'
import { oldPacks } from '../ports/sample-pack.ts'
import { emptyDatabase } from '../support/postgres-databases.ts'
import { overConnection } from '../support/postgres-setup.ts'

const { url: serverUrl } = inject('postgres')
const ours = (await readdir(POSTGRES_MIGRATIONS)).toSorted()

/** A newer version: our migrations and these. */
const newerVersion = async (more: Readonly<Record<string, string>>): Promise<URL> => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(POSTGRES_MIGRATIONS, folder, { recursive: true })
  for (const [name, sql] of Object.entries(more)) await writeFile(join(folder, name), sql)
  return pathToFileURL(`${folder}/`)
}

const openAndClose = async (url: string, options?: PostgresOptions): Promise<void> => {
  const { packs, care } = await openPostgresStores(url, { timeoutMs: null, ...options })
  expect((await packs.listPublic(1, 50)).total).toBe(0)
  await care.check()
  await care.close()
}

const migrationsIn = (url: string): Promise<readonly string[]> =>
  overConnection(url, async (client: Client) => {
    const { rows } = await client.query<{ name: string }>(
      'select name from migration order by name',
    )
    return rows.map(({ name }) => name)
  })

test('ten processes that start at once on an empty database make it once', async () => {
  const url = await emptyDatabase()
  await Promise.all(Array.from({ length: 10 }, () => openAndClose(url)))
  expect(await migrationsIn(url)).toEqual(ours)
})

test('a process of the version before starts and works beside a newer one that has only added', async () => {
  const url = await emptyDatabase()
  const older = await openPostgresStores(url, { timeoutMs: null })
  const migrations = await newerVersion({
    '1000-more.sql': 'alter table pack add column more text; create table more (id bigint)',
  })
  await openAndClose(url, { migrations })
  expect((await older.packs.listPublic(1, 50)).total).toBe(0)
  await older.accounts.ensurePlayer({ gameId: 1, username: 'Ada' }, 'ada', 0)
  await older.care.close()
  await openAndClose(url)
  expect(await migrationsIn(url)).toEqual([...ours, '1000-more.sql'])
})

test('each pack of an older database has its first version, as its last save left it (D-71)', async () => {
  const url = await emptyDatabase()
  const older = await newerVersion({})
  const later = (await readdir(older)).filter((name) => name >= '0010')
  await Promise.all(later.map((name) => rm(new URL(name, older))))
  await preparePostgres(url, 'make', older)
  await overConnection(url, async (client) => {
    await client.query(`insert into account (id, username, created_at) values ('owner', 'o', 0)`)
    for (const [slug, hiddenAt] of oldPacks) {
      await client.query(
        `insert into pack (slug, owner_id, name, visibility, content_hash, slots, pack_key, exports,
           hidden_at, created_at, updated_at)
         values ($1, 'owner', 'Old', 'public', 1, '[]', 'pk1.x', '[]', $2, 1000, 2000)`,
        [slug, hiddenAt],
      )
    }
  })
  const { packs, care } = await openPostgresStores(url, { timeoutMs: null })
  for (const [slug, , isHidden] of oldPacks) {
    const version = { version: 1, savedAt: 2_000, visibility: 'public', isHidden }
    const expected = { ...version, description: null, packKey: 'pk1.x' }
    expect((await packs.readHistory(slug))?.versions).toEqual([expected])
    expect((await packs.read(slug))?.historyPublic).toBe(false)
  }
  await care.close()
})

test('it is refused once something that it used was taken away', async () => {
  const url = await emptyDatabase()
  const migrations = await newerVersion({ '1000-contract-less.sql': 'select 1' })
  await openAndClose(url, { migrations })
  await expect(openPostgresStores(url)).rejects.toThrow(
    'newer version (1000-contract-less.sql is not known here): update this installation',
  )
})

test('a migration that fails leaves the database as it was, and the next start tries again', async () => {
  const url = await emptyDatabase()
  const broken = 'create table half (id bigint); select nonsense'
  const bad = await newerVersion({ '1000-more.sql': broken })
  await expect(openPostgresStores(url, { migrations: bad })).rejects.toThrow(
    /^Cannot open the store in the database: Migration 1000-more.sql failed \(.*"nonsense".*\); the database is as it was before$/,
  )
  const good = await newerVersion({ '1000-more.sql': 'create table half (id bigint)' })
  await openAndClose(url, { migrations: good })
})

test('a migration that was changed since is refused', async () => {
  const url = await emptyDatabase()
  await openAndClose(url, { migrations: await newerVersion({ '1000-more.sql': 'select 1' }) })
  const changed = await newerVersion({ '1000-more.sql': 'select 2' })
  await expect(openPostgresStores(url, { migrations: changed })).rejects.toThrow(
    'Migration 1000-more.sql is not the one that this store was made with',
  )
})

test('a change of a table waits for those who use it, and lets those pass who come meanwhile', async () => {
  const url = await emptyDatabase()
  const older = await openPostgresStores(url, { timeoutMs: null })
  const migrations = await newerVersion({
    '1000-more.sql': 'alter table pack add column more text',
  })
  await overConnection(url, async (slow) => {
    await slow.query('begin; select count(*) from pack')
    const migrating = openAndClose(url, { migrations })
    // Behind the change they would wait for the slow one, were the change as patient as it is.
    const reads: Promise<unknown>[] = []
    const end = performance.now() + 1_500
    while (performance.now() < end) {
      reads.push(Promise.resolve(older.packs.read('0123456789')))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await Promise.all(reads)
    await slow.query('commit')
    await migrating
  })
  await older.care.close()
  expect(await migrationsIn(url)).toContain('1000-more.sql')
})

test('a database of another encoding is refused', async () => {
  const url = await emptyDatabase("encoding 'LATIN1' locale 'C' template template0")
  await expect(openPostgresStores(url)).rejects.toThrow(
    'its encoding is LATIN1; make a database with encoding UTF8',
  )
})

test("an operator's command makes no store in a database that has none", async () => {
  const url = await emptyDatabase()
  await expect(openPostgresStores(url, { missing: 'refuse' })).rejects.toThrow(/nothing in it/)
  await openAndClose(url)
  await openAndClose(url, { missing: 'refuse' })
})

test('what is wrong is told without user and password', async () => {
  const wrong = new URL(serverUrl)
  wrong.password = 'mistaken-secret'
  const gone = new URL(wrong)
  gone.port = '1'
  const nowhere = new URL(wrong)
  nowhere.pathname = '/nowhere'
  for (const url of [wrong, gone, nowhere]) {
    const error: Error = await openPostgresStores(url.href).then(
      () => new Error('opened'),
      (reason: Error) => reason,
    )
    expect(error.message).toMatch(/^Cannot open the store in the database: ./)
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toContain('mistaken-secret')
  }
})
