import { beforeEach, describe, expect, it } from 'vitest'
import { SeededRandom } from '../../../scripts/seeded-random.ts'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { aBeatmap, keepPublic } from '../../support/a-beatmap.ts'
import { aNewPack } from '../sample-pack.ts'
import { type Describe, describePack, updateAll } from '../search-steps.ts'
import { addOwners, type TempStore, withStore } from '../temp-store.ts'

const PACKS = 30
const words = ['Harbour', 'Lights', 'Night', 'Fall', 'Moonlit', 'Étoile', '夜の星', 'RO16']

describe('a rebuild of the search (D-66)', () => {
  let store: TempStore
  let one: Stores
  let two: Stores
  const random = new SeededRandom(29)
  const someWords = () => `${random.oneOf(words)} ${random.oneOf(words)} ${random.oneOf(words)}`

  withStore(beforeEach, async (opened) => {
    ;({ store, one, two } = opened)
    await addOwners(one)
    const beatmaps = Array.from({ length: 12 }, (_, at) =>
      aBeatmap(1 + at, { title: someWords(), mapper: random.oneOf(words) }),
    )
    await keepPublic(one.beatmapCache, beatmaps, 1)
    for (let at = 0; at < PACKS; at += 1) {
      const slots = Array.from({ length: 1 + random.below(5) }, (_, place) => ({
        mod: 'NM',
        index: place + 1,
        beatmapId: 1 + random.below(15),
      }))
      const visibility = random.below(5) === 0 ? 'unlisted' : 'public'
      const pack = aNewPack({ name: someWords(), description: someWords(), visibility, slots })
      await one.packs.create(pack, null)
      await updateAll(one)
    }
  })

  const tables = {
    search_pack: 'pack_id',
    search_near: 'variant, word',
    beatmap_use: 'beatmap_id, pack_id, place',
  }
  const read = async () => {
    const rows: Record<string, unknown> = {}
    for (const [table, order] of Object.entries({
      ...tables,
      ...('file' in store && { search_pack_words: 'pack_id' }),
    })) {
      rows[table] = await store.query(`select * from ${table} order by ${order}`)
    }
    const { packs, pending, isRebuilding } = await one.searchUpdates.progress()
    return { ...rows, packs, pending, isRebuilding }
  }

  /** In portions of any size, by two processes, some of which end in the middle of one. */
  const rebuildSomehow = async (): Promise<void> => {
    await one.searchUpdates.rebuild()
    for (;;) {
      const { searchUpdates } = random.oneOf([one, two])
      let packs = random.below(4) === 0 ? random.below(6) : Infinity
      const describe: Describe = (...pack) => {
        if (packs-- === 0) throw new Error('killed')
        return describePack(...pack)
      }
      const looked = await searchUpdates.update(1 + random.below(9), describe).catch(() => null)
      if (looked === 0) return
    }
  }

  it('leaves the rows that packs have which are saved one by one, in any portions', async () => {
    const before = await read()
    expect(before.packs).toBeGreaterThan(PACKS / 2)
    for (let time = 0; time < 6; time += 1) {
      await rebuildSomehow()
      expect(await read()).toEqual(before)
    }
  })

  it('restores what was damaged, whether or not an earlier version has been at work', async () => {
    const before = await read()
    const [some] = await store.query(
      'select pack_id as id from search_pack order by pack_id limit 1',
    )
    const id = String(some!['id'])
    for (const isLost of [false, true]) {
      const damage = [
        `delete from beatmap_use where pack_id = ${id}`,
        `update beatmap_use set mod = 'XX' where place = 0`,
        `delete from search_near where word like 'h%'`,
        `update search_pack set maps = 99 where pack_id > ${id}`,
        ...(isLost ? [`update shared_number set mark = null where name = 'search_forgotten'`] : []),
      ]
      for (const statement of damage) await store.query(statement)
      expect(await read()).not.toEqual(before)
      await rebuildSomehow()
      expect(await read()).toEqual(before)
    }
  })

  it('adds words again that a process knows from before another one removed them', async () => {
    const pack = aNewPack({ name: 'Zephyr' })
    await one.packs.create(pack, null)
    await updateAll(one)
    await two.packs.remove(pack.slug, pack.ownerId, 0)
    await updateAll(two)
    await two.searchUpdates.rebuild()
    await one.packs.create(aNewPack({ name: 'Zephyr' }), null)
    await updateAll(one)
    expect(await one.search.nearWords(['zephyrs'])).toEqual(new Map([['zephyrs', ['zephyr']]]))
  })

  it('writes no row again that is as it was', async () => {
    if ('file' in store) {
      await store.query('create table written (what text)')
      for (const table of [...Object.keys(tables), 'search_pack_words']) {
        for (const event of ['insert', 'update', 'delete']) {
          await store.query(`create trigger ${table}_${event} after ${event} on ${table}
            begin insert into written values ('${table}'); end`)
        }
      }
      await rebuildSomehow()
      expect(await store.query('select * from written')).toEqual([])
      return
    }
    const versions = async () => {
      const all = []
      for (const table of Object.keys(tables)) {
        all.push(await store.query(`select xmin, ctid from ${table} order by ctid`))
      }
      return all
    }
    const before = await versions()
    await rebuildSomehow()
    expect(await versions()).toEqual(before)
  })
})
