import { hash } from 'node:crypto'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { accentCss } from '../../src/domain/accent.ts'
import type { Installation } from '../../src/domain/installation.ts'
import { pagesOf } from '../../src/site/pages/page-table.ts'
import { drawingFor, PictureRenderer } from '../../src/site/preview/renderer.ts'
import type { Scene } from '../../src/site/preview/scene.ts'
import { nordlicht } from '../support/an-installation.ts'
import { type Browser, pageDataOf } from '../support/browser.ts'
import { builtAssets } from '../support/build-pages.ts'
import { openTournament } from '../support/public-tournament.ts'
import { aPack, slots } from '../support/samples.ts'
import { type IndexLoop, startIndexLoop } from '../../src/worker/search-index.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { plainInstallation } from '../support/settings.ts'

const FAULTY = 'faultyfault'.slice(0, 10)

let house: SiteHouse
let owner: Browser
let loop: IndexLoop
let names: Record<string, string>
beforeAll(async () => {
  house = await openSiteHouse({
    hasRealPages: true,
    installation: nordlicht,
    withPorts: (ports) => ({
      ...ports,
      packs: new Proxy(ports.packs, {
        get: (packs, name) =>
          name === 'read'
            ? (slug: string) => {
                if (slug === FAULTY) throw new Error('out of order')
                return packs.read(slug)
              }
            : Reflect.get(packs, name, packs).bind(packs),
      }),
    }),
  })
  owner = await house.signedIn(7001)
  const host = await house.signedIn(7001, 'pools')
  const pack = await house.save(owner, aPack({ visibility: 'public' }))
  const rounds = [{ name: 'Finals', slots: slots(3), at: 'now' }]
  const cup = await openTournament(house.ports, host.viewer!.id, {}, rounds)
  const released = cup.rounds[0]!.packSlug
  names = { pack, released, cup: cup.slug, owner: owner.viewer!.username }
  loop = indexOf(house)
})
afterAll(async () => {
  await loop.stop()
  await house.close()
})
afterEach(() => house.clock.nextMinute())

const log = { warn: () => {}, error: () => {} }
const indexOf = ({ ports, indexCache }: SiteHouse): IndexLoop =>
  startIndexLoop(ports, { indexCache, poolsOwnerName: 'Pools', directory: null }, log)

const filled = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '')

/** What is about the software, and may name it. */
const aboutSoftware: Readonly<Record<string, string>> = {
  '/docs/client': 'the package of the client',
  '/docs/cli': 'the commands that come with it',
  '/docs/openapi/packs.json': 'the API, which is the same on each site',
  '/docs/openapi/pools.json': 'the API, which is the same on each site',
}

const POWERED = 'Powered by Mapcrate.'
/** What the script makes the footer from. */
const POWERED_DATA = '"poweredBy":"Mapcrate"'

/** Where the name of the software is left in a text. */
const leftovers = (path: string, text: string): string[] =>
  path.replace(/\.md$/, '') in aboutSoftware
    ? []
    : [
        ...text
          .replaceAll(POWERED, '')
          .replace(POWERED_DATA, '')
          .matchAll(/.{0,60}Mapcrate.{0,60}/g),
      ].map(([found]) => found)

const pages: readonly (readonly [site: 'packs' | 'pools', path: string])[] = [
  ...pagesOf.packs.map(({ path }) => ['packs', path] as const),
  ...pagesOf.pools.map(({ path }) => ['pools', path] as const),
  ['packs', '/packs?q=cup'],
  ['packs', '/p/{pack}'],
  ['packs', '/p/{pack}/edit'],
  ['packs', '/p/{pack}/history'],
  ['packs', '/u/{owner}'],
  ['packs', '/maps'],
  ['packs', '/maps/1'],
  ['packs', '/p/AAAAAAAAAA'],
  ['packs', '/nothing/here'],
  ['packs', `/p/${FAULTY}`],
  ['packs', '/sign-in/callback?error=access_denied'],
  ['pools', '/sign-in/callback?code=x&state=y'],
  ['pools', '/'],
  ['pools', '/?search=cup'],
  ['pools', '/my'],
  ['pools', '/t/{cup}'],
  ['pools', '/t/{cup}/edit'],
  ['pools', '/t/{cup}/staff'],
  ['pools', '/t/AAAAAAAAAA'],
  ['pools', '/invite/none'],
  ['pools', '/nothing/here'],
]

