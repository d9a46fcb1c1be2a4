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

/** Each with what its message says, so that a log tells one from the other. */
const faults = [
  [{ fault: 'down' }, '500'],
  [{ fault: 'html', status: 502 }, '502'],
  [{ fault: 'html', status: 503 }, '503'],
  [{ fault: 'html', status: 200 }, 'not declared as JSON'],
  [{ fault: 'html', status: 404 }, 'not declared as JSON'],
  [{ fault: 'html', status: 422 }, 'not declared as JSON'],
  [{ fault: 'forbidden' }, '403: a scope is missing'],
  [{ fault: 'truncated' }, 'broken or did not arrive whole'],
  [{ fault: 'cut' }, 'broken or did not arrive whole'],
  [{ fault: 'stall' }, 'broken or did not arrive whole'],
  [{ fault: 'wrong-types' }, 'not what it should be'],
  [{ fault: 'wrong-content-type' }, 'not declared as JSON'],
  [{ fault: 'reset' }, 'the connection failed'],
  [{ fault: 'silence' }, `no answer within ${SILENCE_MS} ms`],
] as const

describe.each(['beatmaps', 'attributes'] as const)('%s', (kind) => {
  const { ask, what } = questions[kind]

  test.each(faults)(
    '%o is unknown for now, never gone or refused; one call, and the next one is answered (platform: not 200)',
    async (fault, says) => {
      const house = await warmHouse(patienceFor(fault))
      await house.standin.order({ ...fault, kind, times: 1 })
      const error = await errorOf(ask(house))
      expect(error.message).toContain(what)
      expect(error.message).toContain(says)
      expect(error.retryAt).toBeNull()
      expect(await kindsOf(house.standin)).toBe(kind)
      expect(house.budget.taken).toHaveLength(1)

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
    const error = await errorOf(ask(house))
    expect(error.message).toBe(`${what}: the connection failed (ECONNREFUSED)`)
    expect(error.retryAt).toBeNull()
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
