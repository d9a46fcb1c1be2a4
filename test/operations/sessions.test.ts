import { describe, expect, onTestFinished, test } from 'vitest'
import { PlatformError } from '../../src/domain/platform.ts'
import { presentViewer } from '../../src/domain/sessions.ts'
import { findViewer, signIn, signOut } from '../../src/operations/sessions.ts'
import { openHouse } from '../support/house.ts'
import { anArrival, aPlayer, arrive, signedIn, viewerOf } from '../support/signed-in.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const house = async () => {
  const opened = await openHouse()
  onTestFinished(opened.close)
  return opened
}

describe('signing in', () => {
  test('makes the account at the first time, and finds it at the next', async () => {
    const opened = await house()
    const first = await signedIn(opened)
    expect(presentViewer(first.viewer)).toEqual({
      id: expect.stringMatching(/^[\w-]{16}$/),
      gameId: 4711,
      username: 'Ada',
      isModerator: false,
      csrf: expect.stringMatching(/^[\w-]{43}$/),
    })
    const second = await signedIn(opened)
    expect(second.viewer.accountId).toBe(first.viewer.accountId)
    expect(await opened.ports.accounts.countPlayers()).toBe(1)
  })

  test('D-42: takes a new username over, in other sessions and in packs, too', async () => {
    const opened = await house()
    const before = await signedIn(opened)
    await signedIn(opened, { username: 'Shige' })
    expect((await viewerOf(opened, before.token)).username).toBe('Shige')
  })

  test('a new session has its own token and its own CSRF token; only hashes are kept', async () => {
    const opened = await house()
    const [one, two] = [await signedIn(opened), await signedIn(opened)]
    expect(one.token).not.toBe(two.token)
    expect(one.viewer.csrf).not.toBe(two.viewer.csrf)
    expect(one.viewer.csrf).not.toBe(one.token)
    expect(one.viewer.hash).toBe(opened.ports.hasher.sha256(one.token))
  })

  test('rotates: the session that the browser had ends, others go on', async () => {
    const opened = await house()
    const [here, elsewhere] = [await signedIn(opened), await signedIn(opened)]
    expect((await arrive(opened, aPlayer(), here.token)).outcome).toBe('signed_in')
    expect(await findViewer(opened.ports, 'packs', here.token)).toBeNull()
    expect(await findViewer(opened.ports, 'packs', elsewhere.token)).not.toBeNull()
    expect((await arrive(opened, aPlayer(), 'no token at all')).outcome).toBe('signed_in')
  })

  test.each([
    ['restricted', aPlayer({ isRestricted: true })],
    ['deleted', aPlayer({ isDeleted: true })],
    ['deleted', aPlayer({ isDeleted: true, isRestricted: true })],
    ['bad_code', null],
  ] as const)('D-42: %s makes nothing and ends nothing', async (outcome, player) => {
    const opened = await house()
    const { token } = await signedIn(opened, { gameId: 5, username: 'Peridot' })
    expect(await arrive(opened, player, token)).toEqual({ outcome })
    expect(await opened.ports.accounts.findByGameId(4711)).toBeNull()
    expect(await findViewer(opened.ports, 'packs', token)).not.toBeNull()
  })

  test('a platform that cannot be asked makes nothing', async () => {
    const { ports } = await house()
    const platform = {
      readPlayer: async () => {
        throw new PlatformError('503')
      },
    }
    const arrival = { ...anArrival, redirectUri: 'y' }
    await expect(signIn({ ...ports, platform }, arrival)).rejects.toBeInstanceOf(PlatformError)
    expect(await ports.accounts.countPlayers()).toBe(0)
  })

  test('asks the platform with the code and the very address it came back to', async () => {
    const { ports } = await house()
    const asked: unknown[] = []
    const platform = {
      readPlayer: async (...what: unknown[]) => {
        asked.push(what)
        return aPlayer()
      },
    }
    const redirectUri = 'https://a.test/sign-in/callback'
    const arrival = { ...anArrival, code: 'x', redirectUri }
    for (const failedCodes of [0, 1, 9, 10, 20]) {
      await signIn({ ...ports, platform }, { ...arrival, failedCodes })
    }
    // An address whose codes failed leaves more and more calls to the sign-ins of others (D-91).
    const caller = `sign-in ${arrival.address}`
    expect(asked).toEqual([0, 4, 36, 40, 40].map((spare) => ['x', redirectUri, caller, spare]))
    // Not a browser that has signed somebody in before (D-56).
    await signIn({ ...ports, platform }, { ...arrival, failedCodes: 10, known: 'ada' })
    expect(asked.at(-1)).toEqual(['x', redirectUri, 'sign-in known ada', 0])
    await signIn({ ...ports, platform }, { ...arrival, address: '2001:db8:7:1' })
    expect(asked.at(-1)).toEqual(['x', redirectUri, 'sign-in 2001:db8:7::/48', 0])
  })

  test('forgets sessions that ended by themselves', async () => {
    const opened = await house()
    const { viewer } = await signedIn(opened)
    opened.clock.advance(31 * DAY)
    await signedIn(opened, { gameId: 5, username: 'Peridot' })
    expect(
      await opened.ports.sessions.list(viewer.accountId, { seenSince: 0, createdSince: 0 }),
    ).toEqual([])
  })
})

