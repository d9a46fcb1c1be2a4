import { Compile } from 'typebox/compile'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MyData } from '../../src/contract/my-data.ts'
import {
  collectMyData,
  deleteAccount,
  deleteAccountOf,
  describePlayer,
  nameModerator,
} from '../../src/operations/accounts.ts'
import { makeKey } from '../../src/operations/keys.ts'
import { moderatePack, suspendPlayer } from '../../src/operations/moderation.ts'
import { createPack, replacePack } from '../../src/operations/packs.ts'
import { findViewer } from '../../src/operations/sessions.ts'
import { expectError } from '../support/door.ts'
import { addRemark, propose, vote } from '../../src/operations/discussion.ts'
import { createRound } from '../../src/operations/rounds.ts'
import { setRole } from '../../src/operations/staff.ts'
import { createTournament } from '../../src/operations/tournaments.ts'
import { aRound } from '../domain/a-tournament.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { moderator, signedIn } from '../support/signed-in.ts'

const house = async () => {
  const opened = await openHouse()
  onTestFinished(opened.close)
  const { ports } = opened
  const ada = await signedIn(opened)
  const { accountId } = ada.viewer
  const save = (changes: Parameters<typeof aPack>[0]) =>
    createPack(ports, accountId, aPack(changes))
  const key = await makeKey(ports, { service: 'packs', keyPrefix: 'packs', accountId })
  return { ...opened, ada, accountId, save, key }
}

describe('my data', () => {
  test('is everything that is kept: account, keys, packs, sessions, what moderators did', async () => {
    const { ports, ada, save, key, clock } = await house()
    const start = clock.now()
    clock.advance(1000)
    const secret = await save({ visibility: 'private', name: 'Secret' })
    const shown = await save({ visibility: 'public', name: 'Shown' })
    const peridot = await moderator({ ports })
    await moderatePack(ports, peridot, shown.slug, 'hide', 'off topic')
    const data = await collectMyData(ports, ada.viewer, 'Tournament pools')
    expect([...Compile(MyData).Errors(data)]).toEqual([])
    const at = (ms: number) => new Date(ms).toISOString()
    expect(data).toMatchObject({
      account: { gameId: 4711, username: 'Ada', createdAt: at(start), isModerator: false },
      keys: { packs: { shown: key.shown, createdAt: key.createdAt }, pools: null },
      packs: [{ slug: shown.slug, hiddenAt: at(clock.now()) }, { slug: secret.slug }],
      sessions: [{ createdAt: at(start), lastSeenAt: at(start) }],
      moderation: [{ at: at(clock.now()), action: 'hide', slug: shown.slug, reason: 'off topic' }],
    })
  })

  test('holds no secret: neither key, token nor CSRF token, nor a hash of one', async () => {
    const { ports, ada, key } = await house()
    const text = JSON.stringify(await collectMyData(ports, ada.viewer, 'Tournament pools'))
    for (const secret of [key.key, ada.token]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(ports.hasher.sha256(secret))
    }
    expect(text).not.toContain(ada.viewer.csrf)
  })

  test('holds nothing of others: not the moderator either', async () => {
    const { ports, ada, save } = await house()
    const shown = await save({ visibility: 'public' })
    const peridot = await moderator({ ports })
    await createPack(ports, peridot.accountId, aPack({ name: 'Not mine' }))
    await moderatePack(ports, peridot, shown.slug, 'hide', 'off topic')
    const text = JSON.stringify(await collectMyData(ports, ada.viewer, 'Tournament pools'))
    expect(text).not.toContain('Not mine')
    expect(text).not.toContain('Peridot')
    expect(text).not.toContain(peridot.accountId)
  })

  test('holds every version of the packs, private and hidden ones too (D-71)', async () => {
    const { ports, ada, accountId, save, clock } = await house()
    const first = await save({ name: 'One', description: 'Best of 9' })
    const { slug } = first
    clock.advance(1000)
    const next = aPack({ name: 'Two', visibility: 'private' })
    const second = await replacePack(ports, accountId, slug, next)
    const other = await save({})
    const { versions } = await collectMyData(ports, ada.viewer, 'Tournament pools')
    const at = (ms: number) => new Date(ms).toISOString()
    expect(versions).toEqual([
      {
        slug: other.slug,
        version: 1,
        savedAt: at(clock.now()),
        visibility: 'unlisted',
        packKey: other.packKey,
      },
      {
        slug,
        version: 2,
        savedAt: at(clock.now()),
        visibility: 'private',
        packKey: second.packKey,
      },
      {
        slug,
        version: 1,
        savedAt: at(first.updatedAt),
        description: 'Best of 9',
        visibility: 'unlisted',
        packKey: first.packKey,
      },
    ])
  })

  test('holds the tournaments with the role, and what the account has said in them', async () => {
    const { ports, ada, accountId, clock } = await house()
    const ben = await signedIn({ ports }, { gameId: 4712, username: 'Ben' })
    const host = ben.viewer.accountId
    const { slug } = await createTournament(ports, host, { name: 'Cup' })
    await setRole(ports, host, slug, 4711, { role: 'tester' })
    const { round } = await createRound(ports, host, slug, aRound())
    const place = { slug, roundId: round.id }
    const [nm1, tb] = [
      { mod: 'NM', index: 1, beatmapId: 75 },
      { mod: 'TB', index: 1, beatmapId: 76 },
    ]
    await propose(ports, accountId, place, { ...nm1, note: 'Easier' })
    const theirs = await propose(ports, host, place, { ...tb, note: 'Not mine' })
    await vote(ports, accountId, place, theirs.id, -1)
    await addRemark(ports, accountId, place, { text: 'Too long' })
    await addRemark(ports, host, place, { text: 'Not mine' })
    const data = await collectMyData(ports, ada.viewer, 'Tournament pools')
    expect([...Compile(MyData).Errors(data)]).toEqual([])
    const at = new Date(clock.now()).toISOString()
    const where = { slug, round: round.id }
    expect(data).toMatchObject({
      tournaments: [{ slug, name: 'Cup', role: 'tester' }],
      candidates: [{ ...where, ...nm1, note: 'Easier', createdAt: at }],
      votes: [{ ...where, ...tb, vote: -1 }],
      remarks: [{ ...where, text: 'Too long', settled: false, createdAt: at, updatedAt: at }],
    })
    expect(JSON.stringify(data)).not.toContain('Not mine')
  })

  test('is all 200 packs', async () => {
    const { ports, ada, save } = await house()
    for (let at = 0; at < 200; at += 1) await save({ name: `Pack ${at}` })
    expect((await collectMyData(ports, ada.viewer, 'x')).packs).toHaveLength(200)
  })
})

