import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sessionApi } from '../../src/contract/session-api.ts'
import type { Browser } from '../support/browser.ts'
import type { Reply } from '../support/door.ts'
import { aPack } from '../support/samples.ts'
import { aLink, expectSiteError } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { expectDeclared } from '../support/site-watch.ts'

// Things that are done in the same moment, by one person in two windows or by two who know nothing
// of each other. Each is tried several times: it must hold whoever comes first.
const TIMES = 8

let house: SiteHouse
let moderator: Browser

beforeAll(async () => {
  house = await openSiteHouse()
  await house.ports.accounts.setModerator(7003, true, 0)
  moderator = await house.signedIn(7003)
})
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const statusesOf = (replies: readonly Reply[]): number[] =>
  replies.map(({ status }) => status).toSorted((a, b) => a - b)

const times = async (act: (time: number) => Promise<void>): Promise<void> => {
  for (let time = 0; time < TIMES; time += 1) {
    house.clock.nextMinute()
    await act(time)
  }
}

const verdict = (slug: string, act: string, body: object = {}): Promise<Reply> =>
  moderator.ask('POST', `/session/moderation/packs/${slug}/${act}`, body)

const publicPacks = (from: Browser, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, (_, at) =>
      house.save(from, aPack({ name: `Week ${at}`, visibility: 'public' })),
    ),
  )

const pinnedRow = async (): Promise<(number | null)[]> =>
  (await house.ports.packs.listPinned()).map(({ pinnedRank }) => pinnedRank)

const indexed = async (): Promise<string[]> =>
  (await house.ports.publicIndex.readPortion(null, 5000)).map(({ slug }) => slug)

describe('GET /sign-in/callback: one code signs in once, however often it comes back (spec 5)', () => {
  test('twice at once in one browser: one session, and the browser has it', async () => {
    await times(async () => {
      // Codes that come to nothing are counted for so long.
      house.clock.advance(600_000)
      const browser = house.browser()
      const begun = await browser.open('/sign-in?return=/me')
      const back = await house.agree(begun.headers.get('location') ?? '', 7002)
      const replies = await Promise.all(Array.from({ length: 4 }, () => browser.open(back)))
      expect(statusesOf(replies)).toEqual([302, 400, 400, 400])
      const viewer = await browser.look()
      expect(viewer?.gameId).toBe(7002)
      const { sessions } = (await browser.ask('GET', '/session/my-data')).json
      expect(sessions).toHaveLength(1)
      await browser.ask('POST', '/session/sign-out', { everywhere: true })
    })
  })
})

describe('signing out and deleting, while other windows go on', () => {
  test('POST /session/sign-out everywhere during saves: each save is whole or refused, then all are', async () => {
    await times(async () => {
      const here = await house.signedIn(7001)
      const there = await house.signedIn(7001)
      const { total } = (await here.ask('GET', '/session/packs')).json
      const [out, ...saves] = await Promise.all([
        here.ask('POST', '/session/sign-out', { everywhere: true }),
        ...Array.from({ length: 5 }, () => there.ask('POST', '/session/packs', aPack())),
      ])
      expect(out?.status).toBe(204)
      for (const save of saves) expectDeclared(save, sessionApi.createPack)
      expectSiteError(await there.ask('POST', '/session/packs', aPack()), 'not_signed_in')
      const again = await house.signedIn(7001)
      const saved = saves.filter(({ status }) => status === 201).length
      expect((await again.ask('GET', '/session/packs')).json.total).toBe(total + saved)
    })
  })

  test('DELETE /session/account during everything: nothing is left, and the key is refused at once', async () => {
    await times(async () => {
      const here = await house.signedIn(7002)
      const there = await house.signedIn(7002)
      const accountId = here.viewer?.id ?? ''
      const host = await house.hostOf(7002, '[ second wind ]')
      const [slug = ''] = await publicPacks(here, 1)
      const path = `/session/packs/${slug}`
      const { packKey, updatedAt } = (await here.ask('GET', path)).json.pack
      const version = await house.ports.publicIndex.version()
      const [gone, ...others] = await Promise.all([
        here.ask('DELETE', '/session/account', { username: '[ second wind ]' }),
        there.ask('POST', '/session/packs', aPack({ visibility: 'public' })),
        there.ask('PUT', path, { pack: aPack({ visibility: 'public' }), basedOn: updatedAt }),
        there.ask('POST', `${path}/magnets`, { url: aLink(1), packKey }),
        there.ask('POST', '/session/key'),
        there.ask('GET', '/session/my-data'),
        there.ask('POST', '/session/sign-out', { everywhere: true }),
        verdict(slug, 'pin'),
        verdict(slug, 'hide', { reason: 'copied' }),
      ])
      expect([204, 401]).toContain(gone?.status)
      for (const { status, text } of others) expect([status, text]).not.toContain(500)
      if (gone?.status === 401) {
        const again = await house.signedIn(7002)
        await again.ask('DELETE', '/session/account', { username: '[ second wind ]' })
      }
      const { packs, apiKeys, sessions } = house.ports
      expect((await packs.listOwned(accountId, 1, 50)).total).toBe(0)
      expect(await apiKeys.read(accountId, 'packs')).toBeNull()
      expect(await sessions.list(accountId, { seenSince: 0, createdSince: 0 })).toEqual([])
      expect(await pinnedRow()).toEqual([])
      expect((await host.get('/me')).status).toBe(401)
      expect((await there.ask('GET', '/session')).json.viewer).toBeNull()
      expect(await indexed()).not.toContain(slug)
      expect(await house.ports.publicIndex.version()).not.toBe(version)
    })
  })
})

