import { afterAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/packs.ts'
import type { Pack } from '../../src/contract/packs.ts'
import { createPack, replacePack } from '../../src/operations/packs.ts'
import { accountIdOf, seed } from '../api/seed.ts'
import { withoutQuotas } from '../api/spend.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse({ withPorts: withoutQuotas })
afterAll(() => house.close())

/** A client that is in nobody's hurry, and the pages that it has asked for. */
const open = async () => {
  const host = await house.host()
  const pages: string[] = []
  const counted: typeof fetch = (target, init) => {
    const page = /\?page=(\d+)$/.exec(target as string)?.[1]
    if (page !== undefined) pages.push(page)
    return fetch(target, init)
  }
  const options = { baseUrl: host.door.url, key: host.key, fetch: counted, pace: false }
  return { host, client: createClient(options), pages }
}

const collect = async (packs: AsyncIterable<Pack>, each?: (pack: Pack) => Promise<unknown>) => {
  const slugs: string[] = []
  for await (const pack of packs) {
    slugs.push(pack.slug)
    await each?.(pack)
  }
  return slugs
}

describe('walking through a list', () => {
  it('gives every pack once, newest first (D-16)', async () => {
    const { host, client, pages } = await open()
    const slugs = await seed(house, host, 120)
    expect(await collect(client.iterateMyPacks())).toEqual(slugs.toReversed())
    expect(pages).toEqual(['1', '2', '3'])
  })

  it('gives public packs of all (spec 4.1)', async () => {
    const { host, client } = await open()
    const slugs = await seed(house, host, 60, (at) => ({
      visibility: at % 2 ? 'public' : 'unlisted',
    }))
    const found = await collect(client.iteratePacks())
    expect(found.filter((slug) => slugs.includes(slug))).toHaveLength(30)
  })

  it('reads a page when its first pack is asked for, and none when there is no need', async () => {
    const { host, client, pages } = await open()
    await seed(house, host, 101)
    const packs = client.iterateMyPacks()
    expect(pages).toEqual([])
    for (let count = 0; count < 50; count += 1) await packs.next()
    expect(pages).toEqual(['1'])
    for await (const pack of packs) if (pack.slug !== '') break
    expect(pages).toEqual(['1', '2'])
    expect(await packs.next()).toEqual({ done: true, value: undefined })
  })

  it('ends at once where there is nothing', async () => {
    const { client, pages } = await open()
    expect(await collect(client.iterateMyPacks())).toEqual([])
    expect(pages).toEqual(['1'])
  })

  it('gives nothing twice when packs are saved meanwhile', async () => {
    const { host, client } = await open()
    const slugs = await seed(house, host, 110)
    const owner = await accountIdOf(house, host)
    let count = 0
    const found = await collect(client.iterateMyPacks(), async () => {
      house.clock.advance(1)
      if ((count += 1) % 10 === 0) await createPack(house.ports, owner, aPack())
    })
    expect(found.toSorted()).toEqual(slugs.toSorted())
  })

  it('misses none when packs are deleted meanwhile', async () => {
    const { host, client } = await open()
    const slugs = await seed(house, host, 130)
    const owner = await accountIdOf(house, host)
    const newest = slugs.slice(-3)
    let count = 0
    const found = await collect(client.iterateMyPacks(), async () => {
      if ((count += 1) === 20)
        for (const slug of newest) await house.ports.packs.remove(slug, owner, 0)
    })
    expect(found.toSorted()).toEqual(slugs.toSorted())
  })

  it.each([1, 2, 3, 4])(
    'misses none, and gives none twice, whatever is saved, made and deleted meanwhile (%i)',
    async (start) => {
      const { host, client } = await open()
      const slugs = await seed(house, host, 120)
      const owner = await accountIdOf(house, host)
      const deleted = new Set<string>()
      let state = start
      const random = (below: number) => {
        state = (state * 48_271) % 2_147_483_647
        return state % below
      }
      const found = await collect(client.iterateMyPacks(), async () => {
        house.clock.advance(1)
        const what = random(24)
        const slug = slugs[random(slugs.length)]!
        if (what === 0) await createPack(house.ports, owner, aPack())
        if (what === 1) {
          await house.ports.packs.remove(slug, owner, house.clock.now())
          deleted.add(slug)
        }
        if (what > 5 || deleted.has(slug)) return
        await replacePack(house.ports, owner, slug, aPack({ name: `save ${state}` }))
      })
      expect(new Set(found).size).toBe(found.length)
      const missed = slugs.filter((slug) => !found.includes(slug) && !deleted.has(slug))
      expect(missed).toEqual([])
    },
  )

  it('gives a pack of a page that is still to come, if that is saved meanwhile', async () => {
    const { host, client } = await open()
    const slugs = await seed(house, host, 60)
    const owner = await accountIdOf(house, host)
    let count = 0
    const found = await collect(client.iterateMyPacks(), async () => {
      house.clock.advance(1)
      if ((count += 1) === 50) await replacePack(house.ports, owner, slugs[3]!, aPack())
    })
    expect(found.toSorted()).toEqual(slugs.toSorted())
  })

  it('can delete all that it walks through', async () => {
    const { host, client } = await open()
    await seed(house, host, 130)
    const found = await collect(client.iterateMyPacks(), ({ slug }) => client.deletePack(slug))
    expect(new Set(found).size).toBe(130)
    expect((await client.listMyPacks()).total).toBe(0)
  })

  it('ends with its signal', async () => {
    const { host, client } = await open()
    await seed(house, host, 60)
    const controller = new AbortController()
    let count = 0
    const walking = collect(client.iterateMyPacks({ signal: controller.signal }), async () => {
      if ((count += 1) === 50) controller.abort(new Error('enough'))
    })
    await expect(walking).rejects.toThrow('enough')
    expect(count).toBe(50)
  })
})
