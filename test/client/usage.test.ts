import { afterAll, describe, expect, expectTypeOf, it } from 'vitest'
import { createPoolsClient } from '../../src/client/tournaments.ts'
import type { UsagePage, UsagesPage } from '../../src/contract/usage.ts'
import { seed } from '../api/seed.ts'
import { openHouse } from '../support/house.ts'
import { holding, newBeatmap, takeOver } from '../support/usage-scene.ts'

const house = await openHouse()
afterAll(() => house.close())

const open = async () => {
  house.clock.nextMinute()
  const { key } = await house.host('pools')
  return createPoolsClient({ baseUrl: house.doors.pools.url, key })
}

describe('a client reads where beatmaps were pooled (D-67)', () => {
  it('of one, of several, and of all pages', async () => {
    const [a, b] = [newBeatmap(), newBeatmap()]
    const owner = await house.host()
    const slugs = await seed(house, owner, 60, (at) => {
      house.clock.advance(1)
      return holding(at === 0 ? b : a)
    })
    await takeOver(house.ports)
    const client = await open()
    const first = await client.getBeatmapUsage(a)
    expectTypeOf(first).toEqualTypeOf<UsagePage>()
    expect(first).toMatchObject({ page: 1, pageCount: 2, total: 59 })
    expect(first.uses[0]).toMatchObject({ slug: slugs[59], mod: 'NM', index: 2 })
    expect((await client.getBeatmapUsage(a, { page: 2 })).uses).toHaveLength(9)
    const several = await client.listBeatmapUsage([b, a], { page: 2 })
    expectTypeOf(several).toEqualTypeOf<UsagesPage>()
    expect(several.totals).toEqual([
      { beatmapId: b, total: 1 },
      { beatmapId: a, total: 59 },
    ])
    const found: string[] = []
    for await (const { slug } of client.iterateBeatmapUsage([a, b])) found.push(slug)
    expect(found).toEqual(slugs.toReversed())
  })

  it('yields both slots of a pack that holds a beatmap twice', async () => {
    const beatmapId = newBeatmap()
    const slots = [1, 2].map((index) => ({ mod: 'NM', index, beatmapId }))
    await (await house.host()).save(holding(beatmapId, { slots }))
    await takeOver(house.ports)
    const found: number[] = []
    for await (const { index } of (await open()).iterateBeatmapUsage([beatmapId])) {
      found.push(index)
    }
    expect(found).toEqual([1, 2])
  })

  it('throws for what is no beatmap, and for too many', async () => {
    const client = await open()
    for (const id of [0, -1, 1.5, Number.NaN]) {
      const asked = client.getBeatmapUsage(id)
      await expect(asked).rejects.toMatchObject({ code: 'not_found', status: null })
    }
    const ids = Array.from({ length: 51 }, (_, at) => at + 1)
    for (const wrong of [ids, []]) {
      const asked = client.listBeatmapUsage(wrong)
      await expect(asked).rejects.toMatchObject({ code: 'bad_request' })
    }
  })
})
