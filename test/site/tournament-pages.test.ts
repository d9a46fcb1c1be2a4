import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { someStats } from '../api/samples.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import { moderateTournament, updateTournament } from '../../src/operations/tournaments.ts'
import { publishPool } from '../../src/operations/published-pools.ts'
import { type Browser, pageDataOf } from '../support/browser.ts'
import { openTournament } from '../support/public-tournament.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let stranger: Browser
let player: Browser
let moderator: Browser
let host: Browser
let hostId: string

beforeAll(async () => {
  house = await openSiteHouse()
  stranger = house.browser('pools')
  host = await house.signedIn(7001, 'pools')
  hostId = host.viewer?.id ?? ''
  player = await house.signedIn(7002, 'pools')
  await house.ports.accounts.setModerator(7003, true, 0)
  moderator = await house.signedIn(7003, 'pools')
})
afterAll(() => house.close())

const make = async (
  facts: Parameters<typeof openTournament>[2] = {},
  rounds: Parameters<typeof openTournament>[3] = [],
) => {
  house.clock.nextMinute()
  return openTournament(house.ports, hostId, facts, rounds)
}
const released = { at: 'now' } as const
const inAnHour = () => ({ at: new Date(house.clock.now() + 3_600_000).toISOString() })
const dataOf = async (browser: Browser, path: string) => pageDataOf(await browser.open(path))

