import { describe, expect, test } from 'vitest'
import type { Trouble } from '../../src/domain/platform.ts'
import { aRow, aToken, type Odd, oddPlatform } from './odd-platform.ts'
import { errorOf, rating } from './platform-house.ts'

// How each answer of the platform to our calls is read: by its number in the list of them, which the stand-in gives.

const CALLBACK = 'https://maps.test/sign-in/callback'

type Said = {
  readonly status?: number
  /** A text is a page, anything else JSON. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const json = 'application/json'
/** Behind the application's own count of calls. */
const h1 = { 'x-ratelimit-limit': '1200', 'x-ratelimit-remaining': '1199' }
const h2 = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' }

const say = ({ status = 200, body, headers = {} }: Said): Odd => {
  const isPage = typeof body === 'string'
  return (_request, response) => {
    response.writeHead(status, { 'content-type': isPage ? 'text/html' : json, ...headers })
    response.end(isPage ? body : JSON.stringify(body))
  }
}

const oauth = (error: string, hint?: string, status = 400): Said => ({
  status,
  headers: h2,
  body: { error, error_description: 'Some words.', ...(hint && { hint }), message: 'Some words.' },
})

/** What the operator reads, and which calls wait. */
type Read = { readonly trouble: Trouble; readonly says: string; readonly stops: 'all' | null }

const failureOf = async (
  { budget, clock }: Awaited<ReturnType<typeof oddPlatform>>,
  question: Promise<unknown>,
) => {
  const error = await errorOf(question)
  const { lastFailure, pause } = await budget.report(clock.now())
  // What operators are shown later is what the log has said.
  expect(lastFailure).toMatchObject({ trouble: error.trouble, reason: error.message })
  const isPaused = pause === null ? null : 'all'
  return { trouble: error.trouble, message: error.message, stops: isPaused }
}

describe('tokens of the application', () => {
  test.each<[string, Said, Read]>([
    ['15 to 20', oauth('invalid_request'), unexpected('finds our request wrong')],
    ['21 to 23', oauth('invalid_client', undefined, 401), setUp('PLATFORM_CLIENT_SECRET')],
    ['26', oauth('unsupported_grant_type'), unexpected('finds our request wrong')],
    ['27', oauth('invalid_scope', 'Check the `x` scope'), unexpected('finds our request wrong')],
    [
      '28',
      { status: 400, headers: h2, body: { error: 'no owner' } },
      setUp('may not have a token of its own'),
    ],
    [
      '30',
      { status: 405, body: { error: 'The GET method …' } },
      unexpected('finds our request wrong'),
    ],
    ['36', { status: 404, body: { error: 'The route …' } }, setUp('check PLATFORM_URL')],
    ['40', { status: 500, body: { error: null } }, down('answered 500')],
    ['68', { status: 403, body: '<p>Just a moment…' }, blocked()],
    ['69', { status: 400, body: '<p>' }, unexpected('not declared as JSON')],
    ['72', { status: 301, body: '<p>' }, setUp('a redirect; check PLATFORM_URL')],
  ])('%s', async (_number, said, { trouble, says, stops }) => {
    const odd = await oddPlatform(say(said), null)
    const failure = await failureOf(odd, odd.platform.readBeatmaps([1], 'background'))
    expect(failure).toMatchObject({ trouble, stops })
    expect(failure.message).toContain('POST /oauth/token answered ')
    expect(failure.message).toContain(says)
    expect(odd.seen).toHaveLength(1)
  })
})

describe('codes of players (D-91)', () => {
  test.each([
    ['15', oauth('invalid_request', 'Cannot decrypt the authorization code')],
    ['16', oauth('invalid_request', 'Authorization code has expired')],
    ['17', oauth('invalid_request', 'Authorization code has been revoked')],
    ['18', oauth('invalid_request', 'Authorization code was not issued to this client')],
    ['24, and every code of a later library', oauth('invalid_grant')],
    ['by any other name', oauth('invalid_code')],
  ])('%s is the visitor’s mistake', async (_number, said) => {
    const { platform, budget, clock } = await oddPlatform(say(said), null)
    expect(await platform.readPlayer('def502', CALLBACK)).toBeNull()
    expect(await budget.report(clock.now())).toMatchObject({ lastFailure: null, pause: null })
  })

  test.each<[string, Said, Omit<Read, 'stops'>]>([
    ['19', oauth('invalid_request', 'Invalid redirect URI'), setUp('another redirect address')],
    ['20', oauth('invalid_request', 'Check the `code` parameter'), unexpected('request wrong')],
    ['21 to 23', oauth('invalid_client', undefined, 401), setUp(`registered there (${CALLBACK})`)],
    [
      '25',
      oauth('invalid_request', 'Check the `code_verifier` parameter'),
      unexpected('request wrong'),
    ],
    ['26', oauth('unsupported_grant_type'), unexpected('request wrong')],
    ['27', oauth('invalid_scope', 'Check the `x` scope'), unexpected('request wrong')],
    ['401 that names no client', { status: 401, body: {} }, unexpected('request wrong')],
    ['69', { status: 400, body: '<p>' }, unexpected('not declared as JSON')],
    ['400 that is no object', { status: 400, body: ['invalid_request'] }, unexpected('')],
    ['400 that names no error', { status: 400, body: { error: null } }, unexpected('')],
    ['68', { status: 403, body: '<p>' }, blocked()],
    ['40', { status: 500, body: { error: null } }, down('answered 500')],
    ['70', { status: 521, body: '<p>' }, down('answered 521')],
    ['72', { status: 308, body: '<p>' }, setUp('a redirect')],
    ['200 without a token', { body: {} }, unexpected('not what it should be')],
  ])('%s charges no visitor, and stops nobody else', async (_number, said, { trouble, says }) => {
    const odd = await oddPlatform(say(said), null)
    const failure = await failureOf(odd, odd.platform.readPlayer('def502', CALLBACK))
    expect(failure).toMatchObject({ trouble, stops: null })
    expect(failure.message).toContain(says)
  })

  test('19 holds no other sign-in up: a visitor can bring a code of another address', async () => {
    const said = oauth('invalid_request', 'Invalid redirect URI')
    const { platform, seen } = await oddPlatform(say(said), null)
    for (let time = 0; time < 3; time += 1) await errorOf(platform.readPlayer('def502', CALLBACK))
    expect(seen).toHaveLength(3)
  })
})

describe('players (D-42)', () => {
  const me = { id: 7001, username: 'Peridot', is_restricted: false, is_deleted: false }
  const ask = async (said: Said) => {
    const odd = await oddPlatform((request, response) =>
      request.url === '/oauth/token' ? aToken : say(said)(request, response),
    )
    return { ...odd, asked: odd.platform.readPlayer('def502', CALLBACK) }
  }

  test.each([
    ['41', {}, {}],
    ['42', { is_restricted: true }, { isRestricted: true }],
    ['44', { account_history: [{ type: 'silence' }] }, {}],
    ['45', { is_bot: true }, { isBot: true }],
    ['46', { is_deleted: true, username: 'DeletedUser_7001' }, { isDeleted: true }],
  ])('%s', async (_number, flags, told) => {
    const { asked } = await ask({ headers: h1, body: { ...me, is_bot: false, ...flags } })
    expect(await asked).toMatchObject({
      gameId: 7001,
      isRestricted: false,
      isDeleted: false,
      isBot: false,
      ...told,
    })
  })

  test.each([
    ['43', { status: 403, body: { error: 'Your account has been disabled.' } }],
    ['43 in another language', { status: 403, body: { error: 'Compte désactivé.' } }],
  ])('%s is a player whom the platform lets nobody be', async (_number, said) => {
    const { asked, budget, clock } = await ask(said)
    expect(await asked).toBe('disabled')
    expect((await budget.report(clock.now())).lastFailure).toBeNull()
  })

  test('46, the token of a player who is gone, is too, and operators see it', async () => {
    const { asked, budget, clock } = await ask({ status: 401, body: { authentication: 'basic' } })
    expect(await asked).toBe('disabled')
    const { lastFailure, pause } = await budget.report(clock.now())
    expect(lastFailure).toMatchObject({ call: 'GET /api/v2/me', trouble: 'unexpected' })
    expect(pause).toBeNull()
  })

  test.each<[string, Said, Omit<Read, 'stops'>]>([
    [
      '32',
      { status: 403, headers: h1, body: { error: 'A required scope is missing.' } },
      setUp('a scope is missing'),
    ],
    ['36', { status: 404, body: { error: 'The route …' } }, setUp('check PLATFORM_URL')],
    ['404 of the route', { status: 404, headers: h1, body: { error: null } }, unexpected('')],
    ['40', { status: 500, headers: h1, body: { error: null } }, down('answered 500')],
    ['68', { status: 403, body: '<p>' }, blocked()],
    ['401 of a proxy', { status: 401, body: '<p>' }, unexpected('not declared as JSON')],
  ])('%s is no player’s', async (_number, said, { trouble, says }) => {
    const { asked, ...odd } = await ask(said)
    const failure = await failureOf(odd, asked)
    expect(failure).toMatchObject({ trouble, stops: null })
    expect(failure.message).toContain(says)
  })
})

describe('beatmaps and ratings', () => {
  const attributes = (said: Said) => {
    const ask = async () => {
      const odd = await oddPlatform(say(said))
      return { ...odd, asked: odd.platform.readRating(rating(75), 'background') }
    }
    return ask()
  }

  test('47 to 52: rows with keys that we do not know, of any status', async () => {
    const row = aRow(75, {
      status: 'graveyard',
      ranked: -2,
      lazer_only: true,
      anime_cover: false,
      owners: [{ id: 1 }],
      availability: { download_disabled: true, more_information: null },
    })
    const { platform } = await oddPlatform(say({ headers: h1, body: { beatmaps: [row] } }))
    const beatmaps = await platform.readBeatmaps([75, 48], 'background')
    expect(beatmaps).toMatchObject([{ id: 75, status: 'graveyard' }])
  })

  test.each([
    ['49 and 50: a row twice', [aRow(1), aRow(1)]],
    ['50: a row of another id', [aRow(75)]],
  ])('%s is an answer to another question', async (_number, beatmaps) => {
    const odd = await oddPlatform(say({ headers: h1, body: { beatmaps } }))
    const failure = await failureOf(odd, odd.platform.readBeatmaps([1], 'background'))
    expect(failure).toMatchObject({ trouble: 'unexpected', stops: null })
  })

  test.each([
    ['54', { body: { attributes: { star_rating: 6.52, max_combo: 239 } } }, { stars: 6.52 }],
    ['59', { status: 422, body: { error: 'invalid mod for ruleset: ZZ' } }, 'refused'],
    ['63', { status: 422, body: { error: 'can’t be converted' } }, 'refused'],
    ['65', { status: 404, body: { error: 'couldn’t be found' } }, 'gone'],
    ['65 in another language, or null', { status: 404, body: { error: null } }, 'gone'],
  ])('%s', async (_number, said, read) => {
    const { asked } = await attributes({ headers: h1, ...said })
    expect(await asked).toEqual(read)
  })

  test.each<[string, Said, Read]>([
    [
      '32',
      { status: 403, headers: h1, body: { error: 'A required scope is missing.' } },
      setUp('check the application of PLATFORM_CLIENT_ID'),
    ],
    ['36', { status: 404, body: { error: 'The route …' } }, setUp('check PLATFORM_URL')],
    ['404 of a proxy', { status: 404, headers: h1, body: '<p>' }, setUp('check PLATFORM_URL')],
    ['422 of a proxy', { status: 422, headers: h1, body: '<p>' }, unexpected('not declared')],
    ['58', { headers: h1, body: { attributes: null } }, down('answered 200')],
    ['66', { status: 500, headers: h1, body: { error: null } }, down('answered 500')],
    ['67', { status: 405, body: { error: 'The GET method …' } }, unexpected('request wrong')],
    ['68', { status: 403, headers: { 'cf-ray': '1' }, body: '<p>' }, blocked()],
    ['69', { status: 400, body: '<p>' }, unexpected('not declared as JSON')],
    ['70', { status: 502, body: '<p>' }, down('answered 502')],
    ['70', { status: 526, body: '<p>' }, down('answered 526')],
    ['71', { status: 503, body: '<p>' }, { ...down('answered 503'), stops: 'all' }],
    ['72', { status: 301, body: '<p>' }, setUp('a redirect; check PLATFORM_URL')],
  ])('%s', async (_number, said, { trouble, says, stops }) => {
    const { asked, ...odd } = await attributes(said)
    const failure = await failureOf(odd, asked)
    expect(failure).toMatchObject({ trouble, stops })
    expect(failure.message).toContain('POST /api/v2/beatmaps/75/attributes answered ')
    expect(failure.message).toContain(says)
  })

  test('31: one new token; one that is refused as well is the operator’s', async () => {
    const said = say({ status: 401, body: { authentication: 'basic' } })
    const odd = await oddPlatform(said)
    const failure = await failureOf(odd, odd.platform.readBeatmaps([1], 'background'))
    expect(failure).toMatchObject({ trouble: 'set-up', stops: 'all' })
    expect(failure.message).toContain('takes no token of this application')
  })
})

function setUp(says: string): Read {
  return { trouble: 'set-up', says, stops: 'all' }
}

function blocked(): Read {
  return { trouble: 'blocked', says: 'a proxy in front of the platform', stops: 'all' }
}

function down(says: string): Read {
  return { trouble: 'down', says, stops: null }
}

function unexpected(says: string): Read {
  return { trouble: 'unexpected', says, stops: null }
}
