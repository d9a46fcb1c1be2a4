import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MAX_PACKS } from '../../src/contract/bounds.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { createPack } from '../../src/operations/packs.ts'
import type { Browser } from '../support/browser.ts'
import { aPack } from '../support/samples.ts'
import { aLink, expectSiteError, expectSuccess } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let owner: Browser

beforeEach(async () => {
  house = await openSiteHouse()
  owner = await house.signedIn(7001)
})
afterEach(() => house.close())

const read = async (slug: string, from: Browser = owner) =>
  (await from.ask('GET', `/session/packs/${slug}`)).json.pack

describe('saving a pack', () => {
  test('gives it as the API would, with what the site knows besides', async () => {
    const reply = await owner.ask('POST', '/session/packs', aPack({ description: ' Mine. ' }))
    expectSuccess(reply, 'createPack')
    expect(reply.json.pack).toMatchObject({
      name: 'Grand Finals',
      visibility: 'unlisted',
      description: 'Mine.',
      ownerName: 'Peridot',
      isMine: true,
      isPinned: false,
    })
    const host = await house.hostOf(7001, 'Peridot')
    const { isMine, isPinned, ...pack } = reply.json.pack
    expect((await host.get(`/packs/${pack.slug}`)).json.pack).toEqual(pack)
    expect([isMine, isPinned]).toEqual([true, false])
  })

  test('refuses what the API refuses, in the same words (D-14, D-24)', async () => {
    const host = await house.hostOf(7001, 'Peridot')
    const wrong = [
      { ...aPack(), slots: [] },
      { ...aPack(), slots: [{ mod: 'NM', index: 100, beatmapId: 1 }] },
      { ...aPack(), name: '\u0007' },
      { ...aPack(), buckets: [{ code: 'NM', color: 1 }] },
      { ...aPack(), visibility: 'secret' },
    ]
    for (const body of wrong) {
      house.clock.nextMinute()
      const [here, there] = [await owner.ask('POST', '/session/packs', body), await host.post(body)]
      expectSiteError(here, 'bad_request')
      const more = { reason: expect.any(String), problems: expect.any(Array) }
      expect(here.json.error).toEqual({ ...there.json.error, ...more })
    }
  })

  test('sent again under its Idempotency-Key it gives the same pack, and saves no second one', async () => {
    const named = { 'idempotency-key': 'draft-1' }
    const first = await owner.ask('POST', '/session/packs', aPack(), named)
    const again = await owner.ask('POST', '/session/packs', aPack(), named)
    expect(again.json).toEqual(first.json)
    expect((await owner.ask('GET', '/session/packs')).json.total).toBe(1)
    const other = await owner.ask('POST', '/session/packs', aPack({ name: 'Other' }), named)
    expectSiteError(other, 'bad_request', /^Idempotency-Key was used/)
    const bad = { 'idempotency-key': 'two words' }
    expectSiteError(await owner.ask('POST', '/session/packs', aPack(), bad), 'bad_request')
  })

  test('409: not beyond 200 packs (D-28)', async () => {
    const account = await house.ports.accounts.findByGameId(7001)
    for (let count = 0; count < MAX_PACKS; count++) {
      await createPack(house.ports, account?.id ?? '', aPack())
    }
    const reply = await owner.ask('POST', '/session/packs', aPack())
    expectSiteError(reply, 'conflict', /already have 200 saved packs/)
  })
})

describe('my packs', () => {
  test('are listed with those that nobody else sees, by pages', async () => {
    const slug = await house.save(owner, aPack({ visibility: 'private' }))
    await house.save(await house.signedIn(7002), aPack({ visibility: 'public' }))
    const reply = await owner.ask('GET', '/session/packs')
    expectSuccess(reply, 'listMyPacks')
    expect(reply.json).toMatchObject({ packs: [{ slug }], page: 1, pageCount: 1, total: 1 })
    const past = await owner.ask('GET', '/session/packs?page=7')
    expect(past.json).toEqual({ packs: [], page: 7, pageCount: 1, total: 1 })
    for (const page of ['0', '', '1.5', '1000000']) {
      expectSiteError(await owner.ask('GET', `/session/packs?page=${page}`), 'bad_request', /page/)
    }
  })
})

describe('who sees a pack (spec 3, D-29, D-30)', () => {
  const statusFor = async (from: Browser, slug: string): Promise<number> => {
    const reply = await from.ask('GET', `/session/packs/${slug}`)
    if (reply.status === 200) expectSuccess(reply, 'getPack')
    return reply.status
  }

  test('public and unlisted ones everybody, without signing in too', async () => {
    for (const visibility of ['public', 'unlisted'] as const) {
      const slug = await house.save(owner, aPack({ visibility }))
      expect(await statusFor(house.browser(), slug)).toBe(200)
      expect(await read(slug, house.browser())).toMatchObject({ isMine: false })
    }
  })

  test('private ones their owner alone; hidden ones their owner and moderators, with the reason', async () => {
    await house.ports.accounts.setModerator(7003, true, 0)
    const [player, moderator] = [await house.signedIn(7002), await house.signedIn(7003)]
    const secret = await house.save(owner, aPack({ visibility: 'private' }))
    const hidden = await house.save(owner, aPack({ visibility: 'public' }))
    await hidePack(house.ports, hidden, { moderatorId: null, reason: 'copied' })
    const sights = [owner, player, moderator, house.browser()].map(async (from) => [
      await statusFor(from, secret),
      await statusFor(from, hidden),
    ])
    expect(await Promise.all(sights)).toEqual([
      [200, 200],
      [404, 404],
      [404, 200],
      [404, 404],
    ])
    for (const from of [owner, moderator]) {
      expect(await read(hidden, from)).toMatchObject({ hiddenReason: 'copied' })
    }
  })

  test('404s do not differ by a byte, whatever the reason and the verb', async () => {
    const player = await house.signedIn(7002)
    const secret = await house.save(owner, aPack({ visibility: 'private' }))
    const hidden = await house.save(owner, aPack({ visibility: 'public' }))
    await hidePack(house.ports, hidden, { moderatorId: null, reason: null })
    const texts = new Set<string>()
    for (const slug of [secret, hidden, 'AAAAAAAAAA', 'nonsense', '..%2f..', 'ü']) {
      house.clock.nextMinute()
      const path = `/session/packs/${slug}`
      const replies = [
        await player.ask('GET', path),
        await player.ask('PUT', path, { pack: aPack(), basedOn: '2026-10-03T18:30:01.000Z' }),
        await player.ask('DELETE', path),
        await player.ask('POST', `${path}/magnets`, { url: aLink(1), packKey: 'pk1.AAAA' }),
        await player.ask('DELETE', `${path}/magnets`, { url: aLink(1) }),
      ]
      for (const reply of replies) {
        expectSiteError(reply, 'not_found')
        texts.add(reply.text)
      }
    }
    expect(texts.size).toBe(1)
  })
})

