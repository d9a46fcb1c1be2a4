import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { asOperator, hide, pin, unhide } from '../../../src/domain/moderation.ts'
import type { NewPack, SavedPack } from '../../../src/domain/packs.ts'
import { aNewPack, freshSlug } from '../sample-pack.ts'
import { addOwners, type TempStore, withStore } from '../temp-store.ts'

describe('PackStore reading again', () => {
  let store: TempStore
  let one: Stores
  let two: Stores

  withStore(beforeAll, async (opened) => {
    ;({ store, one, two } = opened)
    await addOwners(one)
  })

  const stats = { computedAt: '2026-10-03T18:30:04.000Z' } as NonNullable<SavedPack['stats']>
  const link = { url: 'magnet:?xt=urn:btih:1', createdAt: 5 }
  const maps = [{ mod: null, index: 1, beatmapId: 75 }]
  const note = { moderatorId: null, reason: null, at: 80 }

  const save = async (changes: Partial<NewPack> = {}): Promise<string> => {
    const pack = aNewPack(changes)
    await one.packs.create(pack, null)
    return pack.slug
  }

  /** An account with one pack, and everything that can be done to it by another door. */
  const settle = async () => {
    const owner = freshSlug()
    const gameId = Number(owner.slice(1)) + 10
    await one.accounts.ensurePlayer({ gameId, username: owner }, owner, 0)
    const slug = await save({ ownerId: owner, updatedAt: 9_000 })
    const pinned = (pack: SavedPack, row: readonly SavedPack[]) => pin(pack, row, asOperator(), 79)
    const before = await save()
    await one.packs.moderate(before, pinned)
    const pins = async () => (await one.packs.listPinned()).map((pack) => pack.slug)
    return {
      slug,
      read: () => two.packs.read(slug),
      listed: async () => {
        const { rows: packs } = await two.packs.listPublic(1, 50)
        return packs.find((pack) => pack.slug === slug)
      },
      changes: {
        exports: () => one.packs.changeExports(slug, owner, () => [link]),
        stats: async () => {
          const due = await one.statsWork.takeDue(9_000, 9_500, 1_000)
          const mine = due.find(({ pack }) => pack.slug === slug)
          await one.statsWork.finish(mine!, { stats, dueAt: null, attempts: 0 })
        },
        pinnedRank: () => one.packs.moderate(slug, pinned),
        'the order of pins': async () => one.packs.setPins((await pins()).toReversed(), note),
        ownerUsername: () => one.accounts.ensurePlayer({ gameId, username: 'new' }, 'unused', 9),
        'a save': () =>
          one.packs.replace(slug, owner, (pack) => ({
            ...pack,
            name: 'Another',
            slots: maps,
            description: 'new',
            buckets: [{ code: 'NM' }],
            packKey: 'pk1.another',
            updatedAt: pack.updatedAt + 1,
          })),
        hiddenAt: () => one.packs.moderate(slug, (pack) => hide(pack, asOperator('spam'), 77)),
        'shown again': () => one.packs.moderate(slug, (pack) => unhide(pack, asOperator(), 78)),
        gone: () => one.packs.remove(slug, owner, 0),
      },
    }
  }

  it('gives each of many that are asked for at once, missing and repeated ones too', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `Pool ${at}`)
    const packs = names.map((name) => aNewPack({ name }))
    for (const pack of packs) await one.packs.create(pack, null)
    const asked = packs.flatMap(({ slug }, at) => (at % 3 ? [slug] : [slug, `no${slug}`, slug]))
    const nameOf = new Map(packs.map(({ slug, name }) => [slug, name]))
    // The first time they are new to this door, the second time it knows them.
    for (let round = 0; round < 2; round += 1) {
      const read = await Promise.all(asked.map(async (slug) => two.packs.read(slug)))
      expect(read.map((pack) => pack?.name)).toEqual(asked.map((slug) => nameOf.get(slug)))
    }
  })

  it('is not spoilt by a slug that no pack can have (U+0000)', async () => {
    const slug = await save()
    const odd = ['\0', '', `${slug}\0`, '\ud800', "'; --"]
    const read = await Promise.all([...odd, slug].map(async (each) => one.packs.read(each)))
    expect(read.map((pack) => pack?.slug)).toEqual([...odd.map(() => undefined), slug])
  })

  it('gives the same object while nothing of the pack changes, whatever else does', async () => {
    const slug = await save()
    const pack = await two.packs.read(slug)
    await save({ visibility: 'private' })
    expect(await two.packs.read(slug)).toBe(pack)
  })

  it('gives the same page while nothing on it changes, whatever else does', async () => {
    const page = await two.packs.listPublic(1, 50)
    await save({ visibility: 'private' })
    expect(await two.packs.listPublic(1, 50)).toBe(page)
    await save()
    expect((await two.packs.listPublic(1, 50)).total).toBe(page.total + 1)
  })

  it('gives what has changed by another door at once, one thing after the other', async () => {
    const { slug, read, changes } = await settle()
    const fresh = async () => (await store.open()).packs.read(slug)
    for (const [what, change] of Object.entries(changes)) {
      const before = await read()
      await change()
      const after = await read()
      expect(after, what).toEqual(await fresh())
      expect(after, what).not.toEqual(before)
    }
    expect(await read()).toBeNull()
  })

  it('gives what has changed on a page of the public list at once', async () => {
    const { slug, listed, changes } = await settle()
    const fresh = async () => {
      const { rows: packs } = await (await store.open()).packs.listPublic(1, 50)
      return packs.find((pack) => pack.slug === slug)
    }
    for (const [what, change] of Object.entries(changes)) {
      const before = await listed()
      await change()
      const after = await listed()
      expect(after, what).toEqual(await fresh())
      expect(after, what).not.toEqual(before)
    }
  })
})
