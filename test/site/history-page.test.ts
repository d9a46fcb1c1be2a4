import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PackInput } from '../../src/contract/packs.ts'
import { hidePack, unhidePack } from '../../src/operations/moderation.ts'
import { type Browser, pageDataOf } from '../support/browser.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let stranger: Browser
let owner: Browser
let player: Browser
let moderator: Browser
/** How often the site asked the store for a history. */
let asked: number
/** Whether the store refuses to answer. */
let fails: boolean

beforeEach(async () => {
  asked = 0
  fails = false
  house = await openSiteHouse({
    withPorts: (ports) => ({
      ...ports,
      packs: {
        ...ports.packs,
        readHistory: (slug) => {
          asked += 1
          if (fails) return Promise.reject(new Error('the store failed'))
          return ports.packs.readHistory(slug)
        },
      },
    }),
  })
  stranger = house.browser()
  owner = await house.signedIn(7001)
  player = await house.signedIn(7002)
  await house.ports.accounts.setModerator(7003, true, 0)
  moderator = await house.signedIn(7003)
})
afterEach(() => house.close())

const save = (changes: Partial<PackInput> = {}): Promise<string> => {
  house.clock.nextMinute()
  return house.save(owner, aPack({ visibility: 'public', ...changes }))
}

const saveAgain = async (slug: string, changes: Partial<PackInput>): Promise<void> => {
  const { updatedAt } = (await house.ports.packs.read(slug))!
  house.clock.nextMinute()
  const pack = aPack({ visibility: 'public', ...changes })
  const edit = { pack, basedOn: new Date(updatedAt).toISOString() }
  const { status, text } = await owner.ask('PUT', `/session/packs/${slug}`, edit)
  expect(status, text).toBe(200)
}

const open = async (slug: string, isPublic = true): Promise<void> => {
  const reply = await owner.ask('PUT', `/session/packs/${slug}/history`, { public: isPublic })
  expect(reply.status, reply.text).toBe(204)
}

const hide = (slug: string) => hidePack(house.ports, slug, { moderatorId: null, reason: null })
const unhide = (slug: string) => unhidePack(house.ports, slug, { moderatorId: null, reason: null })

/** All whom the site distinguishes, the owner last. */
const others = (): readonly (readonly [string, Browser])[] => [
  ['a stranger', stranger],
  ['a player', player],
  ['a moderator', moderator],
]

describe('D-70: GET /p/{slug}/history', () => {
  const statuses = async (slug: string) => {
    const all = [...others(), ['the owner', owner] as const]
    const replies = await Promise.all(
      all.map(async ([who, browser]) => {
        const { status, text } = await browser.open(`/p/${slug}/history`)
        if (status === 404) {
          const never = await browser.open('/p/AAAAAAAAAA/history')
          expect([who, text]).toEqual([who, never.text])
        }
        return [who, status]
      }),
    )
    return Object.fromEntries(replies)
  }
  const all = { 'a stranger': 200, 'a player': 200, 'a moderator': 200, 'the owner': 200 }
  const ownerAlone = {
    'a stranger': 404,
    'a player': 404,
    'a moderator': 404,
    'the owner': 200,
  }

  test('200 for the owner alone until the history is open, otherwise 404 as for no pack', async () => {
    const slug = await save()
    expect(await statuses(slug)).toEqual(ownerAlone)
    await open(slug)
    expect(await statuses(slug)).toEqual(all)
    await open(slug, false)
    expect(await statuses(slug)).toEqual(ownerAlone)
  })

  test('404 while the pack is private, for moderators too', async () => {
    const slug = await save()
    await open(slug)
    await saveAgain(slug, { visibility: 'private' })
    expect(await statuses(slug)).toEqual(ownerAlone)
    await saveAgain(slug, { visibility: 'unlisted' })
    expect(await statuses(slug)).toEqual(all)
  })

  test('404 while the pack is hidden, for moderators too, who see the pack', async () => {
    const slug = await save()
    await open(slug)
    expect(await statuses(slug)).toEqual(all)
    await hide(slug)
    expect(await statuses(slug)).toEqual(ownerAlone)
    expect((await moderator.open(`/p/${slug}`)).status).toBe(200)
    await unhide(slug)
    expect(await statuses(slug)).toEqual(all)
  })

  test('holds the pack, and the state of the switch', async () => {
    const slug = await save()
    const shown = async (browser: Browser) =>
      pageDataOf(await browser.open(`/p/${slug}/history`)).pack
    expect(await shown(owner)).toMatchObject({ slug, isMine: true })
    expect(await shown(owner)).not.toHaveProperty('historyPublic')
    await open(slug)
    expect(await shown(owner)).toMatchObject({ isMine: true, historyPublic: true })
    expect(await shown(stranger)).toMatchObject({ isMine: false, historyPublic: true })
    await open(slug, false)
    expect(await shown(owner)).not.toHaveProperty('historyPublic')
  })

  test('is rendered once for all who are not signed in, without the history', async () => {
    const slug = await save()
    await saveAgain(slug, { name: 'Finals' })
    await open(slug)
    asked = 0
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => stranger.open(`/p/${slug}/history?a=1&b=2`)),
    )
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies[0]?.headers.get('etag')).toBeTruthy()
    expect(asked).toBe(0)
  })

  test('is named after the pack, and is not for search engines', async () => {
    const slug = await save({ name: 'Finals <b>' })
    const { text } = await owner.open(`/p/${slug}/history`)
    expect(text).toContain('<title>History of Finals &lt;b&gt; – Mapcrate</title>')
    expect(text).toContain('<meta name="robots" content="noindex">')
    expect(text).toContain(`<link rel="canonical" href="${house.urls.packs}/p/${slug}/history">`)
  })

  test('405 and 204 with Allow for other methods', async () => {
    const slug = await save()
    const wrong = await stranger.send('POST', `/p/${slug}/history`)
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const options = await stranger.send('OPTIONS', `/p/${slug}/history`)
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })
})