describe('PUT /session/packs/{slug}: of several edits that began together one wins, the others are 409', () => {
  test('from two windows, five at once', async () => {
    const owner = await house.signedIn(7001)
    const [slug = ''] = await publicPacks(owner, 1)
    const path = `/session/packs/${slug}`
    await times(async () => {
      const basedOn = (await owner.ask('GET', path)).json.pack.updatedAt
      const replies = await Promise.all(
        Array.from({ length: 5 }, (_, at) =>
          owner.ask('PUT', path, { pack: aPack({ name: `Edit ${at}` }), basedOn }),
        ),
      )
      expect(statusesOf(replies)).toEqual([200, 409, 409, 409, 409])
      const winner = replies.find(({ status }) => status === 200)?.json.pack
      expect((await owner.ask('GET', path)).json.pack).toEqual(winner)
      expect(Date.parse(winner.updatedAt)).toBeGreaterThan(Date.parse(basedOn))
    })
  })

  test('and one by the API between: the site’s edit does not overwrite it', async () => {
    const owner = await house.signedIn(7001)
    const host = await house.hostOf(7001, 'Peridot')
    const [slug = ''] = await publicPacks(owner, 1)
    await times(async () => {
      const path = `/session/packs/${slug}`
      const basedOn = (await owner.ask('GET', path)).json.pack.updatedAt
      const [there, here] = await Promise.all([
        host.put(slug, aPack({ name: 'By the API' })),
        owner.ask('PUT', path, { pack: aPack({ name: 'By the site' }), basedOn }),
      ])
      expect(there.status).toBe(200)
      expect([200, 409]).toContain(here.status)
      // Whoever came last was last: the API does not ask, the site does.
      expect((await owner.ask('GET', path)).json.pack.name).toBe('By the API')
    })
  })
})

