import { expect, test } from 'vitest'
import {
  authorizeQuery,
  CALLBACK,
  CLIENT,
  codeForm,
  ownTokenForm,
  signIn,
  startStandin,
  tokenOf,
} from './running.ts'

const DAY_MS = 86_400_000

test('client credentials give a token for a day and nothing to refresh (platform: OAuth)', async () => {
  const standin = await startStandin()
  const response = await standin.form('/oauth/token', ownTokenForm)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({
    token_type: 'Bearer',
    expires_in: 86_400,
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]{683}$/),
  })
})

test('a code gives a token for a day and one to refresh, once (platform: OAuth)', async () => {
  const standin = await startStandin()
  const form = codeForm(await signIn(standin, 7001))
  const first = await standin.form('/oauth/token', form)
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('application/json; charset=UTF-8')
  expect(first.headers.get('pragma')).toBe('no-cache')
  expect(await first.json()).toEqual({
    token_type: 'Bearer',
    expires_in: 86_400,
    access_token: expect.any(String),
    refresh_token: expect.any(String),
  })
  const second = await standin.form('/oauth/token', form)
  expect(second.status).toBe(400)
  expect(await second.json()).toMatchObject({
    error: 'invalid_request',
    hint: 'Authorization code has been revoked',
  })
})

test('a code lives 10 minutes (platform: OAuth)', async () => {
  const standin = await startStandin()
  const [kept, late] = [await signIn(standin, 7001), await signIn(standin, 7001)]
  standin.time.now += 599_999
  expect((await standin.form('/oauth/token', codeForm(kept))).status).toBe(200)
  standin.time.now += 1
  const response = await standin.form('/oauth/token', codeForm(late))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: 'invalid_request',
    hint: 'Authorization code has expired',
  })
})

const OTHER_CALLBACK = 'http://127.0.0.1:9/other'

test.each([
  ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client', undefined],
  ['no secret', { client_secret: '' }, 401, 'invalid_client', undefined],
  ['another client', { client_id: '43' }, 401, 'invalid_client', undefined],
  [
    'an address nobody registered',
    { redirect_uri: 'http://x.test/' },
    401,
    'invalid_client',
    undefined,
  ],
  [
    'that and a forged code',
    { redirect_uri: 'http://x.test/', code: 'x' },
    401,
    'invalid_client',
    undefined,
  ],
  ['no client', { client_id: '' }, 400, 'invalid_request', 'Check the `client_id` parameter'],
  ['no code', { code: '' }, 400, 'invalid_request', 'Check the `code` parameter'],
  [
    'no redirect address',
    { redirect_uri: '' },
    400,
    'invalid_request',
    'Check the `redirect_uri` parameter',
  ],
  ['no kind of grant', { grant_type: '' }, 400, 'unsupported_grant_type', expect.any(String)],
  [
    'another kind of grant',
    { grant_type: 'password' },
    400,
    'unsupported_grant_type',
    expect.any(String),
  ],
  [
    'a forged code',
    { code: 'guessed' },
    400,
    'invalid_request',
    'Cannot decrypt the authorization code',
  ],
  [
    'another registered address',
    { redirect_uri: OTHER_CALLBACK },
    400,
    'invalid_request',
    'Invalid redirect URI',
  ],
])('a token call with %s (platform: OAuth)', async (_row, change, status, error, hint) => {
  const client = { ...CLIENT, redirectUris: [CALLBACK, OTHER_CALLBACK] }
  const standin = await startStandin({ client })
  const form = codeForm(await signIn(standin, 7001))
  const response = await standin.form('/oauth/token', { ...form, ...change })
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(response.headers.get('cache-control')).toBe('no-cache, private')
  expect(response.headers.get('www-authenticate')).toBeNull()
  const body = (await response.json()) as Record<string, unknown>
  expect(body).toEqual({
    error,
    error_description: expect.any(String),
    ...(hint !== undefined && { hint }),
    message: body['error_description'],
  })
  // What was refused has not used the code up.
  expect((await standin.form('/oauth/token', form)).status).toBe(200)
})

test.each(['everything', 'public everything'])(
  'client credentials with the scope "%s" are refused by its name (platform: OAuth)',
  async (scope) => {
    const standin = await startStandin()
    const response = await standin.form('/oauth/token', { ...ownTokenForm, scope })
    expect(response.status).toBe(400)
    const hint = 'Check the `everything` scope'
    expect(await response.json()).toMatchObject({ error: 'invalid_scope', hint })
  },
)

