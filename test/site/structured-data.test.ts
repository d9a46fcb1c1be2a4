import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
beforeAll(async () => {
  house = await openSiteHouse()
})
afterAll(() => house.close())

type Data = Record<string, unknown> & { readonly '@type': string }

/** The structured data of a page, by type. */
const readData = async (path: string, site: 'packs' | 'pools' = 'packs') => {
  const { text } = await house.browser(site).open(path)
  const blocks = [...text.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)]
  const all = blocks.map(([, json = '']) => JSON.parse(json) as Data)
  for (const data of all) expect(data['@context']).toBe('https://schema.org')
  return new Map(all.map((data) => [data['@type'], data]))
}

const itemsOf = (data: Data | undefined) =>
  (data?.['itemListElement'] ?? []) as readonly {
    readonly position: number
    readonly name: string
    readonly item?: string
    readonly url?: string
  }[]

describe('structured data (schema.org)', () => {
  test('the front page names the site and its search', async () => {
    const site = (await readData('/')).get('WebSite')
    expect(site).toMatchObject({
      name: 'Mapcrate',
      url: `${house.urls.packs}/`,
      potentialAction: {
        '@type': 'SearchAction',
        target: { urlTemplate: `${house.urls.packs}/packs?q={search_term_string}` },
        'query-input': 'required name=search_term_string',
      },
    })
  })

  test('a public pack is a work with its beatmaps; text of its owner ends no element', async () => {
    const owner = await house.signedIn(7001)
    const name = 'Cup </script><script>alert(1)</script>'
    const slug = await house.save(owner, aPack({ name, visibility: 'public' }))
    const data = await readData(`/p/${slug}`)
    const work = data.get('CreativeWork')
    expect(work).toMatchObject({
      url: `${house.urls.packs}/p/${slug}`,
      author: { '@type': 'Person' },
      dateCreated: expect.stringMatching(/Z$/),
      dateModified: expect.stringMatching(/Z$/),
    })
    expect(work?.['name']).toContain(name)
    const list = work?.['mainEntity'] as Data
    expect(list['@type']).toBe('ItemList')
    expect(itemsOf(list).length).toBe(list['numberOfItems'])
    expect(itemsOf(list).map(({ position }) => position)).toEqual(
      Array.from({ length: itemsOf(list).length }, (_, at) => at + 1),
    )
    const crumbs = itemsOf(data.get('BreadcrumbList')).map(({ item }) => item)
    expect(crumbs).toEqual(['/', '/packs', `/p/${slug}`].map((path) => house.urls.packs + path))
  })

  test.each(['unlisted', 'private'] as const)('a pack that is %s has none', async (visibility) => {
    const owner = await house.signedIn(7001)
    const slug = await house.save(owner, aPack({ visibility }))
    expect((await readData(`/p/${slug}`)).size).toBe(0)
  })

  test('the page of an owner is a profile', async () => {
    const owner = await house.signedIn(7001)
    const slug = await house.save(owner, aPack({ visibility: 'public' }))
    const author = (await readData(`/p/${slug}`)).get('CreativeWork')?.['author'] as Data
    const url = `${house.urls.packs}/u/${encodeURIComponent(String(author['name']))}`
    const profile = (await readData(new URL(url).pathname)).get('ProfilePage')
    expect(profile).toMatchObject({ url, mainEntity: { '@type': 'Person', url } })
  })

  test('Browse is a list of packs', async () => {
    const data = await readData('/packs')
    for (const { url } of itemsOf(data.get('ItemList'))) {
      expect(url).toMatch(new RegExp(`^${house.urls.packs}/p/`))
    }
    expect(data.get('ItemList')).toMatchObject({ url: `${house.urls.packs}/packs` })
    expect(itemsOf(data.get('BreadcrumbList')).length).toBe(2)
  })

  test.each(['packs', 'pools'] as const)(
    'a guide is an article, on the site of %s',
    async (site) => {
      const url = `${house.urls[site]}/docs/api`
      const data = await readData('/docs/api', site)
      expect(data.get('TechArticle')).toMatchObject({ headline: 'API guide', url })
      expect(itemsOf(data.get('BreadcrumbList')).at(-1)).toMatchObject({ item: url })
    },
  )

  test('a public tournament is a work of its released rounds; a private one has none', async () => {
    const host = await house.signedIn(7001, 'pools')
    const create = async (visibility: string): Promise<string> => {
      const input = { name: 'Harbour Lights Cup', year: 2026, visibility }
      const reply = await host.ask('POST', '/session/tournaments', input)
      expect(reply.status).toBe(201)
      return reply.json.tournament.slug
    }
    const slug = await create('public')
    const work = (await readData(`/t/${slug}`, 'pools')).get('CreativeWork')
    expect(work).toMatchObject({
      url: `${house.urls.pools}/t/${slug}`,
      temporalCoverage: '2026',
      hasPart: [],
    })
    expect((await readData(`/t/${await create('private')}`, 'pools')).size).toBe(0)
  })
})

describe.each(['packs', 'pools'] as const)('the picture of the site of %s', (site) => {
  test('is 1200 × 630, and pages without a picture of their own name it', async () => {
    const reply = await fetch(`${house.urls[site]}/preview.png`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(reply.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(reply.headers.get('cache-control')).toBe('public, max-age=86400')
    const bytes = Buffer.from(await reply.arrayBuffer())
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
    const headers = { 'if-none-match': reply.headers.get('etag') ?? '' }
    expect((await house.browser(site).send('GET', '/preview.png', { headers })).status).toBe(304)
    for (const path of ['/', '/docs', '/docs/api', ...(site === 'packs' ? ['/packs'] : [])]) {
      const { text } = await house.browser(site).open(path)
      expect(text).toContain(`property="og:image" content="${house.urls[site]}/preview.png"`)
      expect(text).toContain('name="twitter:card" content="summary_large_image"')
    }
  })
})
