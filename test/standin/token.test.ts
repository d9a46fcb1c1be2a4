import { expect, test } from 'vitest'
import { CALLBACK, codeForm, ownTokenForm, signIn, startStandin, tokenOf } from './running.ts'

const DAY_MS = 86_400_000

test('client credentials give a token for a day and nothing to refresh (platform: OAuth)', async () => {
  const standin = await startStandin()
  const response = await standin.form('/oauth/token', ownTokenForm)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({
    token_type: 'Bearer',
    expires_in: 86_400,
    access_token: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test('a code gives a token for a day and one to refresh, once (platform: OAuth)', async () => {
  const standin = await startStandin()
  const form = codeForm(await signIn(standin, 7001))
  const first = await standin.form('/oauth/token', form)
  expect(first.status).toBe(200)
  expect(await first.json()).toEqual({
    token_type: 'Bearer',
    expires_in: 86_400,
    access_token: expect.any(String),
    refresh_token: expect.any(String),
  })
  const second = await standin.form('/oauth/token', form)
  expect(second.status).toBe(400)
  expect(await second.json()).toMatchObject({ error: 'invalid_grant' })
})

test('a code lives 10 minutes', async () => {
  const standin = await startStandin()
  const [kept, late] = [await signIn(standin, 7001), await signIn(standin, 7001)]
  standin.time.now += 599_999
  expect((await standin.form('/oauth/token', codeForm(kept))).status).toBe(200)
  standin.time.now += 1
  expect((await standin.form('/oauth/token', codeForm(late))).status).toBe(400)
})

test.each([
  ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
  ['another client', { client_id: '43' }, 401, 'invalid_client'],
  ['no client', { client_id: '' }, 400, 'invalid_request'],
  ['no kind of grant', { grant_type: '' }, 400, 'invalid_request'],
  ['another kind of grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ['a made-up code', { code: 'guessed' }, 400, 'invalid_grant'],
  ['another redirect address', { redirect_uri: `${CALLBACK}2` }, 400, 'invalid_grant'],
  ['no redirect address', { redirect_uri: '' }, 400, 'invalid_request'],
])('a code with %s is refused in the shape of OAuth 2', async (_what, change, status, error) => {
  const standin = await startStandin()
  const form = { ...codeForm(await signIn(standin, 7001)), ...change }
  const response = await standin.form('/oauth/token', form)
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual({ error, error_description: expect.any(String) })
})

test.each(['', 'identify', 'public identify', 'everything'])(
  'client credentials with the scope "%s" are refused',
  async (scope) => {
    const standin = await startStandin()
    const response = await standin.form('/oauth/token', { ...ownTokenForm, scope })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_scope' })
  },
)

test('a token is asked for by a form: JSON is refused', async () => {
  const standin = await startStandin()
  const { status, body } = await standin.post('/oauth/token', ownTokenForm)
  expect(status).toBe(400)
  expect(body).toMatchObject({ error: 'invalid_request' })
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
    is_restricted: false,
    is_bot: false,
    is_deleted: false,
    playmode: 'mania',
  })
})

test.each([
  [7001, { is_restricted: false, is_deleted: false }],
  [7003, { is_restricted: false, is_deleted: false }],
  [7004, { is_restricted: true, is_deleted: false }],
  [7005, { is_restricted: false, is_deleted: true }],
])('me tells whether player %i is restricted or deleted (D-42)', async (id, expected) => {
  const standin = await startStandin()
  const { body } = await standin.get('/api/v2/me', await tokenOf(standin, id))
  expect(body).toMatchObject({ id, ...expected })
})

test('a renamed player keeps the id (D-42)', async () => {
  const standin = await startStandin()
  const token = await tokenOf(standin, 7001)
  await standin.post('/standin/players', { id: 7001, username: 'Olivine' })
  const { body } = await standin.get('/api/v2/me', token)
  expect(body).toMatchObject({ id: 7001, username: 'Olivine' })
  expect((await standin.post('/standin/players', { id: 1, username: 'x' })).status).toBe(404)
})

test('a token without the scope gets 403, no or a wrong token 401 (platform: not 200)', async () => {
  const standin = await startStandin()
  const missing = { error: 'A required scope is missing.' }
  const none = { authentication: 'basic' }

  const own = await standin.get('/api/v2/me', await standin.token())
  expect([own.status, own.body]).toEqual([403, missing])
  const identifyOnly = await tokenOf(standin, 7001, 'identify')
  const rows = await standin.get('/api/v2/beatmaps?ids[]=75', identifyOnly)
  expect([rows.status, rows.body]).toEqual([403, missing])
  for (const token of [undefined, 'guessed']) {
    const answer = await standin.get('/api/v2/me', token)
    expect([answer.status, answer.body]).toEqual([401, none])
  }
})

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
