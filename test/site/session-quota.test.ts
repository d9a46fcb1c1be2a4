import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { quotaOf } from '../support/door.ts'
import { aPack } from '../support/samples.ts'
import { aLink, expectSiteError } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let owner: Browser

beforeEach(async () => {
  house = await openSiteHouse()
  owner = await house.signedIn(7001)
})
afterEach(() => house.close())

const left = async (from: Browser = owner) => {
  const { quota } = (await from.ask('GET', '/session')).json
  return [quota.requests.left, quota.writes.left]
}

describe('spec 8: saving on the site counts toward the same 10 writes as the API', () => {
  test('five here and five there are ten; the eleventh is refused here and there', async () => {
    const host = await house.hostOf(7001, 'Peridot')
    for (let time = 0; time < 5; time++) {
      expect((await owner.ask('POST', '/session/packs', aPack())).status).toBe(201)
      expect((await host.post(aPack())).status).toBe(201)
    }
    const here = await owner.ask('POST', '/session/packs', aPack())
    expectSiteError(here, 'rate_limited', /more than 10 writes in this minute/)
    expect(here.headers.get('retry-after')).toBe('59')
    expect(quotaOf(here)).toEqual({ limit: 10, remaining: 0, reset: 59 })
    expect((await host.post(aPack())).status).toBe(429)
    house.clock.nextMinute()
    expect((await owner.ask('POST', '/session/packs', aPack())).status).toBe(201)
  })

  test('exactly ten of many at once get through, wherever they come in', async () => {
    const host = await house.hostOf(7001, 'Peridot')
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        at % 2 === 0 ? owner.ask('POST', '/session/packs', aPack()) : host.post(aPack()),
      ),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(14)
    expect((await owner.ask('GET', '/session/packs')).json.total).toBe(10)
  })

  test('every way of saving spends one, whatever comes of it (D-8)', async () => {
    const slug = await house.save(owner, aPack())
    const { packKey } = (await owner.ask('GET', `/session/packs/${slug}`)).json.pack
    const path = `/session/packs/${slug}`
    const ways: readonly (readonly [string, string, unknown, number])[] = [
      ['POST', `${path}/magnets`, { url: aLink(1), packKey }, 201],
      ['DELETE', `${path}/magnets`, { url: aLink(1) }, 200],
      ['PUT', path, { pack: aPack(), basedOn: '2020-01-01T00:00:00.000Z' }, 409],
      ['POST', '/session/packs', { name: '' }, 400],
      ['DELETE', '/session/packs/AAAAAAAAAA', undefined, 404],
      ['DELETE', path, undefined, 204],
    ]
    for (const [at, [method, to, body, status]] of ways.entries()) {
      const reply = await owner.ask(method, to, body)
      expect([to, reply.status]).toEqual([to, status])
      expect(quotaOf(reply)).toEqual({ limit: 10, remaining: 8 - at, reset: 59 })
    }
    expect(await left()).toEqual([53, 3])
  })

  test('all else spends nothing', async () => {
    for (const path of ['/session', '/session/packs', '/session/key', '/session/my-data']) {
      await owner.ask('GET', path)
    }
    await owner.ask('POST', '/session/beatmaps', { beatmaps: [{ id: 75, mods: [] }] })
    await owner.ask('POST', '/session/key')
    await owner.ask('DELETE', '/session/key')
    await owner.open('/')
    expect(await left()).toEqual([60, 10])
  })

  test('belongs to the account: another browser of the player spends the same, another player does not', async () => {
    await house.save(owner, aPack())
    expect(await left(await house.signedIn(7001))).toEqual([59, 9])
    expect(await left(await house.signedIn(7002))).toEqual([60, 10])
  })

  test('D-7: the pools service counts by itself', async () => {
    await house.save(owner, aPack())
    expect(await left(await house.signedIn(7001, 'pools'))).toEqual([60, 10])
  })
})
