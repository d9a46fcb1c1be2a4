import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import { asOperatorFor } from '../../src/domain/moderation.ts'
import { NO_LIVE_KEY } from '../../src/domain/keys.ts'
import { issueKey, revokeKey } from '../../src/operations/keys.ts'
import { createPack } from '../../src/operations/packs.ts'
import { suspendPlayer, unsuspendPlayer } from '../../src/operations/moderation.ts'
import type { Browser } from '../support/browser.ts'
import { catchUp } from '../support/catch-up.ts'
import { Door, type Reply } from '../support/door.ts'
import { openTournament } from '../support/public-tournament.ts'
import { aPack } from '../support/samples.ts'
import { expectSiteError, expectSuccess } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const SPAMMER = 7001
const OTHER = 7002
const MODERATOR = 7003

let house: SiteHouse
let spammer: Browser
let moderator: Browser
let stranger: Browser

beforeEach(async () => {
  house = await openSiteHouse()
  await house.ports.accounts.setModerator(MODERATOR, true, 0)
  spammer = await house.signedIn(SPAMMER)
  moderator = await house.signedIn(MODERATOR)
  stranger = house.browser()
})
afterEach(() => house.close())

const decide = (verdict: 'suspend' | 'unsuspend', gameId = SPAMMER, reason = 'advertising') =>
  moderator.ask('POST', `/session/moderation/players/${gameId}/${verdict}`, { reason })

const keyOf = (service: ServiceName, gameId = SPAMMER) =>
  issueKey(house.ports, {
    service,
    keyPrefix: service,
    gameId,
    username: gameId === SPAMMER ? 'Peridot' : `player ${gameId}`,
  })

const ask = (service: ServiceName, key: string, path: string, method = 'GET', body?: unknown) =>
  new Door(house.urls[service]).ask(method, path, { key, body })

/** What nobody decides: when, for which request, and how much of a quota is left. */
const incidental = /^(date|x-request-id|ratelimit-.*|connection|keep-alive)$/

const seenOf = ({ status, headers, text }: Reply) => ({
  status,
  headers: [...headers].filter(([name]) => !incidental.test(name)),
  text,
})

/** Everything that a suspended player had made public, by its paths, and where it was listed. */
const makePublic = async () => {
  const { ports } = house
  const accountId = spammer.viewer!.id
  const slug = await house.save(spammer, aPack({ name: 'Buy followers', visibility: 'public' }))
  const unlisted = await house.save(spammer, aPack({ name: 'More', visibility: 'unlisted' }))
  const own = await openTournament(ports, accountId, { name: 'Followers Cup' }, [
    { at: 'now', name: 'Finals' },
    { name: 'Later' },
  ])
  await house.save(spammer, aPack({ name: 'Notes', visibility: 'private' }))
  await catchUp(ports)
  return { packs: [slug, unlisted, own.rounds[0]!.packSlug], slug, own }
}

const listing: readonly (readonly [ServiceName, string])[] = [
  ...['/', '/packs', '/packs.atom', '/u/Peridot', '/sitemap.xml', '/llms.txt'].map(
    (path) => ['packs', path] as const,
  ),
  ['packs', '/session/search?q=followers'],
  ['packs', '/packs?q=followers'],
  ['packs', '/maps/4392947'],
  ['packs', '/session/beatmaps/usage?ids=4392947,11'],
  ['pools', '/'],
  ['pools', '/sitemap.xml'],
  ['pools', '/session/tournaments'],
  ['pools', '/session/beatmaps/usage?ids=4392947,11'],
]

const ofPacks = (slug: string): [ServiceName, string][] =>
  ['', '/history', '/history.atom', '/edit']
    .map((end): [ServiceName, string] => ['packs', `/p/${slug}${end}`])
    .concat([
      ['packs', `/session/packs/${slug}`],
      ['packs', `/session/packs/${slug}/history`],
    ])

