import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { SqliteConnection } from '../../src/adapters/storage/sqlite/engine.ts'
import type { RatingKey } from '../../src/domain/beatmaps.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { aNewPack } from './sample-pack.ts'
import { addOwners, tempSqliteStore } from './temp-store.ts'

afterEach(() => vi.restoreAllMocks())

describe('prepared statements', () => {
  it('are few however many values are asked for at once', async () => {
    const store = await tempSqliteStore()
    const stores = await store.open()
    await addOwners(stores)
    const ids = Array.from({ length: 640 }, (_, at) => at + 1)
    await stores.beatmapCache.keepBeatmaps(
      ids.map((id) => aBeatmap(id)),
      [],
      5,
    )
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
    const uses = ids.map((id) => ({ service: 'packs' as const, hash: `hash ${id}`, day: 7 }))
    for (const length of ids) {
      const asked = ids.slice(0, length)
      const known = await stores.beatmapCache.readBeatmaps(asked)
      expect(known.size).toBe(length)
      expect([known.get(1)?.at, known.get(length)?.at, known.get(length + 1)]).toEqual([
        5,
        5,
        undefined,
      ])
      if (length % 16 === 0) await stores.apiKeys.noteUses(uses.slice(0, length))
    }
    // Six lengths of each of two lists, the write of a single use, and the transactions' own.
    expect(prepare.mock.calls.length).toBeLessThan(30)
    await store.remove()
  })

  it('beatmaps and ratings that were read are not read again until any process writes some', async () => {
    const store = await tempSqliteStore()
    let statements = 0
    const observer = { onStatement: () => (statements += 1), onLock: () => {} }
    const { beatmapCache } = await store.open({ observer })
    const other = (await store.open()).beatmapCache
    const key: RatingKey = { beatmapId: 1, ruleset: 'base', mods: ['DT'] }
    await beatmapCache.keepBeatmaps([aBeatmap(1), aBeatmap(2)], [], 5)
    await beatmapCache.keepRating(key, 'refused', 5)
    const timesOf = async () => {
      statements = 0
      const known = await beatmapCache.readBeatmaps([1, 2])
      const [rating] = await beatmapCache.readRatings([key])
      return [statements, known.get(1)?.at, known.get(2)?.at, rating?.at]
    }
    // Each looks at the version, and reads what is not in memory.
    expect(await timesOf()).toEqual([4, 5, 5, 5])
    expect(await timesOf()).toEqual([2, 5, 5, 5])
    await other.expire([1])
    expect(await timesOf()).toEqual([4, 0, 5, 0])
    expect(await timesOf()).toEqual([2, 0, 5, 0])
    await store.remove()
  })

  it('are kept up to a bound, those that were used last', () => {
    const database = new DatabaseSync(':memory:')
    const prepare = vi.spyOn(database, 'prepare')
    const connection = new SqliteConnection(database)
    for (let at = 0; at < 2_000; at += 1) {
      connection.run(`select ${at}`)
      connection.run('select -1')
    }
    expect(connection.statements).toBe(500)
    expect(prepare).toHaveBeenCalledTimes(2_001)
    expect(connection.run('select 1999').rows).toEqual([{ '1999': 1999 }])
    expect(prepare).toHaveBeenCalledTimes(2_001)
    expect(connection.run('select 0').rows).toEqual([{ '0': 0 }])
    expect(prepare).toHaveBeenCalledTimes(2_002)
    database.close()
  })
})

it('a reader of the changes does not wait for what is written meanwhile', async () => {
  const store = await tempSqliteStore()
  onTestFinished(() => store.remove())
  const stores = await store.open()
  await addOwners(stores)
  const pack = aNewPack()
  const before = await stores.changes.read(null, 1)
  if (before.outcome !== 'read') throw new Error(before.outcome)
  await stores.packs.create(pack, null)
  await store.query(`create trigger busy after update of seq on pack_change begin
    insert into pack_change (mark, at, kind, slug, owner_id, was_listed, is_listed)
    values (1, 1, 'changed', new.slug, new.owner_id, 0, 0); end`)
  expect(await stores.changes.read(before.newest, 10)).toMatchObject({
    entries: [{ slug: pack.slug }],
  })
})
