import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { differences } from '#texts/all/differences'
import { languages } from '#texts/languages'
import { siteCosts } from '../../src/contract/quotas.ts'
import { spendSiteShare } from '../../src/operations/admission.ts'
import { openTournament } from '../support/public-tournament.ts'
import { type Browser, pageDataOf } from '../support/browser.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { everyKind, openPoolHouse, savePack } from '../web/pool-page.ts'

// In two languages that are there for tests: English with accents, to the right and to the left.
const [XA, XB] = ['en-XA', 'ar-XB']

let house: SiteHouse
let owner: Browser
let pack: string
let cup: string

beforeAll(async () => {
  house = await openPoolHouse({ isPseudo: true })
  owner = await house.signedIn(7001)
  pack = await savePack(house, owner)
  const host = (await house.signedIn(7001, 'pools')).viewer!.id
  const slots = [{ mod: 'NM', index: 1, beatmapId: 101 }]
  cup = (await openTournament(house.ports, host, {}, [{ name: 'Finals', slots, at: 'now' }])).slug
})
afterAll(() => house.close())

const langOf = (text: string): string => /<html lang="([^"]*)"/.exec(text)?.[1] ?? ''

const openIn = (accept: string, path: string, browser = house.browser()) =>
  browser.send('GET', path, { headers: { accept: 'text/html', 'accept-language': accept } })

