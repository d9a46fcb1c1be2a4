import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import type { Browser as Chromium } from 'playwright-core'
import { releaseDue, releaseRound } from '../../src/operations/releases.ts'
import { changeSlots, replaceRound } from '../../src/operations/rounds.ts'
import { moderateTournament, updateTournament } from '../../src/operations/tournaments.ts'
import { asOperator } from '../../src/domain/moderation.ts'
import { aBeatmap, keepPublic } from '../support/a-beatmap.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { openTournament } from '../support/public-tournament.ts'
import { type AtomFeed, readAtom } from '../support/read-atom.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let chromium: Chromium
let parser: Page
let house: SiteHouse
let host: Browser
let stranger: Browser

beforeAll(async () => {
  chromium = await launchChromium()
  parser = await chromium.newPage()
  house = await openSiteHouse()
  host = await house.signedIn(7001, 'pools')
  stranger = house.browser('pools')
})
afterAll(async () => {
  await house.close()
  await chromium.close()
})

const planned = { placeholder: 'due Sunday', details: { title: 'Reef' } }
const slots = [
  { mod: 'NM', index: 1, beatmapId: 75 },
  { mod: 'DT', index: 1, beatmapId: 76 },
  { mod: 'TB', index: 1, ...planned },
]
const links = { mapPackUrl: 'https://files.example/maps.zip' }

async function open(facts: object = {}) {
  house.clock.nextMinute()
  const rounds = [
    { name: 'Qualifiers', bestOf: 9, slots, ...links },
    { name: 'Finals', slots },
  ]
  const made = await openTournament(house.ports, host.viewer!.id, facts, rounds)
  const [first, second] = made.rounds
  const hostId = host.viewer!.id
  const release = (id: string, at: 'now' | null = 'now') =>
    releaseRound(house.ports, hostId, made.slug, id, { at, incomplete: true })
  await release(first!.id)
  const get = (ending: string) => stranger.send('GET', `/t/${made.slug}.${ending}`)
  const feed = async (): Promise<AtomFeed> => readAtom(parser, (await get('atom')).text)
  const packs = house.browser('packs')
  /** Of the pack of a round, if it is released. */
  const packFeed = async (round: string) => {
    const { rounds } = JSON.parse((await get('json')).text)
    const [own] = rounds.filter(({ id }: { id: string }) => id === round)
    if (own === undefined) return []
    const { text } = await packs.send('GET', `/p/${own.packSlug}/history.atom`)
    return (await readAtom(parser, text)).entries
  }
  return { ...made, hostId, first: first!, second: second!, release, get, feed, packFeed }
}

describe('GET /t/{slug}', () => {
  const links = /<link rel="alternate" type="application\/(?:atom\+xml|json)"[^>]*href="([^"]*)">/g

  it('names its feed and its JSON in the head, where everybody may read them (D-85)', async () => {
    const { slug } = await open()
    const { text } = await stranger.send('GET', `/t/${slug}`)
    const named = [...text.matchAll(links)].map(([, href = '']) => href)
    expect(named.map((href) => new URL(href).pathname)).toEqual([
      `/t/${slug}.atom`,
      `/t/${slug}.json`,
    ])
    for (const href of named) {
      expect((await stranger.send('GET', new URL(href).pathname)).status).toBe(200)
    }
    const hidden = await open({ visibility: 'private' })
    const page = await host.send('GET', `/t/${hidden.slug}`)
    expect(page.text.match(links)).toBeNull()
  })
})

