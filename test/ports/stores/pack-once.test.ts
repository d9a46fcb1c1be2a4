import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import type { Creation } from '../../../src/ports/packs.ts'
import type { IdempotencyToken } from '../../../src/ports/store.ts'
import { aNewPack, freshSlug } from '../sample-pack.ts'
import { addOwners, withStore } from '../temp-store.ts'

describe('PackStore.create once', () => {
  let one: Stores
  let two: Stores

  const named = (changes: Partial<IdempotencyToken> = {}): IdempotencyToken => ({
    key: freshSlug(),
    fingerprint: 'f'.repeat(43),
    since: 500,
    ...changes,
  })
  const account = async (): Promise<string> => {
    const id = freshSlug()
    await one.accounts.ensurePlayer({ gameId: Number(id.slice(1)) + 10, username: id }, id, 0)
    return id
  }
  const totalOf = async (ownerId: string) => (await one.packs.listOwned(ownerId, 1, 1)).total
  const slugOf = (creation: Creation) => ('pack' in creation ? creation.pack.slug : null)

  withStore(beforeAll, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
  })

  it('makes one pack, and gives it again as it was made', async () => {
    const ownerId = await account()
    const [once, pack] = [named(), aNewPack({ ownerId })]
    const created = await one.packs.create(pack, 200, once)
    expect(created).toEqual({
      outcome: 'created',
      pack: { ...pack, ownerUsername: ownerId },
    })
    const again = aNewPack({ ownerId, createdAt: 2_000, updatedAt: 2_000 })
    expect(await two.packs.create(again, 200, once)).toEqual({ ...created, outcome: 'repeated' })
    expect(await one.packs.read(again.slug)).toBeNull()
    expect(await totalOf(ownerId)).toBe(1)
  })

  it('gives it as it was, whatever has become of the pack and its owner’s name', async () => {
    const ownerId = await account()
    const [once, pack] = [named(), aNewPack({ ownerId })]
    const created = await one.packs.create(pack, 200, once)
    const gameId = (await one.accounts.read(ownerId))?.gameId ?? 0
    await one.accounts.ensurePlayer({ gameId, username: 'renamed' }, 'unused', 9)
    await one.packs.replace(pack.slug, ownerId, (saved) => ({ ...saved, name: 'Other' }))
    const again = () => two.packs.create(aNewPack({ ownerId }), 200, once)
    expect(await again()).toEqual({ ...created, outcome: 'repeated' })
    await one.packs.remove(pack.slug, ownerId, 0)
    expect(await again()).toEqual({ ...created, outcome: 'repeated' })
    expect(await totalOf(ownerId)).toBe(0)
  })

  it('tells another fingerprint under the same key apart, and stores nothing then', async () => {
    const ownerId = await account()
    const once = named()
    await one.packs.create(aNewPack({ ownerId }), 200, once)
    const other = { ...once, fingerprint: 'g'.repeat(43) }
    expect(await two.packs.create(aNewPack({ ownerId }), 200, other)).toEqual({
      outcome: 'key_taken',
    })
    expect(await totalOf(ownerId)).toBe(1)
  })

  it('leaves each owner keys of their own, and creations without a key alone', async () => {
    const [ownerId, otherId, once] = [await account(), await account(), named()]
    const creations = [
      await one.packs.create(aNewPack({ ownerId }), 200, once),
      await one.packs.create(aNewPack({ ownerId: otherId }), 200, once),
      await one.packs.create(aNewPack({ ownerId }), 200),
      await one.packs.create(aNewPack({ ownerId }), 200, null),
    ]
    expect(creations.map(({ outcome }) => outcome)).toEqual(Array(4).fill('created'))
  })

  it('answers at the limit of packs too (D-28)', async () => {
    const ownerId = await account()
    const once = named()
    const created = await one.packs.create(aNewPack({ ownerId }), 1, once)
    expect(slugOf(await one.packs.create(aNewPack({ ownerId }), 1, once))).toBe(slugOf(created))
  })

  it('does not remember what made no pack', async () => {
    const ownerId = await account()
    const [once, taken] = [named(), aNewPack({ ownerId })]
    await one.packs.create(taken, null)
    const refused = [
      await one.packs.create(aNewPack({ ownerId }), 1, once),
      await one.packs.create(aNewPack({ ownerId, slug: taken.slug }), 200, once),
      await one.packs.create(aNewPack({ ownerId: 'nobody' }), 200, once),
    ]
    expect(refused.map(({ outcome }) => outcome)).toEqual(['full', 'slug_taken', 'no_owner'])
    const other = { ...once, fingerprint: 'g'.repeat(43) }
    expect((await one.packs.create(aNewPack({ ownerId }), 200, other)).outcome).toBe('created')
  })

  it('makes exactly one of 40 at once through two doors, and all are told of it', async () => {
    const ownerId = await account()
    const once = named()
    const creations = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        (at % 2 ? one : two).packs.create(aNewPack({ ownerId }), 200, once),
      ),
    )
    expect(creations.filter(({ outcome }) => outcome === 'created')).toHaveLength(1)
    expect(creations.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(39)
    expect(new Set(creations.map(slugOf)).size).toBe(1)
    expect(await totalOf(ownerId)).toBe(1)
  })

  it('lets one of two fingerprints win a race for a key', async () => {
    const ownerId = await account()
    const once = named()
    const creations = await Promise.all(
      ['f', 'g'].flatMap((mark, door) =>
        Array.from({ length: 10 }, () =>
          [one, two][door]!.packs.create(aNewPack({ ownerId }), 200, {
            ...once,
            fingerprint: mark.repeat(43),
          }),
        ),
      ),
    )
    const count = (which: string) => creations.filter(({ outcome }) => outcome === which).length
    expect([count('created'), count('repeated'), count('key_taken')]).toEqual([1, 9, 10])
  })

  it('forgets with time, and then takes the key for another pack', async () => {
    const ownerId = await account()
    const once = named()
    const first = await one.packs.create(aNewPack({ ownerId }), 200, once)
    const at = (since: number, fingerprint: string) =>
      two.packs.create(aNewPack({ ownerId, createdAt: 9_000 }), 200, {
        ...once,
        since,
        fingerprint,
      })
    expect(slugOf(await at(1_000, once.fingerprint))).toBe(slugOf(first))
    const second = await at(1_001, 'g'.repeat(43))
    expect(second.outcome).toBe('created')
    expect(slugOf(await at(9_000, 'g'.repeat(43)))).toBe(slugOf(second))
    expect(await totalOf(ownerId)).toBe(2)
  })

  it('forgets an account that is deleted', async () => {
    const ownerId = await account()
    const once = named()
    await one.packs.create(aNewPack({ ownerId }), 200, once)
    const gameId = (await one.accounts.read(ownerId))?.gameId ?? 0
    await one.accounts.remove(ownerId, 0)
    await one.accounts.ensurePlayer({ gameId, username: ownerId }, ownerId, 0)
    const again = await one.packs.create(aNewPack({ ownerId }), 200, once)
    expect(again.outcome).toBe('created')
  })
})
