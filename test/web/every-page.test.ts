import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import { pagesOf } from '../../src/site/pages/page-table.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { catchUp } from '../support/catch-up.ts'
import { launchChromium } from '../support/chromium.ts'
import { openSlowPage } from '../support/held-page.ts'
import { openTournament } from '../support/public-tournament.ts'
import { closeWindow, desk, overflowOf, smallTargets } from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { everyKind, openPoolHouse, readPack, savePack, settleStats } from './pool-page.ts'

const HOST = 7001
const MODERATOR = 7003
/** What a page may move while it comes, as browsers measure it: 0.1 is called good. */
const STILL = 0.02

type Viewer = 'nobody' | 'host' | 'moderator'

let house: SiteHouse
let chromium: Chromium
let viewers: Record<ServiceName, Record<Viewer, Browser | null>>
/** What stands in braces in the paths. */
let names: Record<string, string>
let page: Page

beforeAll(async () => {
  house = await openPoolHouse({ mirrors: 'own' })
  house.clock.set(new Date().toISOString())
  chromium = await launchChromium()
  const { ports } = house
  await ports.accounts.setModerator(MODERATOR, true, 0)
  const signIn = async (service: ServiceName) => ({
    nobody: null,
    host: await house.signedIn(HOST, service),
    moderator: await house.signedIn(MODERATOR, service),
  })
  viewers = { packs: await signIn('packs'), pools: await signIn('pools') }
  const owner = viewers.packs.host!
  const pack = await savePack(house, owner)
  for (let at = 1; at < 24; at += 1) await savePack(house, owner, { name: `Harbour Cup ${at}` })
  const { packKey } = await readPack(owner, pack)
  await owner.ask('PUT', `/session/packs/${pack}`, { ...everyKind, name: 'Harbour Cup again' })
  const later = new Date(Date.now() + 90 * 60_000).toISOString()
  const pool = { buckets: everyKind.buckets ?? [], slots: everyKind.slots }
  const planned = [...everyKind.slots, { mod: 'HD', index: 2, placeholder: 'custom map' }]
  const cup = await openTournament(
    ports,
    viewers.pools.host!.viewer?.id ?? '',
    { announceRounds: true, description: 'Two on two.' },
    [
      { name: 'Qualifiers', ...pool, mapPackUrl: 'https://files.example/q.zip', at: 'now' },
      { name: 'Round of 16', ...pool, at: 'now' },
      { name: 'Semifinals', ...pool, at: later },
      { name: 'Finals', ...pool, slots: planned },
    ],
  )
  const invitations = `/session/tournaments/${cup.slug}/invitations`
  const { json } = await viewers.pools.host!.ask('POST', invitations, { role: 'pooler' })
  const invitation = new URL(json.url).pathname.split('/').at(-1)!
  await settleStats(house)
  await catchUp(ports)
  const released = cup.rounds[0]!.packSlug
  names = { pack, packKey, released, cup: cup.slug, owner: owner.viewer!.username, invitation }
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(() => closeWindow(page))

type Place = readonly [path: string, service: ServiceName, viewer: Viewer]

/** Every page of both sites, before everybody to whom it looks otherwise. */
const places: readonly Place[] = [
  ['/', 'packs', 'nobody'],
  ['/packs', 'packs', 'host'],
  ['/packs?q=harbour', 'packs', 'nobody'],
  ['/packs?q=nothing-like-it', 'packs', 'nobody'],
  ['/p/{pack}', 'packs', 'nobody'],
  ['/p/{pack}', 'packs', 'moderator'],
  ['/p/{released}', 'packs', 'nobody'],
  ['/p/{pack}/edit', 'packs', 'host'],
  ['/p/{pack}/history', 'packs', 'host'],
  ['/p/AAAAAAAAAA', 'packs', 'nobody'],
  ['/u/{owner}', 'packs', 'nobody'],
  ['/maps/101', 'packs', 'nobody'],
  ['/k', 'packs', 'nobody'],
  ['/k#{packKey}', 'packs', 'nobody'],
  ['/new', 'packs', 'host'],
  ['/new', 'packs', 'nobody'],
  ['/me', 'packs', 'host'],
  ['/me', 'packs', 'nobody'],
  ['/account', 'packs', 'host'],
  ['/account', 'packs', 'nobody'],
  ['/moderation', 'packs', 'moderator'],
  ['/moderation?view=players', 'packs', 'moderator'],
  ['/moderation?view=log', 'packs', 'moderator'],
  ['/moderation', 'packs', 'host'],
  ['/', 'pools', 'nobody'],
  ['/my', 'pools', 'host'],
  ['/my', 'pools', 'nobody'],
  ['/t/{cup}', 'pools', 'nobody'],
  ['/t/{cup}/edit', 'pools', 'host'],
  ['/t/{cup}/staff', 'pools', 'host'],
  ['/t/AAAAAAAAAA', 'pools', 'nobody'],
  ['/invite/{invitation}', 'pools', 'moderator'],
  ['/account', 'pools', 'host'],
  ['/moderation', 'pools', 'moderator'],
  ['/docs/reference#getPack', 'packs', 'nobody'],
  ...pagesOf.packs
    .filter(({ path }) => path.startsWith('/docs'))
    .map(({ path }): Place => [path, 'packs', 'nobody']),
]

const looks = [
  { viewport: desk },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
]

describe.each(looks)('at $viewport.width px, over a slow line', (look) => {
  it.each(places)('%s of %s, before %s', async (path, service, viewer) => {
    const opened = await openSlowPage(chromium, house, {
      from: viewers[service][viewer],
      service,
      path: path.replace(/\{(\w+)\}/, (_, name: string) => names[name] ?? ''),
      look,
    })
    page = opened.page
    expect.soft(opened.moved, JSON.stringify(opened.shifts, null, 1)).toBeLessThanOrEqual(STILL)
    expect.soft(await axeViolations(page)).toEqual([])
    expect.soft(await overflowOf(page)).toBe(0)
    if ('hasTouch' in look) expect.soft(await smallTargets(page)).toEqual([])
  })
})
