import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRaw } from '../api/raw.ts'
import { type Browser, pageDataOf } from '../support/browser.ts'
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

const paths = [
  ['/', 'home'],
  ['/packs', 'browse'],
  ['/k', 'open-key'],
  ['/new', 'editor'],
  ['/me', 'my-packs'],
  ['/account', 'account'],
  ['/docs', 'docs'],
  ['/docs/api', 'docs'],
  ['/docs/client', 'docs'],
  ['/docs/cli', 'docs'],
  ['/docs/formats', 'docs'],
  ['/docs/format-table', 'docs'],
  ['/docs/history', 'docs'],
  ['/docs/into-the-game', 'docs'],
  ['/docs/pack-keys', 'docs'],
  ['/docs/reference', 'reference'],
] as const

describe('every page', () => {
  test.each(paths)('%s stands there for strangers and players', async (path, page) => {
    for (const browser of [stranger, owner]) {
      const reply = await browser.open(path)
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(reply.text).toMatch(/^<!doctype html>\n<html lang="en">/)
      expect(reply.text).toMatch(/<title>[^<]*Mapcrate<\/title>/)
      expect(reply.text).toMatch(/<meta name="description" content="[^"]{10,}">/)
      expect(pageDataOf(reply)).toEqual({
        siteName: 'Mapcrate',
        page,
        address: path,
        language: 'en',
        service: 'packs',
        keyPrefix: 'packs',
        viewer: browser.viewer,
        ...(['/', '/packs'].includes(path) && {
          pinned: [],
          found: { packs: [], next: null, isNear: false, beatmapIds: [], searched: 0 },
        }),
        apiUrl: house.urls.packs,
        poolsUrl: house.urls.pools,
        siteUrl: house.urls.packs,
        coversUrl: `${house.platformUrl}/assets`,
      })
    }
  })

  test.each(paths)(
    '%s loads its own files and nothing else, nothing inline',
    async (path, page) => {
      const { text } = await stranger.open(path)
      const loaded = [...text.matchAll(/ (?:src|href)="(\/assets\/[^"]+)"/g)].map(
        ([, file]) => file,
      )
      expect(loaded).toEqual([
        '/assets/theme-4e5f.js',
        '/assets/shared-0a1b.css',
        '/assets/shared-0a1b.js',
        `/assets/${page}-2c3d.js`,
      ])
      for (const file of loaded) expect((await stranger.open(file ?? '')).status).toBe(200)
      expect(text).not.toMatch(/<style|\sstyle=|\son[a-z]+=/)
      const scripts = [...text.matchAll(/<script([^>]*)>([^<]*)/g)]
      for (const [, attributes, content] of scripts) {
        if (content !== '') expect(attributes).toMatch(/ type="application\/(?:ld\+)?json"/)
      }
    },
  )

  test.each(paths)('%s carries the headers that keep it to itself', async (path) => {
    const { headers } = await stranger.open(path)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; " +
        `img-src 'self' ${house.platformUrl} data:; connect-src 'self'; font-src 'self'; ` +
        "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types mapcrate",
    )
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toMatch(/^accelerometer=\(\), .*usb=\(\)$/)
    expect(headers.get('x-request-id')).toMatch(/^[\w-]+$/)
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  test('is a stranger’s to keep but for a look whether it changed', async () => {
    const first = await stranger.open('/packs')
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const etag = first.headers.get('etag') ?? ''
    const again = await stranger.send('GET', '/packs', { headers: { 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test('with a viewer’s token in it is nobody’s to keep, and packed but for its own end', async () => {
    const reply = await owner.open('/packs')
    expect(reply.text).toContain(owner.viewer?.csrf)
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(reply.headers.get('etag')).toBeNull()
    expect(reply.headers.get('content-encoding')).toBe('gzip')
  })

  test('comes small to those who take it small', async () => {
    for (const coding of ['gzip', 'br', 'identity']) {
      const headers = { 'accept-encoding': coding }
      const reply = await stranger.send('GET', '/packs', { headers })
      const expected = coding === 'identity' ? null : coding
      expect(reply.headers.get('content-encoding')).toBe(expected)
      expect(reply.text).toContain('<!doctype html>')
    }
  })

  test('personal pages ask search engines to stay away, the others do not', async () => {
    for (const [path] of paths) {
      const { text } = await stranger.open(path)
      const isPersonal = ['/new', '/me', '/account'].includes(path)
      expect(text.includes('content="noindex"'), path).toBe(isPersonal)
    }
  })
})

describe('over TLS', () => {
  test('browsers are told to come by TLS alone from then on', async () => {
    const secure = await openSiteHouse({ isSecure: true })
    for (const path of ['/', '/session', '/robots.txt', '/nothing']) {
      const { headers } = await secure.browser().open(path)
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    }
    await secure.close()
  })
})

describe('/moderation', () => {
  test('is for moderators; others are told so, and where to sign in', async () => {
    for (const browser of [stranger, owner]) {
      const reply = await browser.open('/moderation')
      expect(reply.status).toBe(403)
      expect(reply.text).toContain('href="/sign-in?return=%2Fmoderation"')
    }
    await house.ports.accounts.setModerator(7003, true, 0)
    const reply = await (await house.signedIn(7003)).open('/moderation')
    expect(reply.status).toBe(200)
    expect(pageDataOf(reply)).toMatchObject({ page: 'moderation', viewer: { isModerator: true } })
  })
})

describe('what is not there', () => {
  test('is a page for people and JSON for programs', async () => {
    const page = await stranger.open('/nothing/here')
    expect(page.status).toBe(404)
    expect(page.text).toContain('<h1>Page not found</h1>')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    for (const accept of ['*/*', 'application/json', 'image/png']) {
      const reply = await stranger.send('GET', '/nothing/here', { headers: { accept } })
      expect(reply.status).toBe(404)
      expect(reply.json.error.code).toBe('not_found')
    }
  })

  test('below /api stays what it was: a matter of the key (D-12)', async () => {
    for (const path of ['/api', '/api/', '/api/v2/packs', '/api/v1/nothing']) {
      const reply = await stranger.open(path)
      expect(reply.status).toBe(401)
      expect(reply.json.error.code).toBe('unauthorized')
      expect(reply.headers.get('content-security-policy')).toBeNull()
    }
  })

  test('another method on a page: 405 with Allow; OPTIONS: 204 with Allow', async () => {
    for (const path of [
      '/',
      '/packs',
      '/p/AAAAAAAAAA',
      '/sign-in',
      '/robots.txt',
      '/assets/x.js',
    ]) {
      const wrong = await stranger.send('POST', path, { body: '{' })
      expect([path, wrong.status]).toEqual([path, 405])
      expect([path, wrong.headers.get('allow')]).toEqual([path, 'GET, HEAD, OPTIONS'])
      const options = await stranger.send('OPTIONS', path)
      expect([path, options.status]).toEqual([path, 204])
      expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
      expect(options.headers.get('access-control-allow-methods')).toBeNull()
    }
  })

  test('methods that nobody knows are other methods, too', async () => {
    const answer = await sendRaw(house.urls.packs, ['PROPFIND /packs HTTP/1.1'])
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  test('HEAD is GET without the body', async () => {
    for (const [path, status] of [
      ...paths.map(([path]) => [path, 200] as const),
      ['/x', 404] as const,
    ]) {
      const reply = await stranger.send('HEAD', path, { headers: { accept: 'text/html' } })
      expect([path, reply.status, reply.text]).toEqual([path, status, ''])
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
  })
})

describe('when something fails', () => {
  test('the store does: a page says so, and the cause stays in the log', async () => {
    const broken = await openSiteHouse({
      withPorts: (ports) => ({
        ...ports,
        packs: {
          ...ports.packs,
          listPinned: async () => {
            throw new Error('the disk is gone')
          },
        },
      }),
    })
    const reply = await broken.browser().open('/')
    expect(reply.status).toBe(500)
    expect(reply.text).toContain('Something went wrong on our side')
    expect(reply.text).toContain(reply.headers.get('x-request-id'))
    expect(reply.text).not.toContain('disk')
    await broken.close()
  })

  test('the pages were not built: a plain sentence, and all else works', async () => {
    const bare = await openSiteHouse({ isBuilt: false })
    for (const path of ['/', '/packs', '/account']) {
      const reply = await bare.browser().open(path)
      expect(reply.status).toBe(503)
      expect(reply.text).toContain('npm run build')
    }
    expect((await (await bare.signedIn(7001)).ask('GET', '/session')).json.viewer).not.toBeNull()
    await bare.close()
  })
})

describe('pages that say that something is not there, not open or failed', () => {
  const leads = (html: string, href: string): void => expect(html).toContain(`href="${href}"`)

  test('404, 403, 400 and 429 have the header, a search field and a way on, without a script', async () => {
    const replies = [
      await stranger.open('/nothing/here'),
      await stranger.open('/p/AAAAAAAAAA'),
      await stranger.open('/moderation'),
      await stranger.open('/sign-in/callback?code=1'),
    ]
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 403, 400])
    for (const { text } of replies) {
      expect(text).toContain('<header class="header">')
      const there = `${house.urls.pools}/`
      for (const path of ['/', '/packs', there, '/maps', '/new', '/docs', '/account'])
        leads(text, path)
      expect(text).toMatch(/<form [^>]*role="search"[^>]*action="\/packs"/)
      expect(text).toMatch(/<input [^>]*name="q"/)
      expect(text).toMatch(/<p class="actions"><a class="button"/)
      expect(text).not.toContain('type="module"')
    }
  })

  test('the search finds what Browse finds', async () => {
    const found = await stranger.open('/packs?q=finals')
    expect(pageDataOf(found).page).toBe('browse')
  })

  test('on the site of tournament pools they lead to its own pages and its own search', async () => {
    const { status, text } = await house.browser('pools').open('/nothing')
    expect(status).toBe(404)
    const there = ['/packs', '/maps', '/new'].map((path) => house.urls.packs + path)
    for (const path of ['/', ...there, '/docs', '/account']) leads(text, path)
    expect(text).toContain('role="search" action="/"')
    expect(text).toContain('name="search"')
  })
})
