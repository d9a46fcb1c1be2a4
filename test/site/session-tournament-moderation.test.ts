import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { refusals } from '../../src/contract/errors.ts'
import {
  LogPage,
  ModeratedTournamentPage,
  ModeratedTournamentReply,
} from '../../src/contract/moderation.ts'
import { asOperatorFor } from '../../src/domain/moderation.ts'
import type { Browser } from '../support/browser.ts'
import { makeTournament } from '../support/sample-tournament.ts'
import { expectSiteError } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const MODERATOR = 7003

let house: SiteHouse
let host: Browser
let moderator: Browser
let slug: string

beforeAll(async () => {
  house = await openSiteHouse()
  await house.ports.accounts.setModerator(MODERATOR, true, 0)
  host = await house.signedIn(7001, 'pools')
  moderator = await house.signedIn(MODERATOR, 'pools')
})
afterAll(() => house.close())

beforeEach(async () => {
  slug = await makeTournament(house.ports, host.viewer!.id, { visibility: 'public' })
})

const decide = (action: 'hide' | 'unhide', reason = 'copied', from = moderator, of = slug) =>
  from.ask('POST', `/session/moderation/tournaments/${of}/${action}`, { reason })

const saved = async () => (await house.ports.tournaments.read(slug))!

describe('POST /session/moderation/tournaments/{slug}/hide and unhide', () => {
  it('hides a public tournament from all but its staff, and shows it again (D-60)', async () => {
    const hidden = await decide('hide')
    expect(hidden.status).toBe(200)
    expect([...Value.Errors(ModeratedTournamentReply, hidden.json)]).toEqual([])
    const hiddenAt = new Date(house.clock.now()).toISOString()
    const name = 'Harbour Lights Cup'
    expect(hidden.json).toEqual({ tournament: { slug, name, hiddenAt, hiddenReason: 'copied' } })
    expect(await saved()).toMatchObject({ hiddenReason: 'copied' })
    const workspace = await host.ask('GET', `/session/tournaments/${slug}/workspace`)
    expect(workspace.json.tournament.hiddenAt).toBe(hiddenAt)
    const shown = await decide('unhide', 'a mistake')
    expect(shown.json).toEqual({ tournament: { slug, name: 'Harbour Lights Cup' } })
    expect(await saved()).toMatchObject({ hiddenAt: null, hiddenReason: null })
  })

  it('is logged with its reason, and what changes nothing is not', async () => {
    for (const reason of ['copied', 'copied', 'copied again']) await decide('hide', reason)
    await decide('unhide', 'a mistake')
    await decide('unhide', 'a mistake')
    const browser = await house.signedIn(MODERATOR)
    const { json } = await browser.ask('GET', '/session/moderation/log')
    expect([...Value.Errors(LogPage, json)]).toEqual([])
    const about = { subject: 'tournament', slug, packName: 'Harbour Lights Cup' }
    const ours = json.entries.filter((entry: { slug: string }) => entry.slug === slug)
    expect(ours).toMatchObject([
      { moderator: 'maple_keeper', action: 'unhide', ...about, reason: 'a mistake' },
      { moderator: 'maple_keeper', action: 'hide', ...about, reason: 'copied again' },
      { moderator: 'maple_keeper', action: 'hide', ...about, reason: 'copied' },
    ])
  })

  it('404: a private tournament is the same to moderators as one that is not there (D-60)', async () => {
    const secret = await makeTournament(house.ports, host.viewer!.id)
    const before = await house.ports.tournaments.read(secret)
    for (const action of ['hide', 'unhide'] as const) {
      const missing = await decide(action, 'copied', moderator, 'AAAAAAAAAA')
      expectSiteError(missing, 'not_found', refusals.tournamentNotFound[1])
      expect((await decide(action, 'copied', moderator, secret)).text).toBe(missing.text)
    }
    expect(await house.ports.tournaments.read(secret)).toEqual(before)
  })

  it('403: for others, and for a page of another site; 400 without a reason', async () => {
    expectSiteError(await decide('hide', 'copied', host), 'forbidden', /moderators/)
    const path = `/session/moderation/tournaments/${slug}/hide`
    const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    expectSiteError(await moderator.ask('POST', path, { reason: 'x' }, foreign), 'forbidden')
    expectSiteError(
      await moderator.ask('POST', path, { reason: 'x' }, { 'x-csrf-token': 'x' }),
      'forbidden',
    )
    expectSiteError(await moderator.ask('POST', path, {}), 'bad_request', /reason/)
    expect((await saved()).hiddenAt).toBeNull()
  })
})

