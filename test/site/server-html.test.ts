import { hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openAssetStore } from '../../src/site/assets/assets.ts'
import { siteCosts } from '../../src/contract/quotas.ts'
import { spendSiteShare } from '../../src/operations/admission.ts'
import { type Browser, pageDataOf } from '../support/browser.ts'
import type { Reply } from '../support/door.ts'
import { openTournament } from '../support/public-tournament.ts'
import { evil } from '../support/real-page.ts'
import { writeSiteAssets } from '../support/site-assets.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { takeOver } from '../support/usage-scene.ts'
import { everyKind, openPoolHouse, savePack, settleStats, teach } from '../web/pool-page.ts'
import { plainInstallation } from '../support/settings.ts'

let house: SiteHouse
let stranger: Browser
let visitor: Browser
let owner: Browser
let host: Browser
let player: Browser

beforeAll(async () => {
  house = await openPoolHouse()
  stranger = house.browser()
  visitor = house.browser('pools')
  owner = await house.signedIn(7001)
  player = await house.signedIn(7002)
  host = await house.signedIn(7001, 'pools')
})
afterAll(() => house.close())

const HOSTILE = `</script>${evil}`

/** What is in `#app` when no script has run. */
const bodyOf = (text: string): string =>
  /<div id="app">(.*)<\/div>\n<p class="script-failed"/s.exec(text)?.[1] ?? ''

/** The words that a reader without a script sees. */
const wordsOf = (text: string): string =>
  bodyOf(text)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')

const open = async (from: Browser, path: string): Promise<string> => {
  const { status, text } = await from.open(path)
  expect(status).toBe(200)
  return text
}

