import type { ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lookAtCodes } from '../../src/operations/sessions.ts'
import { oddPlatform, aToken } from '../ports/odd-platform.ts'
import { openSiteHouse } from '../support/site-house.ts'

// Whatever the platform answers to the two calls of a sign-in: who is charged for it, and what the visitor reads
// (D-91). The model below knows the rule, and no example.

const HOUR_MS = 3_600_000
const ADDRESS = '127.0.0.1'

const statuses = [200, 201, 204, 302, 400, 401, 403, 404, 405, 422, 429, 500, 502, 503, 520]

/** A body, how it is sent, and what arrives of it as JSON; undefined: nothing. */
type Shape = {
  readonly type: string | null
  readonly body: string
  readonly json: unknown
  readonly isCut?: true
  readonly retryAfter?: string
}

const asJson = (json: unknown): Shape => ({
  type: 'application/json',
  body: JSON.stringify(json),
  json,
})

const PAGE = '<!doctype html><title>Just a moment...</title>'

const shapes: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(
    [
      'invalid_request',
      'invalid_grant',
      'invalid_client',
      'unsupported_grant_type',
      'Too Many Attempts.',
      'anything',
    ].map((error) => [`JSON with error ${error}`, asJson({ error, message: error })]),
  ),
  'JSON with error null': asJson({ error: null }),
  'JSON without error': asJson({ authentication: 'basic' }),
  'a JSON list': asJson([{ error: 'invalid_request' }]),
  'a JSON text': asJson('invalid_request'),
  'JSON null': asJson(null),
  'JSON with error, and when to come back': { ...asJson({ error: 'x' }), retryAfter: '20' },
  'a page': { type: 'text/html; charset=utf-8', body: PAGE, json: undefined },
  'a page, and when to come back': {
    type: 'text/html',
    body: PAGE,
    json: undefined,
    retryAfter: '20',
  },
  'a page that calls itself JSON': { type: 'application/json', body: PAGE, json: undefined },
  'JSON that calls itself a page': {
    type: 'text/html',
    body: '{"error":"invalid_grant"}',
    json: undefined,
  },
  'JSON of no type': { type: null, body: '{"error":"invalid_grant"}', json: undefined },
  nothing: { type: 'application/json', body: '', json: undefined },
  'JSON that breaks off': {
    type: 'application/json',
    body: '{"error":"invalid_request"}',
    json: undefined,
    isCut: true,
  },
  'a token': asJson(aToken),
  'a token and an error': asJson({ ...aToken, error: 'invalid_request' }),
  'a player': asJson({
    id: 7,
    username: 'Ada',
    is_restricted: false,
    is_deleted: false,
    is_bot: false,
  }),
}

type Verdict = { readonly status: number; readonly words: RegExp | null; readonly charged: boolean }

const told = (status: number, words: RegExp | null, charged = false): Verdict => ({
  status,
  words,
  charged,
})
const refusedCode = told(400, /already used or has expired/, true)
const disabled = told(403, /This game account cannot sign in here/)
const setUp = told(502, /not set up correctly here/)
const blocked = told(502, /does not let this site through/)
const odd = told(502, /could not be read/)
const throttled = told(503, /asks us to wait/)
const platformDown = told(503, /platform is not responding/)
const signedIn = told(302, null)

/** Only 400 with the platform's own JSON charges a visitor (D-91); each other cause has a page of its own (D-92). */
const verdictOf = (endpoint: string, status: number, name: string, shape: Shape): Verdict => {
  const { json, type, isCut } = shape
  if (status === 429) return throttled
  if (status >= 500) return platformDown
  const isPage = type !== 'application/json'
  if (isCut && status !== 204) return platformDown
  if (status >= 300 && status < 400) return setUp
  if (status === 200) return endpoint.endsWith('/me') && name === 'a player' ? signedIn : odd
  if (status === 403 && isPage) return blocked
  if (status === 404) return setUp
  if (typeof json !== 'object' || json === null || Array.isArray(json) || status === 204) return odd
  if (endpoint.endsWith('/me')) return status === 401 || status === 403 ? disabled : odd
  const error: unknown = 'error' in json ? json.error : undefined
  if (status === 403) return setUp
  if (status === 401 && error === 'invalid_client') return setUp
  const isOfForm = error === 'unsupported_grant_type'
  return status === 400 && typeof error === 'string' && !isOfForm ? refusedCode : odd
}

