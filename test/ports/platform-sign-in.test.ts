import { describe, expect, test } from 'vitest'
import { aToken, oddPlatform } from './odd-platform.ts'
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

  test.each([
    '',
    'x'.repeat(4097),
    'code\n',
    'cöde',
    '\0',
    '<script>',
    "' or 1=1",
    '../etc/passwd',
  ])('what cannot be a code (%j) costs no call', async (code) => {
    const { standin, platform, budget } = await platformHouse()
    expect(await platform.readPlayer(code, CALLBACK)).toBeNull()
    expect(await kindsOf(standin)).toBe('')
    expect(budget.taken).toEqual([])
  })

  test('a sign-in leaves to others what it is told to (D-91)', async () => {
    const { standin, platform, budget } = await platformHouse()
    const come = async (spare: number) =>
      platform.readPlayer(await signIn(standin, 7001), CALLBACK, undefined, spare)
    for (let time = 0; time < 5; time += 1) expect(await come(40)).not.toBeNull()
    const own = await errorOf(come(40))
    expect(own.trouble).toBe('unasked')
    expect(own.message).toContain('the share of this network address is used up')
    // Others go on as if nobody had asked.
    for (let time = 0; time < 20; time += 1) expect(await come(0)).not.toBeNull()
    expect(budget.taken).toHaveLength(50)
    const all = await errorOf(come(0))
    expect(all.trouble).toBe('unasked')
    expect(all.message).toContain('the budget of calls is spent')
  })
})

