import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import type { NewPack } from '../../../src/domain/packs.ts'
import { aNewPack } from '../sample-pack.ts'
import { addOwners, withStore } from '../temp-store.ts'

describe('PackStore.changeExports', () => {
  let one: Stores
  let two: Stores

  withStore(beforeAll, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
  })

  const link = (at: number) => ({ url: `magnet:?xt=urn:btih:${at}`, createdAt: at })

  it('changes the magnet links alone, in the pack as it is now (D-43)', async () => {
    const stats = { computedAt: '2026-10-03T18:30:04.000Z' } as NewPack['stats']
    const pack = aNewPack({ exports: [link(1)], stats, pinnedRank: null })
    await one.packs.create(pack, null)
    const before = await one.packs.listPublic(1, 1)
    const changed = await two.packs.changeExports(pack.slug, 'owner', (saved) => [
      link(2),
      ...saved.exports,
    ])
    const expected = { ...pack, exports: [link(2), link(1)], ownerUsername: 'mapper' }
    expect(changed).toEqual(expected)
    expect(await one.packs.read(pack.slug)).toEqual(expected)
    expect((await one.packs.listPublic(1, 1)).total).toBe(before.total)
  })

  it('leaves the stats work as it is', async () => {
    const pack = aNewPack({ updatedAt: 4e15, visibility: 'unlisted' })
    await one.packs.create(pack, null)
    const due = await one.statsWork.takeDue(4e15, 5e15, 1000)
    const mine = due.find((each) => each.pack.slug === pack.slug)
    await one.packs.changeExports(pack.slug, 'owner', () => [link(1)])
    const result = { stats: null, dueAt: null, attempts: 0 }
    expect(await one.statsWork.finish(mine!, result)).toBe(true)
    expect((await one.packs.read(pack.slug))?.exports).toEqual([link(1)])
  })

  it("is null for a missing pack and another's, passes on what the change throws", async () => {
    const pack = aNewPack()
    await one.packs.create(pack, null)
    const never = (): never => {
      throw new Error('refused')
    }
    expect(await one.packs.changeExports('nobodyhas1', 'owner', never)).toBeNull()
    expect(await one.packs.changeExports(pack.slug, 'other', never)).toBeNull()
    await expect(one.packs.changeExports(pack.slug, 'owner', never)).rejects.toThrow('refused')
    expect((await one.packs.read(pack.slug))?.exports).toEqual([])
  })

  it('loses none of 40 concurrent changes through two doors', async () => {
    const pack = aNewPack()
    await one.packs.create(pack, null)
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        (at % 2 ? one : two).packs.changeExports(pack.slug, 'owner', (saved) => [
          link(at),
          ...saved.exports,
        ]),
      ),
    )
    expect((await one.packs.read(pack.slug))?.exports).toHaveLength(40)
  })
})