describe('a page (D-106)', () => {
  test('is in the language that the browser asks for, and says so', async () => {
    for (const path of ['/', '/packs', `/p/${pack}`, '/maps/101', '/u/Peridot', '/new', '/docs']) {
      for (const [accept, language] of [
        [`${XA};q=0.5`, XA],
        [XB, XB],
        ['fr', 'en'],
      ] as const) {
        const { text, headers } = await openIn(accept, path)
        expect([path, langOf(text), headers.get('content-language')]).toEqual([
          path,
          language,
          language,
        ])
        expect(headers.get('vary')?.split(', ')).toContain('Accept-Language')
        expect(pageDataOf({ text }).language).toBe(language)
      }
    }
  })

  test('has its title, its description and its body in that language', async () => {
    const { text } = await openIn(XA, '/packs')
    expect(/<title>(.*?)<\/title>/.exec(text)?.[1]).toMatch(/^\[Bróówséé pááckss?\] – Mapcrate$/)
    expect(text).toMatch(/<meta name="description" content="\[Sééáárch /)
    expect(text).toContain('[Skííp tóó cóóntéént]')
    expect(text).not.toContain('Skip to content')
  })

  test('is written to the left where the language is', async () => {
    expect((await openIn(XB, '/')).text).toContain(`<html lang="${XB}" dir="rtl">`)
    expect((await openIn(XA, '/')).text).toContain(`<html lang="${XA}">`)
  })

  test('says what of it is in English for everybody', async () => {
    const inEnglish = /<main id="main"[^>]* lang="en" dir="ltr"/
    const inItsLanguage = /<main id="main"(?:(?! lang=)[^>])*>/
    for (const path of ['/docs/api', '/docs/cli', '/docs/into-the-game']) {
      expect((await openIn(XB, path)).text).toMatch(inEnglish)
      expect((await openIn('en', path)).text).toMatch(inItsLanguage)
    }
    // What the page adds to it is in its own language: names for links to headings, tables and samples.
    const { text } = await openIn('ko', '/docs/api')
    expect(text).toMatch(/<a [^>]*aria-label="링크: Errors"[^>]* lang="ko"/)
    expect(text).toMatch(/<div class="code-block" lang="ko">/)
    expect(text).toMatch(/<div class="scroll-box" lang="ko"><table [^>]*lang="en" dir="ltr"/)
    for (const language of [XB, 'ko']) {
      expect((await openIn(language, '/docs')).text).toMatch(inItsLanguage)
    }
  })

  test('has the guides that are translated, and marks the links to others (D-108)', async () => {
    const texts = {
      ko: ['맵풀을 게임에 넣기', '모든 맵이 든 파일 하나'],
      'zh-Hans': ['将图池导入游戏', '一个文件包含所有谱面'],
      es: ['Llevar un pool al juego', 'Todos los mapas en un solo archivo'],
    }
    for (const [language, [title, part]] of Object.entries(texts)) {
      const { text } = await openIn(language, '/docs/into-the-game')
      const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
      expect(main).toMatch(/^<main id="main"(?:(?! lang=)[^>])*>/)
      expect(main).toContain(`<h1>${title}</h1>`)
      expect(main).toContain(`<h2 id="all-maps-as-one-file" tabindex="-1">${part}</h2>`)
      expect(text).toContain(`<title>${title} – `)
      const overview = (await openIn(language, '/docs')).text
      expect(overview).toMatch(/<a class="docs-way" href="\/docs\/api" hreflang="en">/)
      expect(overview).toMatch(/<a class="docs-way" href="\/docs\/into-the-game">/)
    }
    expect((await openIn('en', '/docs')).text).not.toMatch(
      /<a[^>]* hreflang="en"[^>]* href="\/docs/,
    )
  })

  test.each([
    [`/t/AAAAAAAAAA`, 404],
    [`/p/AAAAAAAAAA`, 404],
    ['/moderation', 403],
  ])('that is a refusal, %s, %i, is in that language, too', async (path, status) => {
    const reply = await openIn(XA, path)
    expect([reply.status, langOf(reply.text)]).toEqual([status, XA])
    expect(reply.headers.get('content-language')).toBe(XA)
    expect(reply.text).toMatch(/<h1>\[/)
  })

  test('that is asked for too often is refused in that language', async () => {
    while (spendSiteShare(house.ports, 'packs', 'address 127.0.0.1', siteCosts.page) === null);
    const reply = await openIn(XA, '/packs?q=two+words&lang=en-XA')
    house.clock.nextMinute()
    expect([reply.status, langOf(reply.text)]).toEqual([429, XA])
    expect(reply.text).toContain('[Tóóóó máánýý rééqúúéésts]')
    expect(reply.headers.get('vary')?.split(', ')).toEqual(
      expect.arrayContaining(['Accept', 'Accept-Language', 'Cookie']),
    )
    // In another language, the same is asked for (D-110).
    const hrefs = [...reply.text.matchAll(/<a href="([^"]*)" lang="[^"]*" hreflang/g)]
    expect(hrefs.length).toBeGreaterThan(1)
    for (const [, href = ''] of hrefs) {
      expect(href).toMatch(/^\?q=two\+words&(?:amp;|#38;)?lang=[\w-]+$/)
    }
  })

  test.each([
    '/packs?q=%',
    '//',
    '//evil.test/packs?q=a',
    '/\\evil.test',
    '/p/%zz?',
    '/packs??lang=x&lang=y&q=//evil.test',
  ])('at %s that is refused leads to no other site, and is no failure (D-110)', async (path) => {
    house.clock.nextMinute()
    while (spendSiteShare(house.ports, 'packs', 'address 127.0.0.1', siteCosts.page) === null);
    const reply = await openIn(XA, path)
    house.clock.nextMinute()
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(reply.status).not.toBe(500)
    const hrefs = [...reply.text.matchAll(/<a href="([^"]*)" lang="[^"]*" hreflang/g)]
    for (const [, href = ''] of hrefs) expect(href).toMatch(/^\?/)
  })

  test('that is asked for too often is kept for nobody', async () => {
    while (spendSiteShare(house.ports, 'packs', 'address 127.0.0.1', siteCosts.page) === null);
    const reply = await openIn(XA, '/packs')
    house.clock.nextMinute()
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([429, 'private, no-store'])
  })

  test('is kept for each language by itself', async () => {
    const [one, other] = [await openIn(XA, '/packs'), await openIn('en', '/packs')]
    const tag = one.headers.get('etag')!
    expect(other.headers.get('etag')).not.toBe(tag)
    const again = (accept: string) =>
      house.browser().send('GET', '/packs', {
        headers: { accept: 'text/html', 'accept-language': accept, 'if-none-match': tag },
      })
    expect((await again(XA)).status).toBe(304)
    const english = await again('en')
    expect([english.status, langOf(english.text)]).toEqual([200, 'en'])
  })
})

describe('?lang= (D-106)', () => {
  test('chooses the language of this page and of those after it, on both sites', async () => {
    const browser = house.browser()
    const { text, headers } = await browser.open(`/packs?lang=${XA}`)
    expect(langOf(text)).toBe(XA)
    expect(headers.get('cache-control')).toMatch(/^private/)
    expect(headers.get('set-cookie')).toMatch(
      /^language=en-XA; (?:Domain=[^;]*; )?Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax/,
    )
    expect(langOf((await browser.open('/packs')).text)).toBe(XA)
    expect(langOf((await openIn(XB, '/', browser)).text)).toBe(XA)
    expect(langOf((await browser.at(house.urls.pools).open('/')).text)).toBe(XA)
  })

  test('is left unread where it names no language of the site', async () => {
    for (const given of ['fr', '', 'zh-TW', '%00', 'en-XA&lang=ar-XB', '__proto__']) {
      const { text, headers } = await house.browser().open(`/packs?lang=${given}`)
      expect([given, langOf(text), headers.get('set-cookie')]).toEqual([given, 'en', null])
    }
  })

  test.each([
    ['KO', 'ko'],
    ['ko-KR', 'ko'],
    ['zh-CN', 'zh-Hans'],
    ['es-419', 'es'],
  ])(
    'names %s, as browsers do, for %s: the cookie, the address and the kept page are of that',
    async (given, language) => {
      const [named, own] = [
        await house.browser().open(`/packs?lang=${given}`),
        await house.browser().open(`/packs?lang=${language}`),
      ]
      expect(langOf(named.text)).toBe(language)
      expect(named.headers.get('set-cookie')).toMatch(new RegExp(`^language=${language};`))
      expect(/rel="canonical" href="([^"]*)"/.exec(named.text)?.[1]).toBe(
        `${house.urls.packs}/packs?lang=${language}`,
      )
      expect(named.headers.get('etag')).toBe(own.headers.get('etag'))
      const [guide, same, english] = await Promise.all(
        [`?lang=${given}`, `?lang=${language}`, ''].map(async (asked) => {
          const { status, text } = await house.browser().open(`/docs/into-the-game.md${asked}`)
          return [status, text]
        }),
      )
      expect(guide).toEqual(same)
      expect(guide).not.toEqual(english)
    },
  )

  test('keeps the session of somebody who is signed in', async () => {
    house.clock.nextMinute()
    const browser = await house.signedIn(7001)
    const { text } = await browser.open(`/packs?lang=${XB}`)
    expect(langOf(text)).toBe(XB)
    expect(await browser.look()).not.toBeNull()
  })

  test('is named to search engines, each language with its own address', async () => {
    const linksOf = (text: string) => [
      /<link rel="canonical" href="([^"]*)">/.exec(text)?.[1],
      ...Array.from(
        text.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">/g),
        ([, language, href]) => `${language} ${href}`,
      ),
    ]
    for (const [url, path] of [
      [house.urls.packs, `/p/${pack}`],
      [house.urls.pools, `/t/${cup}`],
    ] as const) {
      const all = [
        ...[...Object.keys(languages), XA, XB].map(
          (language) => `${language} ${url}${path}?lang=${language}`,
        ),
        `x-default ${url}${path}`,
      ].toSorted()
      const read = async (asked: string) => {
        const { text } = await house.browser().at(url).open(`${path}${asked}`)
        const [canonical, ...others] = linksOf(text)
        return [canonical, others.toSorted((a = '', b = '') => (a < b ? -1 : 1))]
      }
      expect(await read('')).toEqual([`${url}${path}`, all])
      expect(await read(`?lang=${XA}`)).toEqual([`${url}${path}?lang=${XA}`, all])
      expect(await read('?lang=fr')).toEqual([`${url}${path}`, all])
    }
    // Pages for one person are in no search engine.
    expect(linksOf((await house.browser().open('/new')).text).slice(1)).toEqual([])
  })

  test('of a guide is named for the languages that the guide is in, and is its own address there (D-108)', async () => {
    const url = house.urls.packs
    const headOf = async (path: string) => {
      const { text } = await house.browser().open(path)
      return {
        canonical: /<link rel="canonical" href="([^"]*)">/.exec(text)?.[1],
        others: Array.from(text.matchAll(/hreflang="([^"]*)" href="http/g), ([, each]) => each),
        markdown: /type="text\/markdown" href="([^"]*)"/.exec(text)?.[1],
        article: /"@type":"TechArticle".*?"inLanguage":"([^"]*)"/.exec(text)?.[1],
        headline: /"headline":"([^"]*)"/.exec(text)?.[1],
      }
    }
    const translated = '/docs/into-the-game'
    expect(await headOf(`${translated}?lang=es`)).toEqual({
      canonical: `${url}${translated}?lang=es`,
      others: [...Object.keys(languages), 'x-default'],
      markdown: `${translated}.md?lang=es`,
      article: 'es',
      headline: 'Llevar un pool al juego',
    })
    for (const [path, headline] of [
      ['/docs/api', 'API guide'],
      ['/docs/pack-keys', 'Pack keys'],
    ] as const) {
      expect(await headOf(`${path}?lang=es`)).toEqual({
        canonical: url + path,
        others: [],
        markdown: `${path}.md`,
        article: 'en',
        headline,
      })
    }
    expect(await headOf('/docs/reference?lang=es')).toMatchObject({
      canonical: `${url}/docs/reference`,
      others: [],
    })
  })

  test('of a guide as Markdown gives its translation, with links that lead somewhere', async () => {
    const markdown = '/docs/into-the-game.md'
    const english = await house.browser().open(markdown)
    expect(english.text).toMatch(/^# Get a pool into the game\n/)
    for (const [language, start] of [
      ['ko', '# 맵풀을 게임에 넣기\n'],
      [XA, english.text],
      ['fr', english.text],
    ] as const) {
      const { text } = await house.browser().open(`${markdown}?lang=${language}`)
      expect(text.startsWith(start)).toBe(true)
      for (const [, href = ''] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
        const { status } = await fetch(new URL(href, house.urls.packs + markdown))
        expect([href, status]).toEqual([href, 200])
      }
    }
    expect((await openIn('ko', markdown)).text).toBe(english.text)
  })

  test('is what feeds and pictures go by, whatever their reader sends', async () => {
    const pools = () => house.browser().at(house.urls.pools)
    const { text } = await openIn(XA, `/t/${cup}`, pools())
    const image = /og:image" content="([^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&')
    const feed = /application\/atom\+xml"[^>]*href="([^"]*)"/.exec(text)![1]!
    expect([new URL(image).searchParams.get('lang'), feed]).toEqual([
      XA,
      `${house.urls.pools}/t/${cup}.atom?lang=${XA}`,
    ])
    const titlesOf = async (path: string): Promise<string[]> =>
      Array.from((await openIn(XB, path, pools())).text.matchAll(/<title>(.*?)<\/title>/g)).map(
        ([, title = '']) => title,
      )
    expect(await titlesOf(`/t/${cup}.atom`)).toContain('Finals released')
    expect(await titlesOf(`/t/${cup}.atom?lang=${XA}`)).toContain('[Finals réélééáásééd]')
    const manifest = await openIn(XB, `/manifest.webmanifest?lang=${XA}`)
    expect(JSON.parse(manifest.text)).toMatchObject({
      lang: XA,
      description: '[Mááp páácks fóór tóóúúrnááméénts.]',
    })
    const english = await fetch(image.replace(/[?&]lang=.*/, ''))
    const other = await fetch(image)
    expect([english.status, other.status]).toEqual([200, 200])
    expect(english.headers.get('etag')).not.toBe(other.headers.get('etag'))
  })
})

/** As a feed gives them, of the entry of the newest version. */
const changesOf = async (slug: string, language: string): Promise<string[]> => {
  const { text } = await openIn('en', `/p/${slug}/history.atom?lang=${language}`)
  return /<entry>[^]*?<summary>([^]*?)<\/summary>/.exec(text)![1]!.split('\n')
}

test('GET /p/{slug}/history.atom names changes in the language that is asked for (D-106)', async () => {
  const slug = await savePack(house, owner, { visibility: 'unlisted' })
  await owner.ask('PUT', `/session/packs/${slug}/history`, { public: true })
  const read = await owner.ask('GET', `/session/packs/${slug}`)
  const { slots, buckets } = everyKind
  const [first, second, third, ...rest] = slots
  const pack = {
    ...everyKind,
    name: 'Nordlicht',
    description: 'Kort.',
    buckets: [
      { code: 'RC1', color: 4, mods: { kind: 'forced', set: ['HD', 'DT'] } },
      ...buckets!.slice(0, 4),
      { code: 'EZ', color: 1 },
      buckets!.at(-1),
    ],
    slots: [
      { ...first!, beatmapId: 108 },
      { ...second!, index: 3 },
      third!,
      ...rest.slice(0, -1),
      { mod: 'EZ', index: 1, beatmapId: 101 },
    ],
  }
  const { status, json } = await owner.ask('PUT', `/session/packs/${slug}`, {
    pack,
    basedOn: read.json.pack.updatedAt,
  })
  expect([status, json.message]).toEqual([200, undefined])
  const [english, pseudo, chinese] = [
    await changesOf(slug, 'en'),
    await changesOf(slug, XA),
    await changesOf(slug, 'zh-Hans'),
  ]
  expect(english.length).toBeGreaterThan(7)
  expect(pseudo).toHaveLength(english.length)
  const words = Object.values(differences.en)
    .map((text) => (typeof text === 'string' ? text : (text as (values: object) => string)({})))
    .flatMap((text) => text.replaceAll('undefined', '').match(/[A-Za-z]{3,}/g) ?? [])
  words.push('removed', 'added', 'beatmap')
  expect(words).toEqual(expect.arrayContaining(['Bucket', 'teal']))
  for (const word of words) expect(pseudo.join('\n')).not.toMatch(new RegExp(`\\b${word}\\b`))
  expect(english.filter((line) => pseudo.includes(line) || chinese.includes(line))).toEqual([])
})

describe('PUT /session/language (D-106)', () => {
  test('400: a language that the site has no texts in, which changes nothing', async () => {
    const browser = await house.signedIn(7002)
    for (const language of ['fr', 'en-XA', '', 5, undefined]) {
      const { status } = await browser.ask('PUT', '/session/language', { language })
      expect([language, status]).toEqual([language, 400])
    }
    expect((await browser.look())?.language).toBeUndefined()
  })

  test('204: what the account has chosen counts before the cookie, on both sites and in every browser', async () => {
    const browser = await house.signedIn(7002)
    const pools = await house.signedIn(7002, 'pools')
    // Those of tests cannot be chosen.
    await house.ports.accounts.setLanguage(browser.viewer!.id, XA)
    for (const each of [browser, pools]) {
      each.cookies.set('language', XB)
      expect(langOf((await each.open('/')).text)).toBe(XA)
    }
    for (const [language, shown] of [
      ['en', 'en'],
      [null, XB],
    ] as const) {
      expect((await browser.ask('PUT', '/session/language', { language })).status).toBe(204)
      expect(langOf((await pools.open('/')).text)).toBe(shown)
      expect((await browser.look())?.language).toBe(language ?? undefined)
    }
  })
})
