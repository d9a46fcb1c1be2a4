import { afterAll, describe, expect, it } from 'vitest'
import { expectError, quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { createFaults } from './faults.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

/** Milliseconds into a minute, and the whole seconds that are left of it (D-9). */
const times = [0, 1, 999, 1_000, 1_001, 17_500, 30_000, 58_999, 59_000, 59_001, 59_999].map(
  (ms) => [ms, Math.ceil((60_000 - ms) / 1_000)] as const,
)

describe('RateLimit-Reset while the counters fail (D-9, D-10)', () => {
  it.each(times)('%i ms into a minute: %i s', async (ms, seconds) => {
    const host = await house.host()
    house.clock.nextMinute()
    house.clock.advance(ms)
    const doors = house.doors.packs
    const replies = await faults.during('quotas', () =>
      Promise.all([
        host.get('/me'),
        doors.ask('GET', '/me'),
        doors.ask('GET', '/nowhere'),
        doors.ask('GET', '/openapi.json'),
      ]),
    )
    for (const reply of replies) {
      expect(quotaOf(reply)).toEqual({ limit: 20, remaining: 20, reset: seconds })
      if (reply.status !== 200) expectError(reply, 'internal_error')
    }
    expect(replies.map(({ status }) => status)).toEqual([500, 500, 500, 200])
  })
})
