import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { aBeatmap, keepPublic } from '../support/a-beatmap.ts'
import { catchUp } from '../support/catch-up.ts'
import { aPack } from '../support/samples.ts'
import { expectSiteError, expectSuccess } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let owner: Browser
let visitor: Browser

const dive = aBeatmap(129891, {
  setId: 39804,
  artist: 'xi',
  title: 'FREEDOM DiVE',
  mapper: 'Nakagawa-Kanon',
  difficulty: 'FOUR DIMENSIONS',
})
const sakura = aBeatmap(75, {
  setId: 1,
  artist: 'Kurousa-P',
  title: 'Senbonzakura',
  titleUnicode: '千本桜',
  mapper: 'peppy',
})

beforeEach(async () => {
  house = await openSiteHouse()
  owner = await house.signedIn(7001)
  visitor = house.browser()
  await keepPublic(house.ports.beatmapCache, [dive, sakura], house.clock.now())
})
afterEach(() => house.close())

const slotsOf = (...ids: readonly number[]) =>
  ids.map((beatmapId, at) => ({ mod: 'NM', index: at + 1, beatmapId }))

/** Saves a public pack of these beatmaps; gives its slug. */
const save = (name: string, ids: readonly number[] = [1], more: object = {}): Promise<string> => {
  house.clock.nextMinute()
  return house.save(owner, aPack({ name, visibility: 'public', slots: slotsOf(...ids), ...more }))
}

const search = async (query: Record<string, string>, from = visitor) => {
  const reply = await from.ask('GET', `/session/search?${new URLSearchParams(query)}`)
  expectSuccess(reply, 'searchPacks')
  return reply.json
}

/** The names of what is found. */
const found = async (q: string, more: Record<string, string> = {}): Promise<string[]> => {
  const { packs } = await search({ q, ...more })
  return packs.map(({ entry }: { entry: { n: string } }) => entry.n)
}

