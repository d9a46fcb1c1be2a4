import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import { aNewPack } from './sample-pack.ts'
import { runProcess, startProcess } from './second-process.ts'
import { addOwners, type SqliteTempStore, tempSqliteStore } from './temp-store.ts'

const hashOf = (mark: string): string => mark.repeat(43)

describe('a SQLite store that two processes have open', () => {
  let store: SqliteTempStore
  let stores: Stores

  beforeEach(async () => {
    store = await tempSqliteStore()
    stores = await store.open()
    await addOwners(stores)
  })

  afterEach(() => store.remove())

  it('stops a key at once that the other process replaces (spec 3)', async () => {
    const key = { hash: hashOf('a'), shown: 'abcd', createdAt: 0 }
    await stores.apiKeys.replace('owner', 'packs', key)
    expect(await stores.apiKeys.findOwner('packs', key.hash)).toBe('owner')
    await runProcess(store.file, 'replace-key', 'owner', hashOf('b'))
    expect(await stores.apiKeys.findOwner('packs', key.hash)).toBeNull()
    expect(await stores.apiKeys.findOwner('packs', hashOf('b'))).toBe('owner')
  })

  it('keeps to the limit of packs when both create at once (D-28)', async () => {
    const others = [1, 2].map(() => runProcess(store.file, 'create', 'owner', '40', '50'))
    let mine = 0
    for (let n = 0; n < 40; n += 1) {
      const { outcome } = await stores.packs.create(aNewPack(), 50)
      if (outcome === 'created') mine += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const theirs = (await Promise.all(others)).map(Number)
    expect(theirs.reduce((sum, count) => sum + count, mine)).toBe(50)
    expect((await stores.packs.listOwned('owner', 1, 50)).total).toBe(50)
    expect((await stores.packs.listPublic(1, 50)).total).toBe(50)
  })

  it('loses no acknowledged pack when the other process is killed', async () => {
    for (let cycle = 0; cycle < 3; cycle += 1) {
      const { child, lines } = startProcess(store.file, 'create-forever')
      const acknowledged: string[] = []
      for await (const slug of lines) {
        acknowledged.push(slug)
        if (acknowledged.length === 60) child.kill('SIGKILL')
      }
      expect(acknowledged.length).toBeGreaterThanOrEqual(60)
      for (const slug of acknowledged) expect(await stores.packs.read(slug)).not.toBeNull()
    }
    // What the list counts is what there is.
    const { total } = await stores.packs.listPublic(1, 50)
    expect(total).toBe((await stores.packs.listOwned('owner', 1, 50)).total)
    await stores.care.check()
  })

  it('is checked without writing: nobody has to read anew because of it', async () => {
    const pack = aNewPack()
    await stores.packs.create(pack, null)
    const before = await stores.packs.read(pack.slug)
    await stores.care.check()
    expect(await stores.packs.read(pack.slug)).toBe(before)
  })

  it('waits for the other to let go of the lock, without holding up reading', async () => {
    const pack = aNewPack()
    await stores.packs.create(pack, null)
    const { child, lines } = startProcess(store.file, 'hold-lock')
    for await (const line of lines) {
      expect(line).toBe('held')
      break
    }
    let isWritten = false
    const writing = stores.packs.create(aNewPack(), null).finally(() => {
      isWritten = true
    })
    expect((await stores.packs.read(pack.slug))?.name).toBe(pack.name)
    expect((await stores.packs.listPublic(1, 50)).total).toBe(1)
    expect(isWritten).toBe(false)
    child.stdin?.end()
    expect(await writing).toMatchObject({ outcome: 'created' })
  })
})