describe('editing', () => {
  test('replaces the whole pack when it is still as the edit found it', async () => {
    const slug = await house.save(owner, aPack({ description: 'Old.' }))
    const { updatedAt } = await read(slug)
    house.clock.advance(1000)
    const reply = await owner.ask('PUT', `/session/packs/${slug}`, {
      pack: aPack({ name: 'Finals' }),
      basedOn: updatedAt,
    })
    expectSuccess(reply, 'replacePack')
    expect(reply.json.pack).toMatchObject({ slug, name: 'Finals', visibility: 'unlisted' })
    expect(reply.json.pack).not.toHaveProperty('description')
  })

  test('409: what was changed elsewhere meanwhile is not overwritten', async () => {
    const slug = await house.save(owner, aPack())
    const { updatedAt } = await read(slug)
    const host = await house.hostOf(7001, 'Peridot')
    house.clock.advance(1000)
    await host.put(slug, aPack({ name: 'By a bot' }))
    const edit = { pack: aPack({ name: 'By hand' }), basedOn: updatedAt }
    const reply = await owner.ask('PUT', `/session/packs/${slug}`, edit)
    expectSiteError(reply, 'conflict', /was changed after you started editing/)
    expect(await read(slug)).toMatchObject({ name: 'By a bot' })
  })

  test('of two edits that began together, one wins', async () => {
    const slug = await house.save(owner, aPack())
    const { updatedAt } = await read(slug)
    const edits = ['one', 'two', 'three'].map((name) =>
      owner.ask('PUT', `/session/packs/${slug}`, { pack: aPack({ name }), basedOn: updatedAt }),
    )
    const statuses = (await Promise.all(edits)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  })

  test('tells the places of what is wrong by the pack’s own fields', async () => {
    const slug = await house.save(owner, aPack())
    const pack = { ...aPack(), slots: [{ mod: 'NM', index: 0, beatmapId: 1 }] }
    const basedOn = (await read(slug)).updatedAt
    const reply = await owner.ask('PUT', `/session/packs/${slug}`, { pack, basedOn })
    expectSiteError(reply, 'bad_request', 'slots[0].index must be from 1 to 99')
  })

  test('names what is missing of an edit', async () => {
    const slug = await house.save(owner, aPack())
    const { updatedAt: basedOn } = await read(slug)
    for (const [edit, message] of [
      [{ basedOn }, 'pack is missing'],
      [{ pack: [], basedOn }, 'pack must be an object'],
      [{ pack: aPack() }, 'basedOn is missing'],
    ] as const) {
      expectSiteError(
        await owner.ask('PUT', `/session/packs/${slug}`, edit),
        'bad_request',
        message,
      )
    }
  })

  test('deleting deletes for good', async () => {
    const slug = await house.save(owner, aPack())
    expectSuccess(await owner.ask('DELETE', `/session/packs/${slug}`), 'deletePack')
    expectSiteError(await owner.ask('GET', `/session/packs/${slug}`), 'not_found')
    expectSiteError(await owner.ask('DELETE', `/session/packs/${slug}`), 'not_found')
  })
})

describe('D-43: magnet links', () => {
  test('are recorded in canonical form for the pack key they were made for, and removed', async () => {
    const slug = await house.save(owner, aPack())
    const { packKey } = await read(slug)
    const path = `/session/packs/${slug}/magnets`
    const spelt = `${aLink(10).toUpperCase().replace('MAGNET', 'magnet').replace('XT=URN:BTIH', 'xt=urn:btih')}&tr=udp://t.test`
    const recorded = await owner.ask('POST', path, { url: spelt, packKey })
    expectSuccess(recorded, 'recordMagnet')
    expect(recorded.json.pack.exports).toMatchObject([{ kind: 'magnet', url: aLink(10) }])
    expectSiteError(await owner.ask('POST', path, { url: aLink(10), packKey }), 'conflict')
    const other = { url: aLink(11), packKey: 'pk1.AAAA' }
    expectSiteError(await owner.ask('POST', path, other), 'conflict')
    const none = { url: 'https://evil.test', packKey }
    expectSiteError(await owner.ask('POST', path, none), 'bad_request')
    expectSiteError(await owner.ask('DELETE', path, { url: aLink(12) }), 'not_found')
    const removed = await owner.ask('DELETE', path, { url: aLink(10) })
    expectSuccess(removed, 'removeMagnet')
    expect(removed.json.pack.exports).toEqual([])
  })
})
