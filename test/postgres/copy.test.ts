import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPostgresEnd, openSqliteEnd } from '../../src/adapters/storage/postgres/copy.ts'
import {
  POSTGRES_MIGRATIONS,
  preparePostgres,
} from '../../src/adapters/storage/postgres/migrations.ts'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import { copyRows, sumRows } from '../../src/adapters/storage/stores/copy.ts'
import { roundContentOf } from '../../src/domain/rounds.ts'
import { copyStore } from '../../src/main/copy-store.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { updateAll } from '../ports/search-steps.ts'
import { aRound, someFacts } from '../ports/sample-tournament.ts'
import {
  addOwners,
  type PostgresTempStore,
  type SqliteTempStore,
  tempPostgresStore,
  tempSqliteStore,
} from '../ports/temp-store.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { anyRound } from '../support/any-round.ts'
import { emptyDatabase } from '../support/postgres-databases.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { runCli } from '../support/processes.ts'

const PACKS = 1_100

let sqlite: SqliteTempStore
let postgres: PostgresTempStore

beforeEach(async () => {
  sqlite = await tempSqliteStore()
  postgres = await tempPostgresStore()
  await mkdir(join(sqlite.folder, 'data'))
})
afterEach(async () => {
  await sqlite.remove()
  await postgres.remove()
})

/** Something in every table, with what engines could write down differently. */
const fill = async (stores: Stores, packs: number): Promise<void> => {
  await addOwners(stores)
  const { accounts, apiKeys, sessions, beatmapCache, callBudget } = stores
  await accounts.setModerator(1, true, 5)
  await apiKeys.replace('owner', 'packs', { hash: 'h'.repeat(43), shown: 'abcd', createdAt: 1 })
  const session = { hash: 's'.repeat(43), accountId: 'other', csrf: 'c', createdAt: 2 }
  await sessions.create({ ...session, service: 'pools', device: 'Safari on iPhone' }, null)
  await beatmapCache.keepBeatmaps([aBeatmap(1, { bpm: 0.1 + 0.2 })], [2], 3)
  const rating = { beatmapId: 1, ruleset: 'base', mods: ['HD', 'DT'] } as const
  await beatmapCache.keepRating(rating, { stars: 1 / 3 }, 4)
  await callBudget.take('visitor', 7)
  const once = { key: 'k', fingerprint: 'f', since: 0 }
  const first = aNewPack({ name: 'Ünïcode 🎵 "quoted"', description: 'two\nlines' })
  await stores.packs.create(first, null, once)
  await Promise.all(
    Array.from({ length: packs - 1 }, (_, at) =>
      stores.packs.create(aNewPack({ updatedAt: at, createdAt: at }), null),
    ),
  )
  await stores.packs.replace(first.slug, 'owner', (saved) => ({
    ...saved,
    version: 2,
    versionAt: 8,
    updatedAt: 9,
  }))
  await fillTournament(stores)
  await stores.packs.setHistoryPublic(first.slug, 'owner', true)
  await stores.packs.moderate(first.slug, () => ({
    hiddenAt: 9,
    hiddenReason: 'why',
    pinnedRank: null,
    note: { moderatorId: 'other', reason: 'why', action: 'hide', at: 9 },
  }))
}

const [anyDraft] = fc.sample(anyRound, { numRuns: 1, seed: 26 })

/** A tournament with a staff, and a round with every field that is drafted and scheduled. */
const fillTournament = async ({ tournaments, accounts }: Stores): Promise<void> => {
  const slug = 'tournament'
  await tournaments.create({ ...someFacts, slug, createdAt: 1 }, 'owner', 9)
  const { gameId, username } = (await accounts.read('other'))!
  const other = {
    accountId: 'other',
    gameId: gameId!,
    username,
    role: 'tester',
    rounds: null,
    since: 2,
    seenAt: null,
  } as const
  const change = (name: string, version: number) =>
    tournaments.change(slug, 'other', 9, 0, ({ staff, ...saved }) => ({
      ...saved,
      rounds: [
        aRound({
          ...roundContentOf(anyDraft!),
          id: 'round-0001',
          name,
          version,
          releaseAt: 4_000_000,
        }),
      ],
      staff: [...staff.filter(({ accountId }) => accountId !== 'other'), other],
    }))
  await change('Ünïcode 🎵', 1)
  await change('Finals', 2)
}

const tournamentIn = async ({ tournaments }: Stores) => {
  const versions = await tournaments.readVersions('tournament', 'round-0001')
  expect(versions).toHaveLength(2)
  return [await tournaments.read('tournament'), versions]
}

