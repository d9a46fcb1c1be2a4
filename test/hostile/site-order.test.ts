import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CSRF_HEADER, type Endpoint } from '../../src/contract/endpoint.ts'
import type { Browser } from '../support/browser.ts'
import { quotaOf, type Reply } from '../support/door.ts'
import type { Host } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { bodies, endpoints, expectSiteError, pathFor } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const MODERATOR = 7003
const PLAYER = 7001

let house: SiteHouse
let moderator: Browser
let player: Browser
let host: Host
let slug: string
let valid: Readonly<Record<string, unknown>>

beforeAll(async () => {
  house = await openSiteHouse()
  await house.ports.accounts.setModerator(MODERATOR, true, 0)
  moderator = await house.signedIn(MODERATOR)
  player = await house.signedIn(PLAYER)
  host = await house.hostOf(PLAYER, 'Peridot')
  slug = await house.save(player, aPack({ visibility: 'public' }))
  const { packKey, updatedAt } = (await player.ask('GET', `/session/packs/${slug}`)).json.pack
  valid = bodies(packKey, updatedAt)
})
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

type Headers = Record<string, string | null>
type Named = readonly [string, Endpoint]

const saving = endpoints.filter(([, { spendsWrite }]) => spendsWrite)
const large = JSON.stringify({ filler: 'x'.repeat(17_000) })

describe('D-3: a request that is wrong in every way is told one thing after another, always in this order', () => {
  const changing = endpoints.filter(([, { proof }]) => proof === 'token')

  test.each(changing)('%s', async (...[, endpoint]: Named) => {
    const isVerdict = endpoint.who === 'moderators'
    const mine = isVerdict ? moderator : player
    const hasSlug = endpoint.path.includes('{slug}')
    const wrongType = { 'content-type': 'text/plain' }
    const from = (
      who: Browser,
      at: string,
      body: string | undefined,
      headers: Headers = {},
    ): Promise<Reply> => who.ask(endpoint.method, pathFor(endpoint, at), body, headers)

    const elsewhere = { origin: 'https://evil.test', [CSRF_HEADER]: 'x', ...wrongType }
    expectSiteError(await from(house.browser(), 'x', large, elsewhere), 'not_signed_in')
    const other = isVerdict ? player : mine
    expectSiteError(await from(other, 'x', large, elsewhere), 'forbidden', /page of this site/)
    const forged = { [CSRF_HEADER]: 'x', ...wrongType }
    expectSiteError(await from(other, 'x', large, forged), 'forbidden', /out of date/)
    if (isVerdict) {
      expectSiteError(await from(player, 'x', large, wrongType), 'forbidden', /only moderators/)
    }
    if (endpoint.spendsWrite) {
      for (let at = 0; at < 10; at += 1) await player.ask('POST', '/session/packs', '{}')
      expectSiteError(await from(mine, 'x', large, wrongType), 'rate_limited')
      house.clock.nextMinute()
    }
    if (hasSlug) expectSiteError(await from(mine, 'x', large, wrongType), 'not_found')
    if (endpoint.body === undefined) return
    const missing = 'AAAAAAAAAA'
    const wrong = await from(mine, missing, large, wrongType)
    expectSiteError(wrong, 'unsupported_media_type')
    expectSiteError(await from(mine, missing, large), 'too_large')
    expectSiteError(await from(mine, missing, '[]'), 'bad_request')
  })
})

describe('spec 8, D-8: every way of saving on the site spends what a write of the API spends', () => {
  test.each(saving)(
    '%s: one request and one write, refused or not',
    async (...[, endpoint]: Named) => {
      const tries: readonly (readonly [string, string | undefined, Headers])[] = [
        ['x', undefined, {}],
        ['AAAAAAAAAA', '{}', { 'content-type': 'text/plain' }],
        ['AAAAAAAAAA', large, {}],
        ['AAAAAAAAAA', '{', {}],
      ]
      for (const [at, [to, body, headers]] of tries.entries()) {
        const reply = await player.ask(endpoint.method, pathFor(endpoint, to), body, headers)
        expect(reply.status).toBeGreaterThanOrEqual(400)
        expect(quotaOf(reply)).toEqual({ limit: 10, remaining: 9 - at, reset: 60 })
      }
      const { quota } = (await player.ask('GET', '/session')).json
      expect([quota.requests.left, quota.writes.left]).toEqual([56, 6])
      // And the API says the same: one more write there is the fifth.
      const there = await host.delete('AAAAAAAAAA')
      expect([there.status, quotaOf(there).remaining]).toEqual([404, 5])
    },
  )

  test.each(saving)(
    '%s is 429 when the API has spent all 60 requests; reading goes on',
    async (...[name, endpoint]: Named) => {
      await Promise.all(Array.from({ length: 60 }, () => host.get('/me')))
      const before = (await player.ask('GET', `/session/packs/${slug}`)).json
      house.clock.advance(17_500)
      const reply = await player.ask(endpoint.method, pathFor(endpoint, slug), valid[name])
      expectSiteError(reply, 'rate_limited', /60 requests/)
      expect(reply.headers.get('retry-after')).toBe('43')
      expect(quotaOf(reply)).toEqual({ limit: 60, remaining: 0, reset: 43 })
      expect((await player.ask('GET', `/session/packs/${slug}`)).json).toEqual(before)
      for (const path of ['/session', '/session/packs', '/session/key', '/session/my-data']) {
        expect((await player.ask('GET', path)).status).toBe(200)
      }
    },
  )

  test.each(saving)(
    '%s: a forged one spends nothing of anybody’s, however many come',
    async (...[name, endpoint]: Named) => {
      const tries: Headers[] = [
        { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
        { [CSRF_HEADER]: null },
        { [CSRF_HEADER]: moderator.viewer?.csrf ?? '' },
      ]
      for (let time = 0; time < 4; time += 1) {
        for (const headers of tries) {
          const reply = await player.ask(
            endpoint.method,
            pathFor(endpoint, slug),
            valid[name],
            headers,
          )
          expectSiteError(reply, 'forbidden')
        }
      }
      const { quota } = (await player.ask('GET', '/session')).json
      expect([quota.requests.left, quota.writes.left]).toEqual([60, 10])
    },
  )

  test('ten at the end of a minute and ten at the top of the next, here and there', async () => {
    const ten = async (): Promise<number[]> => {
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          at % 2 === 0
            ? player.ask('DELETE', '/session/packs/AAAAAAAAAA')
            : host.delete('AAAAAAAAAA'),
        ),
      )
      return replies.map(({ status }) => status).toSorted((a, b) => a - b)
    }
    const expected = [...Array<number>(10).fill(404), 429, 429]
    house.clock.advance(59_999)
    expect(await ten()).toEqual(expected)
    const refused = await player.ask('DELETE', '/session/packs/AAAAAAAAAA')
    expect(refused.headers.get('retry-after')).toBe('1')
    house.clock.advance(1)
    expect(await ten()).toEqual(expected)
  })

  test('signing out and in again, another window and a new key give back nothing (D-7)', async () => {
    for (let at = 0; at < 10; at += 1) await player.ask('POST', '/session/packs', '{}')
    const again = await house.signedIn(PLAYER)
    expectSiteError(await again.ask('POST', '/session/packs', aPack()), 'rate_limited')
    const { key } = (await again.ask('POST', '/session/key')).json
    expect((await host.ask('POST', '/packs', { key, body: aPack() })).status).toBe(429)
    host.key = key
  })
})
