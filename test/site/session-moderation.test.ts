import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Browser, pageDataOf } from '../support/browser.ts'
import { numberingSystems } from '../support/numbering-systems.ts'
import { makeTournament } from '../support/sample-tournament.ts'
import { aPack } from '../support/samples.ts'
import { expectSiteError, expectSuccess } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let owner: Browser
let moderator: Browser

beforeEach(async () => {
  house = await openSiteHouse()
  owner = await house.signedIn(7001)
  await house.ports.accounts.setModerator(7003, true, 0)
  moderator = await house.signedIn(7003)
})
afterEach(() => house.close())

const PATH = '/session/moderation'

const decide = (slug: string, verdict: string, reason?: string) =>
  moderator.ask('POST', `${PATH}/packs/${slug}/${verdict}`, reason === undefined ? {} : { reason })

const list = async (query = '') => {
  const reply = await moderator.ask('GET', `${PATH}/packs${query}`)
  expectSuccess(reply, 'listModerated')
  return reply.json.packs.map((pack: { slug: string }) => pack.slug)
}

const publicPack = (name = 'Grand Finals') =>
  house.save(owner, aPack({ name, visibility: 'public' }))

describe('D-30: hiding', () => {
  test('takes a pack from everybody but its owner and moderators, and gives it back', async () => {
    const slug = await publicPack()
    const hidden = await decide(slug, 'hide', 'copied from another host')
    expectSuccess(hidden, 'hidePack')
    expect(hidden.json.pack).toMatchObject({
      slug,
      hiddenAt: '2026-10-03T18:30:01.000Z',
      hiddenReason: 'copied from another host',
      hiddenBy: 'maple_keeper',
      ownerGameId: 7001,
    })
    const stranger = house.browser()
    expect((await stranger.open(`/p/${slug}`)).status).toBe(404)
    expect((await owner.open(`/p/${slug}`)).status).toBe(200)
    expect((await moderator.open(`/p/${slug}`)).status).toBe(200)
    const shown = await decide(slug, 'unhide', 'settled')
    expectSuccess(shown, 'unhidePack')
    expect(shown.json.pack).not.toHaveProperty('hiddenAt')
    expect((await stranger.open(`/p/${slug}`)).status).toBe(200)
  })

  test('asks for a reason that people can read', async () => {
    const slug = await publicPack()
    for (const reason of [undefined, '', '   ', 'a\nb', 'x'.repeat(301)]) {
      expectSiteError(await decide(slug, 'hide', reason), 'bad_request', /reason/)
      expectSiteError(await decide(slug, 'unhide', reason), 'bad_request', /reason/)
    }
  })
})

describe('D-118: what another moderator has decided meanwhile', () => {
  const things = {
    pack: async () => `packs/${await publicPack()}/hide`,
    tournament: async () => {
      const host = await house.signedIn(7001, 'pools')
      const slug = await makeTournament(house.ports, host.viewer!.id, { visibility: 'public' })
      return `tournaments/${slug}/hide`
    },
    player: async () => 'players/7001/suspend',
  } as const

  test.each(Object.keys(things) as (keyof typeof things)[])(
    'a %s: their reason stays, and is told, until it is replaced on purpose',
    async (thing) => {
      const path = `${PATH}/${await things[thing]()}`
      const service = thing === 'tournament' ? 'pools' : 'packs'
      await house.ports.accounts.setModerator(7002, true, 0)
      const [first, second] = [
        await house.signedIn(7003, service),
        await house.signedIn(7002, service),
      ]
      const log = async () =>
        (await moderator.ask('GET', `${PATH}/log`)).json.entries
          .filter(({ action }: { action: string }) => /hide|suspend/.test(action))
          .map(({ reason }: { reason: string }) => reason)
      const decided = (await first.ask('POST', path, { reason: 'copied' })).json
      house.clock.advance(60_000)
      const refused = await second.ask('POST', path, { reason: 'spam', replaces: false })
      expectSiteError(refused, 'conflict', /already (hidden|suspended), .*copied/)
      expect(refused.json.error.reason).toBe('decided_already')
      expect(await log()).toEqual(['copied'])
      // Nothing is lost by the same reason, as when an answer did not arrive.
      expect(
        (await second.ask('POST', path, { reason: ' copied ', replaces: false })).json,
      ).toEqual(decided)
      expect(await log()).toEqual(['copied'])
      const replaced = await second.ask('POST', path, { reason: 'spam' })
      expect(replaced.status).toBe(200)
      expect(replaced.text).toContain('"spam"')
      expect(await log()).toEqual(['spam', 'copied'])
    },
  )
})

