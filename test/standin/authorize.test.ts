import { expect, test } from 'vitest'
import { authorizeQuery, CALLBACK, signIn, startStandin, tokenOf } from './running.ts'

const pathOf = (changes: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({ ...authorizeQuery, ...changes }).toString()}`

const open = (url: string, path: string) => fetch(url + path, { redirect: 'manual' })

const landing = (response: Response) => {
  const location = new URL(response.headers.get('location') ?? '')
  return Object.fromEntries(location.searchParams)
}

test('the page offers each kind of player and a way to deny, without script (platform: stand-in)', async () => {
  const { url } = await startStandin()
  const response = await open(url, pathOf())
  const html = await response.text()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  for (const id of [7001, 7002, 7003, 7004, 7005, 999_999_006, 999_999_007, 999_999_008]) {
    expect(html).toContain(`<button name="player" value="${id}">`)
  }
  expect(html).toContain('>Deny</button>')
  expect(html).toContain('<html lang="en">')
  expect(html).not.toContain('<script')
})

test('the page allows itself its own style and the way back, and nothing else', async () => {
  const { url } = await startStandin()
  const policy = (await open(url, pathOf())).headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("form-action 'self' http://127.0.0.1:9;")
})

test('what comes in by the query is escaped on the page', async () => {
  const { url } = await startStandin()
  const html = await (await open(url, pathOf({ state: '"><script>alert(1)</script>' }))).text()
  expect(html).toContain('value="&quot;&gt;&lt;script&gt;')
  expect(html).not.toContain('<script')
})

test('picking a player leads back with a code and the state as it came (platform: OAuth)', async () => {
  const standin = await startStandin()
  const response = await standin.form('/oauth/authorize', { ...authorizeQuery, player: '7001' })
  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:9\/sign-in\/callback\?/)
  expect(landing(response)).toEqual({
    from: 'platform',
    code: expect.stringMatching(/^def50200[0-9a-f]{1000}$/),
    state: 'a b&c=d',
  })
})

test('two sign-ins get two codes', async () => {
  const standin = await startStandin()
  expect(await signIn(standin, 7001)).not.toBe(await signIn(standin, 7001))
})

test('denying leads back with access_denied and what it means (platform: OAuth)', async () => {
  const standin = await startStandin()
  const response = await standin.form('/oauth/authorize', { ...authorizeQuery, decision: 'deny' })
  const text = expect.stringContaining(' ')
  expect(landing(response)).toEqual({
    from: 'platform',
    error: 'access_denied',
    error_description: text,
    hint: text,
    message: text,
    state: 'a b&c=d',
  })
})

test('a player whom the page does not have is refused', async () => {
  const standin = await startStandin()
  const response = await standin.form('/oauth/authorize', { ...authorizeQuery, player: '1' })
  expect(response.status).toBe(400)
  expect(response.headers.get('location')).toBeNull()
})

const json = 'application/json'
const html = 'text/html; charset=utf-8'

test.each([
  ['no client', { client_id: '' }, 400, html, undefined],
  ['another client', { client_id: '43' }, 400, html, undefined],
  ['a scope that is not for it', { scope: 'identify chat.write' }, 400, html, undefined],
  ['no redirect address', { redirect_uri: '' }, 401, json, 'invalid_client'],
  ['another one', { redirect_uri: 'https://evil.example/' }, 401, json, 'invalid_client'],
  ['a slash more', { redirect_uri: `${CALLBACK}/` }, 401, json, 'invalid_client'],
  [
    'another case',
    { redirect_uri: CALLBACK.replace('sign-in', 'Sign-in') },
    401,
    json,
    'invalid_client',
  ],
  ['another response', { response_type: 'token' }, 400, json, 'unsupported_grant_type'],
  ['no response', { response_type: '' }, 400, json, 'unsupported_grant_type'],
])(
  '%s never leads back, and is told to whoever is signed in alone (platform: OAuth)',
  async (_what, changes, status, type, error) => {
    const standin = await startStandin()
    // A look without cookies proves nothing.
    expect((await open(standin.url, pathOf(changes))).status).toBe(200)
    const fields = { ...authorizeQuery, ...changes, player: '7001' }
    const posted = await standin.form('/oauth/authorize', fields)
    await standin.post('/standin/visitor', { player: 7001 })
    for (const response of [posted, await open(standin.url, pathOf(changes))]) {
      expect(response.status).toBe(status)
      expect(response.headers.get('location')).toBeNull()
      expect(response.headers.get('content-type')).toBe(type)
      const body = await response.text()
      if (type === json) expect(JSON.parse(body)).toMatchObject({ error })
    }
  },
)

test('a parameter that stands twice is refused', async () => {
  const standin = await startStandin()
  await standin.post('/standin/visitor', { player: 7001 })
  expect((await open(standin.url, `${pathOf()}&state=2`)).status).toBe(400)
  const twice = `${pathOf()}&redirect_uri=https://evil.example/`
  expect((await open(standin.url, twice)).status).toBe(401)
})

