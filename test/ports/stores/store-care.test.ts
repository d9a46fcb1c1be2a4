import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { openSqliteStores } from '../../../src/adapters/storage/sqlite/open.ts'
import { keptTables } from '../../../src/adapters/storage/stores/copy.ts'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { copyStore } from '../../../src/main/copy-store.ts'
import { aNewPack } from '../sample-pack.ts'
import { addOwners, type TempStore, tempStore } from '../temp-store.ts'

/**
 * What no copy has. Only the running processes share counters, leases, how the platform answers, who has a workspace open,
 * the published index, the page files and what makes their caches old; and what packs are found by, the worker makes again.
 */
const leftOut = [
  'migration',
  'platform_state',
  'tournament_presence',
  'hand_over',
  'page_file',
  'search_pack',
  'search_pack_words',
  'search_near',
  'search_words',
  'beatmap_use',
  // Of PostgreSQL alone.
  'quota',
  'lease',
  'published_index',
  'touched',
  'touched_since',
]

// What every StoreCare does. A backup is a store in a file, whatever the engine was.
describe('StoreCare', () => {
  let store: TempStore
  let stores: Stores
  let backups: string

  beforeEach(async () => {
    store = await tempStore()
    stores = await store.open()
    await addOwners(stores)
    backups = join(store.folder, 'backups')
    await mkdir(backups)
  })

  afterEach(() => store.remove())

  it('finds a store in order, however many ask at once and write meanwhile', async () => {
    const [, made] = await Promise.all([
      stores.care.check(),
      stores.packs.create(aNewPack(), null),
      stores.care.check(),
    ])
    expect(made.outcome).toBe('created')
  })

  it('knows of every table whether a copy has it', async () => {
    const tables = {
      sqlite: "select name from pragma_table_list where schema = 'main' and type <> 'shadow'",
      postgres: 'select tablename as name from pg_tables where schemaname = current_schema()',
    }
    const rows = await store.query(tables[inject('engine')])
    const names = rows.map(({ name }) => String(name)).filter((name) => !name.startsWith('sqlite_'))
    expect(names.length).toBeGreaterThan(30)
    // A table that is in neither is lost by each copy.
    const known = new Set([...Object.keys(keptTables), ...leftOut])
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })

  it('copies rows in the order of the primary key, so that no portion ends between two that are alike', async () => {
    const keys = {
      sqlite: `select t.name as "table", c.name from pragma_table_list t, pragma_table_info(t.name) c
        where t.schema = 'main' and c.pk > 0`,
      postgres: `select c.relname as "table", a.attname as name
        from pg_index i join pg_class c on c.oid = i.indrelid
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
        where i.indisprimary and c.relnamespace = current_schema()::regnamespace`,
    }
    const rows = await store.query(keys[inject('engine')])
    const keyOf = (table: string) =>
      rows.filter((row) => row['table'] === table).map(({ name }) => String(name))
    const tables = Object.entries<readonly string[]>(keptTables)
    expect(tables.map(([table, key]) => [table, key.toSorted()])).toEqual(
      tables.map(([table]) => [table, keyOf(table).toSorted()]),
    )
  })

  it('backs up one moment of a store that is written to', async () => {
    for (let n = 0; n < 50; n += 1) await stores.packs.create(aNewPack(), null)
    const copied = new AbortController()
    const writer = (async () => {
      while (!copied.signal.aborted) {
        await stores.packs.create(aNewPack(), null)
        await new Promise(setImmediate)
      }
    })()
    const file = join(backups, 'copy.db')
    await stores.care.backup(file)
    copied.abort()
    await writer
    expect(await readdir(backups)).toEqual(['copy.db'])

    const copy = await openSqliteStores(file)
    const { total } = await copy.packs.listPublic(1, 50)
    const owned = await copy.packs.listOwned('owner', 1, 50)
    expect(total).toBeGreaterThanOrEqual(50)
    expect(owned.total).toBe(total)
    await copy.care.check()
    await copy.care.close()
  })

  it.each([0, 500, 1_001])(
    'restores a backup whole: tables without rows, and one of %i rows, which are copied by five hundred',
    async (rows) => {
      const ids = Array.from({ length: rows }, (_, at) => at + 1)
      if (rows > 0) await stores.beatmapCache.keepBeatmaps([], ids, 3)
      const [backup, restored] = [join(backups, 'copy.db'), join(store.folder, 'new', 'copy.db')]
      await stores.care.backup(backup)
      const told = { copied: [0], checked: [0] }
      const copied = await copyStore('restore', { file: backup }, { file: restored }, (doing, at) =>
        told[doing].push(at),
      )
      const copy = await openSqliteStores(restored)
      onTestFinished(() => copy.care.close())
      expect(await copy.accounts.read('owner')).toMatchObject({ username: 'mapper' })
      expect((await copy.beatmapCache.readBeatmaps(ids)).size).toBe(rows)
      for (const steps of [told.copied, told.checked]) {
        expect(steps).toEqual(steps.toSorted((a, b) => a - b))
      }
      expect([told.copied.at(-1), told.checked.at(-1)]).toEqual([copied, 2 * copied])
    },
  )

  it('refuses to write a backup over a file, and leaves it as it is', async () => {
    const file = join(backups, 'taken')
    await writeFile(file, 'mine')
    await expect(stores.care.backup(file)).rejects.toThrow(/already exists/)
    expect(await readFile(file, 'utf8')).toBe('mine')
    expect(await readdir(backups)).toEqual(['taken'])
  })

  it('leaves nothing of a backup that cannot be written', async () => {
    await expect(stores.care.backup(join(backups, 'missing', 'copy.db'))).rejects.toThrow()
    expect(await readdir(backups)).toEqual([])
    await stores.packs.create(aNewPack(), null)
  })

  it('one of two backups to the same file wins', async () => {
    const file = join(backups, 'copy.db')
    const second = await store.open()
    const results = await Promise.allSettled([stores.care.backup(file), second.care.backup(file)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await readdir(backups)).toEqual(['copy.db'])
  })

  it('closes behind what is under way, and may be closed again', async () => {
    const slugs = Array.from({ length: 20 }, () => aNewPack())
    const creations = slugs.map((pack) => stores.packs.create(pack, null))
    const closing = stores.care.close()
    expect(await Promise.all(creations)).toHaveLength(20)
    await closing
    await stores.care.close()
    const again = await store.open()
    expect((await again.packs.listPublic(1, 1)).total).toBe(20)
  })
})