describe('GET /session/search', () => {
  test('finds by name, owner, description, song, artist, mapper, difficulty, in every script', async () => {
    const slug = await save('Harbour Lights Cup', [129891, 75], { description: 'Hard jumps' })
    await save('Another', [2])
    await catchUp(house.ports)
    const queries = [
      'harbour lights',
      'LIGHTS cup',
      'jumps',
      'freedom dive',
      'xi',
      'nakagawa',
      'four dimensions',
      'senbonza',
      '千本',
      '千本桜',
      'freedom senbonzakura',
      'harbour peppy',
    ]
    for (const query of queries)
      expect([query, await found(query)]).toEqual([query, ['Harbour Lights Cup']])
    const username = (await owner.ask('GET', '/session')).json.viewer.username
    expect(await found(username)).toEqual(['Another', 'Harbour Lights Cup'])
    const { packs } = await search({ q: 'harbour' })
    expect(packs).toMatchObject([{ entry: { s: slug, o: username, c: 2 }, maps: [] }])
  })

  test('finds by beatmap and set, as number and as link, and says which beatmaps these are', async () => {
    await save('Held', [129891])
    await save('Held too', [129891, 75])
    await catchUp(house.ports)
    const link = 'https://osu.ppy.sh/beatmapsets/39804#osu/129891'
    for (const q of ['129891', link, 'osu.ppy.sh/b/129891', '!mp map 129891']) {
      expect(await search({ q })).toMatchObject({
        packs: [
          { entry: { n: 'Held too' }, maps: ['xi – FREEDOM DiVE'] },
          { entry: { n: 'Held' } },
        ],
        beatmapIds: [129891],
        isNear: false,
      })
    }
    for (const q of ['39804', 'https://osu.ppy.sh/beatmapsets/39804']) {
      expect(await found(q)).toEqual(['Held too', 'Held'])
    }
    expect(await found(`${link} https://osu.ppy.sh/b/75`)).toEqual(['Held too'])
    expect(await search({ q: '4242' })).toMatchObject({ packs: [], beatmapIds: [] })
  })

  test('D-74: finds no new pack by what a draft had looked up of its beatmaps, until it was for a public one', async () => {
    const secret = aBeatmap(3, { title: 'Silent Cathedral' })
    await house.ports.beatmapCache.keepBeatmaps([secret], [], house.clock.now())
    await save('Candidates', [3])
    await catchUp(house.ports)
    expect(await found('silent cathedral')).toEqual([])
    await keepPublic(house.ports.beatmapCache, [secret], house.clock.now())
    await save('Released', [3])
    await catchUp(house.ports)
    expect(await found('silent cathedral')).toEqual(['Released'])
    const { packs } = await search({ q: 'silent cathedral' })
    expect(packs[0].maps).toEqual(['Nine Rivers – Silent Cathedral'])
  })

  test('the name comes first, then the description, neighbours in a song, words of several songs', async () => {
    const other = aBeatmap(2, { title: 'Dive into Freedom', artist: 'Nobody' })
    await keepPublic(house.ports.beatmapCache, [other], house.clock.now())
    await save('Freedom of the dive')
    await save('Described', [1], { description: 'freedom, dive' })
    await save('Song', [129891])
    await save('Apart', [2])
    await save('Unrelated', [75])
    await catchUp(house.ports)
    expect(await found('freedom dive')).toEqual([
      'Freedom of the dive',
      'Described',
      'Song',
      'Apart',
    ])
    expect(await found('freedom dive', { order: 'created' })).toEqual([
      'Apart',
      'Song',
      'Described',
      'Freedom of the dive',
    ])
    const { packs } = await search({ q: 'freedom dive' })
    expect(packs.map(({ maps }: { maps: string[] }) => maps)).toEqual([
      [],
      [],
      ['xi – FREEDOM DiVE'],
      ['Nobody – Dive into Freedom'],
    ])
  })

  test('whole words come before longer ones, however new these are', async () => {
    await save('Lemon Cup')
    await save('Lemonade Cup')
    await catchUp(house.ports)
    expect(await found('lemon')).toEqual(['Lemon Cup', 'Lemonade Cup'])
    expect(await found('lemon ')).toEqual(['Lemon Cup'])
    expect(await found('lem')).toEqual(['Lemonade Cup', 'Lemon Cup'])
  })

  test('forgives typing errors when nothing has the words as they are, and says so', async () => {
    await save('Harbour Lights Cup', [129891])
    await catchUp(house.ports)
    for (const q of [
      'harbuor',
      'harbor cup',
      'fredom dive',
      'nakagwa',
      'freedomdive',
      'harbour ligths',
    ]) {
      expect([q, await search({ q })]).toMatchObject([
        q,
        { packs: [{ entry: { n: 'Harbour Lights Cup' } }], isNear: true },
      ])
    }
    expect(await search({ q: 'harbour' })).toMatchObject({ isNear: false })
    // Of three words and more, one may be wrong altogether.
    expect(await search({ q: 'dive by quicksilver ' })).toMatchObject({ packs: [] })
    expect(await search({ q: 'lights by harbour ' })).toMatchObject({
      packs: [{ entry: { n: 'Harbour Lights Cup' } }],
      isNear: true,
    })
    expect(await search({ q: 'quicksilver' })).toMatchObject({ packs: [], isNear: false })
  })

  test('goes on after `next` until there is no more, each pack once, best first', async () => {
    for (let at = 0; at < 40; at++) await save(`Cup ${at}`)
    for (let at = 0; at < 40; at++) await save(`Other ${at}`, [1], { description: 'of the cup' })
    await catchUp(house.ports)
    const pages = []
    let after: string | null = ''
    while (after !== null) {
      const reply = await search({ q: 'cup', ...(after !== '' && { after }) })
      pages.push(reply.packs.map(({ entry }: { entry: { n: string } }) => entry.n))
      after = reply.next
    }
    const names = (stem: string) => Array.from({ length: 40 }, (_, at) => `${stem} ${39 - at}`)
    expect(pages.flat()).toEqual([...names('Cup'), ...names('Other')])
    expect(Math.max(...pages.map((page) => page.length))).toBe(30)
  })

  test('without words, all packs, newest created first; with filters, those that pass', async () => {
    await save('One', [1])
    await save('Two', [1, 2])
    await save('Three', [1, 2, 3])
    await catchUp(house.ports)
    expect(await found('')).toEqual(['Three', 'Two', 'One'])
    expect(await found(' ')).toEqual(['Three', 'Two', 'One'])
    expect(await found('!!!')).toEqual([])
    expect(await found('', { beatmaps: '2-' })).toEqual(['Three', 'Two'])
    expect(await found('t', { beatmaps: '-2' })).toEqual([])
    expect(await found('tw', { beatmaps: '-2' })).toEqual(['Two'])
    expect(await found('', { stars: '5-', unrated: '1' })).toEqual(['Three', 'Two', 'One'])
    expect(await found('', { stars: '5-' })).toEqual([])
    expect(await found('', { stars: 'many', mods: 'XX', rulesets: ',' })).toHaveLength(3)
    expect(await search({})).toMatchObject({ searched: 3, next: null, beatmapIds: [] })
  })

  test('reads the name of tournament pools as it is configured, and names as they are now', async () => {
    await save('Mine')
    await catchUp(house.ports)
    await house.rename(7001, 'renamed_keeper')
    await house.signedIn(7001)
    await catchUp(house.ports)
    expect(await search({ q: 'renamed' })).toMatchObject({
      packs: [{ entry: { o: 'renamed_keeper' } }],
    })
  })
})

