import { textsIn } from '../../src/site/language.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hidePack } from '../../src/operations/moderation.ts'
import { describePack } from '../../src/site/pages/page-routes.ts'
import { sceneOf } from '../../src/site/preview/scene.ts'
import { someStats } from '../api/samples.ts'
import { aBeatmap, keepPublic } from '../support/a-beatmap.ts'
import { type Browser, pageDataOf, tagsOf } from '../support/browser.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let stranger: Browser
let owner: Browser

beforeAll(async () => {
  house = await openSiteHouse()
  stranger = house.browser()
  owner = await house.signedIn(7001)
})
afterAll(() => house.close())

const save = (changes: Parameters<typeof aPack>[0] = {}): Promise<string> => {
  house.clock.nextMinute()
  return house.save(owner, aPack({ visibility: 'public', ...changes }))
}

/** What a program that reads heads makes of an attribute. */
const unescape = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const metaOf = (text: string, name: string): string | null => {
  const tag = new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(text)
  return tag === null ? null : unescape(tag[1] ?? '')
}

describe('the head of a pack’s page', () => {
  test('tells chat programs and search engines what it is', async () => {
    const slug = await save({ description: 'The pool of\nthe last weekend.' })
    const { text } = await stranger.open(`/p/${slug}`)
    expect(text).toContain('<title>Grand Finals – Mapcrate</title>')
    const description = '3 beatmaps, by Peridot. The pool of the last weekend.'
    expect(metaOf(text, 'description')).toBe(description)
    expect(metaOf(text, 'og:description')).toBe(description)
    expect(metaOf(text, 'og:title')).toBe('Grand Finals')
    expect(metaOf(text, 'og:type')).toBe('website')
    expect(metaOf(text, 'og:url')).toBe(`${house.urls.packs}/p/${slug}`)
    expect(metaOf(text, 'twitter:card')).toBe('summary_large_image')
    const image = metaOf(text, 'og:image') ?? ''
    expect(image).toMatch(`${house.urls.packs}/p/${slug}/preview.png?v=`)
    const picture = await fetch(image)
    expect(picture.headers.get('content-type')).toBe('image/png')
  })

  test('names stars once they are known, and another picture then', async () => {
    const slug = await save()
    const before = metaOf((await stranger.open(`/p/${slug}`)).text, 'og:image')
    const pack = await house.ports.packs.read(slug)
    const stats = { ...someStats, srMin: 5.31, srMax: 7.81 }
    await house.ports.statsWork.finish(
      { pack: pack!, lease: 0 },
      { stats, dueAt: null, attempts: 0 },
    )
    const { text } = await stranger.open(`/p/${slug}`)
    expect(metaOf(text, 'description')).toBe('3 beatmaps, 5.31–7.81★, by Peridot.')
    expect(metaOf(text, 'og:image')).not.toBe(before)
  })

  test('D-94: names the stars of its picture where the stats count slots without HD, and none while these are not looked up', async () => {
    const { beatmapCache, packs, statsWork } = house.ports
    const slots = [
      { mod: 'NM', index: 1, beatmapId: 901 },
      { mod: 'HD', index: 1, beatmapId: 902 },
    ]
    const key = { beatmapId: 902, ruleset: 'base', mods: ['HD'] } as const
    const map = (id: number) => aBeatmap(id, { stars: 5.125 })
    await keepPublic(beatmapCache, [map(901), map(902)], house.clock.now())
    await beatmapCache.keepRating(key, { stars: 8.594 }, house.clock.now())
    await beatmapCache.publish([], [key])
    const slug = await save({ slots })
    const pack = (await packs.read(slug))!
    const stats = { ...someStats, srMin: 5.13, srMax: 5.13 }
    await statsWork.finish({ pack, lease: 0 }, { stats, dueAt: null, attempts: 0 })
    const { text } = await stranger.open(`/p/${slug}`)
    expect(metaOf(text, 'description')).toBe('2 beatmaps, 5.13–8.59★, by Peridot.')
    const rated = { ...pack, stats }
    expect(sceneOf(rated, [5.125, 8.594], '', null, textsIn('en')).stars).toBe('5.13 – 8.59')
    expect(describePack(rated, '', textsIn('en'))).toBe('2 beatmaps, by Peridot.')
    // Numbers as the language has them (D-107).
    const spanish = sceneOf(rated, [5.125, 8.594], '', null, textsIn('es'))
    expect([spanish.stars, spanish.language]).toEqual(['5,13 – 8,59', 'es'])
  })

  test('unlisted packs are for those who know the address, not for search engines', async () => {
    const { text } = await stranger.open(`/p/${await save({ visibility: 'unlisted' })}`)
    expect(metaOf(text, 'robots')).toBe('noindex')
    expect(metaOf(text, 'og:image')).not.toBeNull()
    const open = await stranger.open(`/p/${await save()}`)
    expect(metaOf(open.text, 'robots')).toBeNull()
  })

  test('private packs show their owner no picture that nobody could load', async () => {
    const { status, text } = await owner.open(`/p/${await save({ visibility: 'private' })}`)
    expect(status).toBe(200)
    expect(metaOf(text, 'og:image')).toBeNull()
  })
})