describe('deleting an account', () => {
  test('takes packs, keys and sessions with it, at once', async () => {
    const { ports, ada, save, key, doors, host } = await house()
    const { slug } = await save({ visibility: 'public' })
    const reader = await host()
    expect((await reader.get('/packs')).json.total).toBe(1)
    await deleteAccount(ports, ada.viewer, ' Ada ')
    expect(await findViewer(ports, 'packs', ada.token)).toBeNull()
    expectError(await doors.packs.ask('GET', '/me', { key: key.key }), 'invalid_api_key')
    expectError(await reader.get(`/packs/${slug}`), 'not_found')
    expect((await reader.get('/packs')).json).toMatchObject({ packs: [], total: 0 })
  })

  test.each(['', 'ada', 'Ada!', 'Shige', 'Ádа'])('not when %j is typed', async (typed) => {
    const { ports, ada } = await house()
    await expect(deleteAccount(ports, ada.viewer, typed)).rejects.toMatchObject({
      code: 'bad_request',
      message: 'username must match your own username exactly',
    })
    expect(await findViewer(ports, 'packs', ada.token)).not.toBeNull()
  })

  test('who signs in again begins anew', async () => {
    const opened = await house()
    const { ports, ada, save } = opened
    await save({})
    await deleteAccount(ports, ada.viewer, 'Ada')
    const { viewer } = await signedIn(opened)
    expect(viewer.accountId).not.toBe(ada.viewer.accountId)
    const data = await collectMyData(ports, viewer, 'x')
    expect(data).toMatchObject({ keys: { packs: null, pools: null }, packs: [], moderation: [] })
    expect(data.sessions).toHaveLength(1)
  })
})

