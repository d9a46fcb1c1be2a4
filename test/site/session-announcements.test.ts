import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AnnouncementsReply, DISCORD_URL_EXAMPLE } from '../../src/contract/announcements.ts'
import { refusals } from '../../src/contract/errors.ts'
import { sendLeased } from '../../src/operations/announcement-sending.ts'
import type { Browser } from '../support/browser.ts'
import { gone, ScriptedChat, SECRET_TOKEN } from '../support/chat-scene.ts'
import type { Reply } from '../support/door.ts'
import { openTournament } from '../support/public-tournament.ts'
import { changeTournament, setStaff } from '../support/sample-tournament.ts'
import { expectSiteError } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let closed: SiteHouse
beforeAll(async () => {
  house = await openSiteHouse({ sendsToDiscord: true })
  closed = await openSiteHouse()
})
afterAll(async () => {
  await house.close()
  await closed.close()
})

let host: Browser
let member: Browser
let stranger: Browser
let slug: string
let roundId: string
beforeEach(async () => {
  house.clock.nextMinute()
  host = await house.signedIn(7001, 'pools')
  member = await house.signedIn(7002, 'pools')
  stranger = await house.signedIn(7003, 'pools')
  const made = await openTournament(house.ports, host.viewer!.id, {}, [{}])
  slug = made.slug
  roundId = made.rounds[0]!.id
  await setStaff(house.ports, slug, member.viewer!.id, 'pooler')
})

const path = (): string => `/session/tournaments/${slug}/announcements`
const expectReply = (reply: Reply): AnnouncementsReply => {
  expect(reply.status, reply.text).toBe(200)
  expect([...Value.Errors(AnnouncementsReply, reply.json)]).toEqual([])
  return reply.json
}
const set = (discordUrl: string | null = DISCORD_URL_EXAMPLE) =>
  host.ask('PATCH', `/session/tournaments/${slug}`, { discordUrl })
const release = (at: string | null = 'now') =>
  host.ask('PUT', `/session/tournaments/${slug}/rounds/${roundId}/release`, { at })

/** As the worker does, once names of beatmaps are not waited for any more. */
const deliver = async (chat = new ScriptedChat()): Promise<ScriptedChat> => {
  house.clock.advance(60_000)
  const ports = { ...house.ports, chat }
  const sites = { name: 'Harbour Cups', tournamentsUrl: null, packsUrl: null }
  for (;;) {
    const taken = await house.ports.announcements.take(house.clock.now(), 15_000, 9)
    if (taken.length === 0) return chat
    for (const each of taken) await sendLeased(ports, each, sites)
  }
}

