import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import {
  openPostgresStores,
  type PostgresOptions,
} from '../../src/adapters/storage/postgres/open.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { addOwners } from '../ports/temp-store.ts'
import { emptyDatabase, takeDatabase } from '../support/postgres-databases.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { Stopwatch } from '../support/stopwatch.ts'
import { type Fault, startWire } from './wire.ts'

/** Short enough to wait for, long enough for a busy machine. */
const TIMEOUT_MS = 1_000
const COMMIT = 'commit\0'

/** A store behind a wire that loses answers, and the database at its other end. */
const open = async (options: PostgresOptions) => {
  const database = await takeDatabase()
  const wire = await startWire(database.url)
  const stores = await openPostgresStores(wire.url, options)
  const patient = await openPostgresStores(database.url, { timeoutMs: null, size: 1 })
  await addOwners(patient)
  await patient.care.close()
  onTestFinished(async () => {
    await stores.care.close()
    await database.giveBack()
  })
  const ask = async (statement: string) =>
    (await overConnection(database.url, (client) => client.query(statement))).rows
  return { stores, wire, ask, url: database.url }
}

test.each(['cut', 'silence'] satisfies Fault[])(
  'a write whose COMMIT is answered by %s is no success, and is not done a second time',
  async (fault) => {
    const { stores, wire, ask } = await open({ size: 2, timeoutMs: TIMEOUT_MS })
    const pack = aNewPack()
    wire.loseAnswerTo(COMMIT, fault)
    await expect(stores.packs.create(pack, null)).rejects.toThrow()
    expect(wire.lost()).toBe(1)
    // The database had done it; whoever asks is told so.
    expect(await ask(`select slug from pack`)).toEqual([{ slug: pack.slug }])
    expect(await stores.packs.read(pack.slug)).not.toBeNull()
    const { total } = await stores.packs.listPublic(1, 50)
    expect(total).toBe(1)

    const next = aNewPack()
    expect(await stores.packs.create(next, null)).toMatchObject({ outcome: 'created' })
  },
)

test('a creation whose answer was lost is found again under its name, not made again', async () => {
  const { stores, wire } = await open({ size: 2, timeoutMs: TIMEOUT_MS })
  const once = { key: 'finals-2026', fingerprint: 'the same', since: 0 }
  wire.loseAnswerTo(COMMIT, 'cut')
  const pack = aNewPack()
  await expect(stores.packs.create(pack, null, once)).rejects.toThrow()
  expect(await stores.packs.create(aNewPack(), null, once)).toMatchObject({
    outcome: 'repeated',
    pack: { slug: pack.slug },
  })
})

test('nothing is held any more by a write whose process has lost its connection', async () => {
  const { stores, wire, ask } = await open({ size: 2, timeoutMs: TIMEOUT_MS })
  wire.loseAnswerTo('insert into pack (', 'silence')
  await expect(stores.packs.create(aNewPack(), null)).rejects.toThrow('did not answer in time')
  // The server sees at its next read that the connection is closed.
  const heldLocks = () =>
    ask(
      "select pid from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
    )
  await expect.poll(heldLocks).toEqual([])
  expect(await stores.packs.create(aNewPack(), null)).toMatchObject({ outcome: 'created' })
  expect((await stores.packs.listPublic(1, 50)).total).toBe(1)
})

test('connections that a firewall has forgotten cost each one request, then service resumes', async () => {
  const SIZE = 3
  const { stores, wire } = await open({ size: SIZE, timeoutMs: TIMEOUT_MS })
  await Promise.all(Array.from({ length: SIZE }, async () => stores.packs.listPublic(1, 50)))
  wire.fallSilent()
  let failures = 0
  for (;;) {
    const watch = new Stopwatch()
    const total = await Promise.resolve(stores.packs.listPublic(1, 50)).catch(() => null)
    expect(watch.stop()).toBeLessThan(2 * TIMEOUT_MS)
    if (total !== null) break
    failures += 1
  }
  expect(failures).toBeLessThanOrEqual(SIZE)
})