const ofTournament = (slug: string, round: string): [ServiceName, string][] => [
  ['pools', `/t/${slug}`],
  ['pools', `/session/tournaments/${slug}`],
  ['pools', `/session/tournaments/${slug}/rounds/${round}`],
]

const walk = async (paths: readonly (readonly [ServiceName, string])[]) => {
  house.clock.nextMinute()
  // What is derived follows within seconds (D-66).
  await catchUp(house.ports)
  await house.publishIndex()
  const seen = new Map<string, ReturnType<typeof seenOf>>()
  for (const [service, path] of paths) {
    seen.set(`${service} ${path}`, seenOf(await house.browser(service).open(path)))
  }
  return seen
}

/** What strangers with keys read: as far as it lists anything. */
const lists = async () => {
  await catchUp(house.ports)
  const [packs, pools] = [await keyOf('packs', OTHER), await keyOf('pools', OTHER)]
  return [
    (await ask('packs', packs, '/packs')).text,
    (await ask('pools', pools, '/tournaments')).text,
    (await ask('pools', pools, '/beatmaps/4392947/usage')).text,
    (await ask('pools', pools, '/beatmaps/11/usage')).text,
  ]
}

describe('D-76: what strangers read of somebody who is suspended', () => {
  test('is to the byte what they read when nothing of it was ever public, and returns when it is lifted', async () => {
    const [before, listsBefore] = [await walk(listing), await lists()]
    const { packs, slug, own } = await makePublic()
    const paths = [...packs.flatMap(ofPacks), ...ofTournament(own.slug, own.rounds[0]!.id)]
    paths.push(['packs', `/p/${slug}/preview.png`])
    const [shown, shownThere, listsThere] = [await walk(paths), await walk(listing), await lists()]
    expect(shown.get(`packs /p/${slug}`)?.status).toBe(200)
    expect(shown.get(`pools /t/${own.slug}`)?.status).toBe(200)
    expect(shownThere.get('packs /u/Peridot')?.status).toBe(200)
    expect(shownThere.get('packs /packs.atom')?.text).toContain('Buy followers')

    expectSuccess(await decide('suspend'), 'suspendPlayer')
    expect(await lists()).toEqual(listsBefore)
    for (const [path, seen] of await walk(listing)) expect(seen, path).toEqual(before.get(path))
    const missing = await walk([
      ...ofPacks('missing001'),
      ...ofTournament('missing001', 'missing001'),
      ['packs', '/p/missing001/preview.png'],
    ])
    const nowhere = new Map(
      [...missing].map(([path, seen]) => [path.replaceAll('missing001', '-'), seen]),
    )
    const names = new RegExp([...packs, own.slug, own.rounds[0]!.id].join('|'), 'g')
    for (const [path, seen] of await walk(paths)) {
      expect(seen, path).toEqual(nowhere.get(path.replaceAll(names, '-')))
    }

    expectSuccess(await decide('unsuspend'), 'unsuspendPlayer')
    expect(await lists()).toEqual(listsThere)
    for (const [path, seen] of await walk(paths)) expect(seen, path).toEqual(shown.get(path))
    for (const [path, seen] of await walk(listing)) expect(seen, path).toEqual(shownThere.get(path))
  })

  test('followers of changes are told that each pack was hidden, and that it was shown again', async () => {
    const key = await keyOf('packs', OTHER)
    const { packs, slug } = await makePublic()
    const { cursor } = (await ask('packs', key, '/changes')).json
    const since = async () => {
      const { changes } = (await ask('packs', key, `/changes?after=${cursor}`)).json
      return changes.map(({ kind, slug: of }: { kind: string; slug: string }) => [kind, of])
    }
    await decide('suspend')
    const hidden = await since()
    expect(new Set(hidden)).toEqual(new Set([slug, packs[2]].map((each) => ['hidden', each])))
    await decide('unsuspend')
    const shown = (await since()).slice(hidden.length)
    expect(shown.map(([kind]: string[]) => kind)).toEqual(['shown', 'shown'])
  })
})