describe('GET …/announcements', () => {
  it('200 has whether there is a channel, and the log of what was sent', async () => {
    expect(expectReply(await host.ask('GET', path()))).toEqual({
      isAllowed: true,
      discord: false,
      announcements: [],
    })
    expect((await set()).status).toBe(200)
    await release()
    const before = expectReply(await host.ask('GET', path()))
    expect(before).toMatchObject({
      discord: true,
      announcements: [{ kind: 'release', round: 'Quarterfinals', state: 'waiting', attempts: 0 }],
    })
    const chat = await deliver()
    const after = expectReply(await host.ask('GET', path()))
    expect(after.announcements[0]).toMatchObject({ state: 'sent', attempts: 1 })
    expect(chat.ids).toEqual([after.announcements[0]!.id])
  })

  it('says that a channel is gone, as the workspace does; setting it again goes on', async () => {
    await set()
    await release()
    const chat = new ScriptedChat()
    chat.answers.push({ answer: gone })
    await deliver(chat)
    expect(expectReply(await host.ask('GET', path()))).toMatchObject({ discordOff: 'gone' })
    const workspace = `/session/tournaments/${slug}/workspace`
    const { tournament } = (await host.ask('GET', workspace)).json
    expect(tournament).toMatchObject({ discord: true, discordOff: 'gone' })
    expect((await member.ask('GET', workspace)).text).not.toContain('discord')
    expect((await set()).json.tournament).not.toHaveProperty('discordOff')
    expect((await deliver()).posted).toHaveLength(1)
  })

  it('says what Discord has answered, with its code and without its words, and when it is asked again', async () => {
    await set()
    await release()
    const chat = new ScriptedChat()
    chat.answers.push({ answer: { kind: 'failed', problem: 'status', status: 503, code: null } })
    house.clock.advance(60_000)
    const [taken] = await house.ports.announcements.take(house.clock.now(), 15_000, 9)
    const sites = { name: 'Harbour Cups', tournamentsUrl: null, packsUrl: null }
    await sendLeased({ ...house.ports, chat }, taken!, sites)
    const inFive = new Date(house.clock.now() + 5_000).toISOString()
    expect(expectReply(await host.ask('GET', path())).announcements[0]).toMatchObject({
      state: 'waiting',
      problem: 'status',
      status: 503,
      nextAttemptAt: inFive,
    })
    chat.answers.push({ answer: { kind: 'rejected', status: 400, code: 220_001 } })
    await deliver(chat)
    const [ended] = expectReply(await host.ask('GET', path())).announcements
    expect(ended).toMatchObject({
      state: 'given-up',
      problem: 'rejected',
      status: 400,
      code: 220_001,
    })
    expect(ended).not.toHaveProperty('nextAttemptAt')
  })

  it('says of what waits while a moderator hides the tournament that this is why', async () => {
    await set()
    await release()
    await deliver()
    await host.ask('POST', path(), {})
    const hide = (hiddenAt: number | null) =>
      changeTournament(house.ports, slug, () => ({ hiddenAt, hiddenReason: null }))
    await hide(1)
    expect((await deliver()).posted).toEqual([])
    const { announcements } = expectReply(await host.ask('GET', path()))
    expect(announcements.map(({ state, problem }) => [state, problem])).toEqual([
      ['waiting', 'tournament-hidden'],
      ['sent', undefined],
    ])
    expect(announcements[0]).not.toHaveProperty('nextAttemptAt')
    await hide(null)
    expect((await deliver()).posted).toHaveLength(1)
  })

  it('403 for others of the staff, 404 for others, 401 without a session', async () => {
    expectSiteError(await member.ask('GET', path()), 'forbidden')
    expectSiteError(await stranger.ask('GET', path()), 'not_found', refusals.tournamentNotFound[1])
    expectSiteError(await house.browser('pools').ask('GET', path()), 'not_signed_in')
  })
})

describe('POST …/announcements', () => {
  it('200 sends a trial', async () => {
    await set()
    const reply = expectReply(await host.ask('POST', path(), {}))
    expect(reply.announcements).toMatchObject([{ kind: 'trial', state: 'waiting' }])
    const chat = await deliver()
    expect(chat.posted[0]!.embeds[0]).toMatchObject({
      title: 'Trial message',
      author: { name: 'Harbour Lights Cup' },
    })
  })

  it('switches on what was switched off', async () => {
    await set()
    await release()
    const chat = new ScriptedChat()
    chat.answers.push({ answer: gone })
    await deliver(chat)
    expect(expectReply(await host.ask('POST', path(), {}))).not.toHaveProperty('discordOff')
    expect((await deliver()).posted).toHaveLength(2)
  })

  it('409 while a trial waits, and 429 within ten seconds of the last message by hand', async () => {
    await set()
    await release()
    const [id] = (await deliver()).ids
    expectReply(await host.ask('POST', path(), {}))
    expectSiteError(await host.ask('POST', path(), {}), 'conflict', /waiting already/)
    await deliver()
    const trial = expectReply(await host.ask('POST', path(), {})).announcements[0]!.id
    const again = (of: string | undefined) => host.ask('POST', `${path()}/${of}/send`, {})
    expectSiteError(await again(trial), 'conflict', /waiting already/)
    house.clock.advance(4_000)
    const soon = await again(id)
    expectSiteError(soon, 'rate_limited', /in 10 seconds/)
    expect(soon.headers.get('retry-after')).toBe('6')
    house.clock.advance(6_000)
    expect((await again(id)).status).toBe(200)
    const reply = expectReply(await host.ask('GET', path()))
    expect(reply.announcements.map(({ kind, state }) => [kind, state])).toEqual([
      ['trial', 'waiting'],
      ['trial', 'sent'],
      ['release', 'waiting'],
    ])
    expect((await deliver()).posted).toHaveLength(2)
  })

  it('switches on what is off with a trial that waits, and adds no other', async () => {
    await set()
    await host.ask('POST', path(), {})
    const chat = new ScriptedChat()
    chat.answers.push({ answer: gone })
    await deliver(chat)
    const reply = expectReply(await host.ask('POST', path(), {}))
    expect(reply).not.toHaveProperty('discordOff')
    expect(reply.announcements).toHaveLength(1)
    expect((await deliver()).posted).toHaveLength(1)
  })

  it('409 without an address, and where the operator does not allow it', async () => {
    expectSiteError(await host.ask('POST', path(), {}), 'conflict', /has no address of Discord/)
    closed.clock.nextMinute()
    const other = await closed.signedIn(7001, 'pools')
    const made = await openTournament(closed.ports, other.viewer!.id, {}, [])
    const elsewhere = `/session/tournaments/${made.slug}/announcements`
    expectSiteError(await other.ask('POST', elsewhere, {}), 'conflict', /sends nothing to Discord/)
    expect((await other.ask('GET', elsewhere)).json).toMatchObject({ isAllowed: false })
  })

  it('403 for others of the staff, 404 for others', async () => {
    await set()
    expectSiteError(await member.ask('POST', path(), {}), 'forbidden')
    expectSiteError(await stranger.ask('POST', path(), {}), 'not_found')
  })
})

