import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { SYSTEM_ACCOUNT_ID } from '../../../src/domain/accounts.ts'
import { asOperator, hide } from '../../../src/domain/moderation.ts'
import type { PackState } from '../../../src/domain/packs.ts'
import { aNewPack, freshSlug } from '../sample-pack.ts'
import { addOwners, tempStore, withStore } from '../temp-store.ts'
import { storedFields } from '../../../src/pool/pack-fields.ts'

describe('PackStore', () => {
  let one: Stores
  let two: Stores

  const account = async (): Promise<string> => {
    const id = freshSlug()
    await one.accounts.ensurePlayer({ gameId: Number(id.slice(1)) + 10, username: id }, id, 0)
    return id
  }

  withStore(beforeAll, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
  })

  describe('create and read', () => {
    it('gives back every field as it was stored', async () => {
      const pack = aNewPack({
        name: 'É "quoted" \\ 🏆',
        visibility: 'unlisted',
        description: 'two\nlines; ',
        slots: [
          { mod: 'RC', index: 99, beatmapId: 1 },
          { mod: 'NM', index: 1, beatmapId: 2 },
        ],
        buckets: [
          { code: 'NM' },
          { code: 'RC', color: 9, mods: { kind: 'forced', set: ['HD', 'DT'] } },
        ],
        exports: [{ url: 'magnet:?xt=urn:btih:0', createdAt: 5 }],
        hiddenAt: 7,
        hiddenReason: 'off topic',
        pinnedRank: null,
        stats: {
          srMin: 3.61,
          srMax: 7.81,
          srAvg: null,
          lenMin: 95,
          lenMax: 258,
          bpmMin: 180,
          bpmMax: 9_007_199_254_740_991,
          mods: ['NM'],
          modes: ['base'],
          count: 2,
          complete: false,
          computedAt: '2026-10-03T18:30:04.000Z',
        },
        historyPublic: true,
        version: 7,
        versionAt: 1_790_000_000_345,
        versionHidden: true,
        createdAt: 1_790_000_000_123,
        updatedAt: 1_790_000_000_456,
      })
      const creation = await one.packs.create(pack, 200)
      const expected = { ...pack, ownerUsername: 'mapper' }
      expect(creation).toEqual({ outcome: 'created', pack: expected })
      expect(await one.packs.read(pack.slug)).toEqual(expected)
      expect(await two.packs.read(pack.slug)).toEqual(expected)
    })

    it('gives null for a slug that nobody has', async () => {
      expect(await one.packs.read('nobodyhas1')).toBeNull()
    })

    it('names the owner as of now (D-42)', async () => {
      const ownerId = await account()
      const pack = aNewPack({ ownerId })
      await one.packs.create(pack, null)
      const gameId = (await one.accounts.read(ownerId))?.gameId ?? 0
      await two.accounts.ensurePlayer({ gameId, username: 'renamed' }, 'unused', 9)
      expect((await one.packs.read(pack.slug))?.ownerUsername).toBe('renamed')
    })

    it('has no name for the system account, which the spec calls by a label (D-28)', async () => {
      const pack = aNewPack({ ownerId: SYSTEM_ACCOUNT_ID })
      await one.packs.create(pack, null)
      expect((await one.packs.read(pack.slug))?.ownerUsername).toBeNull()
    })

    it('tells a taken slug apart, and stores nothing then (D-26)', async () => {
      const pack = aNewPack()
      await one.packs.create(pack, null)
      const total = (await one.packs.listPublic(1, 1)).total
      const again = await two.packs.create(aNewPack({ slug: pack.slug, ownerId: 'other' }), 200)
      expect(again).toEqual({ outcome: 'slug_taken' })
      expect(await one.packs.read(pack.slug)).toMatchObject({ ownerId: 'owner' })
      expect((await one.packs.listPublic(1, 1)).total).toBe(total)
    })

    it('refuses a pack of an account that there is not', async () => {
      const pack = aNewPack({ ownerId: 'nobody' })
      expect(await one.packs.create(pack, 200)).toEqual({ outcome: 'no_owner' })
      expect(await one.packs.read(pack.slug)).toBeNull()
    })
  })

  describe('the limit of packs (spec 8, D-28)', () => {
    it('is full at the limit and free again behind a removal', async () => {
      const ownerId = await account()
      const first = aNewPack({ ownerId })
      await one.packs.create(first, 2)
      await one.packs.create(aNewPack({ ownerId, visibility: 'private' }), 2)
      expect(await one.packs.create(aNewPack({ ownerId }), 2)).toEqual({ outcome: 'full' })
      expect((await one.packs.create(aNewPack({ ownerId }), null)).outcome).toBe('created')
      await one.packs.remove(first.slug, ownerId, 0)
      expect(await one.packs.create(aNewPack({ ownerId }), 2)).toEqual({ outcome: 'full' })
    })

    it('is exact under 50 concurrent creations through two doors', async () => {
      const ownerId = await account()
      const creations = await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          (at % 2 ? one : two).packs.create(aNewPack({ ownerId }), 10),
        ),
      )
      expect(creations.filter(({ outcome }) => outcome === 'created')).toHaveLength(10)
      expect(creations.filter(({ outcome }) => outcome === 'full')).toHaveLength(40)
      expect((await one.packs.listOwned(ownerId, 1, 50)).total).toBe(10)
    })
  })

  describe('lists', () => {
    it('shows public packs that are not hidden, most recently updated first (spec 4.1)', async () => {
      const alone = await tempStore()
      const stores = await alone.open()
      await addOwners(stores)
      const add = async (changes: Parameters<typeof aNewPack>[0]) => {
        const pack = aNewPack(changes)
        await stores.packs.create(pack, null)
        return pack.slug
      }
      const old = await add({ updatedAt: 1_000 })
      const tieFirst = await add({ updatedAt: 3_000, ownerId: 'other' })
      const tieSecond = await add({ updatedAt: 3_000 })
      await add({ updatedAt: 9_000, visibility: 'unlisted' })
      await add({ updatedAt: 9_000, visibility: 'private' })
      await add({ updatedAt: 9_000, hiddenAt: 9_500 })
      const stepBack = await add({ updatedAt: 500 })

      const all = await stores.packs.listPublic(1, 50)
      // D-16: the newest created comes first among equals.
      expect(all.rows.map(({ slug }) => slug)).toEqual([tieSecond, tieFirst, old, stepBack])
      expect(all.rows[1]).toMatchObject({ ownerId: 'other', ownerUsername: 'somebody' })
      expect(all.total).toBe(4)
      const second = await stores.packs.listPublic(2, 3)
      expect(second.rows.map(({ slug }) => slug)).toEqual([stepBack])
      expect(second.total).toBe(4)
      expect(await stores.packs.listPublic(3, 3)).toEqual({ rows: [], total: 4 })
      expect(await stores.packs.listPublic(999_999, 50)).toEqual({ rows: [], total: 4 })
      await alone.remove()
    })

    it('shows an empty store as an empty first page', async () => {
      const empty = await tempStore()
      const { packs } = await empty.open()
      expect(await packs.listPublic(1, 50)).toEqual({ rows: [], total: 0 })
      expect(await packs.listOwned('owner', 1, 50)).toEqual({ rows: [], total: 0 })
      await empty.remove()
    })

    it('shows an owner all their packs, hidden and private ones too (spec 4.1)', async () => {
      const ownerId = await account()
      const slugs: string[] = []
      for (const changes of [
        { updatedAt: 10 },
        { updatedAt: 30, visibility: 'private' as const },
        { updatedAt: 20, visibility: 'unlisted' as const },
        { updatedAt: 30, hiddenAt: 31 },
      ]) {
        const pack = aNewPack({ ownerId, ...changes })
        await one.packs.create(pack, null)
        slugs.push(pack.slug)
      }
      const [a, b, c, d] = slugs
      const first = await two.packs.listOwned(ownerId, 1, 3)
      expect(first.rows.map(({ slug }) => slug)).toEqual([d, b, c])
      expect(first.total).toBe(4)
      const second = await two.packs.listOwned(ownerId, 2, 3)
      expect(second.rows.map(({ slug }) => slug)).toEqual([a])
      expect(await two.packs.listOwned(ownerId, 3, 3)).toEqual({ rows: [], total: 4 })
    })

    it('lists those of an owner that everybody may see', async () => {
      const owner = 'open-owner'
      await one.accounts.ensurePlayer({ gameId: 9_101, username: owner }, owner, 0)
      const shown = [1, 2, 3].map((updatedAt) => aNewPack({ ownerId: owner, updatedAt }))
      const others = [
        aNewPack({ ownerId: owner, visibility: 'unlisted' }),
        aNewPack({ ownerId: owner, visibility: 'private' }),
        aNewPack({ ownerId: owner, hiddenAt: 5 }),
        aNewPack(),
      ]
      for (const pack of [...shown, ...others]) await one.packs.create(pack, null)
      const { rows: packs, total } = await two.packs.listOwnedPublic(owner, 1, 2)
      expect(packs.map(({ slug }) => slug)).toEqual([shown[2]?.slug, shown[1]?.slug])
      expect(total).toBe(3)
      expect((await two.packs.listOwnedPublic(owner, 2, 2)).rows).toHaveLength(1)
      await one.packs.moderate(shown[0]!.slug, (pack) => hide(pack, asOperator('x'), 9))
      expect(await two.packs.listOwnedPublic(owner, 2, 2)).toEqual({ rows: [], total: 2 })
    })

    it('finds the newest created pack of exactly that name', async () => {
      const ownerId = await account()
      const older = aNewPack({ ownerId, name: 'Cup', updatedAt: 50 })
      const newer = aNewPack({ ownerId, name: 'Cup', updatedAt: 40 })
      await one.packs.create(older, null)
      await one.packs.create(newer, null)
      await one.packs.create(aNewPack({ ownerId: 'other', name: 'Cup' }), null)
      expect((await one.packs.findOwned(ownerId, 'Cup'))?.slug).toBe(newer.slug)
      expect(await one.packs.findOwned(ownerId, 'cup')).toBeNull()
      expect(await one.packs.findOwned(ownerId, 'Cu')).toBeNull()
    })
  })

  describe('replace', () => {
    const change: PackState = {
      name: 'Finals',
      ...storedFields({ visibility: 'private', description: 'new' }),
      slots: [{ mod: 'TB', index: 1, beatmapId: 3 }],
      buckets: [{ code: 'TB' }],
      packKey: 'pk1.other',
      exports: [],
      hiddenAt: null,
      hiddenReason: null,
      pinnedRank: null,
      stats: null,
      historyPublic: true,
      version: 2,
      versionAt: 2_000,
      versionHidden: true,
      updatedAt: 2_000,
    }

    it('writes what the change makes of the pack as it is now, and nothing else', async () => {
      const pack = aNewPack({ exports: [{ url: 'magnet:?xt=urn:btih:0', createdAt: 5 }] })
      await one.packs.create(pack, null)
      const replaced = await two.packs.replace(pack.slug, 'owner', (saved) => {
        expect(saved).toEqual({ ...pack, ownerUsername: 'mapper' })
        // What is not a part of the state must not get through.
        return { ...saved, ...change, slug: 'hijacked00', ownerId: 'other', createdAt: 1 }
      })
      const expected = { ...pack, ...change, ownerUsername: 'mapper' }
      expect(replaced).toEqual(expected)
      expect(await one.packs.read(pack.slug)).toEqual(expected)
      expect(await one.packs.read('hijacked00')).toBeNull()
    })

    it("is null for a missing pack and another's, without a call (spec 4.1 rule 5)", async () => {
      const pack = aNewPack()
      await one.packs.create(pack, null)
      const never = (): never => {
        throw new Error('called')
      }
      expect(await one.packs.replace('nobodyhas1', 'owner', never)).toBeNull()
      expect(await one.packs.replace(pack.slug, 'other', never)).toBeNull()
    })

    it('passes on what the change throws, and writes nothing', async () => {
      const pack = aNewPack()
      await one.packs.create(pack, null)
      const reason = new Error('refused')
      const replacing = one.packs.replace(pack.slug, 'owner', () => {
        throw reason
      })
      await expect(replacing).rejects.toBe(reason)
      expect(await one.packs.read(pack.slug)).toEqual({ ...pack, ownerUsername: 'mapper' })
      expect(await one.packs.replace(pack.slug, 'owner', () => change)).toMatchObject(change)
    })

    it('a change that throws takes none of its neighbours with it', async () => {
      const ownerId = await account()
      const pack = aNewPack({ ownerId })
      await one.packs.create(pack, null)
      const results = await Promise.allSettled([
        one.packs.create(aNewPack({ ownerId }), null),
        one.packs.replace(pack.slug, ownerId, () => {
          throw new Error('refused')
        }),
        one.packs.create(aNewPack({ ownerId }), null),
      ])
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect((await two.packs.listOwned(ownerId, 1, 50)).total).toBe(3)
    })

    it('loses none of 40 concurrent changes through two doors', async () => {
      const pack = aNewPack({ updatedAt: 0 })
      await one.packs.create(pack, null)
      await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          (at % 2 ? one : two).packs.replace(pack.slug, 'owner', (saved) => ({
            ...saved,
            updatedAt: saved.updatedAt + 1,
          })),
        ),
      )
      expect((await one.packs.read(pack.slug))?.updatedAt).toBe(40)
    })

    it('moves the pack in the public list', async () => {
      const before = (await one.packs.listPublic(1, 1)).total
      const pack = aNewPack()
      await one.packs.create(pack, null)
      await one.packs.replace(pack.slug, 'owner', (saved) => ({ ...saved, updatedAt: 1e15 }))
      const page = await one.packs.listPublic(1, 1)
      expect(page.rows[0]?.slug).toBe(pack.slug)
      expect(page.total).toBe(before + 1)
      await one.packs.replace(pack.slug, 'owner', () => change)
      expect((await one.packs.listPublic(1, 1)).total).toBe(before)
    })
  })

  describe('remove', () => {
    it('deletes the owner’s pack once, and nobody else’s (spec 4.1 rule 5)', async () => {
      const pack = aNewPack()
      await one.packs.create(pack, null)
      const { total } = await one.packs.listPublic(1, 1)
      expect(await one.packs.remove(pack.slug, 'other', 0)).toBe(false)
      expect(await two.packs.remove(pack.slug, 'owner', 0)).toBe(true)
      expect(await one.packs.remove(pack.slug, 'owner', 0)).toBe(false)
      expect(await one.packs.read(pack.slug)).toBeNull()
      expect((await one.packs.listPublic(1, 1)).total).toBe(total - 1)
    })

    it('shows the pack as it is to a check, and keeps what the check refuses (D-48)', async () => {
      const pack = aNewPack()
      await one.packs.create(pack, null)
      const reason = new Error('refused')
      const refuse = (saved: unknown): never => {
        expect(saved).toEqual({ ...pack, ownerUsername: 'mapper' })
        throw reason
      }
      await expect(one.packs.remove(pack.slug, 'owner', 0, refuse)).rejects.toBe(reason)
      expect(await two.packs.read(pack.slug)).toMatchObject({ slug: pack.slug })
      expect(await one.packs.remove(pack.slug, 'other', 0, refuse)).toBe(false)
      expect(await one.packs.remove('nobodyhas1', 'owner', 0, refuse)).toBe(false)
      expect(await two.packs.remove(pack.slug, 'owner', 0, () => {})).toBe(true)
    })
  })

  describe('moderate', () => {
    it('hides and shows again at the old place, and moves no time (spec 3)', async () => {
      const [low, middle, high] = [2, 3, 4].map((n) => aNewPack({ updatedAt: 2e15 + n }))
      for (const pack of [low, middle, high]) await one.packs.create(pack as never, null)
      const top = async () =>
        (await two.packs.listPublic(1, 3)).rows.map(({ slug }) => slug).slice(0, 2)

      const hidden = await one.packs.moderate(middle?.slug ?? '', () => ({
        hiddenAt: 77,
        pinnedRank: null,
      }))
      expect(hidden).toEqual({ ...middle, hiddenAt: 77, ownerUsername: 'mapper' })
      expect(await top()).toEqual([high?.slug, low?.slug])
      await one.packs.moderate(middle?.slug ?? '', () => ({ hiddenAt: null, pinnedRank: null }))
      expect(await top()).toEqual([high?.slug, middle?.slug])
    })

    it('is null for a missing pack, passes on what the change throws', async () => {
      const never = (): never => {
        throw new Error('refused')
      }
      expect(await one.packs.moderate('nobodyhas1', never)).toBeNull()
      const pack = aNewPack()
      await one.packs.create(pack, null)
      await expect(one.packs.moderate(pack.slug, never)).rejects.toThrow('refused')
      expect(await one.packs.read(pack.slug)).toMatchObject({ hiddenAt: null })
    })

    it('sees the pinned row as it is, so that it never outgrows its bound (D-30)', async () => {
      const slugs: string[] = []
      for (let n = 0; n < 9; n += 1) {
        const pack = aNewPack()
        await one.packs.create(pack, null)
        slugs.push(pack.slug)
      }
      const pins = await Promise.allSettled(
        slugs.map((slug, at) =>
          (at % 2 ? one : two).packs.moderate(slug, (saved, pinned) => {
            if (pinned.length === 6) throw new Error('six')
            return { hiddenAt: saved.hiddenAt, pinnedRank: 10 - pinned.length }
          }),
        ),
      )
      expect(pins.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)

      const first = slugs[pins.findIndex(({ status }) => status === 'fulfilled')] ?? ''
      await one.packs.moderate(first, (saved, pinned) => {
        expect(pinned).toHaveLength(5)
        expect(pinned.map(({ slug }) => slug)).not.toContain(first)
        const ranks = pinned.map(({ pinnedRank }) => pinnedRank ?? 0)
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b))
        return { hiddenAt: saved.hiddenAt, pinnedRank: null }
      })
      expect((await two.packs.read(first))?.pinnedRank).toBeNull()
    })
  })

  it('gives out what another door has written, at once, from every method', async () => {
    const ownerId = await account()
    const pack = aNewPack({ ownerId, updatedAt: 3e15 })
    for (let round = 0; round < 20; round += 1) {
      const changed = { ...pack, name: `round ${round}`, updatedAt: 3e15 + round }
      if (round === 0) await two.packs.create(changed, null)
      else await two.packs.replace(pack.slug, ownerId, () => changed)
      expect((await one.packs.read(pack.slug))?.name).toBe(changed.name)
      expect((await one.packs.listPublic(1, 2)).rows[0]?.name).toBe(changed.name)
      expect((await one.packs.listOwned(ownerId, 1, 2)).rows[0]?.name).toBe(changed.name)
      expect(await one.packs.findOwned(ownerId, changed.name)).toMatchObject(changed)
    }
    await two.packs.remove(pack.slug, ownerId, 0)
    expect(await one.packs.read(pack.slug)).toBeNull()
    expect((await one.packs.listOwned(ownerId, 1, 2)).total).toBe(0)
  })
})
