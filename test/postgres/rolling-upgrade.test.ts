import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Client, DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { checkLists } from '../../scripts/seed/check-lists.ts'
import { openBulkStore } from '../../scripts/seed/open-bulk-store.ts'
import { LOCKS } from '../../src/adapters/storage/postgres/engine.ts'
import {
  POSTGRES_MIGRATIONS,
  preparePostgres,
} from '../../src/adapters/storage/postgres/migrations.ts'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { addOwners } from '../ports/temp-store.ts'
import { emptyDatabase } from '../support/postgres-databases.ts'
import { overConnection } from '../support/postgres-setup.ts'

type Key = { readonly updatedAt: number; readonly id: number }
type Block = Key & { readonly size: number }

/** A process of the version before, by its own statements: one write at a time, counted as it is made. */
const versionBefore = (client: Client) => {
  const LARGEST = 1024
  const select = 'select first_updated_at as "updatedAt", first_id as id, size from public_block'
  const start = '(first_updated_at, first_id)'
  const newestFirst = 'order by first_updated_at desc, first_id desc'

  const ask = async <R>(text: string, ...values: unknown[]): Promise<R[]> => {
    const { rows } = await client.query(text, values)
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number(value)])),
    ) as R[]
  }
  const setSize = ({ updatedAt, id, size }: Block) =>
    ask(`update public_block set size = $1 where ${start} = ($2, $3)`, size, updatedAt, id)
  const blockOf = async ({ updatedAt, id }: Key): Promise<Block> =>
    (
      await ask<Block>(`${select} where ${start} <= ($1, $2) ${newestFirst} limit 1`, updatedAt, id)
    )[0]!

  const enter = async (block: Block): Promise<void> => {
    if (block.size < LARGEST) return void (await setSize({ ...block, size: block.size + 1 }))
    const older = Math.floor((block.size + 1) / 2)
    const [middle] = await ask<Key>(
      `select updated_at as "updatedAt", id from pack
       where visibility = 'public' and hidden_at is null and (updated_at, id) >= ($1, $2)
       order by updated_at, id limit 1 offset $3`,
      block.updatedAt,
      block.id,
      older,
    )
    await setSize({ ...block, size: older })
    await ask(
      'insert into public_block (first_updated_at, first_id, size) values ($1, $2, $3)',
      middle!.updatedAt,
      middle!.id,
      block.size + 1 - older,
    )
  }

  const join = async (older: Block, newer: Block): Promise<Block | null> => {
    const joined = { ...older, size: older.size + newer.size }
    if (joined.size > LARGEST / 2) return null
    await ask(`delete from public_block where ${start} = ($1, $2)`, newer.updatedAt, newer.id)
    await setSize(joined)
    return joined
  }

  const leave = async (left: Block): Promise<void> => {
    let block: Block = { ...left, size: left.size - 1 }
    await setSize(block)
    if (block.size > LARGEST / 4) return
    const key = () => [block.updatedAt, block.id]
    const [older] = await ask<Block>(
      `${select} where ${start} < ($1, $2) ${newestFirst} limit 1`,
      ...key(),
    )
    if (older !== undefined) block = (await join(older, block)) ?? block
    const [newer] = await ask<Block>(
      `${select} where ${start} > ($1, $2) order by first_updated_at, first_id limit 1`,
      ...key(),
    )
    if (newer !== undefined) await join(block, newer)
  }

  const move = async (from: Key | null, to: Key | null): Promise<void> => {
    const source = from && (await blockOf(from))
    const target = to && (await blockOf(to))
    const isSame = source?.updatedAt === target?.updatedAt && source?.id === target?.id
    if (!(source && target && isSame)) {
      if (source) await leave(source)
      if (to && target) await enter(source ? await blockOf(to) : target)
    }
    await ask(
      "update shared_number set value = value + 1, mark = $1 where name = 'index_version'",
      randomBytes(9).toString('base64url'),
    )
  }

  const write = async (work: () => Promise<void>): Promise<void> => {
    await client.query('begin isolation level read committed')
    await client.query('select pg_advisory_xact_lock($1, 1)', [LOCKS])
    await work()
    await client.query('commit')
  }

  return {
    create: (slug: string, updatedAt: number) =>
      write(async () => {
        const [row] = await ask<{ id: number }>(
          `insert into pack (slug, owner_id, name, visibility, slots, pack_key, exports,
             content_hash, created_at, updated_at)
           values ($1, 'other', 'x', 'public', '[]', 'x', '[]', 0, $2, $2) returning id`,
          slug,
          updatedAt,
        )
        await move(null, { updatedAt, id: row!.id })
      }),

    /** Moves the pack to another time, or removes it; nothing when it is gone. */
    change: (slug: string, to: number | null) =>
      write(async () => {
        const [row] = await ask<Key>(
          'select id, updated_at as "updatedAt" from pack where slug = $1',
          slug,
        )
        if (row === undefined) return
        if (to === null) await ask('delete from pack where id = $1', row.id)
        else await ask('update pack set updated_at = $1 where id = $2', to, row.id)
        await move(row, to === null ? null : { updatedAt: to, id: row.id })
      }),
  }
}

/** Almost as many as the version before keeps in one block. */
const FULL = 1_020