describe('nobody finds what they may not see (D-66)', () => {
  test('private, unlisted and hidden packs: by no word, id or link, and in no count', async () => {
    await save('Secret harbour', [129891], { visibility: 'private' })
    await save('Secret harbour', [129891], { visibility: 'unlisted' })
    const hidden = await save('Secret harbour', [129891])
    const shown = await save('Plain', [75])
    await catchUp(house.ports)
    await house.ports.accounts.setModerator(7003, true, 0)
    const moderator = await house.signedIn(7003)
    await moderator.ask('POST', `/session/moderation/packs/${hidden}/hide`, { reason: 'copied' })
    const expectNothing = async () => {
      for (const q of ['secret', 'harbour', 'freedom', 'sercet', '129891', 'osu.ppy.sh/b/129891']) {
        for (const from of [visitor, owner, moderator]) {
          expect(await search({ q }, from)).toMatchObject({ packs: [], beatmapIds: [], next: null })
        }
      }
      const { packs } = await search({})
      expect(packs).toMatchObject([{ entry: { s: shown } }])
    }
    // At once, and when the worker has seen it.
    await expectNothing()
    await catchUp(house.ports)
    await expectNothing()
    house.clock.nextMinute()
    expect(await search({})).toMatchObject({ searched: 1 })
  })

  test('what is no longer public is not found from the next request on', async () => {
    const slug = await save('Harbour', [129891])
    await catchUp(house.ports)
    expect(await found('harbour')).toEqual(['Harbour'])
    const { pack } = (await owner.ask('GET', `/session/packs/${slug}`)).json
    const changed = aPack({ name: 'Harbour', visibility: 'unlisted', slots: slotsOf(129891) })
    const edit = { pack: changed, basedOn: pack.updatedAt }
    expect((await owner.ask('PUT', `/session/packs/${slug}`, edit)).status).toBe(200)
    expect(await search({ q: 'harbour' })).toMatchObject({ packs: [] })
    expect(await search({ q: '129891' })).toMatchObject({ packs: [], beatmapIds: [] })
  })
})

describe('400, 429 and 500', () => {
  const path = (query: Record<string, string>) => `/session/search?${new URLSearchParams(query)}`

  test('400: an `after` that no answer had, another order, too long a query, a name twice', async () => {
    for (const after of ['x', 'A'.repeat(22), '../', '\0']) {
      expectSiteError(
        await visitor.ask('GET', path({ after })),
        'bad_request',
        /^after must be next of an answer/,
      )
    }
    for (const query of [{ order: 'best' }, { q: 'x'.repeat(201) }, { after: 'x'.repeat(65) }]) {
      expectSiteError(await visitor.ask('GET', path(query)), 'bad_request')
    }
    expectSiteError(await visitor.ask('GET', '/session/search?q=a&q=b'), 'bad_request', /\bq\b/)
  })

  test('429: the share of an address is used up (D-56)', async () => {
    const replies = []
    for (let time = 0; time < 241; time++) replies.push(await visitor.ask('GET', path({ q: 'x' })))
    expect(replies.slice(0, 240).every(({ status }) => status === 200)).toBe(true)
    expectSiteError(replies.at(-1)!, 'rate_limited')
  })

  test('500: the store fails', async () => {
    await house.close()
    const broken = async (): Promise<never> => {
      throw new Error('the disk is gone')
    }
    house = await openSiteHouse({
      withPorts: (ports) => ({ ...ports, search: { ...ports.search, find: broken } }),
    })
    expectSiteError(await house.browser().ask('GET', path({ q: 'x' })), 'internal_error')
  })
})