test.each(['', '*', 'public chat.write'])(
  'client credentials with the scope "%s": a text alone (platform: OAuth)',
  async (scope) => {
    const standin = await startStandin()
    const response = await standin.form('/oauth/token', { ...ownTokenForm, scope })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: expect.stringContaining(' ') })
  },
)

test('a token is asked for by a form: JSON is refused (platform: OAuth)', async () => {
  const standin = await startStandin()
  const { status, body } = await standin.post('/oauth/token', ownTokenForm)
  expect(status).toBe(400)
  expect(body).toMatchObject({ error: 'unsupported_grant_type' })
})

test('60 token calls in a minute from its first, right or wrong; then 429 (platform: OAuth)', async () => {
  const standin = await startStandin()
  const ask = (
    headers: Record<string, string>,
    form: Record<string, string> = codeForm('guessed'),
  ) =>
    fetch(`${standin.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers,
    })
  const asJson = { accept: 'application/json' }
  for (let left = 59; left >= 0; left -= 1) {
    const { status, headers } = await ask(asJson, left % 2 === 0 ? ownTokenForm : undefined)
    expect(status).toBe(left % 2 === 0 ? 200 : 400)
    expect(headers.get('x-ratelimit-limit')).toBe('60')
    expect(headers.get('x-ratelimit-remaining')).toBe(String(left))
    standin.time.now += 500
  }
  standin.time.now += 29_999
  const refused = await ask(asJson)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toEqual({ error: 'Too Many Attempts.' })
  expect(refused.headers.get('retry-after')).toBeNull()
  expect(refused.headers.get('x-ratelimit-limit')).toBeNull()
  expect((await ask({ accept: '*/*' })).headers.get('content-type')).toMatch(/^text\/html/)
  standin.time.now += 1
  expect((await ask(asJson)).status).toBe(400)
})

test('GET is 405 (platform: OAuth)', async () => {
  const { status, body } = await (await startStandin()).get('/oauth/token')
  expect([status, body]).toEqual([405, { error: expect.stringContaining('oauth/token') }])
})

test('me names who signed in, without an e-mail (platform: OAuth)', async () => {
  const standin = await startStandin()
  const { status, body } = await standin.get('/api/v2/me', await tokenOf(standin, 7002))
  expect(status).toBe(200)
  expect(body).toEqual({
    id: 7002,
    username: '[ second wind ]',
    avatar_url: 'https://a.ppy.sh/7002',
    country_code: 'JP',
    default_group: 'default',
    is_active: true,
    is_bot: false,
    is_deleted: false,
    is_online: false,
    is_supporter: false,
    is_restricted: false,
    last_visit: null,
    profile_colour: null,
    playmode: 'mania',
    account_history: [],
  })
})

test.each([
  [7001, { is_restricted: false, is_deleted: false }],
  [7003, { is_restricted: false, is_deleted: false }],
  [7004, { is_restricted: true, is_deleted: false }],
  [7005, { is_restricted: false, is_deleted: true }],
  [999_999_007, { is_restricted: false, is_bot: false, account_history: [{ type: 'silence' }] }],
  [999_999_008, { is_restricted: false, is_bot: true, is_deleted: false }],
])(
  'me tells whether player %i is restricted, deleted, silenced or a bot (D-42)',
  async (id, expected) => {
    const standin = await startStandin()
    const { body } = await standin.get('/api/v2/me', await tokenOf(standin, id))
    expect(body).toMatchObject({ id, ...expected })
  },
)

test('a renamed player keeps the id (D-42)', async () => {
  const standin = await startStandin()
  const token = await tokenOf(standin, 7001)
  await standin.post('/standin/players', { id: 7001, username: 'Olivine' })
  const { body } = await standin.get('/api/v2/me', token)
  expect(body).toMatchObject({ id: 7001, username: 'Olivine' })
  expect((await standin.post('/standin/players', { id: 1, username: 'x' })).status).toBe(404)
})

test('a token without the scope gets 403; one of nobody, and no or a wrong token, 401 (platform: not 200)', async () => {
  const standin = await startStandin()
  const none = { authentication: 'basic' }
  const identifyOnly = await tokenOf(standin, 7001, 'identify')
  const rows = await standin.get('/api/v2/beatmaps?ids[]=75', identifyOnly)
  expect([rows.status, rows.body]).toEqual([403, { error: 'A required scope is missing.' }])
  for (const token of [undefined, 'guessed', await standin.token()]) {
    const answer = await standin.get('/api/v2/me', token)
    expect([answer.status, answer.body]).toEqual([401, none])
  }
})

test('a player whom the platform has disabled since gets 403, before the limit is looked at (platform: me)', async () => {
  const standin = await startStandin({ callsPerToken: 1 })
  const token = await tokenOf(standin, 999_999_006)
  for (const path of ['/api/v2/me', '/api/v2/beatmaps?ids[]=75', '/api/v2/me']) {
    const { status, body, headers } = await standin.get(path, token)
    expect([status, Object.keys(body as object)]).toEqual([403, ['error']])
    expect(headers.get('x-ratelimit-limit')).toBeNull()
  }
})

test.each([
  [undefined, 'このアカウントは使えません。'],
  ['*', 'このアカウントは使えません。'],
  ['en', 'This account has been disabled.'],
  ['de-AT,en;q=0.5', 'Dieses Konto ist gesperrt.'],
  ['tlh', 'This account has been disabled.'],
])(
  "with Accept-Language %s an error is in that language, else in the player's (platform: all calls)",
  async (language, error) => {
    const standin = await startStandin()
    const token = await tokenOf(standin, 999_999_006)
    // `fetch` sends `*` if it is left out.
    const { body } = await standin.app.inject({
      url: '/api/v2/me',
      headers: {
        authorization: `Bearer ${token}`,
        ...(language !== undefined && { 'accept-language': language }),
      },
    })
    expect(JSON.parse(body)).toEqual({ error })
  },
)

test('a token dies after a day, or at once when tokens are expired (platform: not 200)', async () => {
  const standin = await startStandin()
  const token = await standin.token()
  const statusNow = async () => (await standin.get('/api/v2/beatmaps?ids[]=75', token)).status
  standin.time.now += DAY_MS - 1
  expect(await statusNow()).toBe(200)
  standin.time.now += 1
  expect(await statusNow()).toBe(401)

  const next = await standin.token()
  const { body } = await standin.post('/standin/tokens/expire', {})
  expect(body).toEqual({ expired: 1 })
  expect((await standin.get('/api/v2/beatmaps?ids[]=75', next)).status).toBe(401)
})

test('PKCE: a code that was asked for with a challenge needs the verifier, another none (platform: OAuth)', async () => {
  const standin = await startStandin()
  const verifier = 'a'.repeat(43)
  const challenge = 'ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA'
  const codeFor = async (fields: Record<string, string>) => {
    const form = { ...authorizeQuery, ...fields, player: '7001' }
    const response = await standin.form('/oauth/authorize', form)
    return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''
  }
  const trade = async (code: string, fields: Record<string, string>) => {
    const response = await standin.form('/oauth/token', { ...codeForm(code), ...fields })
    return [response.status, ((await response.json()) as { error?: string }).error]
  }
  const hashed = await codeFor({ code_challenge: challenge, code_challenge_method: 'S256' })
  expect(await trade(hashed, {})).toEqual([400, 'invalid_request'])
  expect(await trade(hashed, { code_verifier: 'b'.repeat(43) })).toEqual([400, 'invalid_grant'])
  expect(await trade(hashed, { code_verifier: verifier })).toEqual([200, undefined])
  const plain = await codeFor({ code_challenge: verifier })
  expect(await trade(plain, { code_verifier: verifier })).toEqual([200, undefined])
  const without = await codeFor({})
  expect(await trade(without, { code_verifier: verifier })).toEqual([400, 'invalid_request'])
  expect(await trade(without, {})).toEqual([200, undefined])
})

test('a code of another application is refused (platform: OAuth)', async () => {
  const other = { id: '43', secret: 'psst', redirectUris: [CALLBACK] }
  const standin = await startStandin({ otherClients: [other] })
  const form = codeForm(await signIn(standin, 7001))
  const wrong = { ...form, client_id: other.id, client_secret: other.secret }
  const response = await standin.form('/oauth/token', wrong)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: 'invalid_request',
    hint: 'Authorization code was not issued to this client',
  })
  expect((await standin.form('/oauth/token', form)).status).toBe(200)
})