describe('D-102: each page has the name of its installation, and names the software in its footer alone', () => {
  test.each(pages)('of %s: %s', async (site, path) => {
    const browser = site === 'packs' && path.endsWith('/edit') ? owner : house.browser(site)
    const { status, text } = await browser.open(filled(path))
    expect(status).not.toBe(302)
    const { siteName, logo, contact, poweredBy } = pageDataOf({ text })
    expect({ siteName, logo, contact, poweredBy }).toEqual({
      poweredBy: 'Mapcrate',
      siteName: 'Nordlicht Cups',
      logo: '/assets/logo-0123456789abcdef.svg',
      contact: 'mailto:hello@nordlicht.example',
    })
    expect(/<title>(?:.* – )?(.*)<\/title>/.exec(text)?.[1]).toBe('Nordlicht Cups')
    expect(text).toContain('<meta property="og:site_name" content="Nordlicht Cups">')
    expect(text).toContain('<link rel="icon" href="/assets/logo-0123456789abcdef.svg">')
    expect(leftovers(path, text)).toEqual([])
    // Pages that need a script have no footer before it comes.
    if (!text.includes('<footer')) return
    expect(text.split(POWERED)).toHaveLength(2)
    expect(text).toContain('<a href="mailto:hello@nordlicht.example">Contact</a>')
  })

  test('one that reports a fault links to the contact', async () => {
    const { status, text } = await house.browser().open(`/p/${FAULTY}`)
    expect(status).toBe(500)
    expect(text).toMatch(/href="mailto:hello@nordlicht.example"[^>]*>Contact the operator</)
  })

  test('one that says that there were too many requests', async () => {
    const browser = house.browser()
    let reply = await browser.open('/maps/1')
    for (let at = 0; reply.status !== 429 && at < 2_000; at += 1) {
      reply = await browser.open(`/maps/${at}`)
    }
    expect(reply.status).toBe(429)
    expect(leftovers('', reply.text)).toEqual([])
    expect(pageDataOf(reply).siteName).toBe('Nordlicht Cups')
  })

  test('those that are sent while the pages are not built', async () => {
    const bare = await openSiteHouse({ isBuilt: false, installation: nordlicht })
    try {
      const { status, text } = await bare.browser().open('/')
      expect(status).toBe(503)
      expect(text).toContain(
        '<img class="mark" src="/assets/logo-0123456789abcdef.svg" alt="">Nordlicht Cups</a>',
      )
      expect(leftovers('', text)).toEqual([])
      expect((await bare.browser().open('/assets/logo-0123456789abcdef.svg')).status).toBe(200)
    } finally {
      await bare.close()
    }
  })
})

const texts: readonly (readonly [site: 'packs' | 'pools', path: string, holds: string])[] = [
  ['packs', '/packs.atom', '<title>Public packs – Nordlicht Cups</title>'],
  ['packs', '/packs.atom', '<author><name>Nordlicht Cups</name></author>'],
  ['packs', '/p/{released}/history.atom', ' – Nordlicht Cups</title>\n<updated>'],
  ['pools', '/t/{cup}.atom', '<title>Harbour Lights Cup – Nordlicht Cups</title>\n<updated>'],
  ['pools', '/t/{cup}.json', '"tournament"'],
  ['packs', '/manifest.webmanifest', '"name":"Nordlicht Cups","short_name":"Nordlicht Cups"'],
  ['pools', '/manifest.webmanifest', '"src":"/assets/logo-0123456789abcdef.svg"'],
  ['packs', '/llms.txt', '# Nordlicht Cups\n'],
  ['pools', '/llms.txt', '# Nordlicht Cups tournament pools\n'],
  ['packs', '/llms.txt', '- [Contact](mailto:hello@nordlicht.example)'],
  ['packs', '/robots.txt', 'User-agent'],
  ['packs', '/sitemap.xml', '<urlset'],
  ['packs', '/docs/api.md', '#'],
  ['packs', '/docs/cli.md', 'Mapcrate'],
  ['packs', '/docs/openapi/packs.json', 'Mapcrate packs API'],
]