describe('GET /t/{slug}.json', () => {
  it('200: what is released, with titles, stars, links and what is still planned, without a key (D-85)', async () => {
    const played = aBeatmap(76, { length: 258, bpm: 222.22 })
    await keepPublic(house.ports.beatmapCache, [aBeatmap(75), played], house.clock.now())
    const { get, slug } = await open()
    const reply = await get('json')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const { tournament, rounds } = JSON.parse(reply.text)
    expect(tournament).toMatchObject({ slug, url: expect.stringMatching(`/t/${slug}$`) })
    expect(rounds).toHaveLength(1)
    const [round] = rounds
    expect(round).toMatchObject({ name: 'Qualifiers', bestOf: 9, ...links })
    expect(round.packUrl).toMatch(new RegExp(`/p/${round.packSlug}$`))
    const { title, artist, mapper } = aBeatmap(75)
    expect(round.slots).toMatchObject([
      { label: 'NM1', beatmapId: 75, beatmap: { title, artist, mapper, stars: 5 } },
      // As the stars, with the mods (D-32).
      { label: 'DT1', beatmapId: 76, mods: ['DT'], beatmap: { length: 172, bpm: 333 } },
      { label: 'TB', ...planned },
    ])
    expect(reply.text).not.toContain('Finals')
  })

  it('says where the platform has no rating with the mods, which the slot forces none the less (D-93, D-94)', async () => {
    const { beatmapCache } = house.ports
    const key = { beatmapId: 76, ruleset: 'base', mods: ['DT'] } as const
    await keepPublic(beatmapCache, [aBeatmap(75), aBeatmap(76)], house.clock.now())
    await beatmapCache.keepRating(key, 'refused', house.clock.now())
    await beatmapCache.publish([], [key])
    const { get } = await open()
    const [round] = JSON.parse((await get('json')).text).rounds
    const [nm1, dt1] = round.slots
    expect(dt1).toMatchObject({ label: 'DT1', mods: ['DT'], beatmap: { stars: 5, noRating: true } })
    expect(nm1.beatmap).not.toHaveProperty('noRating')
  })

  it('leaves out the stars of a new upload, of which the platform has none', async () => {
    await keepPublic(house.ports.beatmapCache, [aBeatmap(75, { stars: 0 })], house.clock.now())
    const { get } = await open()
    const [round] = JSON.parse((await get('json')).text).rounds
    expect(round.slots[0].beatmap).toHaveProperty('title')
    expect(round.slots[0].beatmap).not.toHaveProperty('stars')
  })

  it('304 while nothing of it has changed, though the drafts have', async () => {
    const { get, slug, hostId, second } = await open()
    const tag = (await get('json')).headers.get('etag')!
    const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 75 }, to: null }]
    await changeSlots(house.ports, hostId, slug, second.id, { changes })
    const headers = { 'if-none-match': tag }
    expect((await stranger.send('GET', `/t/${slug}.json`, { headers })).status).toBe(304)
    await updateTournament(house.ports, hostId, slug, { year: 2027 })
    expect((await stranger.send('GET', `/t/${slug}.json`, { headers })).status).toBe(200)
  })

  it.each(['json', 'atom'])(
    '404 of what is private, hidden or not there, to its staff, too: %s',
    async (ending) => {
      const { slug, hostId } = await open()
      const address = `/t/${slug}.${ending}`
      await moderateTournament(house.ports, slug, 'hide', asOperator('spam'))
      expect((await host.send('GET', address)).status).toBe(404)
      await moderateTournament(house.ports, slug, 'unhide', asOperator('spam'))
      await updateTournament(house.ports, hostId, slug, { visibility: 'private' })
      expect((await host.send('GET', address)).status).toBe(404)
      expect((await stranger.send('GET', `/t/AAAAAAAAAA.${ending}`)).status).toBe(404)
    },
  )
})