describe('D-60: /t/{slug}', () => {
  test('200: shows strangers what is released, with the stats of its packs', async () => {
    const { slug, rounds } = await make({ rankMin: 100 }, [
      { name: 'Qualifiers', bestOf: 9, targets: { stars: { min: 5 } }, ...released },
      { name: 'Finals' },
    ])
    const pack = await house.ports.packs.read(rounds[0]?.packSlug ?? '')
    await house.ports.statsWork.finish(
      { pack: pack!, lease: 0 },
      { stats: { ...someStats, srMin: 5.31, srMax: 7.81 }, dueAt: null, attempts: 0 },
    )
    const reply = await stranger.open(`/t/${slug}`)
    expect(reply.status).toBe(200)
    const { page, tournament, roundStats, viewer } = pageDataOf(reply)
    expect([page, viewer]).toEqual(['tournament', null])
    expect(tournament).toMatchObject({ slug, rankMin: 100, rounds: [{ bestOf: 9 }] })
    expect(tournament).not.toHaveProperty('role')
    expect(tournament?.rounds.map(({ name }) => name)).toEqual(['Qualifiers'])
    expect(tournament?.rounds[0]).not.toHaveProperty('targets')
    expect(roundStats).toEqual({ [rounds[0]?.id ?? '']: expect.objectContaining({ srMin: 5.31 }) })
    expect(reply.text).not.toContain('Finals')
  })

  test('names what it is to programs that show links, with the picture of its last pack', async () => {
    const words = { name: 'Cup "<b>"', description: 'Two\nagainst two.' }
    const { slug, rounds } = await make(words, [{ ...released }])
    const { text } = await stranger.open(`/t/${slug}`)
    expect(text).toContain('<title>Cup &quot;&lt;b&gt;&quot; – Mapcrate</title>')
    expect(text).toContain('content="1 round released. Two against two."')
    expect(text).toContain(`<link rel="canonical" href="${house.urls.pools}/t/${slug}">`)
    expect(text).toContain(`${house.urls.packs}/p/${rounds[0]?.packSlug}/preview.png?v=`)
    expect(text).not.toContain('noindex')
    expect(text.match(/<\/script>/g)).toHaveLength(5)
  })

  test('names rounds to come only if the host announces them', async () => {
    const rounds = [{ name: 'Semifinals', ...inAnHour() }, { name: 'Finals' }]
    const { slug } = await make({ announceRounds: true }, rounds)
    const { tournament } = await dataOf(stranger, `/t/${slug}`)
    expect(tournament?.upcoming).toEqual([
      { name: 'Semifinals', releaseAt: expect.any(String) },
      { name: 'Finals' },
    ])
    await updateTournament(house.ports, hostId, slug, { announceRounds: false })
    expect((await stranger.open(`/t/${slug}`)).text).not.toMatch(/Semifinals|Finals/)
  })

  test('shows the staff what strangers see, and who they are; private ones to nobody else', async () => {
    const { slug } = await make({ visibility: 'private' }, [
      { name: 'Qualifiers', ...released },
      { name: 'Finals' },
    ])
    const reply = await host.open(`/t/${slug}`)
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(reply.text).toContain('noindex')
    const { tournament } = pageDataOf(reply)
    expect(tournament).toMatchObject({ role: 'host', visibility: 'private' })
    expect(tournament?.rounds.map(({ name }) => name)).toEqual(['Qualifiers'])
  })

  test('what the staff sees is not what others are given afterwards, nor the other way round', async () => {
    const { slug } = await make({}, [{ ...released }])
    for (const browser of [host, stranger, player, moderator, host, stranger]) {
      const { tournament, viewer } = await dataOf(browser, `/t/${slug}`)
      expect(tournament?.role).toBe(browser === host ? 'host' : undefined)
      expect(viewer?.id).toBe(browser.viewer?.id)
    }
  })

  test('404: private, hidden and missing ones are the same bytes; moderators see what one of them hid', async () => {
    const hidden = await make({}, [{ ...released }])
    await moderateTournament(house.ports, hidden.slug, 'hide', {
      moderatorId: null,
      reason: 'spam',
    })
    const secret = await make({ visibility: 'private' }, [{ ...released }])
    const slugs = [secret.slug, hidden.slug, 'AAAAAAAAAA', 'nonsense', '%00']
    for (const browser of [stranger, player, moderator]) {
      const closed = slugs.filter((slug) => browser !== moderator || slug !== hidden.slug)
      const replies = await Promise.all(closed.map((slug) => browser.open(`/t/${slug}`)))
      expect(replies.map(({ status }) => status)).toEqual(closed.map(() => 404))
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
      const headers = replies.map(({ headers: all }) =>
        [...all].filter(([name]) => !['x-request-id', 'date'].includes(name)),
      )
      expect(new Set(headers.map((each) => JSON.stringify(each))).size).toBe(1)
    }
    for (const browser of [host, moderator]) {
      expect(await dataOf(browser, `/t/${hidden.slug}`)).toMatchObject({
        tournament: { hiddenAt: expect.any(String), rounds: [{ packSlug: expect.any(String) }] },
      })
    }
  })

  test('a round whose pack a moderator hid is not there, nor are its stats', async () => {
    const { slug, rounds } = await make({}, [{ name: 'Qualifiers', ...released }])
    const [round] = rounds
    const pack = await house.ports.packs.read(round?.packSlug ?? '')
    await house.ports.statsWork.finish(
      { pack: pack!, lease: 0 },
      { stats: someStats, dueAt: null, attempts: 0 },
    )
    await hidePack(house.ports, round?.packSlug ?? '', { moderatorId: null, reason: null })
    for (const browser of [stranger, host]) {
      const { tournament, roundStats } = await dataOf(browser, `/t/${slug}`)
      expect([tournament?.rounds, roundStats]).toEqual([[], {}])
    }
  })
})

describe('the front page', () => {
  test('shows what was released last and what comes next, of what strangers may know', async () => {
    const one = await make({ name: 'One', announceRounds: true }, [
      { name: 'Qualifiers', ...released },
      { name: 'Finals', ...inAnHour() },
      { name: 'Never' },
    ])
    await make({ name: 'Two' }, [{ name: 'Secret', ...inAnHour() }])
    const three = await make({ name: 'Three', shortName: 'III' }, [
      { name: 'Round 1', ...released },
    ])
    await make({ name: 'Four', visibility: 'private', announceRounds: true }, [
      { name: 'Hush', ...released },
      { name: 'Hush again', ...inAnHour() },
    ])
    house.clock.advance(2_000)
    const reply = await stranger.open('/')
    const { page, highlights, tournaments } = pageDataOf(reply)
    expect(page).toBe('tournaments')
    expect(highlights?.released.slice(0, 2)).toEqual([
      {
        tournament: { slug: three.slug, name: 'Three', shortName: 'III' },
        id: three.rounds[0]?.id,
        name: 'Round 1',
        releasedAt: expect.any(String),
        maps: 2,
      },
      expect.objectContaining({ id: one.rounds[0]?.id }),
    ])
    expect(highlights?.coming).toContainEqual({
      tournament: { slug: one.slug, name: 'One' },
      name: 'Finals',
      releaseAt: expect.any(String),
    })
    const names = tournaments?.tournaments.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Three', 'Two', 'One']))
    expect(reply.text).not.toMatch(/Secret|Four|Hush|Never/)
    expect(await dataOf(host, '/')).toMatchObject({ highlights, viewer: { username: 'Peridot' } })
  })

  test('is the same bytes until something of it changes, then new within two seconds', async () => {
    const { slug } = await make({ name: 'Fresh' })
    house.clock.advance(2_000)
    const before = await stranger.open('/')
    house.clock.advance(2_000)
    expect((await stranger.open('/')).headers.get('etag')).toBe(before.headers.get('etag'))
    await updateTournament(house.ports, hostId, slug, { name: 'Fresher' })
    house.clock.advance(2_000)
    expect((await stranger.open('/')).text).toContain('"Fresher"')
    await updateTournament(house.ports, hostId, slug, { visibility: 'private' })
    house.clock.advance(2_000)
    expect((await stranger.open('/')).text).not.toContain('"Fresher"')
  })
})

