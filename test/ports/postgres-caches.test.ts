import { expect, it, onTestFinished } from 'vitest'
import { createPostgresQuotaStore } from '../../src/adapters/counters/postgres.ts'
import { PostgresCaches, type Touched } from '../../src/adapters/storage/postgres/caches.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { aNewPack } from './sample-pack.ts'
import { addOwners, tempPostgresStore } from './temp-store.ts'

/** A database with a pack and a key, that a process has read, and another process. */
const onDatabase = async () => {
  const store = await tempPostgresStore()
  onTestFinished(() => store.remove())
  let statements = 0
  const observer = { onStatement: () => void (statements += 1), onLock: () => {} }
  const [here, elsewhere] = [await store.open({ observer }), await store.open()]
  await addOwners(elsewhere)
  const pack = aNewPack()
  await elsewhere.packs.create(pack, null)
  await elsewhere.apiKeys.replace('owner', 'packs', { hash: 'hash', shown: 'abcd', createdAt: 0 })
  const { run, caches } = here
  const quotas = createPostgresQuotaStore(run, { clock: 'caller', caches })
  const read = () => here.packs.read(pack.slug)
  // Once to learn how far it has seen, and once to keep what is read from then on.
  await read()
  await read()
  return {
    store,
    elsewhere,
    pack,
    read,
    /** As a request with a key does it. */
    request: async () => {
      await quotas.admit('packs', 'hash', false, 0)
      return read()
    },
    /** How many statements something takes. */
    statementsOf: async (work: () => unknown): Promise<number> => {
      // Whoever asks at once after another has its look.
      await new Promise(setImmediate)
      const before = statements
      await work()
      return statements - before
    },
    rename: (name: string, at = 5_000) =>
      elsewhere.packs.replace(pack.slug, 'owner', (saved) => ({ ...saved, name, updatedAt: at })),
  }
}

it('answers from memory what a look has shown to be as it was', async () => {
  const { read, request, statementsOf } = await onDatabase()
  // The first one also forgets old quotas.
  await request()
  const kept = await read()
  expect(await read()).toBe(kept)
  expect(await statementsOf(read)).toBe(1)
  expect(await statementsOf(() => Promise.all([read(), read(), read()]))).toBe(1)
  expect(await statementsOf(request), 'what admits a request looks as well').toBe(1)
  expect(await request()).toBe(kept)
})

it('sees the commits of another process from the next request on', async () => {
  const { request, read, rename } = await onDatabase()
  for (const name of ['one', 'two', 'three']) {
    await rename(name, 5_000 + name.length)
    expect(await request()).toMatchObject({ name })
    await rename(`${name}, again`, 6_000 + name.length)
    expect(await read()).toMatchObject({ name: `${name}, again` })
  }
})

it('lets nobody have memory without a look who has asked after it was begun', async () => {
  const { request, read, rename, statementsOf } = await onDatabase()
  await request()
  // The event loop has gone on since: others may have committed.
  await new Promise(setImmediate)
  await rename('since then')
  expect(await statementsOf(read)).toBeGreaterThan(0)
  expect(await read()).toMatchObject({ name: 'since then' })
})

it('sees a transaction that commits after others that began later', async () => {
  const { store, pack, read, elsewhere } = await onDatabase()
  await overConnection(store.url, async (client) => {
    await client.query('begin')
    await client.query(`update pack set name = 'late' where slug = '${pack.slug}'`)
    for (const _ of [1, 2, 3]) await elsewhere.packs.create(aNewPack(), null)
    expect(await read()).toMatchObject({ name: pack.name })
    expect(await read()).toMatchObject({ name: pack.name })
    await client.query('commit')
  })
  expect(await read()).toMatchObject({ name: 'late' })
})

it.each([
  ['a crash, or another server that took over, has lost them', 'delete from touched_since'],
  [
    'they were forgotten before this process came back',
    `update touched_since set forgotten = '9999999'`,
  ],
])('drops everything when it cannot be told what was touched: %s', async (_, happens) => {
  const { store, pack, read } = await onDatabase()
  await overConnection(store.url, async (client) => {
    await client.query(happens)
    await client.query(`update pack set name = 'unseen' where slug = '${pack.slug}'`)
    await client.query('delete from touched')
  })
  expect(await read()).toMatchObject({ name: 'unseen' })
})

it('keeps what is read again after the notes were lost', async () => {
  const { store, read, statementsOf } = await onDatabase()
  await store.query('delete from touched_since')
  await read()
  await expect.poll(() => store.query('select mark from touched_since')).toHaveLength(1)
  await read()
  await read()
  expect(await statementsOf(read)).toBe(1)
})

it('keeps nothing by the answer of a look that another one of a newer server has overtaken', async () => {
  const caches = new PostgresCaches(() => Promise.reject(new Error('nobody asks')))
  const cached = caches.newCache<object>(10, () => ['list'])
  const note = (touched: Touched) => caches.note(touched)
  note(['one', '10:10:', null])
  const kept = await cached('a', async () => ({}))
  expect(await cached('a', async () => ({}))).toBe(kept)
  note(['two', '5:5:', null])
  const newer = await cached('a', async () => ({}))
  expect(newer).not.toBe(kept)
  note(['one', '11:11:', []])
  expect(await cached('a', async () => ({}))).not.toBe(newer)
  expect(caches.seen).toEqual(['one', '11:11:'])
})
