import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Language, languages } from '#texts/languages'
import type { ServiceName } from '../../src/contract/services.ts'
import { localeOf } from '../../src/domain/language.ts'
import { textsIn } from '../../src/site/language.ts'
import { pagesOf } from '../../src/site/pages/page-table.ts'
import type { Reply } from '../support/door.ts'
import { openTournament } from '../support/public-tournament.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { openPoolHouse, savePack } from '../web/pool-page.ts'

// What names a language in what the sites send, of every page, feed and file in each language (D-106, D-108, D-109).

const all = Object.keys(languages) as Language[]
const others = all.filter((language) => language !== 'en')

let house: SiteHouse
let names: Readonly<Record<string, string>>

beforeAll(async () => {
  house = await openPoolHouse()
  const owner = await house.signedIn(7001)
  const pack = await savePack(house, owner)
  await owner.ask('PUT', `/session/packs/${pack}/history`, { public: true })
  const host = (await house.signedIn(7001, 'pools')).viewer!.id
  const slots = [{ mod: 'NM', index: 1, beatmapId: 101 }]
  const rounds = [{ name: 'Finals', slots, at: 'now' as const }]
  const cup = (await openTournament(house.ports, host, {}, rounds)).slug
  const [finals] = (await house.ports.tournaments.read(cup))!.rounds
  names = { pack, cup, round: finals!.released!.packSlug }
  await house.publishIndex()
})
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

type Place = readonly [service: ServiceName, path: string]

const open = (
  [service, path]: Place,
  query = '',
  headers: Record<string, string> = {},
): Promise<Reply> => {
  house.clock.nextMinute()
  const filled = path.replace(/\{(\w+)\}/, (_, name: string) => names[name] ?? '')
  return house.browser(service).send('GET', filled + query, {
    headers: { accept: 'text/html,*/*', ...headers },
  })
}

const tablePages = (service: ServiceName): Place[] =>
  pagesOf[service].filter(({ forModerators }) => !forModerators).map(({ path }) => [service, path])

const pages: readonly Place[] = [
  ...tablePages('packs'),
  ['packs', '/p/{pack}'],
  ['packs', '/p/{pack}/history'],
  ['packs', '/maps/101'],
  ['packs', '/u/Peridot'],
  ['packs', '/nothing/here'],
  ...tablePages('pools'),
  ['pools', '/'],
  ['pools', '/my'],
  ['pools', '/t/{cup}'],
  ['pools', '/nothing/here'],
]

const one = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1]
const each = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found)
const unescaped = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"')

/** What its script alone shows is in English. */
const REFERENCE =
  '<script type="application/json" id="page-data">{"siteName":"Mapcrate","page":"reference"'

/** Which language the frame and the content of a page are in, as the page marks them. */
const marksOf = (text: string) => {
  const frame = one(text, /<html lang="([^"]*)"/) ?? ''
  const marked = text.includes(REFERENCE) ? 'en' : one(text, /<main id="main"[^>]* lang="([^"]*)"/)
  return { frame, shown: marked ?? frame }
}

const headOf = (text: string) => {
  const head = text.slice(0, text.indexOf('</head>'))
  const property = (name: string): string[] =>
    each(head, new RegExp(`<meta property="og:${name}" content="([^"]*)">`, 'g'))
  return {
    canonical: one(head, /<link rel="canonical" href="([^"]*)">/),
    url: property('url')[0],
    locale: property('locale'),
    otherLocales: property('locale:alternate'),
    hreflangs: each(head, /<link rel="alternate" hreflang="([^"]*)"/g),
    titleLanguage: one(head, /<title lang="([^"]*)">/),
    title: unescaped(one(head, /<title[^>]*>(.*?)<\/title>/) ?? ''),
    description: unescaped(one(head, /<meta name="description" content="([^"]*)">/) ?? ''),
    ogDescription: unescaped(property('description')[0] ?? ''),
    structured: each(head, /<script type="application\/ld\+json">([^<]*)<\/script>/g).map(
      (json) => JSON.parse(json) as Record<string, unknown>,
    ),
  }
}

/** The values of a property at any depth. */
const valuesOf = (value: unknown, name: string): unknown[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) =>
        key === name ? [inner] : valuesOf(inner, name),
      )
    : []

const ways = [
  ['asked for by the browser', (language: string) => ['', { 'accept-language': language }]],
  ['asked for by ?lang=', (language: string) => [`?lang=${language}`, {}]],
] as const satisfies readonly (readonly [
  string,
  (language: string) => readonly [string, Record<string, string>],
])[]