describe('D-76: somebody who is suspended', () => {
  test('is signed out everywhere at once, and answered as with revoked keys, on both services', async () => {
    const pools = await house.signedIn(SPAMMER, 'pools')
    const keys = { packs: await keyOf('packs'), pools: await keyOf('pools') }
    expect((await ask('packs', keys.packs, '/me')).status).toBe(200)
    await decide('suspend')
    for (const service of ['packs', 'pools'] as const) {
      const revoked = await keyOf(service, OTHER)
      await revokeKey(house.ports, { service, gameId: OTHER })
      for (const [method, body] of [
        ['GET', undefined],
        ['POST', { name: 'X' }],
      ] as const) {
        const path = service === 'packs' ? '/packs' : '/tournaments'
        const answer = await ask(service, keys[service], path, method, body)
        expect(answer.status).toBe(401)
        const of = await ask(service, revoked, path, method, body)
        expect(seenOf(answer)).toEqual(seenOf(of))
      }
    }
    for (const browser of [spammer, pools]) {
      expectSiteError(await browser.ask('GET', '/session/sessions'), 'not_signed_in')
    }
    await decide('unsuspend')
    house.clock.nextMinute()
    expect((await ask('packs', keys.packs, '/me')).status, 'the same key').toBe(200)
    expect((await ask('pools', keys.pools, '/me')).status).toBe(200)
  })

  test('cannot sign in, and reads why; nor can who was never here before, until it is lifted', async () => {
    const signIn = async (gameId: number) => {
      const browser = house.browser()
      const begun = await browser.open('/sign-in')
      const agreed = await house.agree(begun.headers.get('location') ?? '', gameId)
      return { reply: await browser.open(agreed), viewer: await browser.look() }
    }
    const players = await house.ports.accounts.countPlayers()
    await decide('suspend', OTHER)
    await expect(keyOf('packs', OTHER)).rejects.toMatchObject({ code: 'conflict' })
    await decide('unsuspend', OTHER)
    for (const gameId of [SPAMMER, OTHER]) {
      expectSuccess(await decide('suspend', gameId, 'ads <b> “here”'), 'suspendPlayer')
      const { reply, viewer } = await signIn(gameId)
      expect(reply.status).toBe(403)
      expect(viewer).toBeNull()
      expect(reply.text).toContain('Your account is suspended')
      expect(reply.text).toContain('ads &lt;b&gt; “here”')
    }
    expect(await house.ports.accounts.countPlayers(), 'no account is made').toBe(players)
    for (const gameId of [SPAMMER, OTHER]) {
      await decide('unsuspend', gameId)
      expect((await signIn(gameId)).viewer?.gameId).toBe(gameId)
    }
  })

  test('begins nothing by what was under way: no session, key, pack or tournament', async () => {
    const { ports } = house
    const accountId = spammer.viewer!.id
    await suspendPlayer(ports, SPAMMER, asOperatorFor('ads'))
    const session = { hash: 'x'.repeat(43), accountId, service: 'packs', device: null } as const
    const begun = await ports.sessions.create({ ...session, csrf: 'x', createdAt: 1 }, null)
    expect(begun).toBe('ads')
    await expect(keyOf('packs')).rejects.toMatchObject({ code: 'conflict' })
    // As a revoked key is answered: that the account was suspended meanwhile is for its owner to read at sign-in.
    const revoked = { code: 'invalid_api_key', message: NO_LIVE_KEY }
    const input = aPack({ visibility: 'public' })
    await expect(createPack(ports, accountId, input)).rejects.toMatchObject(revoked)
    await expect(openTournament(ports, accountId, {}, [])).rejects.toMatchObject(revoked)
    expect(await ports.sessions.endAll(accountId, null)).toBe(0)
  })

  test('keeps what moderators have hidden by itself, and loses its pins', async () => {
    const { packs, slug, own } = await makePublic()
    const [, unlisted] = packs
    const verdict = (of: string, what: string) =>
      moderator.ask('POST', `/session/moderation/packs/${of}/${what}`, { reason: 'copied' })
    await verdict(slug, 'pin')
    await verdict(unlisted!, 'hide')
    await decide('suspend')
    expectSiteError(await verdict(slug, 'pin'), 'conflict', /suspended/)
    expect((await verdict(slug, 'unhide')).json.pack).toMatchObject({ isSuspended: true })
    expect((await stranger.open(`/p/${slug}`)).status).toBe(404)
    expect((await verdict(packs[2]!, 'hide')).json.pack).toMatchObject({ hiddenReason: 'copied' })
    await decide('unsuspend')
    const statuses = async () =>
      Promise.all(packs.map(async (each) => (await stranger.open(`/p/${each}`)).status))
    expect(await statuses()).toEqual([200, 404, 404])
    expect((await house.browser('pools').open(`/t/${own.slug}`)).status).toBe(200)
    expect(await house.ports.packs.listPinned()).toEqual([])
    for (const each of [unlisted!, packs[2]!]) await verdict(each, 'unhide')
    expect(await statuses()).toEqual([200, 200, 200])
  })

  test('leaves a tournament that has another host, who stays then, and takes one that has none', async () => {
    const { ports } = house
    const { own } = await makePublic()
    const other = await house.signedIn(OTHER, 'pools')
    await ports.tournaments.change(own.slug, null, 20, 0, (saved) => ({
      ...saved,
      updatedAt: saved.updatedAt + 1,
      staff: [
        ...saved.staff,
        {
          accountId: other.viewer!.id,
          gameId: OTHER,
          username: 'x',
          role: 'host' as const,
          rounds: null,
          since: 9,
          seenAt: null,
        },
      ],
    }))
    const status = async () => (await house.browser('pools').open(`/t/${own.slug}`)).status
    await decide('suspend')
    expect(await status()).toBe(200)
    const left = await other.ask('DELETE', `/session/tournaments/${own.slug}/staff/${OTHER}`)
    expectSiteError(left, 'conflict', /all other hosts are suspended/)
    await ports.accounts.remove(other.viewer!.id, house.clock.now())
    expect(await status(), 'its last host but them is gone').toBe(404)
    await decide('unsuspend')
    expect(await status()).toBe(200)
  })

  test('with 1,200 packs vanishes by one call, in portions that any process finishes', async () => {
    const { ports } = house
    const accountId = spammer.viewer!.id
    const slug = await house.save(spammer, aPack({ visibility: 'public' }))
    const pack = (await ports.packs.read(slug))!
    for (let at = 0; at < 1_200; at += 1) {
      const slug = `s${String(at).padStart(9, '0')}`
      await ports.packs.create({ ...pack, slug, ownerId: accountId }, null)
    }
    const total = async () => (await ports.packs.listPublic(1, 50)).total
    expect(await total()).toBe(1_201)
    await suspendPlayer(ports, SPAMMER, asOperatorFor('ads'))
    expect(await total()).toBe(0)
    expect(await ports.suspensions.finishSuspensions(), 'all is done').toBe(false)
    await unsuspendPlayer(ports, SPAMMER, asOperatorFor('a mistake'))
    expect(await total()).toBe(1_201)
    expect(await ports.suspensions.readSuspension(SPAMMER)).toBeNull()
  })
})

