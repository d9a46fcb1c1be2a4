import { renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSqliteEngine, type SqliteEngine } from '../../src/adapters/storage/sqlite/engine.ts'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../../src/adapters/storage/sqlite/file.ts'
import { isFileFault, SqliteHealth } from '../../src/adapters/storage/sqlite/watch.ts'
import { createSqliteCare, openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { createStores, type Stores } from '../../src/adapters/storage/stores.ts'
import { thrown } from '../domain/a-tournament.ts'
import { aNewPack } from './sample-pack.ts'
import { addOwners, type SqliteTempStore, tempSqliteStore } from './temp-store.ts'
import { Stopwatch } from '../support/stopwatch.ts'

const PATIENCE_MS = 150

describe('a SQLite store that fails', () => {
  let store: SqliteTempStore
  let engine: SqliteEngine
  let stores: Stores
  const before = aNewPack()

  beforeEach(async () => {
    store = await tempSqliteStore()
    const file = await openSqliteFile(store.file, SQLITE_MIGRATIONS, PATIENCE_MS)
    engine = createSqliteEngine(file, PATIENCE_MS)
    stores = createStores(engine, createSqliteCare(store.file, file, engine))
    await addOwners(stores)
    await stores.packs.create(before, null)
  })

  afterEach(async () => {
    await stores.care.close()
    await store.remove()
  })

  /** Each writing method, as calls that would change something. */
  const writes = (): (() => Promise<unknown>)[] => [
    () => stores.packs.create(aNewPack(), null),
    () => stores.packs.create(aNewPack(), null, { key: 'k', fingerprint: 'f', since: 0 }),
    () => stores.packs.replace(before.slug, 'owner', (saved) => ({ ...saved, updatedAt: 9_000 })),
    () => stores.packs.replace(before.slug, 'owner', (saved) => ({ ...saved, version: 2 })),
    () => stores.packs.setHistoryPublic(before.slug, 'owner', true),
    () => stores.packs.remove(before.slug, 'owner', 0),
    () => stores.packs.moderate(before.slug, () => ({ hiddenAt: 5, pinnedRank: null })),
    () => stores.packs.changeExports(before.slug, 'owner', () => [{ url: 'm', createdAt: 1 }]),
    () => stores.accounts.setModerator(1, true, 0),
    () => stores.accounts.remove('other', 0),
    () =>
      stores.sessions.create(
        { hash: 'h', accountId: 'owner', service: 'packs', device: null, csrf: 'c', createdAt: 0 },
        null,
      ),
    () => stores.accounts.ensurePlayer({ gameId: 1, username: 'renamed' }, 'x', 0),
    () => stores.apiKeys.replace('owner', 'packs', { hash: 'h', shown: 'abcd', createdAt: 0 }),
    () => stores.care.check(),
  ]

  /** Nothing of what failed is there; reading goes on. */
  const expectUntouched = async (): Promise<void> => {
    expect(await stores.packs.read(before.slug)).toEqual({ ...before, ownerUsername: 'mapper' })
    expect((await stores.packs.listPublic(1, 50)).total).toBe(1)
    expect(await stores.apiKeys.read('owner', 'packs')).toBeNull()
    expect(await stores.accounts.read('other')).not.toBeNull()
    expect(await stores.sessions.list('owner', { seenSince: 0, createdSince: 0 })).toEqual([])
  }

  const expectService = async (): Promise<void> => {
    await stores.care.check()
    const pack = aNewPack()
    expect((await stores.packs.create(pack, null)).outcome).toBe('created')
    expect((await stores.packs.listPublic(1, 50)).rows.map(({ slug }) => slug)).toEqual([
      pack.slug,
      before.slug,
    ])
  }

  it('has a fault of its file, not of a statement, by the code of SQLite', () => {
    const failed = (errcode: number): Error => Object.assign(new Error('failed'), { errcode })
    // Permission, read-only, input or output, full, cannot open; the others: error, busy, locked, constraint.
    expect(
      [3, 8, 10, 13, 14, 10 + (4 << 8), 8 + (1 << 8)].map(failed).map(isFileFault),
    ).not.toContain(false)
    expect([1, 5, 6, 19, 19 + (8 << 8)].map(failed).map(isFileFault)).not.toContain(true)
    expect(isFileFault(Object.assign(new Error('EIO'), { syscall: 'write' }))).toBe(true)
    expect(isFileFault(new Error('x'))).toBe(false)
  })

  it('whose files have moved says which, for the log', () => {
    const health = new SqliteHealth(store.file)
    expect(() => health.checkFiles()).not.toThrow()
    renameSync(store.file, `${store.file}-moved`)
    const error = thrown(() => health.checkFiles()) as Error
    renameSync(`${store.file}-moved`, store.file)
    expect(error.message).toMatch(/removed or replaced/)
    expect((error.cause as Error).message).toBe(store.file)
  })

  it('in the middle of a suspension has hidden packs with the decision, and goes on later', async () => {
    let writes = 0
    const once: SqliteEngine = {
      ...engine,
      write: (scope, work) => {
        writes += 1
        return writes === 1 ? engine.write(scope, work) : Promise.reject(new Error('disk'))
      },
    }
    const note = { at: 5, moderatorId: null, action: 'suspend', reason: 'advertising' } as const
    const { suspensions } = createStores(once, stores.care)
    await expect(suspensions.suspend(1, note)).rejects.toThrow('disk')
    expect(await stores.packs.read(before.slug)).toMatchObject({ hiddenAt: 5 })
    expect(await stores.suspensions.finishSuspensions()).toBe(false)
  })

  // The superuser, as whom tests may run, can write to a file whatever its mode says; so the
  // connection is told not to write, which gives the same SQLITE_READONLY.
  it('that became read-only says so to every write, reads on, and recovers', async () => {
    await sql`pragma query_only = on`.execute(engine.writer)
    for (const write of writes()) await expect(write()).rejects.toThrow(/readonly/)
    await expectUntouched()
    await sql`pragma query_only = off`.execute(engine.writer)
    await expectService()
  })

  it('on a full disk fails what needs room, reads on, and recovers', async () => {
    const pages = await sql<{ page_count: number }>`pragma page_count`.execute(engine.writer)
    await sql`pragma max_page_count = ${sql.lit(pages.rows[0]?.page_count)}`.execute(engine.writer)
    const large = aNewPack({ description: 'x'.repeat(500_000) })
    await expect(stores.packs.create(large, null)).rejects.toThrow(/full/)
    await expectUntouched()

    const fits = aNewPack({ visibility: 'unlisted' })
    const sharing = await Promise.allSettled([
      stores.packs.create(fits, null),
      stores.packs.create(large, null),
    ])
    expect(sharing[1]?.status).toBe('rejected')
    // One commit for both: the answer and the store must agree about the first.
    const isThere = (await stores.packs.read(fits.slug)) !== null
    expect(sharing[0]?.status).toBe(isThere ? 'fulfilled' : 'rejected')
    await expectUntouched()

    await sql`pragma max_page_count = 1000000`.execute(engine.writer)
    expect((await stores.packs.create({ ...large, visibility: 'private' }, null)).outcome).toBe(
      'created',
    )
    await expectService()
  })

  it('that another process locks for long fails writes in time, reads on, and recovers', async () => {
    const other = new DatabaseSync(store.file)
    other.exec('begin exclusive')
    const began = performance.now()
    const watch = new Stopwatch()
    const attempts = await Promise.allSettled(writes().map((write) => write()))
    const steps = watch.stop()
    const waited = performance.now() - began
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 'rejected'))
    expect((attempts[0] as PromiseRejectedResult).reason.message).toMatch(/locked/)
    expect(waited).toBeGreaterThanOrEqual(PATIENCE_MS)
    // All waited at once, not one behind the other, and the event loop ran meanwhile.
    expect(steps).toBeGreaterThan(0)
    expect(steps).toBeLessThan(3 * PATIENCE_MS)
    await expectUntouched()
    other.exec('rollback')
    other.close()
    await expectService()
  })

  it('that is locked for a moment makes writes wait, and the check too', async () => {
    // However late a busy machine wakes the one or the other.
    const patient = await openSqliteStores(store.file, { timeoutMs: 60_000 })
    const other = new DatabaseSync(store.file)
    other.exec('begin immediate')
    const made = aNewPack()
    const waiting = Promise.all([patient.packs.create(made, null), patient.care.check()])
    let isOver = false
    void waiting.finally(() => (isOver = true))
    await pause(50)
    expect(isOver).toBe(false)
    other.exec('commit')
    other.close()
    await waiting
    await patient.packs.remove(made.slug, 'owner', 0)
    await patient.care.close()
    await expectService()
  })

  /** Fails when it is committed: a broken reference is looked for no earlier. */
  const breakTheCommit = () =>
    engine.write('packs', async (tx) => {
      await sql`pragma defer_foreign_keys = on`.execute(tx)
      await tx.deleteFrom('account').where('id', '=', 'owner').execute()
    })

  it('whose commit fails answers so to all that shared it, and to nobody else', async () => {
    const [shared, later] = [aNewPack(), aNewPack()]
    const failing = Promise.allSettled([breakTheCommit(), stores.packs.create(shared, null)])
    // Keeps the commit waiting until the next write stands in line behind it.
    const pausing = engine.writer.connection().execute(() => pause(300))
    await pause(150)
    const creating = stores.packs.create(later, null)
    await pausing
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect((await creating).outcome).toBe('created')
    expect(await stores.packs.read(shared.slug)).toBeNull()
    expect(await stores.packs.read(later.slug)).not.toBeNull()
    await stores.packs.remove(later.slug, 'owner', 0)
    await expectUntouched()
    await expectService()
  })

  it('whose commit fails remembers none of the creations that shared it', async () => {
    const once = { key: 'k', fingerprint: 'f', since: 0 }
    const creating = () => stores.packs.create(aNewPack(), null, once)
    const results = await Promise.allSettled([breakTheCommit(), creating(), creating()])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await expectUntouched()
    expect((await creating()).outcome).toBe('created')
    expect((await creating()).outcome).toBe('repeated')
  })

  it('undoes a write that fails halfway alone, though it shares its commit', async () => {
    const [first, last] = [aNewPack(), aNewPack()]
    const halfway = engine.write('packs', async (tx) => {
      await tx.updateTable('account').set({ username: 'half' }).execute()
      throw new Error('refused')
    })
    const results = await Promise.allSettled([
      stores.packs.create(first, null),
      halfway,
      stores.packs.create(last, null),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await stores.packs.read(last.slug)).toEqual({ ...last, ownerUsername: 'mapper' })
    expect((await stores.packs.listPublic(1, 50)).total).toBe(3)
  })
})