describe('when the platform does not tell', () => {
  test('credentials that it does not take are the operator’s, asked for once a minute (D-91)', async () => {
    const { standin, platform, budget } = await platformHouse({ clientSecret: 'wrong' })
    const come = async () => errorOf(platform.readPlayer(await signIn(standin, 7001), CALLBACK))
    for (let time = 0; time < 3; time += 1) {
      const error = await come()
      expect(error.trouble).toBe('set-up')
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
    expect(error.trouble).toBe('set-up')
    expect(error.message).toContain(`${CALLBACK}/`)
    expect(await platform.readPlayer(code, CALLBACK)).toMatchObject({ gameId: 7001 })
  })

  test.each([
    [{ fault: 'down', kind: 'token' }, 'token'],
    [{ fault: 'refused', kind: 'token' }, 'token'],
    [{ fault: 'wrong-types', kind: 'token' }, 'token'],
    [{ fault: 'reset', kind: 'token' }, 'token'],
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

  test('an account that the platform lets nobody use is told from all that (D-42)', async () => {
    const { standin, platform } = await platformHouse()
    const code = await signIn(standin, 7001)
    // The row of a player who is gone: their token is not taken.
    await standin.order({ fault: 'unauthorized', kind: 'me' })
    expect(await platform.readPlayer(code, CALLBACK)).toBe('disabled')
  })
})

describe('what refuses everybody is asked for once a minute (D-92)', () => {
  type Sent = { readonly status: number; readonly type: string; readonly body: string }
  const page = { type: 'text/html', body: '<p>' }
  const json = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) })
  const player = {
    ...json({ id: 7, username: 'Ada', is_restricted: false, is_deleted: false, is_bot: false }),
    status: 200,
  }

  /** A platform whose route answers as `told.answer` says, and all others well. */
  const openPlatform = async (route: string) => {
    const told: { answer: Sent | null } = { answer: null }
    const odd = await oddPlatform(({ url }, response) => {
      const well = url === '/oauth/token' ? { ...json(aToken), status: 200 } : player
      const { status, type, body } = (url === route ? told.answer : null) ?? well
      response.writeHead(status, { 'content-type': type }).end(body)
      return undefined
    }, null)
    const come = (redirectUri = CALLBACK) => odd.platform.readPlayer('def502', redirectUri)
    return { ...odd, told, come }
  }

  test.each<[string, string, Sent, string]>([
    ['a proxy', '/oauth/token', { ...page, status: 403 }, 'blocked'],
    ['a proxy', '/api/v2/me', { ...page, status: 403 }, 'blocked'],
    ['no route', '/oauth/token', { ...page, status: 404 }, 'set-up'],
    ['no route', '/api/v2/me', { ...json({ error: 'x' }), status: 404 }, 'set-up'],
    ['a redirect', '/oauth/token', { ...page, status: 308 }, 'set-up'],
    ['a redirect', '/api/v2/me', { ...page, status: 301 }, 'set-up'],
  ])('%s at %s, whatever the redirect address', async (_what, route, answer, trouble) => {
    const { told, come, seen, budget, clock } = await openPlatform(route)
    told.answer = answer
    const first = await errorOf(come())
    expect(first.trouble).toBe(trouble)
    // What helps is another value of the variable; the redirect address is not its value.
    expect(first.message).not.toContain(CALLBACK)
    const { length } = seen
    const taken = budget.taken.length
    for (const redirectUri of [CALLBACK, `${CALLBACK}/`]) {
      const error = await errorOf(come(redirectUri))
      expect(error.trouble).toBe(trouble)
      expect(error.message).toBe(
        `POST /oauth/token was not made: less than a minute ago ${first.message}`,
      )
    }
    expect(seen).toHaveLength(length)
    expect(budget.taken).toHaveLength(taken)
    clock.advance(60_000)
    expect((await errorOf(come())).message).toBe(first.message)
    clock.advance(60_000)
    told.answer = null
    expect(await come()).toMatchObject({ gameId: 7 })
    expect(await come()).toMatchObject({ gameId: 7 })
  })

  test('an operator ends it in every process', async () => {
    const { told, come, seen, budget, clock } = await openPlatform('/oauth/token')
    told.answer = { ...page, status: 404 }
    await budget.resume(clock.now())
    clock.advance(1_000)
    await errorOf(come())
    told.answer = null
    clock.advance(1_000)
    await errorOf(come())
    expect(seen).toHaveLength(1)
    // By another process, which knows of no pause.
    clock.advance(1_000)
    await budget.resume(clock.now())
    clock.advance(1_000)
    expect(await come()).toMatchObject({ gameId: 7 })
  })

  test('a sign-in that was under way and is answered ends it', async () => {
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let isWell = true
    const { platform } = await oddPlatform(({ url }, response) => {
      const well = url === '/oauth/token' ? { ...json(aToken), status: 200 } : player
      const { status, type, body } = isWell ? well : { ...page, status: 403 }
      begun.resolve()
      const send = () => response.writeHead(status, { 'content-type': type }).end(body)
      if (isWell) void gate.promise.then(send)
      else send()
      return undefined
    }, null)
    const slow = platform.readPlayer('def502', CALLBACK)
    await begun.promise
    isWell = false
    expect((await errorOf(platform.readPlayer('def502', CALLBACK))).trouble).toBe('blocked')
    isWell = true
    gate.resolve()
    expect(await slow).toMatchObject({ gameId: 7 })
    expect(await platform.readPlayer('def502', CALLBACK)).toMatchObject({ gameId: 7 })
  })

  test('not a missing scope: a visitor can take it out of the address of the sign-in page', async () => {
    const { told, come } = await openPlatform('/api/v2/me')
    told.answer = { ...json({ error: 'A required scope is missing.' }), status: 403 }
    expect((await errorOf(come())).trouble).toBe('set-up')
    told.answer = null
    expect(await come()).toMatchObject({ gameId: 7 })
  })

  test('new tokens of three networks in a row that are not taken are the operator’s (D-42)', async () => {
    const { told, platform, budget, clock } = await openPlatform('/api/v2/me')
    const come = (at: number) => platform.readPlayer('def502', CALLBACK, `sign-in 192.0.2.${at}`)
    const failure = async () => (await budget.report(clock.now())).lastFailure
    const refused = { ...json({ authentication: 'basic' }), status: 401 }
    told.answer = refused
    for (const at of [1, 1, 1, 2]) expect(await come(at)).toBe('disabled')
    // Operators see the first one, too.
    const first = { call: 'GET /api/v2/me', trouble: 'unexpected' }
    expect(await failure()).toMatchObject(first)
    told.answer = { ...json({ error: 'Your account has been disabled.' }), status: 403 }
    // This token was taken.
    expect(await come(3)).toBe('disabled')
    told.answer = refused
    for (const at of [4, 5]) expect(await come(at)).toBe('disabled')
    expect(await failure()).toMatchObject(first)
    const error = await errorOf(come(6))
    expect(error.trouble).toBe('set-up')
    expect(await failure()).toMatchObject({ call: 'GET /api/v2/me', reason: error.message })
    told.answer = null
    expect(await come(7)).toMatchObject({ gameId: 7 })
    told.answer = refused
    expect(await come(8)).toBe('disabled')
  })
})
