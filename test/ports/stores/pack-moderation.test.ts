import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { SYSTEM_ACCOUNT_ID } from '../../../src/domain/accounts.ts'
import {
  asOperator,
  hide,
  type Moderator,
  pin,
  unhide,
  unpin,
} from '../../../src/domain/moderation.ts'
import type { NewPack } from '../../../src/domain/packs.ts'
import { aNewPack } from '../sample-pack.ts'
import { addOwners, tempStore, withStore } from '../temp-store.ts'

const all = { query: '', only: null } as const

describe('PackStore for moderators', () => {
  let one: Stores
  let two: Stores

  withStore(beforeAll, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
    await one.accounts.ensurePlayer({ gameId: 3, username: 'Peridot' }, 'moderator', 0)
  })

  const save = async (changes: Partial<NewPack> = {}): Promise<string> => {
    const pack = aNewPack(changes)
    await one.packs.create(pack, null)
    return pack.slug
  }
  const peridot: Moderator = { moderatorId: 'moderator', reason: 'off topic' }
  const operator = asOperator()
  const hidePack = (slug: string, by = peridot, at = 70) =>
    one.packs.moderate(slug, (pack) => hide(pack, by, at))
  const pinPack = (slug: string) =>
    one.packs.moderate(slug, (pack, row) => pin(pack, row, operator, 71))
  const unpinAll = async () => {
    for (const { slug } of await one.packs.listPinned()) {
      await one.packs.moderate(slug, (pack) => unpin(pack, operator, 72))
    }
  }
  const slugsOf = (packs: readonly { readonly slug: string }[]) => packs.map(({ slug }) => slug)

  describe('the log', () => {
    it('holds who did what when to which pack, newest first', async () => {
      const before = (await two.packs.readLog(1, 1)).total
      const slug = await save({ name: 'Autumn Cup' })
      await hidePack(slug)
      await one.packs.moderate(slug, (pack) => unhide(pack, operator, 80))
      const { rows: notes, total } = await two.packs.readLog(1, 2)
      const about = { subject: 'pack', slug, packName: 'Autumn Cup' }
      expect(notes).toEqual([
        { ...about, at: 80, by: 'operator', action: 'unhide', reason: null },
        {
          ...about,
          at: 70,
          by: { username: 'Peridot' },
          action: 'hide',
          reason: 'off topic',
        },
      ])
      expect(total).toBe(before + 2)
      expect((await two.packs.readLog(2, 1)).rows).toEqual([notes[1]])
      expect(await two.packs.readLog(999_999, 50)).toEqual({ rows: [], total })
    })

    it('holds nothing of what was refused or changed nothing', async () => {
      const slug = await save()
      const { total } = await one.packs.readLog(1, 1)
      await expect(
        one.packs.moderate(slug, () => {
          throw new Error('refused')
        }),
      ).rejects.toThrow('refused')
      await one.packs.moderate(slug, (pack) => unhide(pack, peridot, 5))
      await one.packs.moderate(slug, (pack) => unpin(pack, peridot, 5))
      expect((await one.packs.readLog(1, 1)).total).toBe(total)
    })

    it('tells an owner what was done about their packs, deleted ones too', async () => {
      const mine = await save({ ownerId: 'other', name: 'Mine' })
      await hidePack(mine)
      await hidePack(await save())
      await one.packs.remove(mine, 'other', 0)
      expect(await two.packs.readLogAbout('other')).toMatchObject([
        { slug: mine, packName: 'Mine', action: 'hide' },
      ])
    })
  })

  describe('hiding', () => {
    it('keeps why, for as long as the pack is hidden; an edit does not lose it', async () => {
      const slug = await save()
      expect(await hidePack(slug)).toMatchObject({ hiddenAt: 70, hiddenReason: 'off topic' })
      await one.packs.replace(slug, 'owner', (pack) => ({ ...pack, updatedAt: 2_000 }))
      expect(await two.packs.read(slug)).toMatchObject({ hiddenReason: 'off topic' })
      await one.packs.moderate(slug, (pack) => unhide(pack, operator, 80))
      expect(await two.packs.read(slug)).toMatchObject({ hiddenAt: null, hiddenReason: null })
    })

    it('knows who hid it last: a moderator, the operator, or somebody who is gone', async () => {
      await one.accounts.ensurePlayer({ gameId: 4, username: 'Shige' }, 'leaver', 0)
      const slug = await save()
      const by = async () => (await two.packs.readModerated(slug))?.hiddenBy
      expect(await by()).toBeNull()
      await hidePack(slug)
      expect(await by()).toBe('Peridot')
      await hidePack(slug, asOperator('stolen'))
      expect(await by()).toBeNull()
      await hidePack(slug, { moderatorId: 'leaver', reason: 'spam' })
      expect(await by()).toBe('Shige')
      await one.accounts.remove('leaver', 0)
      expect(await by()).toBeNull()
      expect((await one.packs.readLog(1, 1)).rows[0]).toMatchObject({ by: { username: null } })
      await one.packs.moderate(slug, (pack) => unhide(pack, operator, 80))
      await hidePack(slug)
      await one.packs.moderate(slug, (pack) => unhide(pack, operator, 80))
      expect(await by()).toBeNull()
    })
  })

  describe('what moderators find (D-30)', () => {
    it('whether a suspension hides it, too, beside what moderators decided (D-76)', async () => {
      const who = { gameId: 77, username: 'Loon' }
      await one.accounts.ensurePlayer(who, 'loon', 0)
      const [slug, hidden] = [
        await save({ ownerId: 'loon' }),
        await save({ ownerId: 'loon' }),
      ] as const
      await hidePack(hidden)
      const seen = async (each: string) => {
        const { isSuspended, hiddenBy, ownerGameId } = (await two.packs.readModerated(each))!
        return [isSuspended, hiddenBy, ownerGameId]
      }
      expect(await seen(slug)).toEqual([false, null, 77])
      expect(await seen(hidden)).toEqual([false, 'Peridot', 77])
      const note = { moderatorId: null, reason: 'spam', at: 90 }
      await one.suspensions.suspend(77, { ...note, action: 'suspend' })
      expect(await seen(slug)).toEqual([true, null, 77])
      expect(await seen(hidden)).toEqual([true, 'Peridot', 77])
      await one.suspensions.unsuspend(77, { ...note, action: 'unsuspend' })
      expect(await seen(slug)).toEqual([false, null, 77])
    })

    it('public and unlisted packs, hidden ones too, never private ones', async () => {
      const alone = await tempStore()
      const stores = await alone.open()
      await addOwners(stores)
      const add = async (changes: Partial<NewPack>) => {
        const pack = aNewPack(changes)
        await stores.packs.create(pack, null)
        return pack.slug
      }
      const pub = await add({ updatedAt: 1_000, name: 'Autumn Cup', ownerId: 'other' })
      const unlisted = await add({ updatedAt: 3_000, visibility: 'unlisted', name: '100% ÜBER' })
      const hidden = await add({ updatedAt: 2_000, hiddenAt: 5, name: 'Кубок Осени' })
      const secret = await add({ updatedAt: 9_000, visibility: 'private', name: 'Autumn Secret' })
      await add({ updatedAt: 9_000, visibility: 'private', hiddenAt: 5 })
      const pool = await add({ updatedAt: 500, ownerId: SYSTEM_ACCOUNT_ID, name: 'Pool_1' })

      const find = async (query: string, only: 'hidden' | 'pinned' | null = null) => {
        const { rows, total } = await stores.packs.listModerated({ query, only }, 1, 50)
        expect(total).toBe(rows.length)
        return rows.map(({ pack }) => pack.slug)
      }
      const everything = [unlisted, hidden, pub, pool]
      expect(await find('')).toEqual(everything)
      expect(await find('AUTUMN')).toEqual([pub])
      expect(await find('über')).toEqual([unlisted])
      expect(await find('кубок')).toEqual([hidden])
      expect(await find('ОСЕНИ')).toEqual([hidden])
      expect(await find('SomeBody')).toEqual([pub])
      expect(await find(pool)).toEqual([pool])
      expect(await find(pool.slice(1))).toEqual([])
      expect(await find(secret)).toEqual([])
      expect(await find('100%')).toEqual([unlisted])
      expect(await find('0%0')).toEqual([])
      expect(await find('Pool_')).toEqual([pool])
      expect(await find('Pool?')).toEqual([])
      expect(await find(String.raw`\\`)).toEqual([])
      expect(await find("' or 1=1 --")).toEqual([])
      expect(await find('', 'hidden')).toEqual([hidden])
      expect(await find('Autumn', 'hidden')).toEqual([])

      const page = (number: number) => stores.packs.listModerated(all, number, 3)
      expect((await page(2)).rows.map(({ pack }) => pack.slug)).toEqual([pool])
      expect(await page(3)).toEqual({ rows: [], total: 4 })
      expect((await page(1)).rows[2]).toMatchObject({
        pack: { slug: pub, ownerUsername: 'somebody' },
        ownerGameId: 2,
        hiddenBy: null,
      })
      expect((await page(2)).rows[0]?.ownerGameId).toBeNull()
      await alone.remove()
    })

    it('one of them by its slug, or nothing', async () => {
      const slug = await save({ visibility: 'unlisted' })
      expect(await two.packs.readModerated(slug)).toMatchObject({
        pack: { slug },
        ownerGameId: 1,
      })
      expect(await two.packs.readModerated(await save({ visibility: 'private' }))).toBeNull()
      expect(await two.packs.readModerated('nobodyhas1')).toBeNull()
    })
  })

  describe('the pinned row (D-30)', () => {
    it('stands in its order, and is read anew when it has changed', async () => {
      await unpinAll()
      const slugs = [await save(), await save(), await save()]
      for (const slug of slugs) await pinPack(slug)
      expect(slugsOf(await two.packs.listPinned())).toEqual(slugs)
      await one.packs.remove(slugs[0]!, 'owner', 0)
      expect(slugsOf(await two.packs.listPinned())).toEqual(slugs.slice(1))
      await hidePack(slugs[1]!)
      expect(slugsOf(await two.packs.listPinned())).toEqual([slugs[2]])
      const found = await two.packs.listModerated({ query: '', only: 'pinned' }, 1, 50)
      expect(found.rows.map(({ pack }) => pack.slug)).toEqual([slugs[2]])
    })

    it('is put into another order, and the log says which packs moved', async () => {
      await unpinAll()
      const [a, b, c, d] = [await save(), await save(), await save(), await save()]
      for (const slug of [a, b, c, d]) await pinPack(slug)
      await one.packs.moderate(b, (pack) => unpin(pack, operator, 72))
      const { total } = await one.packs.readLog(1, 1)
      const updatedAt = (await one.packs.read(a))?.updatedAt

      const note = { moderatorId: 'moderator', reason: null, at: 90 }
      expect(await one.packs.setPins([c, a, d], note)).toBe(true)
      expect(slugsOf(await two.packs.listPinned())).toEqual([c, a, d])
      const found = await two.packs.listModerated({ query: '', only: 'pinned' }, 1, 50)
      expect(found.rows.map(({ pack }) => pack.slug)).toEqual([c, a, d])
      const log = await two.packs.readLog(1, 2)
      expect(log.total).toBe(total + 2)
      expect(log.rows).toMatchObject([
        { slug: a, action: 'move', by: { username: 'Peridot' }, at: 90 },
        { slug: c, action: 'move' },
      ])
      expect((await one.packs.read(a))?.updatedAt).toBe(updatedAt)
      // A pin still goes to the end.
      await pinPack(b)
      expect(slugsOf(await two.packs.listPinned())).toEqual([c, a, d, b])
    })

    it('stays as it is when the slugs are not exactly the pinned packs', async () => {
      await unpinAll()
      const [a, b, other] = [await save(), await save(), await save()]
      for (const slug of [a, b]) await pinPack(slug)
      const { total } = await one.packs.readLog(1, 1)
      const note = { moderatorId: null, reason: null, at: 90 }
      for (const slugs of [[b], [], [b, a, other], [b, other], [b, b], [b, a, a], ['', a]]) {
        expect(await one.packs.setPins(slugs, note), slugs.join()).toBe(false)
      }
      expect(slugsOf(await two.packs.listPinned())).toEqual([a, b])
      expect((await one.packs.readLog(1, 1)).total).toBe(total)
    })

    it('is whole after 20 orders at once through two doors', async () => {
      await unpinAll()
      const slugs = [await save(), await save(), await save()]
      for (const slug of slugs) await pinPack(slug)
      const note = { moderatorId: null, reason: null, at: 90 }
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 ? one : two).packs.setPins(at % 3 ? slugs : slugs.toReversed(), note),
        ),
      )
      const row = await one.packs.listPinned()
      expect(row.map(({ pinnedRank }) => pinnedRank)).toEqual([1, 2, 3])
      expect(slugsOf(row).toSorted()).toEqual(slugs.toSorted())
    })
  })
})
