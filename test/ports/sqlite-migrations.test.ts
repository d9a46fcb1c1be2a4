import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../../src/adapters/storage/sqlite/file.ts'
import { DISCORD_URL_EXAMPLE } from '../../src/contract/announcements.ts'
import { aNewPack, oldPacks } from './sample-pack.ts'
import { updateAll } from './search-steps.ts'
import { runProcess } from './second-process.ts'
import { addOwners, type SqliteTempStore, tempSqliteStore } from './temp-store.ts'

describe('opening a SQLite store', () => {
  let store: SqliteTempStore
  let migrations: URL
  let folder: string

  beforeEach(async () => {
    store = await tempSqliteStore()
    folder = join(store.folder, 'migrations')
    await mkdir(folder)
    migrations = pathToFileURL(`${folder}/`)
    for (const name of await readdir(SQLITE_MIGRATIONS)) {
      await copyFile(new URL(name, SQLITE_MIGRATIONS), join(folder, name))
    }
  })

  afterEach(() => store.remove())

  const inspect = <T>(look: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(store.file)
    try {
      return look(database)
    } finally {
      database.close()
    }
  }

  it('makes folder, file and tables when there are none', async () => {
    const stores = await store.open()
    await addOwners(stores)
    await stores.packs.create(aNewPack(), 200)
    await stores.care.close()
    expect(await readdir(join(store.folder, 'data'))).toEqual(['mapcrate.db'])
    expect(
      inspect((database) => database.prepare('select name from migration order by name').all()),
    ).toEqual((await readdir(SQLITE_MIGRATIONS)).map((name) => ({ name })))
  })

  it('keeps what is there when opened again', async () => {
    const first = await store.open()
    await addOwners(first)
    const pack = aNewPack()
    await first.packs.create(pack, null)
    await first.care.close()
    const again = await store.open()
    expect(await again.packs.read(pack.slug)).toEqual({ ...pack, ownerUsername: 'mapper' })
  })

  it('applies a new migration to an old store, once', async () => {
    const old = await store.open({ migrations })
    await addOwners(old)
    await old.care.close()
    await writeFile(
      join(folder, '0999-counter.sql'),
      'create table t (n); insert into t values (1);',
    )
    await (await store.open({ migrations })).care.close()
    await (await store.open({ migrations })).care.close()
    expect(inspect((database) => database.prepare('select n from t').all())).toEqual([{ n: 1 }])
  })

  it('gives each pack of an old store its first version, as its last save left it (D-71)', async () => {
    const later = (await readdir(folder)).filter((name) => name >= '0012')
    await Promise.all(later.map((name) => rm(join(folder, name))))
    // The stores of this version would look for tables that came later.
    const old = await openSqliteFile(store.file, migrations, 1_000)
    old.reader.close()
    old.writer.close()
    inspect((database) => {
      database.exec(`insert into account values ('owner', 1, 'mapper', 0)`)
      const insert = database.prepare(
        `insert into pack (slug, owner_id, name, visibility, content_hash, slots, pack_key, exports,
           hidden_at, created_at, updated_at)
         values (?, 'owner', 'Old', 'public', 1, '[]', 'pk1.x', '[]', ?, 1000, 2000)`,
      )
      for (const [slug, hiddenAt] of oldPacks) insert.run(slug, hiddenAt)
    })
    const { packs } = await store.open()
    for (const [slug, , isHidden] of oldPacks) {
      const version = { version: 1, savedAt: 2_000, visibility: 'public', isHidden }
      const expected = { ...version, description: null, packKey: 'pk1.x' }
      expect((await packs.readHistory(slug))?.versions).toEqual([expected])
      expect((await packs.read(slug))?.historyPublic).toBe(false)
    }
    await packs.replace('hidden-000', 'owner', (saved) => ({
      ...saved,
      version: 2,
      versionAt: 3_000,
      updatedAt: 3_000,
    }))
    const { versions } = (await packs.readHistory('hidden-000'))!
    expect(versions.map(({ version, savedAt }) => [version, savedAt])).toEqual([
      [2, 3_000],
      [1, 2_000],
    ])
  })

  it('forgets the words that no pack has any more, of a store that was found by an earlier version', async () => {
    const later = (await readdir(folder)).filter((name) => name >= '0028')
    // Accounts are as this version has them.
    const account = later.find((name) => name.endsWith('account-language.sql'))!
    const others = later.filter((name) => name !== account)
    await Promise.all(others.map((name) => rm(join(folder, name))))
    const old = await store.open({ migrations })
    await addOwners(old)
    const { slug } = aNewPack()
    await old.packs.create(aNewPack({ slug, name: 'Harbour' }), null)
    await old.publicIndex.version()
    await old.care.close()
    inspect((database) =>
      database.exec(`
        insert into search_pack (pack_id, updated_at, beatmaps, maps)
          select id, updated_at, '[]', 0 from pack;
        insert into search_words (rowid, words) select id, 'harbour n_harbour t_harbour' from pack;
        insert into search_near (variant, word) values ('harbour', 'harbour'), ('gone', 'gone');
        update shared_number set value = -1 where name = 'search_walk';
        update shared_number set value = (select value from shared_number where name = 'index_version')
          where name = 'search_seq'`),
    )
    const { searchUpdates, search, packs } = await store.open()
    await updateAll({ searchUpdates })
    const near = () => search.nearWords(['harbou', 'gones'])
    expect([...(await near()).values()]).toEqual([['harbour'], []])
    await packs.remove(slug, 'owner', 0)
    await updateAll({ searchUpdates })
    expect([...(await near()).values()]).toEqual([[], []])
  })

  it.each([
    ['whole', "(select value from shared_number where name = 'index_version') || ' -1'"],
    ['lost', 'null'],
  ])(
    'makes the words of packs again that an earlier version folded otherwise, a search that is %s',
    async (_, mark) => {
      const later = (await readdir(folder)).filter((name) => name >= '0034')
      await Promise.all(later.map((name) => rm(join(folder, name))))
      const old = await store.open({ migrations })
      await addOwners(old)
      await old.packs.create(aNewPack({ name: 'Cup ٢٣' }), null)
      await updateAll(old)
      await old.care.close()
      inspect((database) =>
        database.exec(`
        update search_pack_words set words = 'cup ٢٣';
        update shared_number set mark = ${mark} where name = 'search_forgotten'`),
      )
      const wordsOf = (): unknown =>
        inspect(
          (database) => database.prepare('select words from search_pack_words').get()?.['words'],
        )
      const again = await store.open()
      expect(wordsOf()).toBe('cup ٢٣')
      await updateAll(again)
      expect(wordsOf()).toMatch(/\b23\b/)
      expect((await again.searchUpdates.progress()).packs).toBe(1)
      await again.care.close()
      await updateAll(await store.open())
    },
  )

  it('keeps what was announced and what waits, and still deletes it with its tournament (D-97)', async () => {
    const later = (await readdir(folder)).filter((name) => name >= '0033')
    await Promise.all(later.map((name) => rm(join(folder, name))))
    const old = await openSqliteFile(store.file, migrations, 1_000)
    old.reader.close()
    old.writer.close()
    inspect((database) => {
      database.exec(`
        insert into tournament (slug, name, ruleset, visibility, announce_rounds, created_at,
          updated_at, public_at, mark, discord_url)
        values ('cup-000000', 'Cup', 'base', 'public', 0, 1, 1, 1, 1, '${DISCORD_URL_EXAMPLE}');
        insert into tournament_chat (tournament, due_at, failures) values ('cup-000000', 5, 2);
        insert into tournament_message (id, name, tournament, kind, at, content, state, problem)
        values (7, 'first', 'cup-000000', 'trial', 3, '{}', 'sent', null),
          (9, 'second', 'cup-000000', 'trial', 4, '{}', 'waiting', 'no-answer')`)
    })
    const { announcements, care } = await store.open()
    expect(
      (await announcements.list('cup-000000', 9)).map(({ id, problem, nextAttemptAt, code }) => [
        id,
        problem,
        nextAttemptAt,
        code,
      ]),
    ).toEqual([
      ['second', 'no-answer', 5, null],
      ['first', null, null, null],
    ])
    await care.close()
    const counts = inspect((database) => {
      database.exec(`
        insert into tournament_message (name, tournament, kind, at, content)
        values ('third', 'cup-000000', 'trial', 5, '{}')`)
      const last = database.prepare('select max(id) as id from tournament_message').get()
      database.exec(`delete from tournament where slug = 'cup-000000'`)
      const left = database.prepare(`
        select (select count(*) from tournament_chat) as chats,
          (select count(*) from tournament_message) as messages`)
      return { ...last, ...left.get() }
    })
    expect(counts).toEqual({ id: 10, chats: 0, messages: 0 })
  })

  it('undoes a migration that fails and says which and why', async () => {
    await writeFile(
      join(folder, '0999-broken.sql'),
      'create table t (n); insert into nowhere values (1);',
    )
    await expect(store.open({ migrations })).rejects.toThrow(
      /0999-broken\.sql failed \(no such table: nowhere\); the store is as it was before/,
    )
    const tables = inspect((database) =>
      database.prepare("select name from sqlite_schema where name in ('t', 'pack')").all(),
    )
    expect(tables).toEqual([{ name: 'pack' }])
    await (await store.open()).care.check()
  })

  it('refuses a store that a newer version made', async () => {
    await writeFile(join(folder, '0999-later.sql'), 'create table later (n);')
    await (await store.open({ migrations })).care.close()
    await expect(store.open()).rejects.toThrow(/newer version \(0999-later\.sql.*update/)
  })

  it('refuses a migration that was changed behind its back; line ends do not count', async () => {
    const file = join(folder, '0999-later.sql')
    await writeFile(file, 'create table later\n(n);\n')
    await (await store.open({ migrations })).care.close()
    await writeFile(file, 'create table later\r\n(n);\r\n')
    await (await store.open({ migrations })).care.close()
    await writeFile(file, 'create table later\n(m);\n')
    await expect(store.open({ migrations })).rejects.toThrow(/0999-later\.sql is not the one/)
  })

  it('names the file when it is no store', async () => {
    await mkdir(join(store.folder, 'data'))
    await writeFile(store.file, 'this is a text file, and a long one: '.repeat(100))
    await expect(store.open()).rejects.toThrow(/Cannot open the store .*mapcrate\.db: file is not/)
  })

  it('applies a migration once when two have waited for the lock to do so', async () => {
    await mkdir(join(store.folder, 'data'))
    const holder = new DatabaseSync(store.file)
    holder.exec('pragma journal_mode = wal; begin immediate')
    const opening = [store.open(), store.open()]
    await pause(60)
    holder.exec('rollback')
    holder.close()
    for (const { care } of await Promise.all(opening)) {
      await expect(care.check()).resolves.toBeUndefined()
    }
  })

  it('is safe when several processes begin with the same empty folder', async () => {
    const starts = await Promise.all(
      Array.from({ length: 4 }, () => runProcess(store.file, 'count-public')),
    )
    expect(starts).toEqual(['0', '0', '0', '0'])
  })
})
