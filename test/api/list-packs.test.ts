import { afterAll, describe, expect, it } from 'vitest'
import { hidePack, pinPack, unhidePack } from '../../src/operations/moderation.ts'
import { publishPool } from '../../src/operations/published-pools.ts'
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

const subject: Subject = { house, method: 'GET', prepare: async () => ({ path: '/packs' }) }
const newHost = () => house.host()
const aPublicPack = (name: string) => aPack({ name, visibility: 'public' })

describe('200 a page of public packs', () => {
  it('has one empty page while there are none (D-15)', async () => {
    const reply = await (await newHost()).get('/packs')
    expectPage(reply, { page: 1, pageCount: 1, total: 0 }, 0)
    expect(reply.headers.get('link')).toBe(linkOf('/packs', { first: 1, last: 1 }))
  })

  it('has everyone’s public packs alone, also for their owners (spec 4.1)', async () => {
    const [host, other] = [await newHost(), await newHost()]
    await host.save(aPack({ visibility: 'private' }))
    await host.save(aPack({ visibility: 'unlisted' }))
    const mine = await host.save(aPublicPack('Mine'))
    const theirs = await other.save(aPublicPack('Theirs'))
    const reply = await host.get('/packs')
    expectPage(reply, { page: 1, pageCount: 1, total: 2 }, 2)
    expect(slugsOf(reply)).toEqual([theirs, mine])
    expect(reply.json.packs[0].ownerName).toBe(other.username)
    const alone = await other.get(`/packs/${mine}`)
    expect(JSON.stringify(reply.json.packs[1])).toBe(JSON.stringify(alone.json.pack))
  })

  it('leaves hidden packs out, also for their owners (spec 3)', async () => {
    const host = await newHost()
    const slug = await host.save(aPublicPack('To be hidden'))
    await hidePack(house.ports, slug)
    expect(slugsOf(await host.get('/packs'))).not.toContain(slug)
    await unhidePack(house.ports, slug)
    expect(slugsOf(await host.get('/packs'))).toContain(slug)
  })

  it('lets a pack come and go with its visibility, and go when it is deleted', async () => {
    const host = await newHost()
    const slug = await host.save(aPack({ visibility: 'private' }))
    await host.put(slug, aPublicPack('Now public'))
    expect(slugsOf(await host.get('/packs'))).toContain(slug)
    await host.put(slug, aPack())
    expect(slugsOf(await host.get('/packs'))).not.toContain(slug)
    await host.put(slug, aPublicPack('Public again'))
    await host.delete(slug)
    expect(slugsOf(await host.get('/packs'))).not.toContain(slug)
  })

  it('begins with the most recently updated; a pin neither marks nor moves (spec 4.1 rule 2)', async () => {
    const host = await newHost()
    const [a, b, c] = await seed(house, host, 3, (at) => {
      house.clock.advance(1)
      return aPublicPack(`Updated ${at}`)
    })
    const before = await host.get('/packs')
    expect(slugsOf(before).slice(0, 3)).toEqual([c, b, a])
    await pinPack(house.ports, a!)
    const pinned = await host.get('/packs')
    expect(pinned.text).toBe(before.text)
    expect(pinned.headers.get('etag')).toBe(before.headers.get('etag'))
    house.clock.advance(1)
    await host.put(a!, aPublicPack('Updated last'))
    expect(slugsOf(await host.get('/packs')).slice(0, 3)).toEqual([a, c, b])
  })

  it('shows tournament pools as plain packs of the label (spec 9, D-28)', async () => {
    house.clock.advance(1)
    const { slug } = await publishPool(house.ports, aPack({ name: 'Spring Cup' }))
    const [first] = (await (await newHost()).get('/packs')).json.packs
    expect(first).toMatchObject({ slug, visibility: 'public', ownerName: 'Tournament pools' })
  })

  it('has 50 a page and loses none between pages, all updated at once (D-16)', async () => {
    const [host, reader] = [await newHost(), await newHost()]
    const known = (await reader.get('/packs')).json.total
    house.clock.advance(1)
    const saved = await seed(house, host, 130, (at) => aPublicPack(`Pack ${at}`))
    const total = known + 130
    const listed = await turnPages(reader, '/packs')
    expect(listed.slice(0, 130)).toEqual(saved.toReversed())
    expect(new Set(listed).size).toBe(total)
    const page = async (number: number) => reader.get(`/packs?page=${number}`)
    const links = async (number: number) => (await page(number)).headers.get('link')
    expectPage(await page(1), { page: 1, pageCount: 3, total }, 50)
    expect(await links(1)).toBe(linkOf('/packs', { first: 1, next: 2, last: 3 }))
    expectPage(await page(2), { page: 2, pageCount: 3, total }, 50)
    expect(await links(2)).toBe(linkOf('/packs', { first: 1, prev: 1, next: 3, last: 3 }))
    expectPage(await page(3), { page: 3, pageCount: 3, total }, total - 100)
    expect(await links(3)).toBe(linkOf('/packs', { first: 1, prev: 2, last: 3 }))
    expectPage(await page(4), { page: 4, pageCount: 3, total }, 0)
    expect(await links(4)).toBe(linkOf('/packs', { first: 1, prev: 3, last: 3 }))
  })

  it('shows equals newest created first, however their times came about (D-16)', async () => {
    const host = await newHost()
    house.clock.advance(10)
    const now = house.clock.now()
    const older = await host.save(aPublicPack('Older'))
    house.clock.advance(-5)
    const newer = await host.save(aPublicPack('Newer'))
    house.clock.advance(4)
    await host.put(newer, aPublicPack('Newer'))
    await host.put(newer, aPublicPack('Newer'))
    const [first, second] = (await host.get('/packs')).json.packs
    expect([first.slug, second.slug]).toEqual([newer, older])
    expect(Date.parse(first.updatedAt)).toBe(now)
    expect(Date.parse(second.updatedAt)).toBe(now)
    house.clock.advance(1)
  })

  it('gives 304 until a public pack changes; that counts as a request (D-13)', async () => {
    const host = await newHost()
    const first = await host.get('/packs')
    const condition = { 'If-None-Match': first.headers.get('etag') ?? '' }
    await host.save(aPack())
    const again = await host.get('/packs', condition)
    expect(again).toMatchObject({ status: 304, text: '' })
    expect(again.headers.get('link')).toBe(first.headers.get('link'))
    expect(quotaOf(again).remaining).toBe(quotaOf(first).remaining - 2)
    await host.save(aPublicPack('A change'))
    expect((await host.get('/packs', condition)).status).toBe(200)
  })

  ignoresOtherQueries(newHost, '/packs')
})

describe('400 bad_request', () => readsPageNumbers(newHost, '/packs'))

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => survivesFaults(subject, faults, ['packs', 'quotas']))