test('an unknown scope leads back, without the state (platform: OAuth)', async () => {
  const standin = await startStandin()
  const fields = { ...authorizeQuery, scope: 'identify everything', player: '7001' }
  const response = await standin.form('/oauth/authorize', fields)
  expect(response.status).toBe(302)
  expect(landing(response)).toEqual({
    from: 'platform',
    error: 'invalid_scope',
    error_description: expect.any(String),
    hint: 'Check the `everything` scope',
    message: expect.any(String),
  })
})

test('whoever is signed in there is asked once, and not again while a token lives (platform: OAuth)', async () => {
  const standin = await startStandin()
  await standin.post('/standin/visitor', { player: 7002 })
  const asked = await (await open(standin.url, pathOf())).text()
  expect(asked).toContain('value="7002"')
  expect(asked).not.toContain('value="7001"')
  await tokenOf(standin, 7002)
  const response = await open(standin.url, pathOf())
  expect(response.status).toBe(302)
  expect(landing(response)).toMatchObject({ code: expect.any(String), state: 'a b&c=d' })
  const fewer = await open(standin.url, pathOf({ scope: 'identify' }))
  expect(fewer.status).toBe(200)
  await fetch(`${standin.url}/standin/visitor`, { method: 'DELETE' })
  expect(await (await open(standin.url, pathOf())).text()).toContain('value="7001"')
  expect((await standin.post('/standin/visitor', { player: 1 })).status).toBe(404)
})

test('the platform may ask for a mailed code first (platform: OAuth)', async () => {
  const standin = await startStandin()
  await standin.post('/standin/visitor', { player: 7001, isConfirmed: false })
  const first = await open(standin.url, pathOf())
  expect([first.status, first.headers.get('content-type')]).toEqual([401, html])
  expect((await open(standin.url, pathOf())).status).toBe(200)
})

test('a player who is disabled never comes back (platform: OAuth)', async () => {
  const standin = await startStandin()
  const fields = { ...authorizeQuery, player: '999999009' }
  const posted = await standin.form('/oauth/authorize', fields)
  await standin.post('/standin/visitor', { player: 999_999_009 })
  for (const response of [posted, await open(standin.url, pathOf())]) {
    expect([response.status, response.headers.get('location')]).toEqual([302, '/users/disabled'])
  }
})

test('a form is good for two hours (platform: OAuth)', async () => {
  const standin = await startStandin()
  const page = await (await open(standin.url, pathOf())).text()
  const [, _token = ''] = /name="_token" value="([0-9a-f]+)"/.exec(page) ?? []
  const send = () => standin.form('/oauth/authorize', { ...authorizeQuery, player: '7001', _token })
  standin.time.now += 7_199_999
  expect((await send()).status).toBe(302)
  standin.time.now += 1
  const late = await send()
  expect([late.status, late.headers.get('content-type')]).toEqual([422, html])
})