describe('what people wrote never becomes part of the page', () => {
  const evil = [
    '</title><script>alert(1)</script>',
    '</script><script>alert(1)</script>',
    '<!--<script>',
    '"><img src=x onerror=alert(1)>',
    "' onload='alert(1)",
    '&lt;b&gt; &amp; <b>',
    '\\u003c/script>',
    '${alert(1)} {{7*7}}',
    'javascript:alert(1)',
    ']]><svg/onload=1>',
  ]

  test.each(evil)('%s', async (text) => {
    const slug = await save({
      name: text.slice(0, 64),
      description: text,
      slots: [{ mod: 'ü港', index: 1, beatmapId: 75 }],
    })
    const page = await stranger.open(`/p/${slug}`)
    // Nothing but what the site itself wrote, as on the page of a name without signs, and no handler.
    expect(page.text.match(/<script/g)).toHaveLength(5)
    expect(page.text.match(/<\/script>/g)).toHaveLength(5)
    expect(page.text.match(/<title>/g)).toHaveLength(1)
    const plain = await stranger.open(`/p/${await save({ name: 'Finals', description: 'Ours' })}`)
    expect(tagsOf(page)).toEqual(tagsOf(plain))
    const bare = page.text.replaceAll(/"[^"]*"/g, '""')
    expect(bare).not.toMatch(/<[a-z]+[^>]*\son[a-z]+\s*=/i)
    // And yet all of it is there as it was written.
    expect(pageDataOf(page).pack).toMatchObject({ name: text.slice(0, 64), description: text })
    expect(metaOf(page.text, 'og:title')).toBe(text.slice(0, 64))
    expect(metaOf(page.text, 'description')).toContain(text)
  })

  test.each(evil)('as a moderator’s reason: %s', async (text) => {
    const slug = await save()
    await hidePack(house.ports, slug, { moderatorId: null, reason: text })
    const page = await owner.open(`/p/${slug}`)
    expect(page.text.match(/<\/?script/g)).toHaveLength(6)
    expect(page.text).not.toContain('<!--')
    expect(pageDataOf(page).pack?.hiddenReason).toBe(text)
  })

  test('a player’s name neither', async () => {
    await house.rename(7002, '</script><b>"x\'')
    const other = await house.signedIn(7002)
    const slug = await house.save(other, aPack({ visibility: 'public' }))
    const page = await other.open(`/p/${slug}`)
    expect(page.text.match(/<\/script>/g)).toHaveLength(5)
    expect(page.text).not.toContain('<b>')
    expect(pageDataOf(page).viewer?.username).toBe('</script><b>"x\'')
  })
})

describe('D-29: what one may not see does not differ by a byte from what is not there', () => {
  const missing = async (): Promise<readonly string[]> => {
    const secret = await save({ visibility: 'private' })
    const hidden = await save()
    await hidePack(house.ports, hidden, { moderatorId: null, reason: null })
    return [secret, hidden, 'AAAAAAAAAA', 'nonsense', '%00']
  }

  test('in pages, editors and pictures, for strangers and players', async () => {
    const player = await house.signedIn(7002)
    const slugs = await missing()
    for (const browser of [stranger, player]) {
      for (const end of ['', '/edit', '/preview.png']) {
        const replies = await Promise.all(slugs.map((slug) => browser.open(`/p/${slug}${end}`)))
        expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404]))
        expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
        const headers = replies.map(({ headers: all }) =>
          [...all].filter(([name]) => !['x-request-id', 'date'].includes(name)),
        )
        expect(new Set(headers.map((each) => JSON.stringify(each))).size).toBe(1)
      }
    }
  })

  test('for programs, too', async () => {
    const replies = await Promise.all(
      (await missing()).map((slug) => stranger.send('GET', `/p/${slug}`)),
    )
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })
})

describe('/p/{slug}/edit', () => {
  test('is the owner’s; other players come to the pack, and who is not signed in is asked to', async () => {
    const slug = await save()
    const mine = await owner.open(`/p/${slug}/edit`)
    expect(mine.status).toBe(200)
    expect(pageDataOf(mine)).toMatchObject({ page: 'editor', pack: { slug, isMine: true } })
    expect(mine.text).toContain('<title>Edit Grand Finals – Mapcrate</title>')
    const other = await (await house.signedIn(7002)).open(`/p/${slug}/edit`)
    expect([other.status, other.headers.get('location')]).toEqual([302, `/p/${slug}`])
    const asked = await stranger.open(`/p/${slug}/edit`)
    expect(asked.status).toBe(403)
    expect(pageDataOf(asked).notice?.ways.map(({ href }) => href)).toEqual([
      `/sign-in?return=${encodeURIComponent(`/p/${slug}/edit`)}`,
      `/p/${slug}`,
    ])
  })
})
