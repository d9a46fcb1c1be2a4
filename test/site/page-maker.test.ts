import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { constants, gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AssetStore } from '../../src/site/assets/assets.ts'
import { PageMaker } from '../../src/site/assets/page-maker.ts'
import type { PageJob, PageParts } from '../../src/site/assets/page-thread.ts'
import type { PackedPage } from '../../src/site/pages/page-bytes.ts'
import { VersionCache } from '../../src/site/version-cache.ts'
import { builtAssets, buildPages } from '../support/build-pages.ts'
import { openTournament } from '../support/public-tournament.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { takeOver } from '../support/usage-scene.ts'
import { everyKind, openPoolHouse, savePack, settleStats } from '../web/pool-page.ts'

let house: SiteHouse
let assets: { maker: AssetStore['maker'] } & Omit<AssetStore, 'maker'>
let parts: PageParts

beforeAll(async () => {
  house = await openPoolHouse()
  assets = await builtAssets()
  const renderer = pathToFileURL(join(buildPages(), 'server', 'server.js')).href
  parts = new Map([['en', { renderer, entries: assets.entries, inlined: assets.inlined }]])
})
afterAll(() => house.close())
afterEach(() => vi.restoreAllMocks())

const job = (address = '/docs'): PageJob => ({
  head: { title: 'Docs', description: 'Guides.' },
  data: {
    siteName: 'Mapcrate',
    page: 'docs',
    address,
    language: 'en',
    service: 'packs',
    keyPrefix: 'mc_',
    apiUrl: 'https://api.test',
    poolsUrl: 'https://pools.test',
    siteUrl: 'https://packs.test',
    coversUrl: 'https://covers.test',
    viewer: null,
  },
  operator: { notice: null, readOnly: null },
  languages: ['en'],
  isAsked: false,
})

const textOf = (page: PackedPage | null | undefined): string =>
  gunzipSync(page!.front.bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString()

/** A maker whose threads can be ended, and what it has warned of and charged. */
const openMaker = (file = '../../src/site/assets/page-thread.ts') => {
  const threads: Worker[] = []
  const warn = vi.fn<(about: object) => void>()
  const charge = vi.fn<(cpuMs: number) => void>()
  const maker = new PageMaker(parts, () => {
    const thread = new Worker(new URL(file, import.meta.url), { workerData: parts })
    threads.push(thread)
    return thread
  })
  const make = (each = job()) => maker.make(each, { log: { warn }, charge })
  const ready = (): Promise<void> => vi.waitFor(() => expect(make()).not.toBeNull(), 60_000)
  return { threads, warn, charge, make, ready }
}

describe('pages are made on a thread of their own', () => {
  test('with the same bytes, tags and policies as where they are sent from', async () => {
    const owner = await house.signedIn(7001)
    const host = await house.signedIn(7001, 'pools')
    const slug = await savePack(house, owner)
    await takeOver(house.ports)
    await settleStats(house)
    const { buckets = [], slots } = everyKind
    const rounds = [{ name: 'Qualifiers', bestOf: 9, buckets, slots, at: 'now' as const }]
    const { slug: cup } = await openTournament(house.ports, host.viewer?.id ?? '', {}, rounds)
    // Nothing is kept: each page is made each time.
    vi.spyOn(VersionCache.prototype, 'get').mockReturnValue(undefined)
    const { maker } = assets
    const made = vi.spyOn(PageMaker.prototype, 'make')
    const packs = ['/', '/packs', '/packs?q=harbour', '/docs', '/docs/api', '/k', `/p/${slug}`]
    for (const [from, paths] of [
      [house.browser(), [...packs, '/maps/101', '/u/Peridot', '/nothing']],
      [owner, [`/p/${slug}`, `/p/${slug}/edit`, '/me']],
      [house.browser('pools'), ['/', '/?search=harbour', `/t/${cup}`]],
    ] as const) {
      for (const path of paths) {
        const open = async () => {
          const { status, text, headers } = await from.open(path)
          return [status, text, headers.get('etag'), headers.get('content-security-policy')]
        }
        await vi.waitFor(async () => {
          await open()
          if (path !== '/nothing') expect(made.mock.results.at(-1)?.value).not.toBeNull()
        }, 60_000)
        const apart = await open()
        assets.maker = null
        const inPlace = await open()
        assets.maker = maker
        expect(apart, path).toEqual(inPlace)
      }
    }
  })

  test('equal ones once, and each is charged what it took', async () => {
    const { make, ready, charge } = openMaker()
    await ready()
    await make(job('/'))
    charge.mockClear()
    const all = await Promise.all(Array.from({ length: 20 }, async () => make(job('/docs/api'))))
    expect(new Set(all).size).toBe(1)
    expect(textOf(all[0])).toContain('The API')
    expect(charge).toHaveBeenCalledOnce()
    for (let at = 0; at < 100; at += 1) await make(job('/docs/api'))
    expect(charge).toHaveBeenCalledTimes(101)
    // A clock that ticks now and then has ticked meanwhile.
    expect(charge.mock.calls.reduce((sum, [cpuMs]) => sum + cpuMs, 0)).toBeGreaterThan(0)
  })

  test('no more than a few wait: others are made where they are sent from', async () => {
    const { make, ready } = openMaker()
    await ready()
    const all = Array.from({ length: 100 }, (_, at) => make(job(`/docs?${at}`)))
    expect(all.filter((each) => each !== null).length).toBeLessThanOrEqual(32)
    expect(all.filter((each) => each !== null).length).toBeGreaterThan(20)
    for (const each of await Promise.all(all.filter((one) => one !== null))) {
      expect(textOf(each)).toMatch(/^<!doctype html>/)
    }
  })

  test('not where the thread starts, has ended or fails: nobody waits for it, and it is said once', async () => {
    const now = performance.now.bind(performance)
    let ahead = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
    const { make, ready, threads, warn } = openMaker()
    expect(make()).toBeNull()
    await ready()
    const waiting = Array.from({ length: 10 }, async (_, at) => make(job(`/docs?${at}`)))
    await threads[0]?.terminate()
    expect(await Promise.all(waiting)).toContain(null)
    expect(make()).toBeNull()
    expect([threads.length, warn.mock.calls.length]).toEqual([1, 1])
    // There is another one a while later.
    ahead = 11_000
    await ready()
    expect([threads.length, warn.mock.calls.length]).toEqual([2, 1])
    expect(textOf(await make())).toMatch(/^<!doctype html>/)
  })

  test('a thread that cannot start is not tried at every request', async () => {
    const { make, threads, warn } = openMaker('./nothing-here.ts')
    expect(make()).toBeNull()
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce())
    for (let at = 0; at < 10; at += 1) expect(make()).toBeNull()
    expect(threads).toHaveLength(1)
  })

  test('what the thread cannot render is left to where it is sent from', async () => {
    const { make, ready } = openMaker()
    await ready()
    const broken = { ...job(), data: { ...job().data, page: 'pack' } }
    expect(await make(broken)).toBeNull()
    expect(await make({ ...job(), data: { ...job().data, page: 'open-key' } })).not.toBeNull()
    expect(await make()).not.toBeNull()
  })
})
