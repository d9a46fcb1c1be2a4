import { describe, expect, test } from 'vitest'
import { oddPlatform } from './odd-platform.ts'
import { kindsOf, type PlatformHouse, rating, errorOf, warmHouse } from './platform-house.ts'
import { CALLBACK, signIn } from '../standin/running.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

const ask = ({ platform }: PlatformHouse) => errorOf(platform.readBeatmaps([75], 'background'))

const callCount = async ({ standin }: PlatformHouse): Promise<number> =>
  (await kindsOf(standin)).split(' ').filter((kind) => kind !== '').length

/** A platform that answers each call with this status, as `JSON` or as a page. */
const answering = (status: number, retryAfter?: string, body = '<p>') =>
  oddPlatform((_request, response) => {
    response.writeHead(status, {
      'content-type': body === '<p>' ? 'text/html' : 'application/json',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    })
    response.end(body)
  })

describe.each([
  [429, 'throttled', '{"error":"Too Many Attempts."}'],
  [429, 'throttled', '<p>'],
  [503, 'down', '<p>'],
] as const)('%i (%s), with the body %s, pauses all but sign-in (D-92)', (status, trouble, body) => {
  test.each([undefined, '7', '3600', '99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT', 'soon'])(
    'Retry-After %j: one probe a minute, whatever it says',
    async (retryAfter) => {
      const { platform, clock, budget, seen } = await answering(status, retryAfter, body)
      const first = await errorOf(platform.readBeatmaps([1], 'background'))
      expect(first).toMatchObject({ trouble, retryAt: clock.now() + MINUTE_MS })
      expect(await budget.left(clock.now())).toBe(0)
      const before = seen.length
      for (let minute = 1; minute <= 3; minute += 1) {
        clock.advance(MINUTE_MS - 1)
        for (const question of [
          platform.readBeatmaps([75], 'visitor'),
          platform.readRating(rating(75), 'background'),
        ]) {
          const error = await errorOf(question)
          // Whoever waits is told of the platform, not of a budget.
          expect(error).toMatchObject({ trouble, retryAt: clock.now() + 1 })
          expect(error.message).toContain(`answered ${status}`)
        }
        clock.advance(1)
        await errorOf(platform.readBeatmaps([75], 'visitor'))
        await errorOf(platform.readBeatmaps([76], 'background'))
        expect(seen.length - before).toBe(minute)
      }
    },
  )
})

test.each([
  ['7', 7 * SECOND_MS],
  ['00120', 2 * MINUTE_MS],
  ['Sat, 03 Oct 2026 18:31:00 GMT', 30 * SECOND_MS],
  ['Sat, 03 Oct 2026 18:00:00 GMT', 0],
  ['99999999999', 1_440 * MINUTE_MS],
  ['soon', null],
  ['-5', null],
  ['1.5', null],
  ['', null],
  ['7, 7', null],
])('operators are shown what Retry-After %j asks for (D-92)', async (retryAfter, wait) => {
  const { platform, clock, budget } = await answering(503, retryAfter)
  clock.set('2026-10-03T18:30:30.000Z')
  await errorOf(platform.readBeatmaps([1], 'background'))
  const { pause } = await budget.report(clock.now())
  expect(pause!.askedUntil).toBe(wait === null ? null : clock.now() + wait)
})

test('the first call that is answered ends the pause for all', async () => {
  const house = await warmHouse()
  const { standin, platform } = house
  await standin.order({ fault: 'throttled', retryAfter: 3600, times: 2 })
  await ask(house)
  standin.time.now += MINUTE_MS
  await ask(house)
  standin.time.now += MINUTE_MS
  expect(await platform.readBeatmaps([75], 'background')).toHaveLength(1)
  expect(await platform.readRating(rating(75), 'visitor')).toEqual({ stars: 3.61 })
  expect(await callCount(house)).toBe(4)
})

test('a beatmap that is gone is an answer, too', async () => {
  const house = await warmHouse()
  await house.standin.order({ fault: 'throttled', times: 1 })
  await ask(house)
  house.standin.time.now += MINUTE_MS
  await house.standin.post('/standin/gone', { ids: [75] })
  expect(await house.platform.readRating(rating(75), 'background')).toBe('gone')
  expect(await house.platform.readBeatmaps([76], 'background')).toHaveLength(1)
})

test('a failure of another sort ends no pause, and begins none', async () => {
  const house = await warmHouse()
  const { standin, platform } = house
  await standin.order({ fault: 'truncated', times: 1 })
  expect((await ask(house)).retryAt).toBeNull()
  await standin.order({ fault: 'throttled', times: 1 })
  await standin.order({ fault: 'truncated', times: 1 })
  await ask(house)
  standin.time.now += MINUTE_MS
  expect((await ask(house)).retryAt).toBeNull()
  expect((await ask(house)).retryAt).toBe(standin.time.now + MINUTE_MS)
  standin.time.now += MINUTE_MS
  expect(await platform.readBeatmaps([75], 'background')).toHaveLength(1)
})