describe('D-102: what programs read has the name of the installation', () => {
  test.each(texts)('of %s: %s has %s', async (site, path, holds) => {
    const { status, text } = await house.browser(site).send('GET', filled(path))
    expect(status).toBe(200)
    expect(text).toContain(holds)
    expect(leftovers(path, text)).toEqual([])
  })

  test.each(['packs', 'pools'] as const)('/favicon.svg of %s leads to the logo', async (site) => {
    const { status, headers } = await house.browser(site).send('GET', '/favicon.svg')
    expect([status, headers.get('location')]).toEqual([302, '/assets/logo-0123456789abcdef.svg'])
    const logo = await house.browser(site).send('GET', headers.get('location')!)
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  })

  test('the front page and breadcrumbs, for search engines', async () => {
    const named = '"name":"Nordlicht Cups","url"'
    expect((await house.browser().open('/')).text).toContain(named)
    const crumb = '"position":1,"name":"Nordlicht Cups","item"'
    expect((await house.browser().open('/packs')).text).toContain(crumb)
    expect((await house.browser('pools').open(`/t/${names['cup']}`)).text).toContain(crumb)
  })

  test('a name from right to left does not move the words around it', async () => {
    const name = 'كأس الشمال'
    const arabic = await openSiteHouse({ installation: { ...plainInstallation, name } })
    const ofArabic = indexOf(arabic)
    try {
      const { text } = await arabic.browser().open('/packs')
      expect(text).toContain(`<title>Browse packs – \u2068${name}\u2069</title>`)
      const feed = await arabic.browser().send('GET', '/packs.atom')
      expect(feed.text).toContain(`<title>Public packs – \u2068${name}\u2069</title>`)
    } finally {
      await ofArabic.stop()
      await arabic.close()
    }
  })
})

describe('D-103: the accent', () => {
  const css = accentCss(nordlicht.accent!)

  test('is part of a page that is rendered, after all other styles, as its policy allows', async () => {
    const { text, headers } = await house.browser().open('/packs')
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(text) ?? []
    expect(style.endsWith(css)).toBe(true)
    const source = `'sha256-${hash('sha256', style, 'base64')}'`
    expect(headers.get('content-security-policy')).toContain(source)
  })

  test('is linked by a page that needs a script, after all other styles, and is kept for good', async () => {
    const { text } = await house.browser().open('/account')
    const links = [...text.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)]
    const [, path = ''] = links.at(-1) ?? []
    expect(path).toMatch(/^\/assets\/accent-[\w-]{27}\.css$/)
    const reply = await house.browser().open(path)
    expect([reply.status, reply.text]).toEqual([200, css])
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test('and the logo are published for processes that are started with others', async () => {
    const { files } = await builtAssets(nordlicht)
    const paths = files.map(({ path }) => path).filter((path) => /accent|logo/.test(path))
    expect(paths.toSorted()).toEqual([
      expect.stringMatching(/^assets\/accent-/),
      'assets/logo-0123456789abcdef.svg',
    ])
  })
})

describe('D-104: the logo', () => {
  test('is kept for good, and is in a sandbox when it is opened by itself', async () => {
    const { status, headers, text } = await house
      .browser()
      .open('/assets/logo-0123456789abcdef.svg')
    expect(status).toBe(200)
    expect(text).toBe(Buffer.from(nordlicht.logo!.bytes).toString())
    expect(headers.get('content-type')).toBe('image/svg+xml')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })
})

const pixelsOf = async (png: Buffer) => {
  const image = await loadImage(png)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, image.width, image.height)
  return { width: image.width, height: image.height, data }
}