describe('GET /session/moderation/tournaments', () => {
  const find = async (query = '') => {
    const reply = await moderator.ask('GET', `/session/moderation/tournaments${query}`)
    expect(reply.status).toBe(200)
    expect([...Value.Errors(ModeratedTournamentPage, reply.json)]).toEqual([])
    return reply.json.tournaments.map((each: { slug: string }) => each.slug)
  }

  it('lists public tournaments, hidden ones too, never private ones; by name, slug and state', async () => {
    const id = host.viewer!.id
    const secret = await makeTournament(house.ports, id, { name: 'Winter Cup' })
    const winter = await makeTournament(house.ports, id, {
      name: 'Winter Cup',
      shortName: 'WTC',
      visibility: 'public',
    })
    await decide('hide')
    expect(await find()).toEqual(expect.arrayContaining([slug, winter]))
    expect(await find()).not.toContain(secret)
    for (const query of ['winter', 'wtc', winter]) {
      expect(await find(`?query=${query}`)).toEqual([winter])
    }
    expect(await find(`?query=${secret}`)).toEqual([])
    expect(await find('?only=hidden')).toContain(slug)
    expect(await find('?only=hidden')).not.toContain(winter)
    expect(await find('?page=2')).toEqual([])
    await decide('unhide')
  })

  it('says that all hosts are suspended, and their tournament cannot be shown by itself (D-76)', async () => {
    const note = { ...asOperatorFor('ads'), at: house.clock.now() }
    const id = (await house.signedIn(7002, 'pools')).viewer!.id
    const of = await makeTournament(house.ports, id, { name: 'Spam', visibility: 'public' })
    await house.ports.suspensions.suspend(7002, { ...note, action: 'suspend' })
    const found = async () => {
      const reply = await moderator.ask('GET', `/session/moderation/tournaments?query=${of}`)
      return reply.json.tournaments[0]
    }
    expect(await found()).toMatchObject({ isSuspended: true, hiddenAt: expect.any(String) })
    await decide('unhide', 'a mistake', moderator, of)
    expect(await found()).toMatchObject({ isSuspended: true })
    await decide('hide', 'copied', moderator, of)
    await house.ports.suspensions.unsuspend(7002, { ...note, action: 'unsuspend' })
    expect(await found(), 'hidden by itself').toMatchObject({ hiddenReason: 'copied' })
    await decide('unhide', 'a mistake', moderator, of)
    expect(await found()).toEqual({ slug: of, name: 'Spam' })
  })

  it('403 for others, 400 for a search that is none; the log is read on this site, too', async () => {
    const path = '/session/moderation/tournaments'
    expectSiteError(await host.ask('GET', path), 'forbidden', /moderators/)
    expectSiteError(await host.ask('GET', '/session/moderation/log'), 'forbidden', /moderators/)
    for (const query of ['?only=pinned', `?query=${'x'.repeat(101)}`, '?page=0']) {
      expectSiteError(await moderator.ask('GET', path + query), 'bad_request')
    }
    await decide('hide')
    const { entries } = (await moderator.ask('GET', '/session/moderation/log')).json
    expect(entries[0]).toMatchObject({ action: 'hide', subject: 'tournament', slug })
  })
})
