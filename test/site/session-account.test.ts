import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hidePack } from '../../src/operations/moderation.ts'
import type { Browser } from '../support/browser.ts'
import { Door } from '../support/door.ts'
import { Host } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { expectSiteError, expectSuccess } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let owner: Browser

beforeEach(async () => {
  house = await openSiteHouse()
  owner = await house.signedIn(7001)
})
afterEach(() => house.close())

const makeKey = async (from: Browser = owner): Promise<string> => {
  const reply = await from.ask('POST', '/session/key')
  expectSuccess(reply, 'makeKey')
  return reply.json.key
}

const statusWith = async (key: string, from: Browser = owner): Promise<number> =>
  (await new Door(from.url).ask('GET', '/me', { key })).status

describe('GET /session', () => {
  test('tells a stranger nothing', async () => {
    const reply = await house.browser().ask('GET', '/session')
    expectSuccess(reply, 'getSession')
    expect(reply.json).toEqual({ viewer: null, quota: null })
  })

  test('tells who is signed in, and what is left of the minute', async () => {
    const reply = await owner.ask('GET', '/session')
    expectSuccess(reply, 'getSession')
    expect(reply.json.viewer).toEqual(owner.viewer)
    expect(reply.json.quota).toEqual({
      requests: { limit: 60, left: 60 },
      writes: { limit: 10, left: 10 },
      resetSeconds: 59,
    })
  })
})

describe('the API key (spec 5, D-40, D-41)', () => {
  test('is shown once, opens the API, and is told by its beginning from then on', async () => {
    const none = await owner.ask('GET', '/session/key')
    expectSuccess(none, 'getKey')
    expect(none.json).toEqual({ key: null, newKeysLeft: 10, newKeysResetSeconds: 1799 })
    const key = await makeKey()
    expect(key).toMatch(/^packs_[A-Za-z0-9_-]{43}$/)
    expect(await statusWith(key)).toBe(200)
    const reply = await owner.ask('GET', '/session/key')
    expectSuccess(reply, 'getKey')
    expect(reply.json).toMatchObject({
      key: { shown: key.slice(6, 10), createdAt: '2026-10-03T18:30:01.000Z' },
      newKeysLeft: 9,
    })
    expect(reply.text).not.toContain(key)
  })

  test('regenerated, the one before stops at once; revoked, there is none', async () => {
    const first = await makeKey()
    const second = await makeKey()
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200])
    expectSuccess(await owner.ask('DELETE', '/session/key'), 'revokeKey')
    expect(await statusWith(second)).toBe(401)
    expectSiteError(await owner.ask('DELETE', '/session/key'), 'not_found')
  })

  test('is revoked where it is the one that is named', async () => {
    const [first, second] = [await makeKey(), await makeKey()]
    const shown = (key: string) => ({ shown: key.slice(6, 10) })
    const revoke = (key: string) =>
      owner.ask('DELETE', `/session/key?${new URLSearchParams(shown(key))}`)
    expectSiteError(await revoke(first), 'not_found')
    expect(await statusWith(second)).toBe(200)
    expectSuccess(await revoke(second), 'revokeKey')
    expect(await statusWith(second)).toBe(401)
  })

  const regenerate = (shown: string) =>
    owner.ask('POST', `/session/key?${new URLSearchParams({ shown })}`)

  test('409: another key than the one that is named, which goes on working and counts as it did', async () => {
    const [first, second] = [await makeKey(), await makeKey()]
    for (const shown of ['', first.slice(6, 10)]) {
      expectSiteError(await regenerate(shown), 'conflict', /another API key/)
    }
    expect(await statusWith(second)).toBe(200)
    expect((await owner.ask('GET', '/session/key')).json.newKeysLeft).toBe(8)
    const third = await regenerate(second.slice(6, 10))
    expectSuccess(third, 'makeKey')
    expect([await statusWith(second), await statusWith(third.json.key)]).toEqual([401, 200])
    expectSuccess(await owner.ask('DELETE', '/session/key'), 'revokeKey')
    expectSuccess(await regenerate(third.json.shown), 'makeKey')
  })

  test('201 once of those that replace the same key at once, which then works and counts as one', async () => {
    for (let shown = '', round = 0; round < 2; round += 1) {
      const replies = await Promise.all(Array.from({ length: 4 }, () => regenerate(shown)))
      const [made, ...more] = replies.filter(({ status }) => status === 201)
      expect(more).toEqual([])
      expect(await statusWith(made!.json.key)).toBe(200)
      for (const reply of replies) if (reply !== made) expectSiteError(reply, 'conflict')
      expect((await owner.ask('GET', '/session/key')).json.newKeysLeft).toBe(9 - round)
      shown = made!.json.shown
    }
  })

  test('400: what is named is longer than the beginning of a key', async () => {
    expectSiteError(await regenerate('AbCdE'), 'bad_request')
  })

  test('429: the eleventh in an hour, also when they come together; the tenth stays', async () => {
    const replies = await Promise.all(
      Array.from({ length: 13 }, () => owner.ask('POST', '/session/key')),
    )
    const refused = replies.filter(({ status }) => status === 429)
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(refused).toHaveLength(3)
    for (const reply of refused) {
      expectSiteError(reply, 'rate_limited', /you can create 10 keys per hour/)
      expect(reply.headers.get('retry-after')).toBe('1799')
    }
    expect((await owner.ask('GET', '/session/key')).json).toMatchObject({ newKeysLeft: 0 })
    house.clock.advance(1_799_000)
    await makeKey()
  })
})