const scene: Scene = {
  language: 'en',
  name: 'Cup',
  credit: 'by Ada',
  stars: null,
  facts: [],
  slots: [{ label: 'NM1', bucket: 'NM', color: '#60a5fa', stars: 5 }],
}

const drawn = async (installation: Installation, job: Parameters<PictureRenderer['draw']>[0]) => {
  const renderer = new PictureRenderer(drawingFor(installation))
  try {
    return (await renderer.draw(job))!
  } finally {
    await renderer.close()
  }
}

describe('D-105: pictures', () => {
  const renamed = { ...plainInstallation, name: 'Nordlicht Cups' }
  const logoOnly = { ...plainInstallation, logo: nordlicht.logo }

  test('of a pack have the name and the logo in their foot, and nothing else of the site', async () => {
    const job = { kind: 'pack', scene } as const
    const plain = await pixelsOf(await drawn(plainInstallation, job))
    for (const [other, from, to] of [
      [renamed, 100, 400],
      [logoOnly, 60, 100],
    ] as const) {
      const { data, width } = await pixelsOf(await drawn(other, job))
      const differing = [...data.keys()]
        .filter((at) => data[at] !== plain.data[at])
        .map((at) => [Math.floor(at / 4) % width, Math.floor(at / 4 / width)] as const)
      expect(differing.length).toBeGreaterThan(100)
      for (const [x, y] of differing) {
        if (x < from || x > to || y < 560 || y > 610) throw new Error(`${x}, ${y} differs`)
      }
    }
  })

  test('of a pool, of the site and icons differ with the name or the logo', async () => {
    const rows = [
      { label: 'NM1', bucket: 'NM', color: '#60a5fa', title: 'Harbour', line: '', mapper: '' },
    ].map((row) => ({ ...row, stars: null, values: [], isPlanned: false }))
    const pool = {
      kind: 'pool',
      scene: { name: 'Cup', line: '', scale: 1, heads: ['Mapper', 'Stars', 'Length'], rows },
    } as const
    const site = { kind: 'site', sentence: 'Map packs.', language: 'en' } as const
    for (const job of [pool, site]) {
      const all = [plainInstallation, renamed, logoOnly].map((each) => drawn(each, job))
      const [plain, named, marked] = await Promise.all(all)
      expect(named!.equals(plain!)).toBe(false)
      expect(marked!.equals(plain!)).toBe(false)
    }
    const { data, width } = await pixelsOf(await drawn(logoOnly, { kind: 'icon', size: 192 }))
    const at = (x: number, y: number) => Array.from(data.subarray(4 * (y * width + x)).slice(0, 3))
    expect(at(96, 45)).toEqual([0x7a, 0x1f, 0xa2])
    expect(at(4, 4)).toEqual([0x12, 0x15, 0x1c])
  })

  test('have other tags when the name or the logo is another, and the same when neither is', async () => {
    const tagsOf = async (installation: Installation) => {
      const own = await openSiteHouse({ installation })
      try {
        const browser = await own.signedIn(7001)
        const pack = await own.save(browser, aPack({ visibility: 'public' }))
        const paths = [
          `/p/${pack}/preview.png`,
          `/p/${pack}/pool.png`,
          '/icon-192.png',
          '/preview.png',
        ]
        const replies = await Promise.all(paths.map((path) => browser.open(path)))
        return replies.map(({ headers }) => headers.get('etag'))
      } finally {
        await own.close()
      }
    }
    const plain = await tagsOf(plainInstallation)
    expect(new Set(plain).size).toBe(4)
    expect(await tagsOf({ ...plainInstallation, contact: 'mailto:a@b.example' })).toEqual(plain)
    for (const [at, tag] of (await tagsOf(logoOnly)).entries()) expect(tag).not.toBe(plain[at])
    const named = await tagsOf(renamed)
    for (const at of [0, 1, 3]) expect(named[at]).not.toBe(plain[at])
    // An icon has no name.
    expect(named[2]).toBe(plain[2])
  })
})