describe('the page of a pack says how often it has changed', () => {
  const changes = async (slug: string, browser: Browser = stranger) =>
    pageDataOf(await browser.open(`/p/${slug}`)).changes?.count

  test('to those who may read the history (D-70)', async () => {
    const slug = await save()
    for (const name of ['One', 'Two', 'Three']) await saveAgain(slug, { name })
    for (const [who, browser] of others()) {
      expect([who, await changes(slug, browser)]).toEqual([who, undefined])
    }
    expect(await changes(slug, owner)).toBe(3)
    await open(slug)
    for (const [who, browser] of [...others(), ['the owner', owner] as const]) {
      expect([who, await changes(slug, browser)]).toEqual([who, 3])
    }
    await open(slug, false)
    for (const [who, browser] of others()) {
      expect([who, await changes(slug, browser)]).toEqual([who, undefined])
    }
    expect(await changes(slug, owner)).toBe(3)
  })

  test('not to moderators of a hidden pack', async () => {
    const slug = await save()
    await saveAgain(slug, { name: 'Finals' })
    await open(slug)
    await hide(slug)
    expect(await changes(slug, moderator)).toBeUndefined()
    expect(await changes(slug, owner)).toBe(1)
  })

  test('counted from the first version that others could open', async () => {
    const slug = await save({ visibility: 'private', name: 'Draft' })
    await open(slug)
    await saveAgain(slug, { visibility: 'private', name: 'Another draft' })
    expect(await changes(slug, owner)).toBe(0)
    await saveAgain(slug, { visibility: 'unlisted', name: 'Finals' })
    expect([await changes(slug), await changes(slug, owner)]).toEqual([0, 0])
    await saveAgain(slug, { visibility: 'public', name: 'Finals' })
    await saveAgain(slug, { visibility: 'private', name: 'Finals' })
    await saveAgain(slug, { visibility: 'public', name: 'Grand Finals' })
    expect([await changes(slug), await changes(slug, owner)]).toEqual([2, 2])
    await saveAgain(slug, { visibility: 'private', name: 'Secret' })
    await saveAgain(slug, { visibility: 'public', name: 'Grand Finals' })
    expect([await changes(slug), await changes(slug, owner)]).toEqual([2, 2])
  })

  test('without saves while it was hidden, and those that changed nothing (D-27, D-71)', async () => {
    const slug = await save()
    await open(slug)
    await hide(slug)
    await saveAgain(slug, { name: 'Hidden' })
    await unhide(slug)
    expect(await changes(slug)).toBe(0)
    await saveAgain(slug, { name: 'Finals' })
    expect(await changes(slug)).toBe(1)
    await saveAgain(slug, { name: 'Finals', slots: aPack().slots.toReversed() })
    await saveAgain(slug, { name: 'Finals' })
    expect(await changes(slug)).toBe(1)
  })

  test('by one question to the store after each save, however many ask at once', async () => {
    const slug = await save()
    await open(slug)
    await changes(slug)
    await changes(slug, owner)
    // There is nothing before the first version.
    expect(asked).toBe(0)
    for (const name of ['One', 'Two']) {
      await saveAgain(slug, { name })
      asked = 0
      await Promise.all(Array.from({ length: 20 }, () => stranger.open(`/p/${slug}`)))
      await changes(slug)
      await changes(slug, owner)
      await changes(slug, player)
      expect(asked).toBe(1)
    }
    // What makes no version needs no new count.
    asked = 0
    await open(slug, false)
    await open(slug)
    await hide(slug)
    await unhide(slug)
    expect(await changes(slug)).toBe(2)
    expect(asked).toBe(0)
  })

  test('never on its editor, nor on its history', async () => {
    const slug = await save()
    await saveAgain(slug, { name: 'Finals' })
    for (const end of ['edit', 'history']) {
      expect(pageDataOf(await owner.open(`/p/${slug}/${end}`)).changes).toBeUndefined()
    }
  })

  test('a store that fails is a 500, and the next request asks again', async () => {
    const slug = await save()
    await saveAgain(slug, { name: 'Finals' })
    await open(slug)
    fails = true
    expect((await stranger.open(`/p/${slug}`)).status).toBe(500)
    fails = false
    expect(await changes(slug)).toBe(1)
  })
})