const send = (response: ServerResponse, status: number, shape: Shape): void => {
  const { type, body, isCut, retryAfter } = shape
  response.writeHead(status, {
    ...(type !== null && { 'content-type': type }),
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    ...(status !== 204 && { 'content-length': Buffer.byteLength(body) }),
    // A proxy that moves us elsewhere must not learn the secret.
    ...(status >= 300 && status < 400 && { location: 'http://127.0.0.1:9/elsewhere' }),
  })
  if (status === 204) response.end()
  else if (!isCut) response.end(body)
  else response.write(body.slice(0, 10), () => response.destroy())
}

/** A site before a platform that answers as it is told. */
const openOddHouse = async () => {
  const told: { answer: (url: string, response: ServerResponse) => void } = { answer: () => {} }
  const odd = await oddPlatform(({ url = '' }, response) => {
    told.answer(url, response)
    return undefined
  }, null)
  const house = await openSiteHouse({
    withPorts: (ports) => ({ ...ports, platform: odd.platform }),
  })
  onTestFinished(() => house.close())

  const failedCodes = (): number => {
    const attempt = lookAtCodes(house.ports, ADDRESS)
    if (attempt.retryAfter !== null) throw new Error('the address may try no code')
    return attempt.failed
  }

  /** Comes back with a code, long after the last time. */
  const comeBack = async () => {
    odd.clock.advance(2 * HOUR_MS)
    house.clock.advance(2 * HOUR_MS)
    const browser = house.browser()
    const begun = await browser.open('/sign-in')
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
    const reply = await browser.open(`/sign-in/callback?code=abc&state=${state}`)
    return { browser, reply }
  }
  return { told, failedCodes, comeBack }
}

describe('GET /sign-in/callback, whatever the platform answers (D-91)', () => {
  test.each(['/oauth/token', '/api/v2/me'])('to %s', async (endpoint) => {
    const { told, failedCodes, comeBack } = await openOddHouse()
    for (const status of statuses) {
      for (const [name, shape] of Object.entries(shapes)) {
        // A code that is traded well says nothing of the second call.
        const isGood =
          endpoint === '/oauth/token' && status === 200 && 'token_type' in Object(shape.json)
        if (isGood) continue
        told.answer = (url, response) => {
          if (url === endpoint) send(response, status, shape)
          else send(response, 200, shapes['a token']!)
        }
        const { browser, reply } = await comeBack()
        const verdict = verdictOf(endpoint, status, name, shape)
        const said = {
          status: reply.status,
          charged: failedCodes() === 1,
          isTold: verdict.words === null || verdict.words.test(reply.text),
          isAskedBack: reply.headers.has('retry-after'),
          isSignedIn: browser.cookies.has('session'),
        }
        expect([status, name, said]).toEqual([
          status,
          name,
          {
            status: verdict.status,
            charged: verdict.charged,
            isTold: true,
            isAskedBack: verdict.status === 503,
            isSignedIn: verdict.status === 302,
          },
        ])
        expect(failedCodes()).toBeLessThanOrEqual(1)
      }
    }
  })

  test('to neither: the connection fails', async () => {
    const { told, failedCodes, comeBack } = await openOddHouse()
    told.answer = (_url, response) => response.destroy()
    const { reply } = await comeBack()
    expect([reply.status, failedCodes()]).toEqual([503, 0])
  })
})
