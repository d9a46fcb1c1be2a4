import type { Browser as Chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { type HeldPage, openHeldPage } from '../support/held-page.ts'
import { openTournament } from '../support/public-tournament.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { type IndexLoop, startIndexLoop } from '../../src/worker/search-index.ts'
import { everyKind, openPoolHouse, savePack, settleStats } from './pool-page.ts'

let house: SiteHouse
let chromium: Chromium
let player: Record<ServiceName, Browser>
let slug: string
let tournament: string
let held: HeldPage
let loop: IndexLoop

const silent = { warn: () => {}, error: () => {} }
const later = (ms: number): string => new Date(Date.now() + ms).toISOString()
const pool = { buckets: everyKind.buckets ?? [], slots: everyKind.slots }

beforeAll(async () => {
  house = await openPoolHouse()
  const { indexCache } = house
  // The pages count down by the clock of the browser.
  house.clock.set(new Date().toISOString())
  chromium = await launchChromium()
  const owner = await house.signedIn(7001)
  const host = await house.signedIn(7001, 'pools')
  player = { packs: await house.signedIn(7002), pools: await house.signedIn(7002, 'pools') }
  slug = await savePack(house, owner)
  // More rows than a window shows.
  for (let at = 1; at < 40; at += 1) await savePack(house, owner, { name: `Harbour Cup ${at}` })
  const facts = { shortName: 'HLC', year: 2026, announceRounds: true, description: 'Two on two.' }
  const opened = await openTournament(house.ports, host.viewer?.id ?? '', facts, [
    { name: 'Qualifiers', bestOf: 9, bans: 1, ...pool, at: 'now' },
    { name: 'Round of 16', ...pool, at: 'now' },
    { name: 'Semifinals', ...pool, at: later(90 * 60_000) },
  ])
  tournament = opened.slug
  await settleStats(house)
  loop = startIndexLoop(house.ports, { indexCache, poolsOwnerName: 'Tournament pools' }, silent)
  await loop.ready
})
afterAll(async () => {
  await loop.stop()
  await chromium.close()
  await house.close()
})
afterEach(() => held.page.context().close())

type Place = readonly [name: string, service: ServiceName, path: () => string]

const places: readonly Place[] = [
  ['a pack', 'packs', () => `/p/${slug}`],
  ['the front page', 'packs', () => '/'],
  ['Browse', 'packs', () => '/packs'],
  ['the docs', 'packs', () => '/docs'],
  ['a guide', 'packs', () => '/docs/api'],
  ['a tournament', 'pools', () => `/t/${tournament}`],
  ['the tournaments', 'pools', () => '/'],
]

const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

describe('the browser takes over what the server has rendered', () => {
  for (const [name, service, path] of places) {
    for (const viewport of sizes) {
      for (const isSignedIn of [false, true]) {
        const who = isSignedIn ? 'somebody signed in' : 'a stranger'
        it(`${name}, ${viewport.width} pixels wide, before ${who}: nothing moves`, async () => {
          held = await openHeldPage(chromium, house, {
            from: isSignedIn ? player[service] : null,
            service,
            path: path(),
            look: { viewport },
          })
          await held.takeOver()
          expect((await held.shifts()).flatMap(({ moved }) => moved)).toEqual([])
          expect(held.complaints).toEqual([])
        })
      }
    }
  }
})
