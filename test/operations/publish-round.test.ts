import { describe, expect, test } from 'vitest'
import { publishRound } from '../../src/operations/releases.ts'
import { unpublishPool } from '../../src/operations/published-pools.ts'
import { openScene, type Scene } from './tournament-scene.ts'

const SYSTEM = 'tournament-pools'

const pool = {
  name: 'Harbour Lights Cup Quarterfinals',
  slots: [
    { mod: 'NM', index: 1, beatmapId: 75 },
    { mod: 'TB', index: 1, beatmapId: 77 },
  ],
}

const packsOf = async ({ ports }: Pick<Scene, 'ports'>) =>
  (await ports.packs.listOwned(SYSTEM, 1, 50)).rows

describe('D-63, D-57: a pool is published as a round', () => {
  test('of a new name: the round is added after the others and released with its pack', async () => {
    const scene = await openScene()
    const { slug } = await scene.make({ state: 'public' })
    const finals = { ...pool, name: 'HLC 2019 Finals' }
    const { pack, before, isNew } = await publishRound(scene.ports, slug, ' Finals ', finals)
    expect({ before, isNew }).toEqual({ before: null, isNew: true })
    expect(pack).toMatchObject({ name: 'HLC 2019 Finals', visibility: 'public', slots: pool.slots })
    const { rounds } = (await scene.read(slug))!
    expect(rounds.map(({ name }) => name)).toEqual(['Quarterfinals', 'Finals'])
    expect(rounds[1]).toMatchObject({
      packName: 'HLC 2019 Finals',
      slots: pool.slots,
      releaseAt: null,
      released: { packSlug: pack.slug, name: 'Finals' },
    })
    expect((await packsOf(scene)).map((each) => each.slug)).toEqual([pack.slug])
  })

  test('that is there: its draft and its pack are replaced, the rest of it stays', async () => {
    const scene = await openScene()
    const { slug, roundId } = await scene.make({ state: 'public', round: 'scheduled' })
    await scene.change(slug, (saved) => ({
      ...saved,
      rounds: saved.rounds.map((round) => ({ ...round, bestOf: 11, bans: 2 })),
    }))
    const first = await publishRound(scene.ports, slug, 'QUARTERFINALS', pool)
    expect(first).toMatchObject({ before: null, isNew: false })
    scene.clock.advance(1000)
    const slots = [{ mod: 'NM', index: 1, beatmapId: 76 }]
    const second = await publishRound(scene.ports, slug, 'Quarterfinals', { ...pool, slots })
    expect(second.pack).toMatchObject({ slug: first.pack.slug, slots, version: 2 })
    expect(second.before).toMatchObject({ slots: pool.slots })
    const { rounds } = (await scene.read(slug))!
    expect(rounds).toHaveLength(1)
    expect(rounds[0]).toMatchObject({
      id: roundId,
      name: 'Quarterfinals',
      packName: null,
      bestOf: 11,
      bans: 2,
      slots,
      releaseAt: null,
      released: { packSlug: first.pack.slug, bestOf: 11, bans: 2 },
    })
    expect(await packsOf(scene)).toHaveLength(1)
  })

  test('and unpublished: the round stays without a pack, and the next publication has its slug (D-63)', async () => {
    const scene = await openScene()
    const { slug } = await scene.make({ state: 'public' })
    const { pack } = await publishRound(scene.ports, slug, 'Quarterfinals', pool)
    await unpublishPool(scene.ports, pack.slug)
    expect((await scene.read(slug))!.rounds[0]?.released).toMatchObject({ pack: null })
    const again = await publishRound(scene.ports, slug, 'Quarterfinals', pool)
    expect(again.pack.slug).toBe(pack.slug)
    expect(again.pack.createdAt).toBeGreaterThanOrEqual(pack.createdAt)
    expect((await scene.read(slug))!.rounds[0]?.released?.pack?.slug).toBe(again.pack.slug)
    expect((await packsOf(scene)).map((each) => each.slug)).toEqual([again.pack.slug])
  })

  test('a pool that the API would refuse, and a tournament that is not there, change nothing', async () => {
    const scene = await openScene()
    const { slug } = await scene.make()
    const before = await scene.read(slug)
    const twice = [...pool.slots, ...pool.slots]
    await expect(
      publishRound(scene.ports, slug, 'Finals', { ...pool, slots: twice }),
    ).rejects.toThrow(/slots\[2\]/)
    await expect(
      publishRound(scene.ports, slug, 'Finals', { ...pool, slots: [] }),
    ).rejects.toMatchObject({ code: 'conflict' })
    for (const missing of ['aaaaaaaaaa', 'no slug']) {
      await expect(publishRound(scene.ports, missing, 'Finals', pool)).rejects.toMatchObject({
        code: 'not_found',
      })
    }
    expect(await scene.read(slug)).toEqual(before)
    expect(await packsOf(scene)).toEqual([])
  })
})
