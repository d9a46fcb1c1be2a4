import { expect, test } from 'vitest'
import { authorizeQuery, CALLBACK, signIn, startStandin } from './running.ts'

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
  for (const id of [7001, 7002, 7003, 7004, 7005]) {
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

test('denying leads back with access_denied', async () => {
  const standin = await startStandin()
  const response = await standin.form('/oauth/authorize', { ...authorizeQuery, decision: 'deny' })
  expect(landing(response)).toEqual({
    from: 'platform',
    error: 'access_denied',
    state: 'a b&c=d',
  })
})

test('a player whom the page does not have is refused', async () => {
  const standin = await startStandin()
  const response = await standin.form('/oauth/authorize', { ...authorizeQuery, player: '1' })
  expect(response.status).toBe(400)
  expect(response.headers.get('location')).toBeNull()
})

test.each([
  ['no client', { client_id: '' }, 401],
  ['another client', { client_id: '43' }, 401],
  ['no redirect address', { redirect_uri: '' }, 400],
  ['another redirect address', { redirect_uri: 'https://evil.example/' }, 400],
  ['a slash more', { redirect_uri: `${CALLBACK}/` }, 400],
  ['another case', { redirect_uri: CALLBACK.replace('sign-in', 'Sign-in') }, 400],
])(
  'the redirect address must equal a registered one exactly: %s never leads back (platform: OAuth)',
  async (_what, changes, status) => {
    const standin = await startStandin()
    const page = await open(standin.url, pathOf(changes))
    const posted = await standin.form('/oauth/authorize', {
      ...authorizeQuery,
      ...changes,
      player: '7001',
    })
    for (const response of [page, posted]) {
      expect(response.status).toBe(status)
      expect(response.headers.get('location')).toBeNull()
    }
  },
)

test('a parameter that stands twice is refused', async () => {
  const { url } = await startStandin()
  expect((await open(url, `${pathOf()}&state=2`)).status).toBe(400)
  expect((await open(url, `${pathOf()}&redirect_uri=https://evil.example/`)).status).toBe(400)
})

test.each([
  [{ response_type: 'token' }, 'unsupported_response_type'],
  [{ response_type: '' }, 'unsupported_response_type'],
  [{ scope: 'identify everything' }, 'invalid_scope'],
  [{ scope: '' }, 'invalid_scope'],
])('a request with %o leads back with %s', async (changes, error) => {
  const { url } = await startStandin()
  const response = await open(url, pathOf(changes))
  expect(response.status).toBe(302)
  expect(landing(response)).toEqual({ from: 'platform', error, state: 'a b&c=d' })
})