describe('POST …/announcements/{id}/send', () => {
  it('200 sends it once more, under the same id', async () => {
    await set()
    await release()
    const [id] = (await deliver()).ids
    const reply = expectReply(await host.ask('POST', `${path()}/${id}/send`, {}))
    expect(reply.announcements[0]).toMatchObject({ id, state: 'waiting' })
    expect((await deliver()).ids).toEqual([id])
  })

  it('404 for an announcement that there is not, or of another tournament', async () => {
    await set()
    await release()
    const [id] = (await deliver()).ids
    expectSiteError(await host.ask('POST', `${path()}/AAAAAAAAAA/send`, {}), 'not_found')
    const made = await openTournament(house.ports, host.viewer!.id, {}, [])
    await host.ask('PATCH', `/session/tournaments/${made.slug}`, {
      discordUrl: DISCORD_URL_EXAMPLE,
    })
    const other = `/session/tournaments/${made.slug}/announcements/${id}/send`
    expectSiteError(await host.ask('POST', other, {}), 'not_found')
  })

  it('403 for others of the staff, 409 without an address', async () => {
    await set()
    await release()
    const [id] = (await deliver()).ids
    expectSiteError(await member.ask('POST', `${path()}/${id}/send`, {}), 'forbidden')
    await set(null)
    expectSiteError(await host.ask('POST', `${path()}/${id}/send`, {}), 'conflict')
  })
})

it('the address is in no answer to a page and in no page (D-97)', async () => {
  const secret = SECRET_TOKEN.replaceAll('token', 'kneot')
  const reply = await set(DISCORD_URL_EXAMPLE.replaceAll('token', 'kneot'))
  expect(reply.status).toBe(200)
  const refused = await set(`https://discord.com/api/webhooks/nothing/${secret}`)
  expect(refused.status).toBe(400)
  await release()
  await host.ask('POST', path(), {})
  await deliver()
  const packs = await house.signedIn(7001)
  const texts = [reply.text, refused.text, (await packs.ask('GET', '/session/my-data')).text]
  const pages = [
    path(),
    `/session/tournaments/${slug}`,
    `/session/tournaments/${slug}/workspace`,
    `/t/${slug}`,
    `/t/${slug}/edit`,
    `/t/${slug}.json`,
    `/t/${slug}.atom`,
    '/my',
    '/',
  ]
  for (const page of pages) {
    for (const browser of [host, member, stranger]) {
      house.clock.advance(10_000)
      texts.push((await browser.ask('GET', page)).text)
    }
  }
  expect(texts.filter((text) => text.includes(secret) || text.includes('kneot'))).toEqual([])
})