describe.each(ways)('a page in a language that is %s', (_, asking) => {
  test.each(pages)('of %s: %s names one language and one address in its head', async (...place) => {
    for (const language of all) {
      const { text } = await open(place, ...asking(language))
      const { frame, shown } = marksOf(text)
      expect(frame).toBe(language)
      const head = headOf(text)
      const where = [place[1], language]
      expect([...where, head.titleLanguage ?? frame]).toEqual([...where, shown])
      expect([...where, head.locale]).toEqual([...where, [localeOf(shown)]])
      expect([...where, head.url]).toEqual([...where, head.canonical])
      expect(head.ogDescription).toBe(head.description)
      const alternates = head.hreflangs.filter((each) => each !== 'x-default')
      if (alternates.length > 0) {
        const locales = alternates.filter((each) => each !== shown).map(localeOf)
        expect(head.otherLocales).toEqual(locales)
      }
      if (head.structured.length === 0) continue
      expect([...where, ...new Set(valuesOf(head.structured, 'inLanguage'))]).toEqual([
        ...where,
        shown,
      ])
      const own = head.structured.filter((data) => 'url' in data).map(({ url }) => url)
      expect([...where, own.slice(0, 1)]).toEqual([...where, [head.canonical]])
      const address = head.canonical?.replace(/\?lang=.*/, '')
      const named = JSON.stringify(head.structured).split(`"${address}"`).length - 1
      if (address !== head.canonical) expect([...where, named]).toEqual([...where, 0])
    }
  })

  test.each(pagesOf.packs.filter(({ forModerators }) => !forModerators))(
    '$path has the title and the description of its content’s language (D-108)',
    async ({ path, head }) => {
      for (const language of all) {
        const { text } = await open(['packs', path], ...asking(language))
        const { title, description } = head(textsIn(marksOf(text).shown as Language))
        expect([language, headOf(text).title]).toEqual([
          language,
          title === '' ? 'Mapcrate' : `${title} – Mapcrate`,
        ])
        expect([language, headOf(text).description]).toEqual([language, description])
      }
    },
  )
})

test('og:locale is a language with a territory (D-109)', () => {
  expect(all.map(localeOf)).toEqual(
    expect.arrayContaining(['en_US', 'ko_KR', 'zh_CN', 'es_ES'].slice(0, all.length)),
  )
})