describe('being signed in', () => {
  test('ends after 30 days without use; each use begins them anew', async () => {
    const opened = await house()
    const { token } = await signedIn(opened)
    for (let visit = 0; visit < 2; visit += 1) {
      opened.clock.advance(29 * DAY)
      expect(await findViewer(opened.ports, 'packs', token)).not.toBeNull()
    }
    opened.clock.advance(30 * DAY + 1)
    expect(await findViewer(opened.ports, 'packs', token)).toBeNull()
  })

  test('ends 90 days after the sign-in, however much it is used', async () => {
    const opened = await house()
    const { token, viewer } = await signedIn(opened)
    for (let day = 0; day < 90; day += 10) {
      expect(await findViewer(opened.ports, 'packs', token)).not.toBeNull()
      opened.clock.advance(10 * DAY)
    }
    expect(await findViewer(opened.ports, 'packs', token)).not.toBeNull()
    opened.clock.advance(1)
    expect(await findViewer(opened.ports, 'packs', token)).toBeNull()
    await signedIn(opened, { gameId: 5, username: 'Peridot' })
    expect(
      await opened.ports.sessions.list(viewer.accountId, { seenSince: 0, createdSince: 0 }),
    ).toEqual([])
  })

  test('belongs to the service that it was begun on', async () => {
    const opened = await house()
    const { token } = await signedIn(opened)
    expect(await findViewer(opened.ports, 'pools', token)).toBeNull()
    expect(await findViewer(opened.ports, 'packs', token)).not.toBeNull()
  })

  test('costs no write within ten minutes', async () => {
    const opened = await house()
    const { token, viewer } = await signedIn(opened)
    const start = opened.clock.now()
    const lastSeen = async () =>
      (await opened.ports.sessions.find(viewer.hash, { seenSince: 0, createdSince: 0 }))?.lastSeenAt
    opened.clock.advance(9 * MINUTE)
    await findViewer(opened.ports, 'packs', token)
    expect(await lastSeen()).toBe(start)
    opened.clock.advance(MINUTE)
    await findViewer(opened.ports, 'packs', token)
    expect(await lastSeen()).toBe(start + 10 * MINUTE)
  })

  test.each([null, '', 'x', 'a'.repeat(43), `${'a'.repeat(43)}; Path=/`])(
    'nobody is signed in with %j',
    async (token) => {
      const opened = await house()
      await signedIn(opened)
      expect(await findViewer(opened.ports, 'packs', token)).toBeNull()
    },
  )
})

describe('signing out', () => {
  test('here: this session ends at once, others go on', async () => {
    const opened = await house()
    const [here, there] = [await signedIn(opened), await signedIn(opened)]
    await signOut(opened.ports, here.viewer, false)
    expect(await findViewer(opened.ports, 'packs', here.token)).toBeNull()
    expect(await findViewer(opened.ports, 'packs', there.token)).not.toBeNull()
  })

  test("everywhere: all of the account's sessions end, and nobody else's", async () => {
    const opened = await house()
    const [here, there] = [await signedIn(opened), await signedIn(opened)]
    const other = await signedIn(opened, { gameId: 5, username: 'Peridot' })
    await signOut(opened.ports, here.viewer, true)
    expect(await findViewer(opened.ports, 'packs', here.token)).toBeNull()
    expect(await findViewer(opened.ports, 'packs', there.token)).toBeNull()
    expect(await findViewer(opened.ports, 'packs', other.token)).not.toBeNull()
  })
})