describe('my data', () => {
  test('is a file with all that is kept, and nothing that opens anything', async () => {
    const key = await makeKey()
    const slug = await house.save(owner, aPack({ visibility: 'private' }))
    const shown = await house.save(owner, aPack({ visibility: 'public' }))
    await hidePack(house.ports, shown, { moderatorId: null, reason: 'copied' })
    await house.signedIn(7001)
    const reply = await owner.ask('GET', '/session/my-data')
    expectSuccess(reply, 'getMyData')
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"')
    expect(reply.json).toMatchObject({
      account: { gameId: 7001, username: 'Peridot' },
      keys: { packs: { shown: key.slice(6, 10) }, pools: null },
      moderation: [{ action: 'hide', reason: 'copied' }],
    })
    const slugs = reply.json.packs.map((pack: { slug: string }) => pack.slug)
    expect(slugs.toSorted()).toEqual([slug, shown].toSorted())
    expect(reply.json.sessions).toHaveLength(2)
    expect(reply.text).not.toContain(key)
    expect(reply.text).not.toContain(owner.viewer?.csrf)
  })
})

describe('deleting the account', () => {
  test('asks for the username as it is shown', async () => {
    for (const username of ['', 'peridot', 'Peridot2', 'maple_keeper']) {
      const reply = await owner.ask('DELETE', '/session/account', { username })
      expectSiteError(reply, 'bad_request', /username/)
    }
    expect(await owner.look()).not.toBeNull()
  })

  test('takes packs, key and all sessions along, and the cookie', async () => {
    const elsewhere = await house.signedIn(7001)
    const host = new Host(new Door(owner.url), 7001, 'Peridot', await makeKey())
    const slug = await host.save(aPack({ visibility: 'public' }))
    const reply = await owner.ask('DELETE', '/session/account', { username: 'Peridot' })
    expectSuccess(reply, 'deleteAccount')
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^session=; .*Max-Age=0;/),
      expect.stringMatching(/^signed-in-packs=; .*Max-Age=0;/),
      // For an hour, the other site is not asked who is signed in there (D-96).
      expect.stringMatching(/^signed-out=1; .*Max-Age=3600;/),
      expect.stringMatching(/^known-browser=; .*Max-Age=0;/),
    ])
    expect([...owner.cookies.keys()]).toEqual(['signed-out'])
    expect(await elsewhere.look()).toBeNull()
    expect((await host.get('/me')).status).toBe(401)
    expect((await house.browser().open(`/p/${slug}`)).status).toBe(404)
    const back = await house.signedIn(7001)
    expect((await back.ask('GET', '/session/packs')).json.total).toBe(0)
  })
})
