import { describe, expect, test } from 'vitest'
import { CALLBACK, CLIENT, signIn } from '../standin/running.ts'
import { oddPlatform } from './odd-platform.ts'
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

  test('a code that is wrong, used, or of another address is nobody', async () => {
    const { standin, platform } = await platformHouse()
    const code = await signIn(standin, 7001)
    expect(await platform.readPlayer('nonsense', CALLBACK)).toBeNull()
    expect(await platform.readPlayer(code, CALLBACK)).toMatchObject({ gameId: 7001 })
    expect(await platform.readPlayer(code, CALLBACK)).toBeNull()
    const other = await signIn(standin, 7001)
    expect(await platform.readPlayer(other, `${CALLBACK}/`)).toBeNull()
    expect(await kindsOf(standin)).toBe('token token me token token')
  })

  test('no code costs no call', async () => {
    const { standin, platform } = await platformHouse()
    expect(await platform.readPlayer('', CALLBACK)).toBeNull()
    expect(await kindsOf(standin)).toBe('')
  })
})

describe('when the platform does not tell', () => {
  test('wrong credentials are an error, and not a bad code', async () => {
    const { standin, platform } = await platformHouse({ clientSecret: 'wrong' })
    const error = await errorOf(platform.readPlayer(await signIn(standin, 7001), CALLBACK))
    expect(error.message).toContain('check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET')
    expect(await kindsOf(standin)).toBe('token')
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

  test.each([
    [400, 'invalid_request'],
    [400, 'invalid_scope'],
    [400, 'unsupported_grant_type'],
    [401, 'invalid_client'],
    [401, 'invalid_grant'],
    [500, 'invalid_grant'],
  ])('%i with %s says nothing of the code', async (status, error) => {
    const { platform } = await oddPlatform((_request, response) => {
      response.statusCode = status
      return { error }
    }, null)
    await errorOf(platform.readPlayer('code', CALLBACK))
  })

  test('throttled, the sign-in says when to come back', async () => {
    const { standin, platform } = await platformHouse()
    await standin.order({ fault: 'throttled', kind: 'token', retryAfter: 20 })
    const { retryAt } = await errorOf(platform.readPlayer('any', CALLBACK))
    expect(retryAt).toBe(standin.time.now + 20_000)
  })
})
