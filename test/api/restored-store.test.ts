import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHouse, type Host, type House } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const kept = ['pack', 'public_block', 'shared_number']

let house: House
let host: Host
beforeAll(async () => {
  house = await openHouse()
  host = await house.host()
})
afterAll(() => house.close())

const alterAll = async (statement: (table: string) => string): Promise<void> => {
  for (const table of kept) await house.alter(statement(table))
}

/** What a client reads of the pack, by itself and in the lists. */
const read = async (slug: string) => {
  const replies = [
    await host.get(`/packs/${slug}`),
    await host.get('/packs'),
    await host.get('/me/packs'),
  ]
  const packs = replies.map(({ json }) => json.pack ?? json.packs[0])
  return packs.map(({ description, slots, updatedAt }) => ({
    description,
    beatmapId: slots[0].beatmapId,
    updatedAt,
  }))
}

it('C-6: a save that was lost and came again in the same moment shows its own content', async () => {
  const input = (beatmapId: number) =>
    aPack({
      name: 'Finals',
      visibility: 'public',
      description: `with ${beatmapId}`,
      slots: [{ mod: 'NM', index: 1, beatmapId }],
    })
  const slug = await host.save(input(1))
  await read(slug)
  await alterAll((table) => `create table saved_${table} as select * from ${table}`)
  try {
    await host.put(slug, input(2))
    const [lost] = await read(slug)
    expect(lost).toMatchObject({ description: 'with 2', beatmapId: 2 })

    await alterAll((table) => `delete from ${table}`)
    await alterAll((table) => `insert into ${table} select * from saved_${table}`)
    // The clock has not moved: the pack and the list reach the very numbers that they had.
    await host.put(slug, input(3))
    const now = { ...lost, description: 'with 3', beatmapId: 3 }
    expect(await read(slug)).toEqual([now, now, now])
  } finally {
    await alterAll((table) => `drop table saved_${table}`)
  }
})