describe('GET /t/{slug}.atom', () => {
  it('200: releases, what changed since, and withdrawals, the last one first (D-80)', async () => {
    const { feed, first, second, slug, hostId, release } = await open()
    const titles = async () => (await feed()).entries.map(({ title }) => title)
    expect(await titles()).toEqual(['Qualifiers released'])
    house.clock.advance(1000)
    const changes = [{ mod: 'TB', index: 1, from: planned, to: { beatmapId: 77 } }]
    await changeSlots(house.ports, hostId, slug, first.id, { changes })
    expect(await titles(), 'drafts are in no feed').toEqual(['Qualifiers released'])
    await releaseDue(house.ports, { slug, roundId: first.id })
    house.clock.advance(1000)
    await release(second.id)
    house.clock.advance(1000)
    await release(second.id, null)
    expect(await titles()).toEqual([
      'Finals withdrawn',
      'Qualifiers changed',
      'Qualifiers released',
    ])
    const [, changed] = (await feed()).entries
    expect(changed?.summary).toMatch(/TB added: .*77/)
  })

  it('has another id for each thing that ever happened, also where a slug comes back (D-63)', async () => {
    const { feed, second, release, packFeed } = await open()
    const seen = new Map<string, string>()
    for (const at of ['now', null, 'now', null, 'now'] as const) {
      house.clock.advance(1000)
      await release(second.id, at)
      const feeds = { own: (await feed()).entries, pack: await packFeed(second.id) }
      for (const [name, entries] of Object.entries(feeds)) {
        for (const { id, title, updated } of entries) {
          const said = `${title} ${updated}`
          expect(seen.get(`${name} ${id}`) ?? said).toBe(said)
          seen.set(`${name} ${id}`, said)
        }
      }
    }
    expect([...seen.values()].filter((said) => said.startsWith('Finals released'))).toHaveLength(3)
  })

  it('has an entry of each release that is the last one of its round, whatever it changed', async () => {
    const { feed, first, slug, hostId, release, get } = await open()
    const ids = new Set<string>()
    const facts = { bestOf: 9, beatmapId: 75, days: 0 }
    for (const what of [
      'days',
      'beatmapId',
      'days',
      'bestOf',
      'days',
      'beatmapId',
      'bestOf',
    ] as const) {
      house.clock.advance(1000)
      facts[what] += 2
      const { bestOf, beatmapId, days } = facts
      const placeholder = `due in ${days} days`
      const round = {
        name: 'Qualifiers',
        bestOf,
        slots: [
          { mod: 'NM', index: 1, beatmapId },
          { mod: 'DT', index: 1, beatmapId: 76 },
          { mod: 'TB', index: 1, ...planned, placeholder },
        ],
      }
      await replaceRound(house.ports, hostId, slug, first.id, round, () => {})
      await release(first.id)
      const { rounds } = JSON.parse((await get('json')).text)
      const [entry] = (await feed()).entries
      expect([what, entry?.title, entry?.updated]).toEqual([
        what,
        'Qualifiers changed',
        rounds[0].releasedAt,
      ])
      expect([what, entry?.summary]).toEqual([
        what,
        what === 'beatmapId' ? expect.stringMatching(/NM/) : `TB: Reef, ${placeholder}`,
      ])
      expect(ids).not.toContain(entry?.id)
      ids.add(entry!.id)
    }
  })

  it('says nothing of what was withdrawn while the tournament was private (D-60)', async () => {
    const { feed, first, release, slug, hostId } = await open({ visibility: 'private' })
    await release(first.id, null)
    await updateTournament(house.ports, hostId, slug, { visibility: 'public' })
    expect((await feed()).entries).toEqual([])
  })
})

it('no name turns round what an entry says: what is written to the left is isolated (D-47)', async () => {
  house.clock.nextMinute()
  const hostId = host.viewer!.id
  const made = await openTournament(house.ports, hostId, { name: 'גביע' }, [
    { name: 'נצחון', slots },
    { name: 'نصف النهائي', slots },
  ])
  const [first, second] = made.rounds
  const release = (id: string, at: 'now' | null) =>
    releaseRound(house.ports, hostId, made.slug, id, { at, incomplete: true })
  for (const { id } of made.rounds) await release(id, 'now')
  const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 75 }, to: { beatmapId: 77 } }]
  await changeSlots(house.ports, hostId, made.slug, first!.id, { changes })
  await release(first!.id, 'now')
  await release(second!.id, null)
  const { text } = await stranger.send('GET', `/t/${made.slug}.atom`)
  const { title, entries } = await readAtom(parser, text)
  expect(entries.length).toBeGreaterThan(2)
  const { rounds } = (await house.ports.tournaments.read(made.slug))!
  const packs = house.browser('packs')
  const feeds = [`/p/${rounds[0]!.released!.packSlug}/history.atom`, '/packs.atom']
  await house.publishIndex()
  const others = await Promise.all(
    feeds.map(async (path) => readAtom(parser, (await packs.send('GET', path)).text)),
  )
  const credited = others
    .flatMap((feed) => feed.entries)
    .filter(({ author }) => /גביע/.test(author))
  expect(credited.length).toBeGreaterThan(1)
  const texts = [
    title,
    ...entries.flatMap((entry) => [entry.title, entry.summary]),
    ...credited.flatMap((entry) => [entry.author, entry.summary]),
  ]
  for (const each of texts) {
    expect(each.replaceAll(/\u2068[^\u2068\u2069]*\u2069/g, '')).not.toMatch(/[\u0590-\u08ff]/)
  }
})
