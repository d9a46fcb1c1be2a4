import { describe, expect, test } from 'vitest'
import {
  callsOf,
  kindsOf,
  patienceFor,
  platformHouse,
  rating,
  SILENCE_MS,
  errorOf,
  warmHouse,
} from './platform-house.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

describe('the token of the application (platform: OAuth)', () => {
  test('one token serves all calls of its day, those made at once too', async () => {
    const { standin, platform, budget } = await platformHouse()
    await Promise.all([
      platform.readBeatmaps([75], 'background'),
      platform.readBeatmaps([300], 'visitor'),
      platform.readRating(rating(75), 'background'),
    ])
    standin.time.now += 0.98 * DAY_MS
    await platform.readBeatmaps([75], 'background')
    expect(await callsOf(standin)).toMatchObject({ token: 1, beatmaps: 3, attributes: 1 })
    expect(budget.taken).toHaveLength(5)
  })

  test('shortly before it ends a new one is asked for, without a call in vain', async () => {
    const { standin, platform } = await warmHouse()
    standin.time.now += 0.995 * DAY_MS
    await platform.readBeatmaps([75], 'background')
    expect(await kindsOf(standin)).toBe('token beatmaps')
  })

  test('revoked in the middle: a new token once, then once more the call (platform: not 200)', async () => {
    const { standin, platform, budget } = await warmHouse()
    await standin.post('/standin/tokens/expire', {})
    expect(await platform.readRating(rating(75), 'background')).toEqual({ stars: 3.61 })
    expect(await kindsOf(standin)).toBe('attributes token attributes')
    expect(budget.taken).toHaveLength(3)
  })

  test('revoked twice in a minute: twice a new token', async () => {
    const { standin, platform } = await warmHouse()
    for (let each = 0; each < 2; each++) {
      await standin.post('/standin/tokens/expire', {})
      expect(await platform.readBeatmaps([75], 'background')).toHaveLength(1)
    }
    expect(await kindsOf(standin)).toBe('beatmaps token beatmaps beatmaps token beatmaps')
  })

  test('revoked under many calls: one new token for all of them', async () => {
    const { standin, platform } = await warmHouse()
    await standin.post('/standin/tokens/expire', {})
    const ids = [1, 2, 3, 4, 5, 6, 7, 8]
    await Promise.all(ids.map((id) => platform.readBeatmaps([id], 'background')))
    expect(await callsOf(standin)).toMatchObject({ token: 1, beatmaps: 16 })
  })

  test('a new token that is not taken either is an error after three calls', async () => {
    const { standin, platform } = await warmHouse()
    await standin.order({ fault: 'unauthorized', kind: 'beatmaps' })
    const error = await errorOf(platform.readBeatmaps([75], 'background'))
    expect(error.message).toMatch(/^GET \/api\/v2\/beatmaps was refused: it takes no token of/)
    expect(error.trouble).toBe('set-up')
    expect(await kindsOf(standin)).toBe('beatmaps token beatmaps')
  })

  test('while no token is taken, a new one is tried once a minute, not at each call', async () => {
    const { standin, platform } = await warmHouse()
    await standin.order({ fault: 'unauthorized', kind: 'beatmaps' })
    const ask = () => errorOf(platform.readBeatmaps([75], 'background'))
    for (let each = 0; each < 4; each++) await ask()
    expect(await callsOf(standin)).toMatchObject({ token: 1, beatmaps: 2 })
    standin.time.now += MINUTE_MS
    for (let each = 0; each < 4; each++) await ask()
    expect(await callsOf(standin)).toMatchObject({ token: 2, beatmaps: 4 })
    await fetch(`${standin.url}/standin/faults`, { method: 'DELETE' })
    standin.time.now += MINUTE_MS
    expect(await platform.readBeatmaps([75], 'background')).toHaveLength(1)
  })
})

describe('when no token is to be had', () => {
  test('wrong credentials are an error that names the configuration, tried once a minute', async () => {
    const { standin, platform } = await platformHouse({ clientSecret: 'wrong' })
    for (let each = 0; each < 3; each++) {
      const error = await errorOf(platform.readBeatmaps([75], 'background'))
      expect(error.message).toContain('check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET')
    }
    expect(await kindsOf(standin)).toBe('token')
    standin.time.now += MINUTE_MS
    await errorOf(platform.readBeatmaps([75], 'background'))
    expect(await kindsOf(standin)).toBe('token token')
  })

  test.each([
    [{ fault: 'down' }, 'answered 500'],
    [{ fault: 'html' }, 'not declared as JSON'],
    [{ fault: 'refused' }, 'answered 422'],
    [{ fault: 'truncated' }, 'its body is broken'],
    [{ fault: 'wrong-types' }, 'not what it should be'],
    [{ fault: 'reset' }, 'the connection failed'],
    [{ fault: 'silence' }, `no answer within ${SILENCE_MS} ms`],
  ])('%o on the way to it is an error, and tried again at the next call', async (fault, says) => {
    const { standin, platform } = await platformHouse(patienceFor(fault))
    await standin.order({ ...fault, kind: 'token', times: 1 })
    const error = await errorOf(platform.readRating(rating(75), 'background'))
    expect(error.message).toContain('POST /oauth/token')
    expect(error.message).toContain(says)
    expect(await kindsOf(standin)).toBe('token')
    expect(await platform.readRating(rating(75), 'background')).toEqual({ stars: 3.61 })
    expect(await kindsOf(standin)).toBe('token token attributes')
  })

  test('throttled on the way to it, everything waits a minute', async () => {
    const { standin, platform } = await platformHouse()
    await standin.order({ fault: 'throttled', kind: 'token', retryAfter: 30 })
    const { retryAt } = await errorOf(platform.readBeatmaps([75], 'visitor'))
    expect(retryAt).toBe(standin.time.now + MINUTE_MS)
    await errorOf(platform.readBeatmaps([75], 'visitor'))
    expect(await kindsOf(standin)).toBe('token')
  })
})
