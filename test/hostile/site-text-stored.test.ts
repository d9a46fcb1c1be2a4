import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startIndexLoop } from '../../src/worker/search-index.ts'
import { type Browser, pageDataOf } from '../support/browser.ts'
import type { Host } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { aLink } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { storeText } from '../support/store-text.ts'

// Text that D-19 lets in comes out of every door as it went in, and breaks none of them.
const texts: readonly string[] = [
  '</script><!--<script>alert(1)</script>',
  ']]><x/>&#x0;&#0;&lt;&amp;amp;%00%0d%0aSet-Cookie:a=b',
  'javascript:alert(1) data:text/html,<script>alert(1)</script>',
  'next\u2028line\u2029end',
  '\u200fright to left\u061c \u200e(\u05d0) \u200f',
  'a\u200db\u200cc\u00ad\ufeff\u2060.',
  '👩‍👩‍👧‍👦🏳️‍🌈🇯🇵👍🏽',
  `Z${'\u0300\u0316\u0489'.repeat(20)}o`,
  '\uffff\ufffe\ufdd0\u{10ffff}\u{e0001}',
  '\\u003c \\0 \\x3c ${1+1} {{1+1}} <%= 1 %>',
  "' or 1=1; drop table pack; -- \\' %_%",
  '__proto__ constructor toString hasOwnProperty',
  '﷽'.repeat(64),
]

const oneLine = texts.filter((text) => !/[\u2028\u2029]/.test(text))

let house: SiteHouse
let owner: Browser
let moderator: Browser
let host: Host

beforeAll(async () => {
  house = await openSiteHouse()
  await house.ports.accounts.setModerator(7003, true, 0)
  owner = await house.signedIn(7001)
  moderator = await house.signedIn(7003)
  host = await house.hostOf(7001, 'Peridot')
})
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

/** As much of it as a name takes: one line, and no half letters. */
const nameOf = (text: string): string => {
  const letters = Array.from(text.replaceAll(/[\u2028\u2029]/g, ' '))
  while (letters.join('').length > 64) letters.pop()
  return letters.join('').trim()
}

const save = async (text: string): Promise<string> => {
  house.clock.nextMinute()
  const words = { name: nameOf(text), description: text }
  return house.save(owner, aPack({ ...words, visibility: 'public' }))
}