describe('pages are whole without a script', () => {
  test('a pack: its slots with what is known of their beatmaps, its numbers, its key', async () => {
    const slug = await savePack(house, owner)
    await settleStats(house)
    const text = await open(stranger, `/p/${slug}`)
    const words = wordsOf(text)
    const { packKey = '' } = pageDataOf({ text }).pack ?? {}
    for (const part of ['Harbour Cup', 'First line.', 'by Peridot', packKey, '9 maps']) {
      expect(words).toContain(part.replace('9 maps', 'Maps 9'))
    }
    expect(words).toMatch(
      /NM1 Harbour 101 Nine Rivers , difficulty \[ Insane \] , made by arbor ★ 4\.25/,
    )
    expect(words).toMatch(/DT1 Harbour 105 .*★ 7\.13.* 2:52 min BPM 333/)
    expect(words).toMatch(/RC1 1 Harbour 106/)
    expect(words).toContain('Not found on the game platform')
    // The plot says each slot in words, and has its stars as places.
    expect(text.match(/class="plot-dot"[^>]*transform="translate\(/g)).toHaveLength(9)
    expect(text).toContain('href="https://osu.ppy.sh/beatmaps/101"')
  })

  test('a pack of whose beatmaps nothing is known yet: its slots', async () => {
    const slots = [{ mod: 'NM', index: 1, beatmapId: 160 }]
    const slug = await savePack(house, owner, { slots, buckets: [{ code: 'NM' }] })
    const before = await open(stranger, `/p/${slug}`)
    expect(wordsOf(before)).toContain('NM1 Beatmap 160')
    expect(pageDataOf({ text: before }).beatmaps).toEqual([])
    // What has come meanwhile is there a few seconds later.
    await teach(house, 160, { title: 'Later', artist: 'Somebody', stars: 5, mode: 'osu' })
    await settleStats(house)
    house.clock.advance(6_000)
    expect(wordsOf(await open(stranger, `/p/${slug}`))).toContain('NM1 Later')
  })

  test('a tournament: its rounds with their beatmaps, and nothing of its drafts', async () => {
    const pool = { buckets: everyKind.buckets ?? [], slots: everyKind.slots }
    const draft = { slots: [{ mod: 'NM', index: 1, beatmapId: 107 }] }
    const facts = { name: 'Harbour Lights Cup', description: 'Two on two.' }
    const { slug } = await openTournament(house.ports, host.viewer?.id ?? '', facts, [
      { name: 'Qualifiers', bestOf: 9, ...pool, slots: pool.slots.slice(1), at: 'now' },
      { name: 'Secret Finals', ...draft },
    ])
    await settleStats(house)
    for (const from of [visitor, host]) {
      const text = await open(from, `/t/${slug}`)
      const words = wordsOf(text)
      for (const part of ['Harbour Lights Cup', 'Two on two.', 'Qualifiers', 'Best of 9']) {
        expect(words).toContain(part)
      }
      expect(words).toMatch(/NM1 Harbour 101 .*NM2 Harbour 102/)
      expect(text).not.toMatch(/Secret Finals|Harbour 107/)
    }
    const front = wordsOf(await open(visitor, '/'))
    expect(front).toMatch(/Recently released Qualifiers Harbour Lights Cup/)
    expect(front).toMatch(/1 tournament Harbour Lights Cup/)
  })

  test('a link with user information, stored before that was refused, is text and no link', async () => {
    const [taken, old] = ['https://cup.example/rules', 'https://osu.ppy.sh@evil.example/x']
    const { tournaments } = house.ports
    const create: typeof tournaments.create = (...args) =>
      tournaments.create(
        ...(JSON.parse(JSON.stringify(args).replaceAll(taken, old)) as typeof args),
      )
    const ports = { ...house.ports, tournaments: { ...tournaments, create } }
    const id = host.viewer?.id ?? ''
    const links = (text: string) =>
      [...bodyOf(text).matchAll(/href="([^"]*)"/g)].map(([, to]) => to)
    const now = await openTournament(house.ports, id, { link: taken }, [])
    expect(links(await open(visitor, `/t/${now.slug}`))).toContain(taken)
    const before = await openTournament(ports, id, { link: taken }, [])
    for (const from of [visitor, host]) {
      const text = await open(from, `/t/${before.slug}`)
      expect(wordsOf(text)).toContain(old)
      expect(links(text).filter((to) => to?.includes('evil.example'))).toEqual([])
    }
    // Who reads it by the API gets what was stored, and other fields can be changed.
    const path = `/session/tournaments/${before.slug}`
    const read = await host.ask('GET', path)
    expect([read.status, read.json.tournament.link]).toEqual([200, old])
    const changed = await host.ask('PATCH', path, { shortName: 'HLC' })
    expect([changed.status, changed.json.tournament.link]).toEqual([200, old])
    expect((await host.ask('PATCH', path, { link: old })).status).toBe(400)
  })

  test('the docs: each guide as it is in the repository, with the addresses of this service', async () => {
    expect(wordsOf(await open(stranger, '/docs'))).toContain('Guides to packs, pack keys')
    const guide = wordsOf(await open(stranger, '/docs/api'))
    expect(guide).toContain('The API')
    expect(guide).toContain(`${house.urls.packs}/api/v1`)
    expect(guide).not.toContain('mapcrate.test')
    for (const path of ['client', 'cli', 'tournaments', 'history', 'formats', 'pack-keys']) {
      const text = await open(visitor, `/docs/${path}`)
      expect(bodyOf(text)).toMatch(/<h1>[^<]+<\/h1>/)
      expect(bodyOf(text).length).toBeGreaterThan(5_000)
    }
  })

  test('search is a form that needs no script', async () => {
    for (const path of ['/', '/packs']) {
      expect(bodyOf(await open(stranger, path))).toMatch(
        /<form[^>]* action="\/packs"[^>]*>.*name="q"/s,
      )
    }
    expect(bodyOf(await open(visitor, '/'))).toMatch(/<form[^>]* action="\/"[^>]*>.*name="search"/s)
  })

  test('tournaments are found by the address alone', async () => {
    const id = host.viewer?.id ?? ''
    await openTournament(house.ports, id, { name: 'Lantern Open', ruleset: 'mania' }, [])
    const found = wordsOf(await open(visitor, '/?search=lantern&ruleset=mania&rank=&year='))
    expect(found).toMatch(/1 tournament Lantern Open/)
    expect(wordsOf(await open(visitor, '/?search=harbour'))).not.toContain('Lantern Open')
    // What it does not understand, it leaves out.
    const odd = '/?search=%00&ruleset=x&rank=-1&year=99999&page=0'
    expect(bodyOf(await open(visitor, odd))).toBe(bodyOf(await open(visitor, '/')))
  })

  test('what cannot do without a script says so', async () => {
    for (const path of ['/k', '/new', '/docs/reference']) {
      const body = bodyOf(await open(stranger, path))
      expect(body).toMatch(/<main[^>]*><div class="notice without-script"><h1>.*needs JavaScript/)
      expect(body).toMatch(/role="search".*href="\/packs"/s)
      expect(body).toMatch(/<div class="needs-script">.*<span class="skeleton-row"/)
    }
  })
})

const policyOf = ({ headers }: Pick<Reply, 'headers'>): string =>
  headers.get('content-security-policy') ?? ''

/** What a directive of a policy allows. */
const allowed = (policy: string, name: string): string[] =>
  policy
    .split('; ')
    .map((directive) => directive.split(' '))
    .find(([first]) => first === name)
    ?.slice(1) ?? []

const sourceOf = (text = ''): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** Its styles and its early script are files. */
const expectFiles = (text: string): void => {
  expect(text).toMatch(/<script src="\/assets\/theme-[^"]+"><\/script>/)
  expect(text).toMatch(/<link rel="stylesheet" href="[^"]+">/)
  expect(text).not.toMatch(/<style|<script>/)
}

describe('what a page needs before its first paint comes with it, in one round trip', () => {
  const rendered = ['/', '/packs', '/packs?q=harbour', '/docs', '/docs/api', '/docs/formats']

  test('its styles and its early script, each allowed by its hash alone', async () => {
    const slug = await savePack(house, owner)
    await takeOver(house.ports)
    const id = host.viewer?.id ?? ''
    const { slug: cup } = await openTournament(house.ports, id, { name: 'Lantern Masters' }, [])
    for (const [browser, path] of [
      ...[...rendered, `/p/${slug}`, '/u/Peridot', '/maps/101'].map((path) => [stranger, path]),
      ...['/k', '/new', '/docs/reference', '/account'].map((path) => [stranger, path]),
      ...['/', '/docs/tournaments', `/t/${cup}`].map((path) => [visitor, path]),
    ] as [Browser, string][]) {
      const reply = await browser.open(path)
      expect([path, reply.status]).toEqual([path, 200])
      const styles = [...reply.text.matchAll(/<style>(.*?)<\/style>/gs)]
      const scripts = [...reply.text.matchAll(/<script>(.*?)<\/script>/gs)]
      expect([path, styles.length, scripts.length]).toEqual([path, 1, 1])
      const policy = policyOf(reply)
      expect(allowed(policy, 'style-src')).toEqual(["'self'", sourceOf(styles[0]?.[1])])
      expect(allowed(policy, 'script-src')).toEqual(["'self'", sourceOf(scripts[0]?.[1])])
      expect(policy).not.toContain('unsafe')
      // No file of its styles is loaded, and the text is that of all of them.
      const links = [...reply.text.matchAll(/<link rel="stylesheet" href="([^"]+)"([^>]*)>/g)]
      expect(links.map(([, , rest]) => rest)).toEqual(links.map(() => ' media="not all" disabled'))
      const files = await Promise.all(links.map(([, href = '']) => browser.open(href)))
      expect(styles[0]?.[1]).toBe(files.map(({ text }) => text).join('\n'))
      expect(reply.text).not.toMatch(/<script src=/)
    }
  })

  test('the policy is the same for everybody, whether the page is sent, known or only asked about', async () => {
    for (const path of rendered) {
      const first = await stranger.open(path)
      const policy = policyOf(first)
      expect(allowed(policy, 'style-src')).toHaveLength(2)
      const etag = first.headers.get('etag') ?? ''
      const again = await stranger.send('GET', path, { headers: { 'if-none-match': etag } })
      expect([path, again.status]).toEqual([path, 304])
      const head = await stranger.send('HEAD', path, { headers: { accept: 'text/html' } })
      const packed = await stranger.send('GET', path, { headers: { 'accept-encoding': 'br' } })
      for (const reply of [again, head, packed, await stranger.open(path), await player.open(path)])
        expect([path, policyOf(reply)]).toEqual([path, policy])
    }
  })

  test('a notice has its files, and a refusal stays small', async () => {
    const usual = policyOf(await stranger.open('/session'))
    for (const path of ['/nothing/here', '/p/AAAAAAAAAA']) {
      const reply = await stranger.open(path)
      expect([path, policyOf(reply)]).toEqual([path, usual])
      expectFiles(reply.text)
    }
    while (spendSiteShare(house.ports, 'packs', 'address 127.0.0.1', siteCosts.page) === null);
    const refused = await stranger.open('/packs')
    house.clock.nextMinute()
    expect([refused.status, policyOf(refused)]).toEqual([429, usual])
    expectFiles(refused.text)
    expect(refused.text.length).toBeLessThan(5_000)
  })

  test('texts that would not be the same within HTML stay files', async () => {
    const inlined = async (name: string, text: string): Promise<readonly string[]> => {
      const folder = await mkdtemp(join(tmpdir(), 'mapcrate-inlined-'))
      await writeSiteAssets(folder)
      await writeFile(join(folder, 'assets', name), text)
      const store = await openAssetStore(folder, plainInstallation)
      await rm(folder, { recursive: true })
      return [...store.inlined.keys()]
    }
    const style = 'shared-0a1b.css'
    const fine = ['a { color: red }', 'a { background: url(/a.png), url("#b") }', '']
    for (const text of fine) expect(await inlined(style, text)).toContain('browse')
    for (const text of [
      'a { content: "</style>" }',
      'a { content: "<!--" }',
      'a {\r\n}',
      'a { background: url(a.png) }',
      "a { background: URL( '../a.png') }",
      '@import "/a.css";',
      '@charset "utf-8";',
    ]) {
      expect(await inlined(style, text), text).not.toContain('browse')
    }
    expect(await inlined('theme-4e5f.js', 'f("</script>")')).toEqual([])
    expect(await inlined('theme-4e5f.js', 'f("<!--")')).toEqual([])
  })
})

describe('what people wrote is text', () => {
  test('in names, descriptions and beatmaps; no style is an attribute, which the rules for pages forbid', async () => {
    const slots = [{ mod: 'NM', index: 1, beatmapId: 161 }]
    await teach(house, 161, {
      title: HOSTILE,
      artist: HOSTILE,
      creator: HOSTILE,
      version: HOSTILE,
      stars: 5,
      mode: 'osu',
    })
    const words = { name: HOSTILE, description: HOSTILE }
    const slug = await savePack(house, owner, { ...words, slots, buckets: [{ code: 'NM' }] })
    await settleStats(house)
    const text = await open(stranger, `/p/${slug}`)
    expect(text.match(/<\/script>/g)).toHaveLength(5)
    expect(text).not.toMatch(/<img[^>]*onerror/)
    expect(text).not.toContain(HOSTILE)
    expect(wordsOf(text)).toContain(HOSTILE.replaceAll('&amp;', '&'))
    expect(bodyOf(text)).not.toMatch(/ style=/)
  })
})

describe('a page is the same for everybody', () => {
  test('who is signed in gets it with their data, and nobody else does', async () => {
    const slug = await savePack(house, owner)
    for (const path of [`/p/${slug}`, '/docs/api', '/', '/packs']) {
      const [theirs, others] = [await open(player, path), await open(stranger, path)]
      expect(bodyOf(theirs)).toBe(bodyOf(others))
      expect(bodyOf(theirs)).not.toBe('')
      expect(pageDataOf({ text: theirs }).viewer).toEqual(player.viewer)
      expect(pageDataOf({ text: others }).viewer).toBeNull()
      expect(others).not.toContain(player.viewer?.csrf)
      expect(bodyOf(theirs)).not.toContain(player.viewer?.username)
    }
  })

  test('what only the owner is shown of a pack is not in the page of others', async () => {
    const slug = await savePack(house, owner)
    expect(bodyOf(await open(owner, `/p/${slug}`))).toContain(`href="/p/${slug}/edit"`)
    expect(bodyOf(await open(stranger, `/p/${slug}`))).not.toContain('/edit"')
  })
})

describe('a page that cannot be rendered', () => {
  test('is left to the script', async () => {
    const render = vi.fn(() => {
      throw new Error('out of order')
    })
    const broken = await openSiteHouse({
      hasRealPages: true,
      withAssets: (assets) => ({ ...assets, maker: null, render }),
    })
    const text = await open(broken.browser(), '/docs/cli')
    expect(bodyOf(text)).toMatch(/^<noscript>/)
    expectFiles(text)
    expect(pageDataOf({ text }).page).toBe('docs')
    expect(render).toHaveBeenCalledOnce()
    await broken.close()
  })
})