/** The versions of the pack that has two. */
const historyIn = async ({ packs }: Stores) => {
  const pack = await packs.findOwned('owner', 'Ünïcode 🎵 "quoted"')
  const history = await packs.readHistory(pack?.slug ?? '')
  expect(history?.versions).toHaveLength(2)
  return history
}

const quietly = () => {}

it('what packs are found by is made again after a copy, both ways', async () => {
  const before = await sqlite.open()
  await fill(before, 20)
  await updateAll(before)
  const { packs } = await before.searchUpdates.progress()
  expect(packs).toBe(19)
  await before.care.close()
  await copyStore('copy', { file: sqlite.file }, { databaseUrl: postgres.url }, quietly)
  const copied = await postgres.open()
  expect(await copied.searchUpdates.progress()).toMatchObject({
    packs: 0,
    pending: 0,
    isRebuilding: true,
  })
  await updateAll(copied)
  expect(await copied.searchUpdates.progress()).toMatchObject({
    packs,
    pending: 0,
    isRebuilding: false,
  })
  const back = join(sqlite.folder, 'data', 'back.db')
  await copied.care.backup(back)
  const again = await openSqliteStores(back)
  expect(await again.searchUpdates.progress()).toMatchObject({
    packs: 0,
    pending: 0,
    isRebuilding: true,
  })
  await updateAll(again)
  expect(await again.searchUpdates.progress()).toMatchObject({
    packs,
    pending: 0,
    isRebuilding: false,
  })
  await again.care.close()
})

it('a file goes to PostgreSQL and comes back the same, and both serve on', async () => {
  const before = await sqlite.open()
  await fill(before, PACKS)
  const page = await before.packs.listPublic(3, 50)
  const history = await historyIn(before)
  const tournament = await tournamentIn(before)
  await before.care.close()
  const shown: string[] = []
  const rows = await copyStore(
    'copy',
    { file: sqlite.file },
    { databaseUrl: postgres.url },
    (doing, done, of) => shown.push(`${doing} ${done}/${of}`),
  )
  expect(rows).toBeGreaterThan(PACKS)
  expect(shown).toContain(`copied ${rows}/${rows}`)
  expect(shown.at(-1)).toBe(`checked ${2 * rows}/${2 * rows}`)

  const there = await postgres.open()
  expect(await there.packs.listPublic(3, 50)).toEqual(page)
  expect(await historyIn(there)).toEqual(history)
  expect(await tournamentIn(there)).toEqual(tournament)
  const created = await there.packs.create(aNewPack({ updatedAt: 99_999 }), null)
  expect(created.outcome).toBe('created')
  expect((await there.packs.listPublic(1, 50)).total).toBe(page.total + 1)
  await there.packs.moderate(page.rows[0]!.slug, () => ({
    hiddenAt: 1,
    pinnedRank: null,
    note: { moderatorId: null, reason: null, action: 'hide', at: 10 },
  }))
  expect((await there.packs.readLog(1, 5)).rows.map(({ at }) => at)).toEqual([10, 9])

  const back = join(sqlite.folder, 'back.db')
  await copyStore('copy', { databaseUrl: postgres.url }, { file: back }, quietly)
  const again = await openSqliteStores(back)
  expect(await again.packs.listPublic(3, 50)).toEqual(await there.packs.listPublic(3, 50))
  expect(await tournamentIn(again)).toEqual(tournament)
  expect((await again.packs.create(aNewPack(), null)).outcome).toBe('created')
  await again.care.close()
})

it('a copy that was broken off serves nobody, and goes on where it was', async () => {
  const before = await sqlite.open()
  await fill(before, PACKS)
  await before.care.close()
  const from = await openSqliteEnd(sqlite.file, 'read')
  const to = await openPostgresEnd(postgres.url, 'copy')
  let portions = 0
  const breakOff = () => {
    portions += 1
    if (portions === 12) throw new Error('broken off')
  }
  await expect(copyRows(from.engine.db, to.engine, breakOff)).rejects.toThrow('broken off')
  await from.close()
  await to.close()
  await expect(openPostgresStores(postgres.url)).rejects.toThrow('run mapcrate-server copy again')

  // Rows that went over a second time would be refused.
  await copyStore('copy', { file: sqlite.file }, { databaseUrl: postgres.url }, quietly)
  const stores = await postgres.open()
  expect((await stores.packs.listOwned('owner', 1, 1)).total).toBe(PACKS)
})