describe('what people write comes out as it went in (D-19)', () => {
  test.each(texts)('%j', async (text) => {
    const slug = await save(text)
    const words = { slug, name: nameOf(text), description: text }
    const stranger = house.browser()
    expect((await stranger.ask('GET', `/session/packs/${slug}`)).json.pack).toMatchObject(words)
    expect((await host.get(`/packs/${slug}`)).json.pack).toMatchObject(words)
    for (const who of [stranger, owner, moderator]) {
      expect(pageDataOf(await who.open(`/p/${slug}`)).pack).toMatchObject(words)
    }
    expect(pageDataOf(await owner.open(`/p/${slug}/edit`)).pack).toMatchObject(words)
    const mine = await owner.ask('GET', '/session/my-data')
    expect(mine.json.packs[0]).toMatchObject(words)
    expect(mine.headers.get('content-disposition')).toBe('attachment; filename="my-data.json"')
    expect(mine.text.isWellFormed()).toBe(true)
    await owner.ask('DELETE', `/session/packs/${slug}`)
  })

  test.each(texts)('moderators find it by itself, and by nothing else: %j', async (text) => {
    const [slug, other] = [await save(text), await save('Grand Finals')]
    const find = async (words: string): Promise<string[]> => {
      const query = new URLSearchParams({ query: words }).toString()
      const reply = await moderator.ask('GET', `/session/moderation/packs?${query}`)
      return reply.json.packs.map((pack: { slug: string }) => pack.slug)
    }
    expect(await find(nameOf(text))).toEqual([slug])
    expect(await find('%')).not.toContain(other)
    expect(await find('_')).not.toContain(other)
    for (const id of [slug, other]) await owner.ask('DELETE', `/session/packs/${id}`)
  })

  test.each(oneLine)(
    'as a moderator’s reason, in the log, the list and the owner’s data: %j',
    async (text) => {
      const slug = await save('Grand Finals')
      const path = `/session/moderation/packs/${slug}/hide`
      expect((await moderator.ask('POST', path, { reason: text })).status).toBe(200)
      const { entries } = (await moderator.ask('GET', '/session/moderation/log')).json
      expect(entries[0]).toMatchObject({ slug, action: 'hide', reason: text.trim() })
      const only = await moderator.ask('GET', '/session/moderation/packs?only=hidden')
      expect(only.json.packs[0]).toMatchObject({ slug, hiddenReason: text.trim() })
      const { moderation } = (await owner.ask('GET', '/session/my-data')).json
      expect(moderation[0]).toMatchObject({ slug, reason: text.trim() })
      await owner.ask('DELETE', `/session/packs/${slug}`)
    },
  )

  test.each(oneLine)('D-43: as the name of a magnet link it stays a name: %j', async (text) => {
    const slug = await save('Grand Finals')
    const { packKey } = (await owner.ask('GET', `/session/packs/${slug}`)).json.pack
    const url = `${aLink(1)}&dn=${encodeURIComponent(text)}`
    const reply = await owner.ask('POST', `/session/packs/${slug}/magnets`, { url, packKey })
    expect(reply.status, reply.text).toBe(201)
    const [link] = reply.json.pack.exports
    expect(link.url).toMatch(/^magnet:\?xt=urn:btih:0{39}1(?:&dn=[\w!'()*.~%+-]*)?$/)
    await owner.ask('DELETE', `/session/packs/${slug}`)
  })
})

describe('what would turn text is refused on the site as on the API (D-47)', () => {
  const turning = 'Cup \u202enaem'

  test.each(['name', 'description'])('a saved %s', async (field) => {
    const reply = await owner.ask('POST', '/session/packs', { ...aPack(), [field]: turning })
    expect(reply.status).toBe(400)
    expect(reply.json.error.message).toMatch(new RegExp(`^${field} must not contain U\\+202E: `))
  })

  test('a moderator’s reason, and the name of a magnet link', async () => {
    const slug = await save('Grand Finals')
    const path = `/session/moderation/packs/${slug}/hide`
    const hidden = await moderator.ask('POST', path, { reason: turning })
    expect(hidden.status).toBe(400)
    expect(hidden.json.error.message).toContain('reason must not contain U+202E')
    const { packKey } = (await owner.ask('GET', `/session/packs/${slug}`)).json.pack
    const url = `${aLink(1)}&dn=${encodeURIComponent(turning)}`
    const link = await owner.ask('POST', `/session/packs/${slug}/magnets`, { url, packKey })
    expect(link.status).toBe(400)
    expect(link.json.error.message).toContain('the dn of url must not contain U+202E')
    await owner.ask('DELETE', `/session/packs/${slug}`)
  })

  test('what was stored before stays readable, and is refused at the next save', async () => {
    const slug = await save('Grand Finals')
    await storeText(house, slug, { name: turning, description: turning })
    const { pack } = (await host.get(`/packs/${slug}`)).json
    expect(pack).toMatchObject({ name: turning, description: turning })
    const { name, slots } = pack
    const again = await host.put(slug, { name, slots })
    expect(again.status).toBe(400)
    expect(again.json.error.message).toContain('name must not contain U+202E')
    expect((await host.put(slug, { name: 'Cup', slots })).status).toBe(200)
    await owner.ask('DELETE', `/session/packs/${slug}`)
  })
})

describe('spec 2.10: the files that are made of it are sound', () => {
  test('packs/index.json holds names whole and descriptions cut, but never through a letter', async () => {
    const cut = ['a', 'ab'].map((start) => start + '👍🏽'.repeat(80))
    const all = [...texts, ...cut]
    const slugs: string[] = []
    for (const text of all) slugs.push(await save(text))
    const silent = { warn: () => {}, error: () => {} }
    const index = { indexCache: house.indexCache, poolsOwnerName: 'Tournament pools' }
    const loop = startIndexLoop(house.ports, index, silent)
    await loop.ready
    const reply = await house.browser().open('/packs/index.json')
    expect(reply.text.isWellFormed()).toBe(true)
    const entries = new Map(reply.json.packs.map((entry: { s: string }) => [entry.s, entry]))
    for (const [at, text] of all.entries()) {
      const entry = entries.get(slugs[at]) as { n: string; d: string }
      expect(entry.n).toBe(nameOf(text))
      expect(entry.d.isWellFormed()).toBe(true)
      expect(entry.d.length).toBeLessThanOrEqual(141)
    }
    const { text } = await house.browser().open('/sitemap.xml')
    const places = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place]) => place)
    for (const slug of slugs) expect(places).toContain(`${house.urls.packs}/p/${slug}`)
    const rest = text.replaceAll(/<\/?(?:\?xml|urlset|url|loc|lastmod)[^<>]*>/g, '')
    expect(rest).not.toMatch(/[<>"']|&(?!amp;)/)
    await loop.stop()
  })
})

describe('D-14, D-24: a refusal never says again what was sent', () => {
  test.each(texts)('%j', async (text) => {
    const wrong = [
      { ...aPack(), visibility: text },
      { ...aPack(), slots: [{ mod: text, index: 1, beatmapId: 1 }] },
      { ...aPack(), buckets: [{ code: text, color: 1 }] },
      { ...aPack(), [text]: 1, name: 7 },
    ]
    for (const body of wrong) {
      const reply = await owner.ask('POST', '/session/packs', body)
      expect(reply.status).toBe(400)
      expect(reply.json.error.message).not.toContain(text.slice(0, 8))
    }
  })
})
