import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { checkLists } from '../../scripts/seed/check-lists.ts'
import { fillStore } from '../../scripts/seed/fill-store.ts'
import { accountAt, inputAt, packAt, slugAt } from '../../scripts/seed/made-up-packs.ts'
import { makeScene, type Scene } from '../../scripts/seed/made-up-scene.ts'
import {
  type BulkStore,
  openBulkStore,
  type StorePlace,
} from '../../scripts/seed/open-bulk-store.ts'
import { contentOf } from '../../src/domain/packs.ts'
import { slugsOf, turnPages } from '../api/pages.ts'
import { type House, openHouse } from '../support/house.ts'
import type { TestStores } from '../support/test-stores.ts'

/** A store that nobody has used, and a way to serve it. */
type SeedPlace = StorePlace & {
  readonly open: () => Promise<TestStores>
  readonly remove: () => Promise<void>
}

const now = Date.parse('2026-10-03T12:00:00Z')
/** Enough that the list has more than one block. */
const wish = { packs: 1_100, accounts: 110 }
/** As seeding does it: blocks split where they stand when changes are counted. */
const COUNTED_AT_ONCE = 500
/** What the platform said is compared by a sample. */
const SAMPLE = 40
const few = { packs: 300, accounts: 30 }

/** What a store is filled with, held to what the real operations leave. */
export const seedSuite = (engine: string, newPlace: () => Promise<SeedPlace>): void => {
  describe(`a seeded store on ${engine}`, () => {
    let scene: Scene
    beforeEach(() => {
      scene ??= makeScene()
    })

    const place = async (): Promise<SeedPlace> => {
      const made = await newPlace()
      onTestFinished(() => made.remove())
      return made
    }

    const inBulk = async <T>(
      where: StorePlace,
      use: (store: BulkStore) => Promise<T>,
    ): Promise<T> => {
      const store = await openBulkStore(where)
      try {
        return await use(store)
      } finally {
        await store.close()
      }
    }

    const fill = (where: StorePlace, what: { packs: number; accounts: number }) =>
      inBulk(where, (store) => fillStore(store, what, now))

    const serve = async ({ open }: SeedPlace): Promise<House> => {
      const house = await openHouse({ open })
      onTestFinished(() => house.close())
      return house
    }

    const rowsOf = (where: StorePlace) =>
      inBulk(where, async ({ engine: { db } }) => ({
        accounts: await db.selectFrom('account').selectAll().orderBy('game_id').execute(),
        packs: await db.selectFrom('pack').selectAll().orderBy('id').execute(),
        blocks: await db
          .selectFrom('public_block')
          .selectAll()
          .orderBy('first_updated_at')
          .execute(),
        numbers: await db
          .selectFrom('shared_number')
          .select(['name', 'value'])
          .orderBy('name')
          .execute(),
        beatmaps: await db.selectFrom('beatmap').selectAll().orderBy('id').limit(SAMPLE).execute(),
        ratings: await db
          .selectFrom('rating')
          .selectAll()
          .orderBy('beatmap_id')
          .orderBy('mods', 'desc')
          .limit(SAMPLE)
          .execute(),
      }))

    it('is row by row what saving the packs and computing their stats leaves', async () => {
      const seeded = await place()
      await fill(seeded, wish)
      const real = await place()
      const { stores, close } = await real.open()
      for (let number = 0; number < wish.accounts; number += 1) {
        const { id, createdAt, ...player } = accountAt(number)
        await stores.accounts.ensurePlayer(player, id, createdAt)
      }
      await stores.beatmapCache.keepBeatmaps(scene.beatmaps.slice(0, SAMPLE), [], now)
      for (const { key, stars } of scene.ratings.slice(0, SAMPLE)) {
        await stores.beatmapCache.keepRating(key, { stars }, now)
      }
      // All packs of the seed are public (D-74).
      await stores.beatmapCache.publish(
        scene.beatmaps.slice(0, SAMPLE).map(({ id }) => id),
        scene.ratings.slice(0, SAMPLE).map(({ key }) => key),
      )
      for (let number = 0; number < wish.packs; number += 1) {
        const { stats, ...pack } = packAt(number, wish.accounts, scene)
        const made = await stores.packs.create({ ...pack, stats: null }, 200)
        if (made.outcome !== 'created') throw new Error(made.outcome)
        await stores.statsWork.finish(
          { pack: made.pack, lease: 0 },
          { stats, dueAt: null, attempts: 0 },
        )
        if ((number + 1) % COUNTED_AT_ONCE === 0) await stores.publicIndex.version()
      }
      await stores.publicIndex.version()
      await close()
      expect(await rowsOf(seeded)).toEqual(await rowsOf(real))
    })

    it('answers pages, packs and the index as any other, and passes its checks (D-16)', async () => {
      const seeded = await place()
      await fill(seeded, few)
      expect(await inBulk(seeded, checkLists)).toBe(few.packs)

      const house = await serve(seeded)
      await house.ports.care.check()
      const host = await house.host()
      const newestFirst = Array.from({ length: few.packs }, (_, at) => slugAt(few.packs - 1 - at))
      expect(await turnPages(host, '/packs')).toEqual(newestFirst)
      expect((await host.get('/packs?page=6')).json).toMatchObject({ pageCount: 6, total: 300 })

      const { name, packKey, stats } = packAt(7, few.accounts, scene)
      const one = await host.get(`/packs/${slugAt(7)}`)
      expect(one.json.pack).toMatchObject({ name, packKey, stats, visibility: 'public' })

      const entries = await house.ports.publicIndex.readPortion(null, 1_000)
      expect(entries.map(({ slug }) => slug)).toEqual(newestFirst)
      expect((await house.ports.statsWork.backlog(now)).total).toBe(0)
    })

    it('goes on being counted as packs come and go (D-16)', async () => {
      const seeded = await place()
      await fill(seeded, few)
      const house = await serve(seeded)
      const host = await house.host()
      const slot = { mod: 'NM', index: 1, beatmapId: 75 }
      const slug = await host.save({ name: 'New', visibility: 'public', slots: [slot] })
      expect(slugsOf(await host.get('/packs'))[0]).toBe(slug)
      const { ownerId } = packAt(7, few.accounts, scene)
      expect(await house.ports.packs.remove(slugAt(7), ownerId, 0)).toBe(true)
      expect((await host.get('/packs')).json.total).toBe(few.packs)
      expect(await inBulk(seeded, checkLists)).toBe(few.packs)
    })

    it('is filled to the end by who is called again with the same numbers', async () => {
      const seeded = await place()
      const cut = inBulk(seeded, (store) =>
        fillStore(store, wish, now, (packs) => {
          if (packs >= 1_000) throw new Error('cut short')
        }),
      )
      await expect(cut).rejects.toThrow('cut short')
      expect(await inBulk(seeded, checkLists)).toBe(1_000)
      await fill(seeded, wish)
      const whole = await place()
      await fill(whole, wish)
      expect(await rowsOf(seeded)).toEqual(await rowsOf(whole))
    })

    it('is left alone when it holds anything else, and says so', async () => {
      const used = await place()
      const { stores, close } = await used.open()
      await stores.accounts.ensurePlayer({ gameId: 1, username: 'Ada' }, 'ada', 0)
      await close()
      await expect(fill(used, few)).rejects.toThrow(/holds 0 packs and 1 accounts .* empty store/)

      const seeded = await place()
      await fill(seeded, few)
      for (const other of [
        { ...few, packs: few.packs - 1 },
        { ...few, accounts: few.accounts + 1 },
      ]) {
        await expect(fill(seeded, other)).rejects.toThrow('300 packs and 30 accounts')
      }
    })

    it('holds what a save would make of what the hosts send, and stats of these very maps', () => {
      for (let number = 0; number < 3_000; number += 1) {
        const pack = packAt(number, 300, scene)
        expect(pack).toMatchObject(contentOf(inputAt(number)))
        const fresh = number % 1_000 === 0 ? makeScene() : scene
        expect(pack.stats).toEqual(fresh.statsOf(pack, Date.parse(pack.stats?.computedAt ?? '')))
      }
    })

    it('gives nobody more packs than an account may have (spec 8)', async () => {
      const owned = new Map<string, number>()
      for (let number = 0; number < 20 * 60; number += 1) {
        const { ownerId } = packAt(number, 60, scene)
        owned.set(ownerId, 1 + (owned.get(ownerId) ?? 0))
      }
      expect(owned.size).toBe(60)
      expect(Math.max(...owned.values())).toBeLessThanOrEqual(200)
    })

    it('is found broken when a block does not hold what it says', async () => {
      const seeded = await place()
      await fill(seeded, few)
      await inBulk(seeded, ({ engine: { write } }) =>
        write('packs', (tx) => tx.updateTable('public_block').set({ size: 299 }).execute()),
      )
      await expect(inBulk(seeded, checkLists)).rejects.toThrow(/holds 300 packs and says 299/)
    })
  })
}