describe('what an operator sees of a player', () => {
  test('is nothing of whom nothing is stored', async () => {
    const { ports } = await house()
    expect(await describePlayer(ports, { gameId: 5 })).toBeNull()
    expect(await describePlayer(ports, { username: 'Nobody' })).toBeNull()
  })

  test('is a suspension, or being a moderator, before there is an account', async () => {
    const { ports, clock } = await house()
    const nothing = {
      username: null,
      account: null,
      keys: { packs: null, pools: null },
      sessions: [],
      packs: [],
      tournaments: [],
    }
    const by = { moderatorId: null, reason: 'spam' }
    await suspendPlayer(ports, 5, by)
    expect(await describePlayer(ports, { gameId: 5 })).toEqual({
      ...nothing,
      gameId: 5,
      isModerator: false,
      suspension: { since: new Date(clock.now()).toISOString(), by: null, reason: 'spam' },
    })
    await nameModerator(ports, { gameId: 6, isModerator: true, by })
    expect(await describePlayer(ports, { gameId: 6 })).toEqual({
      ...nothing,
      gameId: 6,
      isModerator: true,
      suspension: null,
    })
  })

  test('is account, keys, sessions, packs and tournaments, without a secret', async () => {
    const { ports, ada, accountId, save, key, clock } = await house()
    const createdAt = new Date(clock.now()).toISOString()
    const pack = await save({ visibility: 'private', name: 'Secret' })
    const facts = { name: 'Harbour Lights Cup', visibility: 'private' } as const
    const own = await createTournament(ports, accountId, facts)
    const shared = await createTournament(ports, accountId, facts)
    const peridot = await moderator({ ports })
    await setRole(ports, accountId, shared.slug, peridot.gameId, { role: 'host' })
    await setRole(ports, accountId, own.slug, peridot.gameId, { role: 'tester' })
    const hidden = await save({ visibility: 'public', name: 'Hidden' })
    await moderatePack(ports, peridot, hidden.slug, 'hide', 'off topic')
    const seen = await describePlayer(ports, { username: 'Ada' })
    expect(seen).toEqual(await describePlayer(ports, { gameId: 4711 }))
    const ofTournament = { ...facts, role: 'host', isHidden: false }
    expect(seen).toMatchObject({
      gameId: 4711,
      username: 'Ada',
      account: { id: accountId, createdAt },
      isModerator: false,
      suspension: null,
      keys: { packs: { createdAt, lastUsedOn: null }, pools: null },
      sessions: [{ createdAt, lastSeenAt: createdAt }],
    })
    expect(seen?.packs).toHaveLength(2)
    expect(seen?.packs).toEqual(
      expect.arrayContaining([
        { slug: pack.slug, name: 'Secret', visibility: 'private', isHidden: false },
        { slug: hidden.slug, name: 'Hidden', visibility: 'public', isHidden: true },
      ]),
    )
    expect(seen?.tournaments).toHaveLength(2)
    expect(seen?.tournaments).toEqual(
      expect.arrayContaining([
        { slug: own.slug, ...ofTournament, isOnlyHost: true },
        { slug: shared.slug, ...ofTournament, isOnlyHost: false },
      ]),
    )
    const others = await describePlayer(ports, { gameId: peridot.gameId })
    expect(others?.tournaments).toContainEqual({
      slug: own.slug,
      ...ofTournament,
      role: 'tester',
      isOnlyHost: false,
    })
    const text = JSON.stringify(seen)
    for (const secret of [key.key, key.shown, ada.token, ada.viewer.hash, ada.viewer.csrf]) {
      expect(text).not.toContain(secret)
    }
  })

  test('its account can be deleted on request, once', async () => {
    const { ports } = await house()
    const by = { moderatorId: null, reason: 'asked by mail' }
    await deleteAccountOf(ports, 4711, by)
    expect(await describePlayer(ports, { gameId: 4711 })).toBeNull()
    await expect(deleteAccountOf(ports, 4711, by)).rejects.toMatchObject({ code: 'not_found' })
  })
})
