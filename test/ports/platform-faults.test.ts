import { describe, expect, test } from 'vitest'
import { kindsOf, patienceFor, rating, SILENCE_MS, errorOf, warmHouse } from './platform-house.ts'

const questions = {
  beatmaps: {
    what: 'GET /api/v2/beatmaps',
    ask: ({ platform }: Awaited<ReturnType<typeof warmHouse>>) =>
      platform.readBeatmaps([75, 300], 'background'),
  },
  attributes: {
    what: 'POST /api/v2/beatmaps/75/attributes',
    ask: ({ platform }: Awaited<ReturnType<typeof warmHouse>>) =>
      platform.readRating(rating(75), 'background'),
  },
} as const

/** Each with its trouble and what its message says, so that a log tells one from the other. */
const faults = [
  [{ fault: 'down' }, 'down', '500'],
  [{ fault: 'html', status: 502 }, 'down', '502'],
  [{ fault: 'html', status: 503 }, 'down', '503'],
  [{ fault: 'html', status: 200 }, 'unexpected', 'not declared as JSON'],
  [{ fault: 'html', status: 403 }, 'blocked', 'a proxy in front of the platform'],
  [{ fault: 'html', status: 404 }, 'set-up', 'check PLATFORM_URL'],
  [{ fault: 'html', status: 422 }, 'unexpected', 'not declared as JSON'],
  [{ fault: 'forbidden' }, 'set-up', '403: a scope is missing'],
  [{ fault: 'truncated' }, 'unexpected', 'its body is broken'],
  [{ fault: 'cut' }, 'down', 'did not arrive whole'],
  [{ fault: 'stall' }, 'down', 'did not arrive whole'],
  [{ fault: 'wrong-types' }, 'unexpected', 'not what it should be'],
  [{ fault: 'wrong-content-type' }, 'unexpected', 'not declared as JSON'],
  [{ fault: 'reset' }, 'down', 'the connection failed'],
  [{ fault: 'silence' }, 'down', `no answer within ${SILENCE_MS} ms`],
] as const

/** What keeps all calls waiting for a minute (D-92); that there is no answer for one rating may be of that rating. */
const isPausing = (kind: string, trouble: string, says: string): boolean =>
  ['blocked', 'set-up'].includes(trouble) ||
  says === '503' ||
  (trouble === 'down' && kind === 'beatmaps')

describe.each(['beatmaps', 'attributes'] as const)('%s', (kind) => {
  const { ask, what } = questions[kind]

  test.each(faults)(
    '%o is unknown for now, never gone or refused; one call, and the next one is answered (platform: not 200)',
    async (fault, trouble, says) => {
      const house = await warmHouse(patienceFor(fault))
      await house.standin.order({ ...fault, kind, times: 1 })
      const error = await errorOf(ask(house))
      expect(error.message).toContain(what)
      expect(error.message).toContain(says)
      expect(error.trouble).toBe(trouble)
      const { time } = house.standin
      const pausedUntil = isPausing(kind, trouble, says) ? time.now + 60_000 : null
      expect(error.retryAt).toBe(pausedUntil)
      expect(await kindsOf(house.standin)).toBe(kind)
      expect(house.budget.taken).toHaveLength(1)

      if (pausedUntil !== null) time.now = pausedUntil
      await expect(ask(house)).resolves.toBeTruthy()
      expect(await kindsOf(house.standin)).toBe(`${kind} ${kind}`)
    },
  )

  test('a slow answer within the time is an answer', async () => {
    const house = await warmHouse()
    await house.standin.order({ fault: 'delay', delay: 50, kind })
    await expect(ask(house)).resolves.toBeTruthy()
  })

  test('a platform that does not listen is an error', async () => {
    const house = await warmHouse()
    await house.standin.app.close()
    // The first may still find the connection of before.
    await errorOf(ask(house))
    house.standin.time.now += 60_000
    const error = await errorOf(ask(house))
    expect(error.message).toContain(
      `${what} was not answered: the connection failed (ECONNREFUSED)`,
    )
    const pausedUntil = house.standin.time.now + 60_000
    expect(error.retryAt).toBe(kind === 'beatmaps' ? pausedUntil : null)
  })
})

test.each([{ fault: 'missing' }, { fault: 'refused' }])(
  '%o says something of one beatmap, and nothing of a list of them',
  async (fault) => {
    const house = await warmHouse()
    await house.standin.order({ ...fault, kind: 'beatmaps' })
    await errorOf(house.platform.readBeatmaps([75], 'background'))
  },
)

test('one wrong row among 50 makes the answer an error: left out, it would seem gone', async () => {
  const { standin, platform } = await warmHouse()
  const ids = Array.from({ length: 50 }, (_, at) => at + 1)
  await standin.order({ fault: 'wrong-types', ids: [33] })
  await errorOf(platform.readBeatmaps(ids, 'background'))
  const others = ids.filter((id) => id !== 33)
  expect(await platform.readBeatmaps(others, 'background')).toHaveLength(49)
})
