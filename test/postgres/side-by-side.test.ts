import { expect, onTestFinished, test } from 'vitest'
import { LOCKS } from '../../src/adapters/storage/postgres/engine.ts'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { StoreUnavailable } from '../../src/ports/store.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { takeDatabase } from '../support/postgres-databases.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { until } from '../support/until.ts'

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

const open = async (timeoutMs = 15_000) => {
  const database = await takeDatabase()
  const openOnce = () => openPostgresStores(database.url, { size: 10, timeoutMs })
  const stores = await openOnce()
  const others = await openOnce()
  onTestFinished(async () => {
    await stores.care.close()
    await others.care.close()
    await database.giveBack()
  })
  const addOwner = async (at: number): Promise<string> => {
    const player = { gameId: 1 + at, username: `p${at}` }
    return (await stores.accounts.ensurePlayer(player, `owner-${at}`, 0)).id
  }
  const owners: string[] = []
  for (const at of range(12)) owners.push(await addOwner(at))
  const create = (ownerId: string) => stores.packs.create(aNewPack({ ownerId }), null)

  /** Does something while another process holds what these statements have taken. `waiting` counts who waits for a lock. */
  const holding = (
    locks: readonly string[],
    work: (waiting: () => Promise<number>) => Promise<void>,
  ) =>
    overConnection(database.url, async (other) => {
      await other.query(`begin; ${locks.map((lock) => `select ${lock}`).join(';')}`)
      await work(async () => {
        const { rows } = await other.query(`
          select count(*) from pg_locks where not granted and locktype = 'advisory'
            and database = (select oid from pg_database where datname = current_database())`)
        return Number(rows[0].count)
      })
      await other.query('rollback')
    })
  return { stores, others, owners, create, holding, url: database.url }
}

const lockOf = (owner: string): string => `pg_advisory_xact_lock(hashtextextended('${owner}', 7))`

test('saves wait for their owner without a connection each, and saves of others pass them', async () => {
  const { stores, owners, create, holding } = await open()
  const [busy = '', free = ''] = owners
  let saved: Promise<unknown> = Promise.resolve()
  await holding([lockOf(busy)], async () => {
    saved = Promise.all(range(30).map(() => create(busy)))
    await until(async () => stores.care.connections()?.inUse === 1)
    for (const _ of range(5)) expect(await create(free)).toMatchObject({ outcome: 'created' })
    expect(stores.care.connections()?.inUse).toBe(1)
  })
  await saved
  expect((await stores.packs.listOwned(busy, 1, 1)).total).toBe(30)
})

test('saves of many owners that wait leave most connections to those who read', async () => {
  const { stores, owners, create, holding } = await open()
  let saved: Promise<unknown> = Promise.resolve()
  await holding(owners.map(lockOf), async () => {
    saved = Promise.all(owners.map(create))
    await until(async () => stores.care.connections()?.inUse === 4)
    const reads = range(20).map(async (at) => stores.packs.listPublic(1 + at, 10))
    for (const { total } of await Promise.all(reads)) expect(total).toBe(0)
    expect(stores.care.connections()?.inUse).toBe(4)
  })
  await saved
  expect((await stores.packs.listPublic(1, 50)).total).toBe(owners.length)
})

test('a save that gets no turn in time fails, and holds nothing up afterwards', async () => {
  const { stores, owners, create, holding } = await open(400)
  const [busy = ''] = owners
  await holding([lockOf(busy)], async () => {
    const refused = range(3).map(() => expect(create(busy)).rejects.toThrow(StoreUnavailable))
    await Promise.all(refused)
  })
  expect(await create(busy)).toMatchObject({ outcome: 'created' })
  expect((await stores.packs.listOwned(busy, 1, 1)).total).toBe(1)
})

test('a write of no owner waits for the saves, and no save overtakes it', async () => {
  const { others, owners, create, holding } = await open()
  const order: string[] = []
  const [first = '', second = ''] = owners
  let writes: Promise<unknown> = Promise.resolve()
  await holding([lockOf(first)], async (waiting) => {
    const save = create(first).then(() => order.push('save'))
    await until(async () => (await waiting()) === 1)
    const marking = others.statsWork.markDue(null, 1).then(() => order.push('markDue'))
    await until(async () => (await waiting()) === 2)
    const later = create(second).then(() => order.push('later save'))
    await until(async () => (await waiting()) === 3)
    expect(order).toEqual([])
    writes = Promise.all([save, marking, later])
  })
  await writes
  expect(order).toEqual(['save', 'markDue', 'later save'])
})

test('while another process counts, the version is told with what is pending; then it is counted', async () => {
  const { stores, others, owners, create, holding } = await open()
  const before = await stores.publicIndex.version()
  await create(owners[0]!)
  let seen = ''
  await holding([`pg_try_advisory_xact_lock(${LOCKS}, 7)`], async () => {
    seen = await stores.publicIndex.version()
    expect(seen).not.toBe(before)
    const pending = await others.publicIndex.readChanges(before, 10)
    expect(pending).toEqual({ version: before, changed: [], gone: [] })
  })
  expect(await others.publicIndex.version()).toBe(seen)
})

test('counting that is refused again and again takes its turn among the writes', async () => {
  const { stores, others, owners, create, holding } = await open()
  await create(owners[0]!)
  await stores.publicIndex.version()
  const before = await stores.publicIndex.version()
  await create(owners[0]!)
  const isCounted = async () =>
    (await others.publicIndex.readChanges(before, 10))?.version !== before
  await holding([`pg_try_advisory_xact_lock(${LOCKS}, 7)`], async () => {
    await stores.publicIndex.version()
    expect(await isCounted()).toBe(false)
    await stores.publicIndex.version()
    expect(await isCounted()).toBe(true)
  })
})

test('no two of many writes at once wait for each other for ever', async () => {
  const { stores, others, owners, url } = await open()
  const door = (at: number) => (at % 2 === 0 ? stores : others)
  const due = (at: number) => door(at).statsWork.takeDue(1_000, 2_000, 20)
  await Promise.all(
    range(240).map(async (at) => {
      const ownerId = owners[at % owners.length]!
      // Keys that come again after their time, of all owners: each removes those of others.
      const once = { key: `key ${at % 3}`, fingerprint: 'f', since: at }
      const pack = aNewPack({ ownerId, createdAt: at, updatedAt: at })
      await door(at).packs.create(pack, null, once)
      for (const work of await due(at)) {
        await door(at).statsWork.finish(work, { stats: null, dueAt: 1, attempts: 0 })
      }
      await door(at).packs.replace(pack.slug, ownerId, (saved) => ({ ...saved, updatedAt: -at }))
      await door(at).packs.remove(pack.slug, ownerId, 0)
      if (at % 20 === 0) await door(at).statsWork.markDue(null, 1)
      if (at % 5 === 0) await door(at).publicIndex.version()
    }),
  )
  await stores.care.close()
  await others.care.close()
  const deadlocks = () =>
    overConnection(url, async (client) => {
      const { rows } = await client.query<{ deadlocks: number }>(
        `select deadlocks::int, pg_stat_force_next_flush() from pg_stat_database
         where datname = current_database()`,
      )
      return rows[0]?.deadlocks
    })
  expect(await deadlocks()).toBe(0)
})
