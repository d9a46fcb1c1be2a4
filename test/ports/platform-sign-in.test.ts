import { describe, expect, test } from 'vitest'
import { SetupError } from '../../src/domain/platform.ts'
import { CALLBACK, CLIENT, signIn } from '../standin/running.ts'
import { kindsOf, patienceFor, platformHouse, errorOf } from './platform-house.ts'

describe('the way to the sign-in page (platform: OAuth)', () => {
  test('carries what the platform asks for, and no secret', async () => {
    const { standin, platform } = await platformHouse()
    const address = new URL(platform.signInAddress('a b&c=d', CALLBACK))
    expect(address.origin + address.pathname).toBe(`${standin.url}/oauth/authorize`)
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: CLIENT.id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: 'identify public',
      state: 'a b&c=d',
    })
    expect(address.href).toContain('scope=identify+public')
    expect(address.href).not.toContain(CLIENT.secret)
    expect((await fetch(address)).status).toBe(200)
  })

  test('keeps a path in front, with or without a slash at the end', async () => {
    for (const url of ['https://platform.test/game', 'https://platform.test/game/']) {
      const { platform } = await platformHouse({ url })
      const address = platform.signInAddress('s', CALLBACK)
      expect(address).toMatch(/^https:\/\/platform\.test\/game\/oauth\/authorize\?client_id=/)
    }
  })
})

describe('who came back (platform: OAuth, D-42)', () => {
  test.each([
    [7001, 'Peridot', false, false],
    [7004, 'Sidelined', true, false],
    [7005, 'DeletedUser_7005', false, true],
  ])('player %i is told with the flags', async (gameId, username, isRestricted, isDeleted) => {
    const { standin, platform, budget } = await platformHouse()
    const code = await signIn(standin, gameId)
    expect(await platform.readPlayer(code, CALLBACK)).toEqual({
      gameId,
      username,
      isRestricted,
      isDeleted,
      isBot: false,
    })
    expect(await kindsOf(standin)).toBe('token me')
    expect(budget.taken.map(({ caller }) => caller)).toEqual(['sign-in', 'sign-in'])
  })

  test('a player who was renamed comes with the new name', async () => {
    const { standin, platform } = await platformHouse()
    await standin.post('/standin/players', { id: 7001, username: 'Olivine' })
    const player = await platform.readPlayer(await signIn(standin, 7001), CALLBACK)
    expect(player).toMatchObject({ gameId: 7001, username: 'Olivine' })
  })

  test('the token of a player is never used for anything else', async () => {
    const { standin, platform } = await platformHouse()
    await platform.readPlayer(await signIn(standin, 7001), CALLBACK)
    await platform.readBeatmaps([75], 'visitor')
    await platform.readPlayer(await signIn(standin, 7002), CALLBACK)
    expect(await kindsOf(standin)).toBe('token me token beatmaps token me')
  })

  test('a code that is forged, used or too old is nobody (D-91)', async () => {
    const { standin, platform } = await platformHouse()
    const code = await signIn(standin, 7001)
    const old = await signIn(standin, 7001)
    expect(await platform.readPlayer('nonsense', CALLBACK)).toBeNull()
    expect(await platform.readPlayer(code, CALLBACK)).toMatchObject({ gameId: 7001 })
    expect(await platform.readPlayer(code, CALLBACK)).toBeNull()
    standin.time.now += 600_000
    expect(await platform.readPlayer(old, CALLBACK)).toBeNull()
    expect(await kindsOf(standin)).toBe('token token me token token')
  })

  test.each(['', 'x'.repeat(4097), 'code\n', 'cöde', '\0'])(
    'what cannot be a code (%j) costs no call',
    async (code) => {
      const { standin, platform, budget } = await platformHouse()
      expect(await platform.readPlayer(code, CALLBACK)).toBeNull()
      expect(await kindsOf(standin)).toBe('')
      expect(budget.taken).toEqual([])
    },
  )

  test('a sign-in leaves to others what it is told to (D-91)', async () => {
    const { standin, platform, budget } = await platformHouse()
    const come = async (spare: number) =>
      platform.readPlayer(await signIn(standin, 7001), CALLBACK, undefined, spare)
    for (let time = 0; time < 5; time += 1) expect(await come(40)).not.toBeNull()
    expect((await errorOf(come(40))).isUnasked).toBe(true)
    // Others go on as if nobody had asked.
    for (let time = 0; time < 20; time += 1) expect(await come(0)).not.toBeNull()
    expect(budget.taken).toHaveLength(50)
    expect((await errorOf(come(0))).isUnasked).toBe(true)
  })
})

describe('when the platform does not tell', () => {
  test('credentials that it does not take are the operator’s, asked for once a minute (D-91)', async () => {
    const { standin, platform, budget } = await platformHouse({ clientSecret: 'wrong' })
    const come = async () => errorOf(platform.readPlayer(await signIn(standin, 7001), CALLBACK))
    for (let time = 0; time < 3; time += 1) {
      const error = await come()
      expect(error).toBeInstanceOf(SetupError)
      expect(error.message).toContain('check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET')
      expect(error.message).toContain(CALLBACK)
    }
    expect(await kindsOf(standin)).toBe('token')
    expect(budget.taken).toHaveLength(1)
    standin.time.now += 60_000
    await come()
    expect(await kindsOf(standin)).toBe('token token')
  })

  test('a redirect address that is not registered stops no other (D-91)', async () => {
    const { standin, platform } = await platformHouse()
    const code = await signIn(standin, 7001)
    const error = await errorOf(platform.readPlayer(code, `${CALLBACK}/`))
    expect(error).toBeInstanceOf(SetupError)
    expect(error.message).toContain(`${CALLBACK}/`)
    expect(await platform.readPlayer(code, CALLBACK)).toMatchObject({ gameId: 7001 })
  })

  test.each([
    [{ fault: 'down', kind: 'token' }, 'token'],
    [{ fault: 'refused', kind: 'token' }, 'token'],
    [{ fault: 'wrong-types', kind: 'token' }, 'token'],
    [{ fault: 'reset', kind: 'token' }, 'token'],
    [{ fault: 'unauthorized', kind: 'me' }, 'token me'],
    [{ fault: 'forbidden', kind: 'me' }, 'token me'],
    [{ fault: 'missing', kind: 'me' }, 'token me'],
    [{ fault: 'down', kind: 'me' }, 'token me'],
    [{ fault: 'truncated', kind: 'me' }, 'token me'],
    [{ fault: 'wrong-types', kind: 'me' }, 'token me'],
    [{ fault: 'wrong-content-type', kind: 'me' }, 'token me'],
    [{ fault: 'silence', kind: 'me' }, 'token me'],
  ])('%o is an error, never nobody or somebody', async (fault, kinds) => {
    const { standin, platform } = await platformHouse(patienceFor(fault))
    const code = await signIn(standin, 7001)
    await standin.order(fault)
    await errorOf(platform.readPlayer(code, CALLBACK))
    expect(await kindsOf(standin)).toBe(kinds)
  })

  test('throttled, the sign-in says when to come back', async () => {
    const { standin, platform } = await platformHouse()
    await standin.order({ fault: 'throttled', kind: 'token', retryAfter: 20 })
    const { retryAt } = await errorOf(platform.readPlayer('any', CALLBACK))
    expect(retryAt).toBe(standin.time.now + 20_000)
  })
})
