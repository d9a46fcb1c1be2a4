import { afterAll, describe, expect, it } from 'vitest'
import { hidePack } from '../../src/operations/moderation.ts'
import { quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { createFaults } from './faults.ts'
import {
  expectPage,
  ignoresOtherQueries,
  linkOf,
  readsPageNumbers,
  slugsOf,
  turnPages,
} from './pages.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { seed } from './seed.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const subject: Subject = { house, method: 'GET', prepare: async () => ({ path: '/me/packs' }) }
const newHost = () => house.host()

describe('200 a page of your packs', () => {
  it('has one empty page while there are none (D-15)', async () => {
    const reply = await (await newHost()).get('/me/packs')
    expectPage(reply, { page: 1, pageCount: 1, total: 0 }, 0)
    expect(reply.headers.get('link')).toBe(linkOf('/me/packs', { first: 1, last: 1 }))
  })

  it('has packs of any visibility, hidden ones too, and nobody else’s (spec 4.1)', async () => {
    const [host, other] = [await newHost(), await newHost()]
    await other.save(aPack({ visibility: 'public' }))
    const mine = [
      await host.save(aPack({ visibility: 'private' })),
      await host.save(aPack({ visibility: 'unlisted' })),
      await host.save(aPack({ visibility: 'public' })),
      await host.save(aPack({ visibility: 'public', name: 'Hidden' })),
    ]
    await hidePack(house.ports, mine[3]!)
    const reply = await host.get('/me/packs')
    expectPage(reply, { page: 1, pageCount: 1, total: 4 }, 4)
    expect(slugsOf(reply)).toEqual(mine.toReversed())
    expect(reply.json.packs[0].hiddenAt).toBe(new Date(house.clock.now()).toISOString())
  })

  it('has whole packs, as GET /packs/{slug} gives them (spec 2.7)', async () => {
    const host = await newHost()
    const slug = await host.save(
      aPack({ description: 'Best of 13', buckets: [{ code: 'RC', color: 3 }] }),
    )
    const { pack } = (await host.get(`/packs/${slug}`)).json
    const [listed] = (await host.get('/me/packs')).json.packs
    expect(JSON.stringify(listed)).toBe(JSON.stringify(pack))
  })

  it('begins with the most recently updated (spec 4.1)', async () => {
    const host = await newHost()
    const [a, b, c] = await seed(house, host, 3, () => (house.clock.advance(1), {}))
    expect(slugsOf(await host.get('/me/packs'))).toEqual([c, b, a])
    house.clock.advance(1)
    await host.put(a!, aPack())
    expect(slugsOf(await host.get('/me/packs'))).toEqual([a, c, b])
    await host.delete(c!)
    expect(slugsOf(await host.get('/me/packs'))).toEqual([a, b])
  })

  it('has 50 a page and loses none between pages, all updated at once (D-16)', async () => {
    const host = await newHost()
    const saved = await seed(house, host, 120)
    expect(await turnPages(host, '/me/packs')).toEqual(saved.toReversed())
    const page = async (number: number) => host.get(`/me/packs?page=${number}`)
    const links = async (number: number) => (await page(number)).headers.get('link')
    expectPage(await page(1), { page: 1, pageCount: 3, total: 120 }, 50)
    expect(await links(1)).toBe(linkOf('/me/packs', { first: 1, next: 2, last: 3 }))
    expectPage(await page(2), { page: 2, pageCount: 3, total: 120 }, 50)
    expect(await links(2)).toBe(linkOf('/me/packs', { first: 1, prev: 1, next: 3, last: 3 }))
    expectPage(await page(3), { page: 3, pageCount: 3, total: 120 }, 20)
    expect(await links(3)).toBe(linkOf('/me/packs', { first: 1, prev: 2, last: 3 }))
  })

  it('has no packs past the end, and still its numbers (spec 4.1 rule 1)', async () => {
    const host = await newHost()
    await seed(house, host, 51)
    const reply = await host.get('/me/packs?page=999999')
    expectPage(reply, { page: 999_999, pageCount: 2, total: 51 }, 0)
    expect(reply.headers.get('link')).toBe(linkOf('/me/packs', { first: 1, prev: 2, last: 2 }))
  })

  it('has exactly one page of exactly 50 packs', async () => {
    const host = await newHost()
    await seed(house, host, 50)
    expectPage(await host.get('/me/packs'), { page: 1, pageCount: 1, total: 50 }, 50)
  })

  it('gives 304 until one of the packs changes; that counts as a request (D-13)', async () => {
    const host = await newHost()
    const slug = await host.save(aPack())
    const first = await host.get('/me/packs')
    const condition = { 'If-None-Match': first.headers.get('etag') ?? '' }
    const again = await host.get('/me/packs', condition)
    expect(again).toMatchObject({ status: 304, text: '' })
    expect(quotaOf(again).remaining).toBe(quotaOf(first).remaining - 1)
    await host.put(slug, aPack({ description: 'changed' }))
    expect((await host.get('/me/packs', condition)).status).toBe(200)
  })

  ignoresOtherQueries(newHost, '/me/packs')
})

describe('400 bad_request', () => readsPageNumbers(newHost, '/me/packs'))

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => survivesFaults(subject, faults, ['packs', 'quotas']))