describe('D-30: what moderators and owners do in the same moment', () => {
  test('POST …/pin of seven packs at once: six stand in the row, each at its own place', async () => {
    const owner = await house.signedIn(7001)
    const slugs = await publicPacks(owner, 7)
    for (let time = 0; time < 3; time += 1) {
      const replies = await Promise.all(slugs.map((slug) => verdict(slug, 'pin')))
      expect(statusesOf(replies)).toEqual([200, 200, 200, 200, 200, 200, 409])
      expect(await pinnedRow()).toEqual([1, 2, 3, 4, 5, 6])
      await Promise.all(slugs.map((slug) => verdict(slug, 'unpin')))
      expect(await pinnedRow()).toEqual([])
    }
  })

  test.each([
    ['unlisted', 'pin'],
    ['private', 'pin'],
    ['unlisted', 'hide'],
    ['private', 'hide'],
  ] as const)(
    'PUT makes it %s while a moderator says %s: no pin, no trace for others',
    async (visibility, act) => {
      const owner = await house.signedIn(7001)
      await times(async () => {
        const [slug = ''] = await publicPacks(owner, 1)
        const path = `/session/packs/${slug}`
        const basedOn = (await owner.ask('GET', path)).json.pack.updatedAt
        const [said, saved] = await Promise.all([
          verdict(slug, act, { reason: 'a reason' }),
          owner.ask('PUT', path, { pack: aPack({ visibility }), basedOn }),
        ])
        expect([200, 404, 409]).toContain(said.status)
        expect(saved.status).toBe(200)
        expect(await pinnedRow()).toEqual([])
        expect(await indexed()).not.toContain(slug)
        const pack = await house.ports.packs.read(slug)
        expect(pack).toMatchObject({ visibility, pinnedRank: null })
        if (act === 'hide')
          expect(pack?.hiddenAt !== null).toBe(said.status === 200 || pack?.hiddenAt !== null)
        const isOpen = visibility === 'unlisted' && pack?.hiddenAt === null
        const reply = await house.browser().ask('GET', path)
        expect(reply.status).toBe(isOpen ? 200 : 404)
        await owner.ask('DELETE', path)
      })
    },
  )

  test('hide and pin at once: hidden, and not in the row', async () => {
    const owner = await house.signedIn(7001)
    await times(async () => {
      const [slug = ''] = await publicPacks(owner, 1)
      const [hidden, pinned] = await Promise.all([
        verdict(slug, 'hide', { reason: 'copied' }),
        verdict(slug, 'pin'),
      ])
      expect(hidden.status).toBe(200)
      expect([200, 409]).toContain(pinned.status)
      expect(await pinnedRow()).toEqual([])
      expectSiteError(await house.browser().ask('GET', `/session/packs/${slug}`), 'not_found')
      await owner.ask('DELETE', `/session/packs/${slug}`)
    })
  })
})

describe('D-43, D-41: limits hold when all come at once', () => {
  test('POST …/magnets: eleven links at once, by a writer whose quota is not the limit: ten stay', async () => {
    const owner = await house.signedIn(7001)
    const [slug = ''] = await publicPacks(owner, 1)
    const path = `/session/packs/${slug}`
    const { packKey } = (await owner.ask('GET', path)).json.pack
    const record = (at: number) => owner.ask('POST', `${path}/magnets`, { url: aLink(at), packKey })
    const first = await Promise.all([1, 2, 3, 4, 5, 6].map(record))
    house.clock.nextMinute()
    const rest = await Promise.all([7, 8, 9, 10, 11, 12].map(record))
    expect(statusesOf([...first, ...rest])).toEqual([...Array<number>(10).fill(201), 409, 409])
    expect((await owner.ask('GET', path)).json.pack.exports).toHaveLength(10)
  })

  test('the same link five times at once: it stands there once', async () => {
    const owner = await house.signedIn(7001)
    const [slug = ''] = await publicPacks(owner, 1)
    const path = `/session/packs/${slug}`
    const { packKey } = (await owner.ask('GET', path)).json.pack
    const replies = await Promise.all(
      Array.from({ length: 5 }, () =>
        owner.ask('POST', `${path}/magnets`, { url: aLink(1), packKey }),
      ),
    )
    expect(statusesOf(replies)).toEqual([201, 409, 409, 409, 409])
  })

  test('a link for a pool that is being replaced: it stands with its own pool or not at all', async () => {
    const owner = await house.signedIn(7001)
    await times(async (time) => {
      const [slug = ''] = await publicPacks(owner, 1)
      const path = `/session/packs/${slug}`
      const { packKey, updatedAt } = (await owner.ask('GET', path)).json.pack
      const [linked, saved] = await Promise.all([
        owner.ask('POST', `${path}/magnets`, { url: aLink(1), packKey }),
        owner.ask('PUT', path, { pack: aPack({ name: `Other ${time}` }), basedOn: updatedAt }),
      ])
      expect([201, 409]).toContain(linked.status)
      expect(saved.status).toBe(200)
      expect((await owner.ask('GET', path)).json.pack.exports).toEqual([])
      await owner.ask('DELETE', path)
    })
  })

  test('POST /session/key five times at once: one of the five keys works, the others never again', async () => {
    const owner = await house.signedIn(7001)
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => owner.ask('POST', '/session/key')),
    )
    const host = await house.hostOf(7002, '[ second wind ]')
    const works = await Promise.all(
      replies.map(({ json }) => host.ask('GET', '/me', { key: json.key })),
    )
    expect(statusesOf(works)).toEqual([200, 401, 401, 401, 401])
    const live = works.findIndex(({ status }) => status === 200)
    const { shown } = (await owner.ask('GET', '/session/key')).json.key
    expect(replies[live]?.json.shown).toBe(shown)
  })
})