describe('/my', () => {
  test('lists one’s own with role, progress and next release, and nobody else’s', async () => {
    const soon = inAnHour().at
    const { slug } = await make({ name: 'Mine', visibility: 'private' }, [
      { name: 'Qualifiers', ...released },
      { name: 'Finals', at: soon },
    ])
    const reply = await host.open('/my')
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    const { page, myTournaments } = pageDataOf(reply)
    expect(page).toBe('my-tournaments')
    expect(myTournaments?.tournaments.find((each) => each.slug === slug)).toMatchObject({
      role: 'host',
      rounds: 2,
      released: 1,
      next: { name: 'Finals', releaseAt: soon },
    })
    expect((await dataOf(player, '/my')).myTournaments).toMatchObject({ tournaments: [], total: 0 })
    for (const page of ['?page=2', '?page=x']) {
      expect((await host.open(`/my${page}`)).status).toBe(200)
    }
  })

  test('is for those who are signed in; others are asked to', async () => {
    const { page, myTournaments } = await dataOf(stranger, '/my')
    expect([page, myTournaments]).toEqual(['my-tournaments', undefined])
  })
})

describe('D-63: the page of a released pack', () => {
  const roundOf = async (packSlug: string, browser = house.browser()) =>
    (await dataOf(browser, `/p/${packSlug}`)).round

  test('names its tournament and its round, and the released ones next to it', async () => {
    const { slug, rounds } = await make({ name: 'Harbour', shortName: 'H' }, [
      { name: 'One', ...released },
      { name: 'Not yet' },
      { name: 'Two', ...released },
      { name: 'Three', ...released },
    ])
    const [one, , two, three] = rounds.map(({ packSlug }) => packSlug)
    const tournament = { slug, name: 'Harbour', shortName: 'H' }
    expect(await roundOf(two ?? '')).toEqual({
      tournament,
      name: 'Two',
      before: { name: 'One', packSlug: one },
      after: { name: 'Three', packSlug: three },
    })
    expect(await roundOf(one ?? '')).toMatchObject({ after: { name: 'Two' } })
    expect(await roundOf(three ?? '')).not.toHaveProperty('after')
    await releaseRound(house.ports, hostId, slug, rounds[3]?.id ?? '', { at: null })
    expect(await roundOf(two ?? '')).not.toHaveProperty('after')
  })

  test('names no tournament that strangers do not see, to nobody', async () => {
    const { slug, rounds } = await make({}, [{ ...released }])
    const packSlug = rounds[0]?.packSlug ?? ''
    expect(await roundOf(packSlug)).toMatchObject({ name: 'Quarterfinals' })
    await updateTournament(house.ports, hostId, slug, { visibility: 'private' })
    for (const browser of [house.browser(), await house.signedIn(7001)]) {
      expect(await roundOf(packSlug, browser)).toBeUndefined()
    }
  })

  test('packs of players, and pools of no tournament, are of none', async () => {
    const { slug } = await publishPool(house.ports, aPack())
    expect(await roundOf(slug)).toBeUndefined()
    const own = await house.save(await house.signedIn(7001), aPack({ visibility: 'public' }))
    expect(await roundOf(own)).toBeUndefined()
  })
})