/** A database of the version before, with this many packs in its only block. */
const databaseBefore = async (packs: number): Promise<string> => {
  const url = await emptyDatabase()
  const before = await mkdtemp(join(tmpdir(), 'mapcrate-migrations-'))
  await cp(POSTGRES_MIGRATIONS, before, {
    recursive: true,
    filter: (path) => !path.includes('0009-'),
  })
  await preparePostgres(url, 'make', pathToFileURL(`${before}/`))
  await rm(before, { recursive: true })
  await overConnection(url, (client) =>
    client.query(`
      insert into account (id, game_id, username, created_at) values ('other', 2, 'somebody', 0);
      insert into pack (slug, owner_id, name, visibility, slots, pack_key, exports, content_hash,
        created_at, updated_at)
      select 'first-' || at, 'other', 'x', 'public', '[]', 'x', '[]', 0, at, at
      from generate_series(1, ${packs}) as at;
      update public_block set size = ${packs}`),
  )
  return url
}

test('processes of the version before and of this one save side by side, and lose no pack of the list', async () => {
  const url = await databaseBefore(FULL)
  await overConnection(url, async (client) => {
    const older = versionBefore(client)
    await older.create('at-first', 5_000)
    const stores = await openPostgresStores(url, { timeoutMs: null })
    await addOwners(stores)
    const slugs: string[] = []
    const workOfOlder = async (): Promise<void> => {
      for (let at = 0; at < 300; at += 1) {
        await older.create(`older-${at}`, 10_000 + at)
        if (at % 3 === 0) await older.change(`first-${(at * 7) % FULL}`, 10_000 + at)
        if (at % 4 === 0) await older.change(`older-${at >> 1}`, null)
        // What a newer process has just made is perhaps not counted yet.
        if (at % 2 === 0) await older.change(slugs.at(-1) ?? '', at % 4 === 0 ? null : 20_000 - at)
      }
    }
    const workOfNewer = async (client: number): Promise<void> => {
      for (let at = 0; at < 100; at += 1) {
        const pack = aNewPack({ ownerId: 'other', updatedAt: 10_000 + at * 3 + client })
        await stores.packs.create(pack, null)
        slugs.push(pack.slug)
        if (at % 3 === 0) await stores.packs.remove(`first-${at * 10 + client}`, 'other', 0)
        if (at % 5 === 0) {
          const change = { updatedAt: 15_000 + at }
          const slug = `older-${at}`
          await stores.packs.replace(slug, 'other', (saved) => ({ ...saved, ...change }))
        }
        if (at % 25 === client) await stores.publicIndex.version()
      }
    }
    const failures: unknown[] = []
    await Promise.all(
      [workOfOlder(), workOfNewer(1), workOfNewer(2), workOfNewer(3)].map((work) =>
        work.catch((error: unknown) => failures.push(error)),
      ),
    )
    expect(
      failures.map((error) => (error instanceof DatabaseError ? error.message : error)),
    ).toEqual([])

    const bulk = await openBulkStore({ dataDir: '', databaseUrl: url })
    const { total } = await stores.packs.listPublic(1, 1)
    expect(await checkLists(bulk)).toBe(total)
    await stores.publicIndex.version()
    expect(await checkLists(bulk)).toBe(total)
    await bulk.close()
    await stores.care.close()
  })
})

test('a process of the version before removes a pack that a newer one has not counted yet', async () => {
  const url = await databaseBefore(0)
  await overConnection(url, async (client) => {
    const stores = await openPostgresStores(url, { timeoutMs: null })
    const pack = aNewPack({ ownerId: 'other' })
    await stores.packs.create(pack, null)
    await versionBefore(client).change(pack.slug, null)
    expect((await stores.packs.listPublic(1, 1)).total).toBe(0)
    await stores.publicIndex.version()
    expect((await client.query('select size from public_block')).rows).toEqual([{ size: 0 }])
    await stores.care.close()
  })
})

test('a process of the version before splits no block that has pending changes', async () => {
  const url = await databaseBefore(FULL)
  await overConnection(url, async (client) => {
    const stores = await openPostgresStores(url, { timeoutMs: null })
    for (let at = 1; at <= 5; at += 1) {
      await stores.packs.create(aNewPack({ ownerId: 'other', updatedAt: at }), null)
    }
    const older = versionBefore(client)
    for (let at = 0; at < 10; at += 1) await older.create(`older-${at}`, 10_000 + at)
    await stores.publicIndex.version()
    const bulk = await openBulkStore({ dataDir: '', databaseUrl: url })
    expect(await checkLists(bulk)).toBe(FULL + 15)
    await bulk.close()
    await stores.care.close()
  })
})

test('what a process of the version before has changed is not known: the index is read whole', async () => {
  const url = await databaseBefore(1)
  await overConnection(url, async (client) => {
    const { packs, publicIndex, care } = await openPostgresStores(url, { timeoutMs: null })
    const before = await publicIndex.version()
    await versionBefore(client).create('older', 10_000)
    const since = await publicIndex.version()
    expect(since).not.toBe(before)
    expect(await publicIndex.readChanges(before, 10)).toBeNull()
    const pack = aNewPack({ ownerId: 'other' })
    await packs.create(pack, null)
    await publicIndex.version()
    expect(await publicIndex.readChanges(before, 10)).toBeNull()
    const changes = await publicIndex.readChanges(since, 10)
    expect(changes?.changed.map(({ slug }) => slug)).toEqual([pack.slug])
    await care.close()
  })
})
