import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { createSqliteEngine } from '../../src/adapters/storage/sqlite/engine.ts'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../../src/adapters/storage/sqlite/file.ts'
import { ReadCache } from '../../src/adapters/storage/sqlite/watch.ts'
import { aNewPack } from './sample-pack.ts'
import { addOwners, tempSqliteStore } from './temp-store.ts'

describe('what is read is remembered', () => {
  const newCache = () => {
    const store: { version: number | null; loads: number } = { version: 1, loads: 0 }
    const cache = new ReadCache(
      () => store.version,
      (work) => work(),
    )
    const load = async () => ({ load: (store.loads += 1) })
    return { cache, load, store }
  }

  it('gives the same object until something is written', async () => {
    const { cache, load, store } = newCache()
    const cached = cache.newCache<object>(10)
    const first = await cached('a', load)
    expect(await cached('a', load)).toBe(first)
    store.version = 2
    expect(await cached('a', load)).not.toBe(first)
    expect(store.loads).toBe(2)
  })

  it('drops every cache, not only the one that is asked', async () => {
    const { cache, load, store } = newCache()
    const [one, two] = [cache.newCache<object>(10), cache.newCache<object>(10)]
    const kept = await two('a', load)
    store.version = 2
    await one('a', load)
    expect(await two('a', load)).not.toBe(kept)
  })

  it('holds no more than its bound: the oldest goes', async () => {
    const { cache, load } = newCache()
    const cached = cache.newCache<object>(2)
    const a = await cached('a', load)
    const b = await cached('b', load)
    await cached('c', load)
    expect(await cached('b', load)).toBe(b)
    expect(await cached('a', load)).not.toBe(a)
  })

  it('keeps no "there is none"', async () => {
    const { cache, load } = newCache()
    const cached = cache.newCache<object>(2)
    expect(await cached('a', async () => null)).toBeNull()
    expect(await cached('a', load)).not.toBeNull()
  })

  it('keeps nothing that was read while something was written', async () => {
    const { cache, load, store } = newCache()
    const cached = cache.newCache<object>(2)
    const { promise, resolve } = Promise.withResolvers<object>()
    const slow = cached('a', () => promise)
    store.version = 2
    await cached('b', load)
    resolve({ outdated: true })
    await slow
    expect(await cached('a', load)).toEqual({ load: 2 })
  })

  it('remembers nothing while the version cannot be told', async () => {
    const { cache, load, store } = newCache()
    const cached = cache.newCache<object>(2)
    await cached('a', load)
    store.version = null
    await cached('a', load)
    await cached('a', load)
    expect(store.loads).toBe(3)
    store.version = 1
    await cached('a', load)
    expect(store.loads).toBe(4)
  })

  it('reads the version once in a turn of the event loop, and after a write of its own', async () => {
    const store = { version: 1, reads: 0 }
    const turn: (() => void)[] = []
    const cache = new ReadCache(
      () => ((store.reads += 1), store.version),
      (work) => turn.push(work),
    )
    const read = cache.newCache<object>(10)
    const load = async () => ({})
    const first = await read('a', load)
    expect([read('a', load), read('a', load)]).toEqual([first, first])
    expect(store.reads).toBe(1)
    cache.invalidate()
    expect(read('a', load)).toBe(first)
    expect(store.reads).toBe(2)
    store.version = 2
    for (const end of turn.splice(0)) end()
    expect(await read('a', load)).not.toBe(first)
  })

  it('gives what it has at once, and not as a promise', async () => {
    const { cache, load } = newCache()
    const read = cache.newCache<object>(10)
    const first = await read('a', load)
    expect(read('a', load)).toBe(first)
  })

  it('asks for the version again at once when it could not be told', async () => {
    const store: { version: number | null; loads: number } = { version: null, loads: 0 }
    const cache = new ReadCache(
      () => store.version,
      () => {},
    )
    const cached = cache.newCache<object>(2)
    const load = async () => ({ load: (store.loads += 1) })
    await cached('a', load)
    store.version = 1
    expect(await cached('a', load)).toBe(await cached('a', load))
  })
})

test('what was read from an SQLite file whose version cannot be told is not remembered', async () => {
  const store = await tempSqliteStore()
  const file = await openSqliteFile(store.file, SQLITE_MIGRATIONS, 1000)
  onTestFinished(async () => {
    file.reader.close()
    file.writer.close()
    await store.remove()
  })
  let loads = 0
  const cached = createSqliteEngine(file, 1000).newCache<object>(10)
  const read = () => cached('a', async () => ({ load: (loads += 1) }))
  expect(await read()).toBe(await read())
  file.watcher.close()
  // Longer than one look at the version serves.
  await pause(1)
  for (const _ of [1, 2, 3]) {
    await read()
    await pause(1)
  }
  expect(loads).toBe(4)
})

describe('what the SQLite store hands out', () => {
  it('is the same object while nothing changes, so that its bytes can be remembered', async () => {
    const store = await tempSqliteStore()
    const { accounts, packs, ...stores } = await store.open()
    await addOwners({ accounts, packs, ...stores })
    const pack = aNewPack()
    await packs.create(pack, null)

    const read = await packs.read(pack.slug)
    const publicPage = await packs.listPublic(1, 50)
    const ownedPage = await packs.listOwned('owner', 1, 50)
    expect(await packs.read(pack.slug)).toBe(read)
    expect(await packs.listPublic(1, 50)).toBe(publicPage)
    expect(await packs.listPublic(1, 49)).not.toBe(publicPage)
    expect(await packs.listOwned('owner', 1, 50)).toBe(ownedPage)
    expect(await accounts.read('owner')).toBe(await accounts.read('owner'))
    expect(Object.isFrozen(read)).toBe(true)

    await packs.create(aNewPack(), null)
    expect(await packs.read(pack.slug)).toBe(read)
    expect(await packs.listOwned('owner', 1, 50)).not.toBe(ownedPage)
    expect((await packs.listPublic(1, 50)).total).toBe(2)
    await store.remove()
  })
})