test('one connection is enough for whatever is asked at once: nobody takes a second one', async () => {
  const { stores } = await open({ size: 1, timeoutMs: 20_000 })
  const pack = aNewPack()
  await stores.packs.create(pack, null)
  await Promise.all([
    stores.packs.create(aNewPack(), 200, { key: 'k', fingerprint: 'f', since: 0 }),
    stores.packs.replace(pack.slug, 'owner', (saved) => ({ ...saved, name: 'other' })),
    stores.packs.changeExports(pack.slug, 'owner', () => []),
    stores.packs.moderate(pack.slug, () => ({ hiddenAt: 1, hiddenReason: null, pinnedRank: null })),
    stores.packs.listPublic(1, 50),
    stores.packs.listOwned('owner', 1, 50),
    stores.packs.listModerated({ query: 'other', only: null }, 1, 50),
    stores.apiKeys.replace('owner', 'packs', { hash: 'hash', shown: 'abcd', createdAt: 0 }),
    stores.apiKeys.noteUses([{ service: 'packs', hash: 'hash', day: 1 }]),
    stores.sessions.create(
      { hash: 'h', accountId: 'owner', service: 'packs', device: null, csrf: 'c', createdAt: 0 },
      null,
    ),
    stores.callBudget.take('visitor', 1),
    stores.callBudget.left(1),
    stores.statsWork.takeDue(10_000, 20_000, 5),
    stores.statsWork.backlog(10_000),
    stores.statsWork.markDue(null, 10_000),
    stores.publicIndex.readPortion(null, 10),
    stores.accounts.remove('other', 0),
    stores.care.check(),
  ])
  expect((await stores.packs.read(pack.slug))?.name).toBe('other')
})

test('a migration of a newer process that widens a column costs a process beside it no more than one try', async () => {
  const { stores, ask } = await open({ size: 1 })
  const spent = () => stores.run('select spent from quota where name = $1', ['anybody'])
  await spent()
  await ask('begin; alter table quota alter column spent type bigint; commit')
  await spent().catch(() => {})
  expect(await spent()).toEqual([])
  await ask('alter table quota alter column spent type integer')
})

test('nor does a pooler on the way that has forgotten what was prepared', async () => {
  const { stores } = await open({ size: 1 })
  const spent = () => stores.run('select spent from quota where name = $1', ['anybody'])
  await spent()
  await stores.run('deallocate all', [])
  await spent().catch(() => {})
  expect(await spent()).toEqual([])
})

test('a write that meets others again and again gives up in time', async () => {
  const { stores, ask } = await open({ size: 2 })
  await ask(`
    create function collide() returns trigger language plpgsql as $$
    begin
      perform pg_sleep(1.5);
      raise exception 'met' using errcode = '40P01';
    end $$;
    create trigger collide before insert on pack execute function collide()`)
  const watch = new Stopwatch()
  await expect(stores.packs.create(aNewPack(), null)).rejects.toThrow('met')
  expect(watch.stop()).toBeLessThan(3_500)
  await ask('drop trigger collide on pack; drop function collide')
})

test('a migration whose COMMIT was not answered claims nothing, and the next start goes on', async () => {
  const wire = await startWire(await emptyDatabase())
  wire.loseAnswerTo(COMMIT.slice(0, -1), 'cut')
  await expect(openPostgresStores(wire.url)).rejects.toThrow(/done wholly or not at all/)
  const stores = await openPostgresStores(wire.url)
  await stores.care.check()
  await stores.care.close()
})

test('a process that has too much to wait for takes hardly more connections than it was given', async () => {
  const SIZE = 4
  const { stores, ask, url } = await open({ size: SIZE, timeoutMs: TIMEOUT_MS })
  const ours = async (): Promise<number> => {
    const [row] = await ask(`
      select count(*)::integer as count from pg_stat_activity
      where application_name = 'mapcrate' and datname = current_database()`)
    return row.count
  }
  const counts: number[] = []
  await overConnection(url, async (other) => {
    await other.query('begin; lock table pack in access exclusive mode')
    const asked: Promise<unknown>[] = []
    for (let wave = 0; wave < 15; wave += 1) {
      for (let each = 0; each < 3; each += 1) {
        asked.push(Promise.resolve(stores.packs.read('0123456789')).catch(() => {}))
      }
      await pause(200)
      counts.push(await ours())
    }
    await Promise.all(asked)
    await other.query('rollback')
  })
  expect(Math.max(...counts)).toBeLessThanOrEqual(2 * SIZE)
})
