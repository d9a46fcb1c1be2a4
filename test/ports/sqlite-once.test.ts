import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import { aNewPack } from './sample-pack.ts'
import { startProcess } from './second-process.ts'
import { addOwners, type SqliteTempStore, tempSqliteStore } from './temp-store.ts'

const once = (key: string, since = 0) => ({ key, fingerprint: 'f', since })

describe('creations with a name in a SQLite store', () => {
  let store: SqliteTempStore
  let stores: Stores

  beforeEach(async () => {
    store = await tempSqliteStore()
    stores = await store.open()
    await addOwners(stores)
  })

  afterEach(() => store.remove())

  it('stand or fall with their packs when the process is killed: a repeat makes no second', async () => {
    const { child, lines } = startProcess(store.file, 'create-once-forever')
    const acknowledged = new Map<string, string>()
    for await (const line of lines) {
      const [key = '', slug = ''] = line.split(' ')
      acknowledged.set(key, slug)
      if (acknowledged.size === 60) child.kill('SIGKILL')
    }
    const before = (await stores.packs.listOwned('owner', 1, 1)).total
    // Its last lines may have been lost with it, and what was under way when it was killed has the next
    // keys; whether it is there, its key tells.
    const keys = Array.from({ length: before + 16 }, (_, at) => `key-${at}`)
    const outcomes = { created: 0, repeated: 0, other: 0 }
    for (const key of keys) {
      const creation = await stores.packs.create(aNewPack(), null, once(key))
      if (!('pack' in creation)) outcomes.other += 1
      else {
        outcomes[creation.outcome] += 1
        expect(acknowledged.get(key) ?? creation.pack.slug).toBe(creation.pack.slug)
        expect(await stores.packs.read(creation.pack.slug)).not.toBeNull()
      }
    }
    expect(outcomes).toEqual({ created: keys.length - before, repeated: before, other: 0 })
    expect((await stores.packs.listOwned('owner', 1, 1)).total).toBe(keys.length)
  })

  it('are removed by those that come after their time, without ever holding one up', async () => {
    const database = new DatabaseSync(store.file)
    const count = () => database.prepare('select count(*) as n from keyed_creation').get()?.['n']
    for (let n = 0; n < 30; n += 1) await stores.packs.create(aNewPack(), null, once(`old-${n}`))
    expect(count()).toBe(30)
    const later = (n: number) => aNewPack({ createdAt: 5_000 + n, updatedAt: 5_000 + n })
    const counts: unknown[] = []
    for (let n = 0; n < 5; n += 1) {
      await stores.packs.create(later(n), null, once(`new-${n}`, 2_000))
      counts.push(count())
    }
    expect(counts).toEqual([23, 16, 9, 4, 5])
    const plan = database
      .prepare(
        'explain query plan select 1 from keyed_creation where created_at < 9 order by created_at',
      )
      .all()
    expect(JSON.stringify(plan)).toContain('keyed_creation_age')
    database.close()
  })
})