describe('a link to a page that is in English', () => {
  /** What each page of the docs is shown in, for a reader of a language. */
  const shownOf = async (language: string): Promise<Map<string, string>> => {
    const paths = pagesOf.packs.map(({ path }) => path).filter((path) => path.startsWith('/docs'))
    const read = async (path: string) => {
      const { text } = await open(['packs', path], '', { 'accept-language': language })
      return [path, marksOf(text).shown] as const
    }
    const found: (readonly [string, string])[] = []
    for (const path of paths) found.push(await read(path))
    return new Map(found)
  }

  test.each(others)('says so on every page that is in %s (D-108)', async (language) => {
    const shown = await shownOf(language)
    expect(new Set(shown.values())).toEqual(new Set([language, 'en']))
    const marked = { frame: 0, main: 0 }
    for (const place of pages) {
      const { text } = await open(place, '', { 'accept-language': language })
      for (const [part, html] of Object.entries(partsOf(text))) {
        // What is inside of an English text is in English anyway.
        if (part === 'main' && marksOf(text).shown === 'en') continue
        for (const [, attributes = '', words = ''] of html.matchAll(/<a ([^>]*)>([^]*?)<\/a>/g)) {
          const path = one(attributes, /href="(\/docs[^"#?]*)/) ?? ''
          const where = [place[1], part, path]
          if (!shown.has(path)) continue
          const isMarked = attributes.includes('hreflang="en"')
          expect([...where, isMarked]).toEqual([...where, shown.get(path) !== language])
          if (isMarked) marked[part as keyof typeof marked] += 1
          // In the text of a guide, as in the menu of the docs.
          if (isMarked && part === 'main' && place[1].startsWith('/docs/')) {
            expect([...where, words]).toEqual([...where, expect.stringMatching(remarks[language]!)])
          }
        }
      }
    }
    expect(marked.frame).toBeGreaterThan(50)
    // On both sites.
    expect(marked.main).toBeGreaterThan(10)
  })

  const remarks: Readonly<Record<string, RegExp>> = {
    ko: /\(영어\)$/,
    'zh-Hans': /（英文）$/,
    es: / \(en inglés\)$/,
  }

  const partsOf = (text: string) => {
    const [from, to] = [text.indexOf('<main'), text.indexOf('</main>')]
    return { main: text.slice(from, to), frame: text.slice(0, from) + text.slice(to) }
  }
})

describe('an Atom feed (RFC 4287)', () => {
  const feeds: readonly Place[] = [
    ['packs', '/packs.atom'],
    ['packs', '/p/{pack}/history.atom'],
    ['pools', '/t/{cup}.atom'],
  ]

  test.each(feeds)(
    'of %s, %s, is fetched again in its language, which it names',
    async (...place) => {
      for (const language of all) {
        const { text, headers } = await open(place, `?lang=${language}`)
        expect(one(text, /^<feed [^>]*xml:lang="([^"]*)"/m)).toBe(language)
        expect(headers.get('content-language')).toBe(language)
        const self = new URL(unescaped(one(text, /<link rel="self"[^>]* href="([^"]*)"/) ?? ''))
        const again = await open([place[0], self.pathname], self.search, {
          'accept-language': 'es',
        })
        expect(again.text).toBe(text)
      }
    },
  )

  test.each(feeds)(
    'of %s, %s, has the same ids and links in each language (D-109)',
    async (...place) => {
      const identity = async (query: string) => {
        const { text } = await open(place, query)
        return [
          ...each(text, /<id>(.*?)<\/id>/g),
          ...each(text, /<link rel="alternate"[^>]* href="([^"]*)"/g),
          ...each(text, /<(?:updated|published)>(.*?)</g),
        ]
      }
      const english = await identity('')
      expect(english.length).toBeGreaterThan(4)
      expect(english.filter((text) => text.includes('lang='))).toEqual([])
      for (const language of all) expect(await identity(`?lang=${language}`)).toEqual(english)
      expect(await identity('?lang=fr')).toEqual(english)
    },
  )

  test.each(feeds)(
    'of %s, %s, is in English where ?lang= names none of the site',
    async (...place) => {
      const english = await open(place)
      expect((await open(place, '?lang=fr')).text).toBe(english.text)
      expect(one(english.text, /xml:lang="([^"]*)"/)).toBe('en')
      expect(one(english.text, /rel="self"[^>]* href="([^"]*)"/)).not.toContain('?')
    },
  )
})

describe('Content-Language', () => {
  test.each([
    '/manifest.webmanifest',
    '/preview.png',
    '/p/{pack}/preview.png',
    '/p/{pack}/pool.png',
  ])('of %s is what it asks for', async (path) => {
    for (const language of all) {
      const { headers } = await open(['packs', path], `?lang=${language}`)
      expect(headers.get('content-language')).toBe(language)
    }
    expect((await open(['packs', path])).headers.get('content-language')).toBe('en')
  })

  test('of a guide as Markdown is that of its text', async () => {
    for (const { path, markdown, languages: inThose = all } of pagesOf.packs) {
      if (markdown === undefined) continue
      for (const language of all) {
        const { headers } = await open(['packs', markdown], `?lang=${language}`)
        const shown = inThose.includes(language) ? language : 'en'
        expect([path, headers.get('content-language')]).toEqual([path, shown])
      }
    }
  })

  test.each(['/llms.txt', '/docs/openapi/packs.json', '/docs/openapi/pools.json'])(
    'of %s is English, whatever is asked for',
    async (path) => {
      const { headers } = await open(['packs', path], '?lang=ko')
      expect(headers.get('content-language')).toBe('en')
    },
  )

  test.each(['/robots.txt', '/sitemap.xml', '/favicon.svg', '/icon-180.png'])(
    'of %s is not there: it is in none',
    async (path) => {
      const { status, headers } = await open(['packs', path], '?lang=ko')
      expect([status, headers.get('content-language')]).toEqual([200, null])
    },
  )
})

test.each(all)(
  'structured data of a round names it in %s as the page does (D-107)',
  async (language) => {
    const { name } = (await house.ports.tournaments.read(names['cup']!))!
    const credit = textsIn(language).roundOf({ round: 'Finals', tournament: name })
    const { text } = await open(['packs', '/p/{round}'], `?lang=${language}`)
    const data = each(text, /<script type="application\/ld\+json">([^<]*)<\/script>/g)
    const [work] = data.map((json) => JSON.parse(json) as Record<string, unknown>)
    expect(work).toMatchObject({
      alternateName: credit,
      mainEntityOfPage: { inLanguage: language },
    })
    expect(one(text, /<meta name="description" content="([^"]*)"/)).toContain(credit)
  },
)