test('a late answer does not end the pause that began while it was on its way', async () => {
  const house = await warmHouse()
  const { standin, platform, budget } = house
  await standin.order({ fault: 'delay', delay: 100, ids: [300] })
  await standin.order({ fault: 'throttled', ids: [75], times: 2 })
  const late = platform.readBeatmaps([300], 'background')
  await ask(house)
  expect(await late).toHaveLength(1)
  expect(await budget.left(standin.time.now)).toBe(0)
})

test('the probe of a process without a token is both calls: the platform is asked within the minute', async () => {
  const { platform, clock, budget, seen } = await oddPlatform((request, response) => {
    if (request.url === '/oauth/token') {
      return { token_type: 'Bearer', expires_in: 86_400, access_token: 'app-token' }
    }
    response.setHeader('x-ratelimit-limit', '1200')
    return { beatmaps: [] }
  }, null)
  const failure = { call: 'GET /', trouble: 'throttled', reason: '429' } as const
  await budget.fail(failure, clock.now(), { calls: 'all', askedUntil: null })
  clock.advance(MINUTE_MS)
  expect(await platform.readBeatmaps([1], 'background')).toEqual([])
  expect(seen.map(({ url }) => url)).toEqual(['/oauth/token', '/api/v2/beatmaps?ids%5B%5D=1'])
  expect(await budget.left(clock.now())).toBe(48)
})

describe('sign-in during a pause (D-92)', () => {
  test('tries at once, and its success ends the pause of a platform that was away', async () => {
    const house = await warmHouse()
    const { standin, platform, budget } = house
    const code = await signIn(standin, 7001)
    await standin.order({ fault: 'html', status: 503, kind: 'beatmaps' })
    expect((await ask(house)).trouble).toBe('down')
    expect(await platform.readPlayer(code, CALLBACK)).toMatchObject({ gameId: 7001 })
    expect(await budget.left(standin.time.now)).toBe(47)
  })

  test('does not end a throttling: a token of its own is not the one that is throttled', async () => {
    const house = await warmHouse()
    const { standin, platform, budget } = house
    const code = await signIn(standin, 7001)
    await standin.order({ fault: 'throttled', kind: 'beatmaps' })
    await ask(house)
    expect(await platform.readPlayer(code, CALLBACK)).toMatchObject({ gameId: 7001 })
    expect(await budget.left(standin.time.now)).toBe(0)
  })

  test('a code that the platform refuses ends nothing: anybody can send one', async () => {
    const house = await warmHouse()
    const { standin, platform, budget } = house
    await standin.order({ fault: 'html', status: 503, kind: 'beatmaps' })
    await ask(house)
    expect(await platform.readPlayer('def502', CALLBACK)).toBeNull()
    expect(await budget.left(standin.time.now)).toBe(0)
  })

  test('what it meets pauses the others, and never puts off their probe', async () => {
    const house = await warmHouse()
    const { standin, platform } = house
    await standin.order({ fault: 'html', status: 503, kind: 'token' })
    for (let time = 0; time < 3; time += 1) {
      expect((await errorOf(platform.readPlayer('def502', CALLBACK))).trouble).toBe('down')
      expect((await ask(house)).trouble).toBe('down')
      standin.time.now += 20 * SECOND_MS
    }
    expect(await platform.readBeatmaps([75], 'background')).toHaveLength(1)
  })
})

describe('too many tokens from this address (answer 29)', () => {
  test('stop tokens alone, for a minute', async () => {
    const house = await warmHouse()
    const { standin, platform } = house
    await standin.order({ fault: 'throttled', kind: 'token', times: 2 })
    expect(await errorOf(platform.readPlayer('def502', CALLBACK))).toMatchObject({
      trouble: 'throttled',
    })
    // The token is there already.
    expect(await platform.readBeatmaps([75], 'background')).toHaveLength(1)
    await standin.post('/standin/tokens/expire', {})
    const error = await ask(house)
    expect(error).toMatchObject({ trouble: 'throttled', retryAt: standin.time.now + MINUTE_MS })
    // Those who sign in try at once.
    await errorOf(platform.readPlayer('def502', CALLBACK))
    expect(await kindsOf(standin)).toBe('token beatmaps beatmaps token')
    standin.time.now += MINUTE_MS
    expect(await platform.readBeatmaps([75], 'background')).toHaveLength(1)
  })
})
