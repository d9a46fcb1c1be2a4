import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openHouse, type Host, type House } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const kept = ['pack', 'public_block', 'public_change', 'shared_number']

let house: House
let host: Host
beforeAll(async () => {
  house = await openHouse()
  host = await house.host()
})
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

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

/** Calls `work` with a function that puts the store back to what it is now. */
const withRestore = async (work: (restore: () => Promise<void>) => Promise<void>) => {
  await alterAll((table) => `create table saved_${table} as select * from ${table}`)
  try {
    await work(async () => {
      await alterAll((table) => `delete from ${table}`)
      await alterAll((table) => `insert into ${table} select * from saved_${table}`)
    })
  } finally {
    await alterAll((table) => `drop table saved_${table}`)
  }
}

const input = (name: string, beatmapId = 1) =>
  aPack({
    name,
    visibility: 'public',
    description: `with ${beatmapId}`,
    slots: [{ mod: 'NM', index: 1, beatmapId }],
  })

const listed = async (): Promise<string[]> =>
  (await host.get('/packs')).json.packs.map(({ slug }: { slug: string }) => slug)

it('a save that was lost and came again in the same moment shows its own content', async () => {
  const slug = await host.save(input('Finals', 1))
  await read(slug)
  await withRestore(async (restore) => {
    await host.put(slug, input('Finals', 2))
    const [lost] = await read(slug)
    expect(lost).toMatchObject({ description: 'with 2', beatmapId: 2 })

    await restore()
    // The clock has not moved: the pack and the list reach the very numbers that they had.
    await host.put(slug, input('Finals', 3))
    const now = { ...lost, description: 'with 3', beatmapId: 3 }
    expect(await read(slug)).toEqual([now, now, now])
  })
})

it('of changes that were lost, readers hear that they must read all packs, never nothing', async () => {
  const { publicIndex } = house.ports
  await host.save(input('kept'))
  const before = await publicIndex.version()
  await withRestore(async (restore) => {
    await host.save(input('lost'))
    await host.save(input('lost too'))
    const after = await publicIndex.version()
    expect((await publicIndex.readChanges(before, 10))?.changed).toHaveLength(2)

    await restore()
    expect(await publicIndex.version()).toBe(before)
    expect(await publicIndex.readChanges(after, 10)).toBeNull()
    // The numbers come again, and are passed.
    for (const name of ['one', 'two', 'three']) {
      await host.save(input(name))
      expect(await publicIndex.version()).not.toBe(after)
      expect(await publicIndex.readChanges(after, 10)).toBeNull()
    }
    const changes = await publicIndex.readChanges(before, 10)
    expect(changes?.changed.map(({ name }) => name).toSorted()).toEqual(['one', 'three', 'two'])
    expect(changes?.gone).toEqual([])
  })
})

it('changes that were lost before they were counted are gone from the list', async () => {
  await house.ports.publicIndex.version()
  const before = await listed()
  await withRestore(async (restore) => {
    const lost = await host.save(input('lost'))
    expect(await listed()).toEqual([lost, ...before])
    await restore()
    expect(await listed()).toEqual(before)
    const instead = await host.save(input('instead'))
    expect(await listed()).toEqual([instead, ...before])
  })
})