describe('D-30: the pinned row', () => {
  test('is filled, ordered, emptied, and shown on the pages that have it', async () => {
    const slugs = [await publicPack('One'), await publicPack('Two'), await publicPack('Three')]
    for (const slug of slugs) {
      const reply = await decide(slug, 'pin')
      expectSuccess(reply, 'pinPack')
      expect(reply.json.pack.isPinned).toBe(true)
    }
    const turned = slugs.toReversed()
    expectSuccess(await moderator.ask('PUT', `${PATH}/pins`, { slugs: turned }), 'orderPins')
    expect(await list('?only=pinned')).toEqual(turned)
    for (const path of ['/', '/packs']) {
      const { pinned } = pageDataOf(await house.browser().open(path))
      expect(pinned?.map((entry) => entry.s)).toEqual(turned)
    }
    expectSuccess(await decide(turned[0] ?? '', 'unpin'), 'unpinPack')
    expect(await list('?only=pinned')).toEqual(turned.slice(1))
    const stale = await moderator.ask('PUT', `${PATH}/pins`, { slugs })
    expectSiteError(stale, 'conflict')
  })

  test('409: unlisted and hidden packs, and a seventh', async () => {
    const unlisted = await house.save(owner, aPack({ visibility: 'unlisted' }))
    expectSiteError(await decide(unlisted, 'pin'), 'conflict')
    const slugs: string[] = []
    for (let at = 0; at < 7; at++) slugs.push(await publicPack(`Pack ${at}`))
    for (const slug of slugs.slice(0, 6)) expect((await decide(slug, 'pin')).status).toBe(200)
    expectSiteError(await decide(slugs[6] ?? '', 'pin'), 'conflict')
    await decide(slugs[6] ?? '', 'hide', 'copied')
    expectSiteError(await decide(slugs[6] ?? '', 'pin'), 'conflict')
  })
})

describe('what moderators find', () => {
  test('are public and unlisted packs, by name, owner, slug and state', async () => {
    const seen = await publicPack('Harbour Cup')
    const unlisted = await house.save(owner, aPack({ name: 'Open', visibility: 'unlisted' }))
    const other = await house.save(await house.signedIn(7002), aPack({ visibility: 'public' }))
    await decide(unlisted, 'hide', 'copied')
    expect((await list()).toSorted()).toEqual([seen, unlisted, other].toSorted())
    expect(await list('?query=HARBOUR')).toEqual([seen])
    expect((await list('?query=peridot')).toSorted()).toEqual([seen, unlisted].toSorted())
    expect(await list(`?query=${other}`)).toEqual([other])
    expect(await list('?only=hidden')).toEqual([unlisted])
    expect(await list('?page=2')).toEqual([])
  })

  test('400: a search that is none', async () => {
    const wrong = ['?only=private', '?query=a&query=b', `?query=${'x'.repeat(101)}`, '?page=0']
    for (const query of wrong) {
      expectSiteError(await moderator.ask('GET', `${PATH}/packs${query}`), 'bad_request')
    }
  })

  test('are never private packs: those are not there, to the byte (D-29)', async () => {
    const secret = await house.save(owner, aPack({ visibility: 'private' }))
    expect(await list()).toEqual([])
    expect(await list(`?query=${secret}`)).toEqual([])
    const verdicts = ['hide', 'unhide', 'pin', 'unpin']
    for (const verdict of verdicts) {
      const [mine, missing] = await Promise.all(
        [secret, 'AAAAAAAAAA'].map((slug) => decide(slug, verdict, 'x')),
      )
      expect(mine?.status).toBe(404)
      expect(mine?.text).toBe(missing?.text)
    }
    expect((await moderator.open(`/p/${secret}`)).status).toBe(404)
    expectSiteError(await moderator.ask('GET', `/session/packs/${secret}`), 'not_found')
  })

  test.each(['packs', 'tournaments', 'players'] as const)(
    'is the same whichever digits are typed: %s',
    async (what) => {
      const host = await house.signedIn(7001, 'pools')
      await publicPack('Cup 20671')
      await makeTournament(house.ports, host.viewer!.id, {
        name: 'Cup 20671',
        visibility: 'public',
      })
      const from = what === 'tournaments' ? await house.signedIn(7003, 'pools') : moderator
      const find = async (query: string) => {
        const path = `${PATH}/${what}?query=${encodeURIComponent(query)}`
        return (await from.ask('GET', path)).json
      }
      // The second player was never here.
      const numbers = what === 'players' ? [7001, 7_654_321] : [20_671]
      for (const number of numbers) {
        house.clock.nextMinute()
        const found = await find(String(number))
        expect(found.total).toBe(1)
        for (const system of numberingSystems) {
          const write = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false })
          expect(await find(write.format(number)), system).toEqual(found)
        }
      }
    },
  )
})

describe('the log', () => {
  test('says who did what when, newest first', async () => {
    const slug = await publicPack()
    await decide(slug, 'pin')
    house.clock.advance(1000)
    await decide(slug, 'hide', 'copied')
    const reply = await moderator.ask('GET', `${PATH}/log`)
    expectSuccess(reply, 'readModerationLog')
    const [moderatorName, packName] = ['maple_keeper', 'Grand Finals']
    expect(reply.json).toMatchObject({
      entries: [
        {
          at: '2026-10-03T18:30:02.000Z',
          moderator: moderatorName,
          action: 'hide',
          slug,
          packName,
        },
        { at: '2026-10-03T18:30:01.000Z', moderator: moderatorName, action: 'pin', slug, packName },
      ],
      page: 1,
      pageCount: 1,
      total: 2,
    })
  })
})

describe('a moderator who is one no longer', () => {
  test('is refused at once', async () => {
    await house.ports.accounts.setModerator(7003, false, 0)
    expectSiteError(await moderator.ask('GET', `${PATH}/log`), 'forbidden')
    expect((await moderator.open('/moderation')).status).toBe(403)
  })
})
