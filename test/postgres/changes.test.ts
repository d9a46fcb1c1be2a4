import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LOCKS } from '../../src/adapters/storage/postgres/engine.ts'
import {
  openPostgresStores,
  type PostgresStores,
} from '../../src/adapters/storage/postgres/open.ts'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import { StoreUnavailable } from '../../src/ports/store.ts'
import { aNewPack, freshSlug } from '../ports/sample-pack.ts'
import { addOwners, tempPostgresStore } from '../ports/temp-store.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { until } from '../support/until.ts'

/** The feed of changes where writes run side by side: entries get their places later (D-73). */

const open = async () => {
  const store = await tempPostgresStore()
  onTestFinished(() => store.remove())
  const stores = await store.open()
  await addOwners(stores)
  return { store, stores, begin: await newest(stores) }
}

const save = async ({ packs }: Stores): Promise<string> => {
  const slug = freshSlug()
  await packs.create(aNewPack({ slug }), null)
  return slug
}

async function newest({ changes }: Stores): Promise<string> {
  const portion = await changes.read(null, 1)
  return portion.outcome === 'read' ? portion.newest : portion.outcome
}

const slugsAfter = async ({ changes }: Stores, cursor: string): Promise<readonly string[]> => {
  const portion = await changes.read(cursor, 100)
  return portion.outcome === 'read' ? portion.entries.map(({ slug }) => slug) : [portion.outcome]
}

const pending = async ({ run }: PostgresStores): Promise<number> => {
  const [row] = await run<{ count: number }>(
    'select count(*) from pack_change where seq is null',
    [],
  )
  return row!.count
}

test('a read takes its turn among the writes where another process never ends numbering', async () => {
  const { store, stores, begin } = await open()
  const slugs = [await save(stores), await save(stores)]
  await overConnection(store.url, async (other) => {
    await other.query(`begin; select pg_advisory_xact_lock(${LOCKS}, 7)`)
    expect(await slugsAfter(stores, begin)).toEqual(slugs)
    await other.query('rollback')
  })
})

test('a read that gets no turn in time fails; nothing is skipped then', async () => {
  const { store, stores, begin } = await open()
  const slug = await save(stores)
  const hurried = await openPostgresStores(store.url, { clock: 'caller', timeoutMs: 500 })
  onTestFinished(() => hurried.care.close())
  await overConnection(store.url, async (other) => {
    await other.query(`begin; select pg_advisory_xact_lock(${LOCKS}, 1)`)
    await expect(slugsAfter(hurried, begin)).rejects.toThrow(StoreUnavailable)
    await other.query('rollback')
  })
  expect(await slugsAfter(hurried, begin)).toEqual([slug])
})

test('a write that began first and is confirmed last comes last: never before what was read', async () => {
  const { store, stores, begin } = await open()
  await overConnection(store.url, async (other) => {
    const columns = 'mark, at, kind, slug, owner_id, was_listed, is_listed'
    await other.query(
      `begin; insert into pack_change (${columns}) values (1, 1, 'created', 'slow', 'owner', 0, 1)`,
    )
    const slug = await save(stores)
    expect(await slugsAfter(stores, begin)).toEqual([slug])
    const cursor = await newest(stores)
    await other.query('commit')
    expect(await slugsAfter(stores, cursor)).toEqual(['slow'])
    expect(await slugsAfter(stores, begin)).toEqual([slug, 'slow'])
  })
})

test('nobody reads: what is too old is numbered and deleted all the same', async () => {
  const { stores, begin } = await open()
  for (let at = 0; at < 3; at += 1) await save(stores)
  expect(await pending(stores)).toBe(3)
  expect(await stores.changes.forget(50_000)).toBe(true)
  expect(await pending(stores)).toBe(0)
  expect(await slugsAfter(stores, begin)).toEqual(['gone'])
})

test('entries without a place are in a backup, before those that the restored store adds', async () => {
  const { store, stores, begin } = await open()
  const slugs = [await save(stores), await save(stores)]
  const file = join(store.folder, 'copy.db')
  await stores.care.backup(file)
  const restored = await openSqliteStores(file)
  onTestFinished(() => restored.care.close())
  slugs.push(await save(restored), await save(restored))
  expect(await slugsAfter(restored, begin)).toEqual(slugs)
  slugs.push(await save(restored))
  expect(await slugsAfter(restored, begin)).toEqual(slugs)
})

test('a process that dies while it numbers leaves nothing half numbered', async () => {
  const { store, stores, begin } = await open()
  const slugs = [await save(stores), await save(stores)]
  await overConnection(store.url, async (other) => {
    await other.query(`begin; select pg_advisory_xact_lock(${LOCKS}, 7)`)
    await other.query('update pack_change set seq = id + 100')
    const reading = slugsAfter(stores, begin)
    await until(async () => {
      const waiting = `select 1 from pg_locks where not granted`
      return (await other.query(waiting)).rowCount! > 0
    })
    await other.query('rollback')
    expect(await reading).toEqual(slugs)
  })
})