describe('moderators', () => {
  test('decide about whoever has the id, whatever others are called (D-76)', async () => {
    const { accounts } = house.ports
    const neverHere = 12
    for (let at = 0; at < 60; at += 1) {
      const player = { gameId: 20_000 + at, username: `a ${SPAMMER} and ${neverHere}: ${at}` }
      await accounts.ensurePlayer(player, `namesake${at}`, 0)
    }
    for (const gameId of [SPAMMER, neverHere]) {
      for (const verdict of ['suspend', 'unsuspend'] as const) {
        const reply = await decide(verdict, gameId)
        expect([verdict, reply.status]).toEqual([verdict, 200])
        const { player } = reply.json
        expect([player.gameId, player.reason]).toEqual([
          gameId,
          verdict === 'suspend' ? 'advertising' : undefined,
        ])
        const found = await moderator.ask('GET', `/session/moderation/players?query=${gameId}`)
        expect(found.json.players[0]).toEqual(player)
        expect(found.json.total).toBe(61)
      }
    }
  })

  test('find players by name and id, those who are suspended, and read who did it in the log', async () => {
    const find = async (query = '') => {
      const reply = await moderator.ask('GET', `/session/moderation/players${query}`)
      expectSuccess(reply, 'findPlayers')
      return reply.json.players
    }
    expect(await find()).toEqual([])
    expect(await find('?query=PERI')).toEqual([
      { gameId: SPAMMER, username: 'Peridot', isModerator: false },
    ])
    expect(await find('?query=4711')).toEqual([{ gameId: 4711, isModerator: false }])
    expect(await find('?query=nobody')).toEqual([])
    const suspended = await decide('suspend')
    const player = {
      gameId: SPAMMER,
      username: 'Peridot',
      isModerator: false,
      suspendedAt: new Date(house.clock.now()).toISOString(),
      suspendedBy: 'maple_keeper',
      reason: 'advertising',
    }
    expect(suspended.json).toEqual({ player })
    await decide('suspend')
    house.clock.advance(1)
    await suspendPlayer(house.ports, 4711, asOperatorFor('never here'))
    expect(await find()).toEqual([
      expect.objectContaining({ gameId: 4711, reason: 'never here' }),
      expect.objectContaining({ gameId: SPAMMER }),
    ])
    expect(await find(`?query=${SPAMMER}`)).toEqual([player])
    expect((await decide('unsuspend')).json).toEqual({
      player: { gameId: SPAMMER, username: 'Peridot', isModerator: false },
    })
    const { entries } = (await moderator.ask('GET', '/session/moderation/log')).json
    const about = { subject: 'player', gameId: SPAMMER, username: 'Peridot' }
    expect(entries).toMatchObject([
      { moderator: 'maple_keeper', action: 'unsuspend', ...about },
      { moderator: null, action: 'suspend', gameId: 4711, reason: 'never here' },
      { moderator: 'maple_keeper', action: 'suspend', ...about, reason: 'advertising' },
    ])
  })

  test('403: suspend neither themselves nor other moderators; the operator can', async () => {
    await house.ports.accounts.setModerator(OTHER, true, 0)
    for (const gameId of [MODERATOR, OTHER]) {
      expectSiteError(await decide('suspend', gameId), 'forbidden', /moderators/)
      expect(await house.ports.suspensions.readSuspension(gameId)).toBeNull()
    }
    await suspendPlayer(house.ports, MODERATOR, asOperatorFor('abuse'))
    expectSiteError(await decide('suspend'), 'not_signed_in')
  })

  test('403 for others, 400 without a reason, 404 for what is no id', async () => {
    const path = `/session/moderation/players/${OTHER}/suspend`
    expectSiteError(await spammer.ask('POST', path, { reason: 'x' }), 'forbidden', /moderators/)
    expectSiteError(await moderator.ask('POST', path, {}), 'bad_request', /reason/)
    for (const verdict of ['suspend', 'unsuspend']) {
      for (const none of ['0', '01', 'abc', '9007199254740992', '9'.repeat(16), '9'.repeat(40)]) {
        const reply = await moderator.ask(
          'POST',
          `/session/moderation/players/${none}/${verdict}`,
          { reason: 'x' },
        )
        expectSiteError(reply, 'not_found', /nothing at this path/)
      }
    }
    expect(await house.ports.suspensions.readSuspension(OTHER)).toBeNull()
  })
})