it('what was written in between is found out, and the copy serves nobody', async () => {
  const stores = await sqlite.open()
  await fill(stores, 3)
  const from = await openSqliteEnd(sqlite.file, 'read')
  const to = await openPostgresEnd(postgres.url, 'copy')
  await copyRows(from.engine.db, to.engine)
  await from.close()
  await to.close()
  await stores.accounts.ensurePlayer({ gameId: 1, username: 'renamed' }, 'unused', 0)
  const places = [{ file: sqlite.file }, { databaseUrl: postgres.url }] as const
  await expect(copyStore('copy', ...places, quietly)).rejects.toThrow(
    /^account is not the same in both: something has written since the copy began/,
  )
  await expect(openPostgresStores(postgres.url)).rejects.toThrow('run mapcrate-server copy again')
})

it('a store that holds anything is not copied over, and stays as it is', async () => {
  await fill(await sqlite.open(), 2)
  await fill(await postgres.open(), 3)
  const { engine, close } = await openPostgresEnd(postgres.url, 'read')
  const before = await sumRows(engine.db)
  const places = [{ file: sqlite.file }, { databaseUrl: postgres.url }] as const
  await expect(copyStore('copy', ...places, quietly)).rejects.toThrow(
    'the store to copy to cannot be used: Cannot open the store in the database: it is not empty',
  )
  expect(await sumRows(engine.db)).toEqual(before)
  await close()
  const missing = copyStore('copy', { file: join(sqlite.folder, 'gone.db') }, places[1], quietly)
  await expect(missing).rejects.toThrow(/ENOENT: .*gone\.db/)
})

it('nor is one without players in which an operator has decided something', async () => {
  await fill(await sqlite.open(), 2)
  const stores = await postgres.open()
  await stores.accounts.setModerator(77, true, 0)
  const places = [{ file: sqlite.file }, { databaseUrl: postgres.url }] as const
  await expect(copyStore('copy', ...places, quietly)).rejects.toThrow('it is not empty')
  expect(await stores.accounts.listModerators()).toHaveLength(1)
})

it('mapcrate-server copies, backs up and restores, whichever the engine', async () => {
  const stores = await sqlite.open()
  await fill(stores, 5)
  const page = await stores.packs.listPublic(1, 50)
  await stores.care.close()
  const env = { DATABASE_URL: postgres.url }
  const copied = await runCli(sqlite.folder, ['copy', '--from', sqlite.file], { env })
  expect(copied).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+ rows copied, and the same in both\n$/),
  })

  const backup = join(sqlite.folder, 'backup.db')
  expect(await runCli(sqlite.folder, ['backup', backup], { env })).toMatchObject({ code: 0 })
  const empty = join(sqlite.folder, 'empty')
  expect(await runCli(empty, ['restore', backup])).toMatchObject({ code: 0 })
  const restored = await openSqliteStores(join(empty, 'mapcrate.db'))
  expect(await restored.packs.listPublic(1, 50)).toEqual(page)
  await restored.care.close()

  const again = await runCli(empty, ['restore', backup])
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^mapcrate-server restore: the store to copy to cannot .*: it is not empty; name/,
    ),
  })
})

/** All that is in a database, tables and rows, and what its rows are numbered by. */
const contentOf = (url: string) =>
  overConnection(url, async (client) => {
    const columns = await client.query(`select table_name as name, column_name, data_type
      from information_schema.columns where table_schema = 'public' order by 1, 2`)
    const sequences = await client.query('select * from pg_sequences order by sequencename')
    const tables: unknown[] = []
    for (const name of new Set(columns.rows.map((row) => String(row.name)))) {
      tables.push(await client.query(`select ctid, xmin, * from "${name}"`))
    }
    return JSON.stringify([columns.rows, sequences.rows, tables])
  })

it.each([
  ['nothing', '', 'there is no store of Mapcrate in it'],
  ['of other software', 'create table migration (id int)', 'there is no store of Mapcrate in it'],
  ['a newer version', "insert into migration values ('9999-later.sql', 'x')", 'by a newer version'],
  ['an older version', "delete from migration where name like '0032%'", 'by an older version'],
  ['being filled', "insert into migration values ('unfinished-restore', '')", 'restore again'],
  ['a store', "insert into account values ('owner', 1, 'mapper', 0)", null],
] as const)('the database that is copied from stays as it is: %s', async (_, words, reason) => {
  const url = await emptyDatabase()
  const isStore = words !== '' && !words.startsWith('create')
  if (isStore) await preparePostgres(url, 'make', POSTGRES_MIGRATIONS)
  await overConnection(url, (client) => client.query(words))
  const before = await contentOf(url)
  const data = join(sqlite.folder, 'target')
  const { code, stderr } = await runCli(data, ['copy', '--from', url])
  expect({ code, stderr }).toMatchObject({ code: reason === null ? 0 : 1 })
  expect(stderr).toContain(reason ?? '')
  expect(existsSync(data)).toBe(reason === null)
  expect(await contentOf(url)).toBe(before)
})
