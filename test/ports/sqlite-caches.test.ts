import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import type { CacheTag } from '../../src/adapters/storage/engine.ts'
import { FileCaches } from '../../src/adapters/storage/caches.ts'
import { createSqliteEngine } from '../../src/adapters/storage/sqlite/engine.ts'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../../src/adapters/storage/sqlite/file.ts'
import { aNewPack } from './sample-pack.ts'
import { addOwners, tempSqliteStore } from './temp-store.ts'

describe('a cache of what is read', () => {
  /** Of values that are each made of the pack that their key names, and of all names. */
  const newCaches = () => {
    const store: { version: number | null; loads: number } = { version: 1, loads: 0 }
    const caches = new FileCaches(
      () => store.version,
      (work) => work(),
    )
    const newCache = (maxEntries = 10) =>
      caches.newCache<object>(maxEntries, (slug): CacheTag[] => [`pack ${slug}`, 'names'])
    const load = async () => ({ load: (store.loads += 1) })
    return { caches, newCache, load, store }
  }

  it('gives the same object until one of its tags is touched', async () => {
    const { caches, newCache, load } = newCaches()
    const cached = newCache()
    const [a, b] = [await cached('a', load), await cached('b', load)]
    caches.touch(['pack c', 'list', 'pack a'])
    expect(await cached('a', load)).not.toBe(a)
    expect(await cached('b', load)).toBe(b)
    caches.touch(['names'])
    expect(await cached('b', load)).not.toBe(b)
  })

  it('gives what it has at once, and not as a promise', async () => {
    const { newCache, load } = newCaches()
    const cached = newCache()
    const first = await cached('a', load)
    expect(cached('a', load)).toBe(first)
  })

  it('drops every cache when another process has written', async () => {
    const { newCache, load, store } = newCaches()
    const [one, two] = [newCache(), newCache()]
    const kept = await two('a', load)
    store.version = 2
    await one('b', load)
    expect(await two('a', load)).not.toBe(kept)
  })

  it('holds no more than its bound: the oldest goes', async () => {
    const { newCache, load } = newCaches()
    const cached = newCache(2)
    const a = await cached('a', load)
    const b = await cached('b', load)
    await cached('c', load)
    expect(await cached('b', load)).toBe(b)
    expect(await cached('a', load)).not.toBe(a)
  })

  it('keeps no "there is none"', async () => {
    const { newCache, load } = newCaches()
    const cached = newCache()
    expect(await cached('a', async () => null)).toBeNull()
    expect(await cached('a', load)).not.toBeNull()
  })

  it('asks again after a failure', async () => {
    const { newCache, load } = newCaches()
    const cached = newCache()
    await expect(cached('a', () => Promise.reject(new Error('busy')))).rejects.toThrow('busy')
    expect(await cached('a', load)).toEqual({ load: 1 })
  })

  it.each([
    [
      'a tag of it was touched',
      ({ caches }: ReturnType<typeof newCaches>) => caches.touch(['pack a']),
    ],
    ['another process has written', ({ store }) => (store.version = 2)],
    ['the version could not be told', ({ store }) => (store.version = null)],
  ])('keeps nothing that was being read while %s', async (_, happens) => {
    const made = newCaches()
    const cached = made.newCache()
    const slow = Promise.withResolvers<object>()
    const before = cached('a', () => slow.promise)
    happens(made)
    await cached('b', made.load)
    const newer = await cached('a', made.load)
    slow.resolve({ outdated: true })
    expect(await before).toEqual({ outdated: true })
    expect(await cached('a', made.load)).not.toEqual({ outdated: true })
    if (made.store.version !== null) expect(await cached('a', made.load)).toBe(newer)
  })

  it('remembers nothing while the version cannot be told', async () => {
    const { newCache, load, store } = newCaches()
    const cached = newCache()
    await cached('a', load)
    store.version = null
    await cached('a', load)
    await cached('a', load)
    expect(store.loads).toBe(3)
    store.version = 1
    await cached('a', load)
    expect(store.loads).toBe(4)
    await cached('a', load)
    expect(store.loads).toBe(4)
  })

  it('looks for other processes once in a turn of the event loop', async () => {
    const store = { version: 1, reads: 0 }
    const turn: (() => void)[] = []
    const caches = new FileCaches(
      () => ((store.reads += 1), store.version),
      (work) => turn.push(work),
    )
    const read = caches.newCache<object>(10, () => ['list'])
    const load = async () => ({})
    const first = await read('a', load)
    expect([read('a', load), read('a', load)]).toEqual([first, first])
    expect(store.reads).toBe(1)
    store.version = 2
    expect(read('a', load)).toBe(first)
    for (const end of turn.splice(0)) end()
    expect(await read('a', load)).not.toBe(first)
  })
})

test('what was read from an SQLite file whose version cannot be told is not remembered', async () => {
  const store = await tempSqliteStore()
  const file = await openSqliteFile(store.file, SQLITE_MIGRATIONS, 1000)
  onTestFinished(async () => {
    file.reader.close()
    await store.remove()
  })
  let loads = 0
  const cached = createSqliteEngine(file, 1000).newCache<object>(10, () => ['list'])
  const read = () => cached('a', async () => ({ load: (loads += 1) }))
  expect(await read()).toBe(await read())
  file.writer.close()
  // Longer than one look at the version serves.
  await pause(1)
  for (const _ of [1, 2, 3]) {
    await read()
    await pause(1)
  }
  expect(loads).toBe(4)
})

describe('what the SQLite store hands out', () => {
  it('is the same object while nothing of it changes, so that its bytes can be remembered', async () => {
    const store = await tempSqliteStore()
    onTestFinished(() => store.remove())
    const [{ accounts, packs, ...stores }, elsewhere] = [await store.open(), await store.open()]
    await addOwners({ accounts, packs, ...stores })
    const [pack, secret] = [aNewPack(), aNewPack({ visibility: 'private', ownerId: 'other' })]
    await packs.create(pack, null)
    await packs.create(secret, null)
    const read = () =>
      Promise.all([
        packs.read(pack.slug),
        accounts.read('owner'),
        packs.listOwned('owner', 1, 50),
        packs.listPublic(1, 50),
      ])
    /** Which of them are the same as before. */
    const sameAfter = async (work: () => Promise<unknown>): Promise<string> => {
      const before = await read()
      await work()
      const after = await read()
      const names = ['pack', 'account', 'owned', 'list']
      return names.filter((_, at) => before[at] === after[at]).join(' ')
    }
    const all = 'pack account owned list'
    expect(await packs.listPublic(1, 50)).not.toBe(await packs.listPublic(1, 49))
    expect(Object.isFrozen(await packs.read(pack.slug))).toBe(true)

    expect(await sameAfter(read)).toBe(all)
    // Presence, stats to do, drafts and private packs of others change nothing of what everybody reads.
    expect(await sameAfter(() => stores.statsWork.markDue(pack.slug, 5_000))).toBe(all)
    expect(await sameAfter(() => packs.remove(secret.slug, 'other', 6_000))).toBe(all)
    expect(await sameAfter(() => packs.create(aNewPack({ ownerId: 'other' }), null))).toBe(
      'pack account owned',
    )
    expect(await sameAfter(() => packs.create(aNewPack(), null))).toBe('pack account')
    const rename = () => accounts.ensurePlayer({ gameId: 2, username: 'else' }, 'other', 0)
    expect(await sameAfter(rename)).toBe('pack account')
    expect(await sameAfter(() => elsewhere.accounts.setModerator(77, true, 0))).toBe('pack list')
  })
})
