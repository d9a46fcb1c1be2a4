import { describe, expect, it } from 'vitest'
import type { ApiErrorCode } from '../../src/contract/error-codes.ts'
import { reasonsOf } from '../../src/contract/error-reasons.ts'
import { poolsErrorCodes } from '../../src/contract/errors.ts'
import { endpointsOf } from '../../src/contract/services.ts'
import { sendRaw } from './raw.ts'
import { house, slots, ways } from './reason-ways.ts'
import { aChange, newScene } from './tournament-scene.ts'

const { doors } = house

/** What 405, 503 and wire-level errors are answered with is in no endpoint. */
const statuses = new Set([
  405,
  503,
  ...Object.values(endpointsOf.pools).flatMap(({ errors }) => errors as readonly number[]),
])
const codes = (Object.keys(poolsErrorCodes) as ApiErrorCode[]).filter((code) =>
  statuses.has(poolsErrorCodes[code].status),
)

describe('the reason of a refusal says its cause, on the tournament-pools service (D-87)', () => {
  it('each reason of each code has a way to it', () => {
    expect(Object.keys(ways).toSorted()).toEqual(codes.flatMap(reasonsOf).toSorted())
  })

  const cases = codes.flatMap((code) => reasonsOf(code).map((reason) => [code, reason] as const))
  it.each(cases)('%s: %s', async (code, reason) => {
    const reply = await ways[reason as keyof typeof ways](await newScene(house))
    expect(reply.json).toMatchObject({ error: { code, message: expect.any(String), reason } })
    expect(Object.keys(reply.json.error)).toEqual(['code', 'message', 'reason'])
    const slotsToo = ['slot_changed', 'no_such_slot'].includes(reason) ? ['slots'] : []
    expect(Object.keys(reply.json)).toEqual(['error', ...slotsToo])
  })

  it('is in no answer of the packs service (spec 2.9)', async () => {
    house.clock.nextMinute()
    const host = await house.host('packs')
    const replies = [
      await host.ask('POST', '/packs', { body: '{' }),
      await host.ask('GET', '/packs/AAAAAAAAAA'),
      await host.ask('GET', '/nowhere'),
      await host.ask('DELETE', '/me'),
      await doors.packs.ask('GET', '/me'),
      await sendRaw(doors.packs.url, ['GET /api/v1/me HTTP/1.1', 'Host: y']),
      await sendRaw(doors.packs.url, ['GET /api/v1/me HTTP/1.1', `A: ${'b'.repeat(20_000)}`]),
    ]
    for (const { json } of replies) expect(Object.keys(json.error)).toEqual(['code', 'message'])
  })

  it('a change of slots that are as they were has none: it succeeds (D-62)', async () => {
    const scene = await newScene(house)
    expect((await slots(scene, ...aChange.changes)).status).toBe(200)
  })
})
