import { afterAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../src/contract/errors.ts'
import { expectError } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack, slots } from '../support/samples.ts'
import { seed } from './seed.ts'
import { spendRequests } from './spend.ts'

const house = await openHouse()
afterAll(() => house.close())

/** The checks in their order (D-3). */
const checks = ['key', 'quota', 'route', 'type', 'size', 'content', 'pack'] as const
type Check = (typeof checks)[number]

/** A write that fails the checks named; how each one fails alone, and where. */
type Way = {
  readonly method: string
  readonly path: string
  readonly failing: { readonly route: [string, string]; readonly pack: string }
  readonly answers: Readonly<Record<Check, readonly [ErrorCode, RegExp]>>
}

const answers = {
  key: ['invalid_api_key', /wrong, revoked or replaced/],
  quota: ['rate_limited', /more than 60 requests/],
  route: ['not_found', /nothing at this path/],
  type: ['unsupported_media_type', /Content-Type/],
  size: ['too_large', /16384 bytes/],
  content: ['bad_request', /^slots\[1\]/],
  pack: ['not_found', /no pack with this slug/],
} as const

const owner = await house.host()
const theirs = await owner.save(aPack())
const before = await house.host()
const mine = await before.save(aPack())
const after = await house.hostOf(before.gameId, before.username)
await seed(house, after, 199)

const ways: Readonly<Record<string, Way>> = {
  'PUT of a pack of somebody else': {
    method: 'PUT',
    path: `/packs/${mine}`,
    failing: { route: ['PUT', '/nothing'], pack: `/packs/${theirs}` },
    answers,
  },
  'PUT of a pack that is missing': {
    method: 'PUT',
    path: `/packs/${mine}`,
    failing: { route: ['PUT', '/me/nothing'], pack: '/packs/AAAAAAAAAA' },
    answers,
  },
  'POST over the 200 packs': {
    method: 'POST',
    path: '/packs',
    failing: { route: ['POST', '/me'], pack: '/packs' },
    answers: {
      ...answers,
      route: ['method_not_allowed', /^this path takes GET, HEAD, OPTIONS$/],
      pack: ['conflict', /200 saved packs/],
    },
  },
}

const askFailing = async ({ method, path, failing }: Way, failed: ReadonlySet<Check>) => {
  house.clock.nextMinute()
  if (failed.has('quota')) await spendRequests(house, after)
  const [askedMethod, askedPath] = failed.has('route')
    ? failing.route
    : [method, failed.has('pack') ? failing.pack : path]
  // Two slots alike: no fault of form, so that it is found as late as content can be.
  const input = aPack(failed.has('content') ? { slots: [...slots(1), ...slots(1)] } : {})
  return house.doors.packs.ask(askedMethod, askedPath, {
    key: failed.has('key') ? before.key : after.key,
    body: { ...input, ...(failed.has('size') && { padding: 'x'.repeat(16_384) }) },
    headers: { 'content-type': failed.has('type') ? 'text/plain' : 'application/json' },
  })
}

const pairs = checks.flatMap((earlier, at) =>
  checks.slice(at + 1).map((later) => [earlier, later] as const),
)

describe.each(Object.entries(ways))('%s (D-3)', (_, way) => {
  it.each(checks)('%s alone', async (check) => {
    const [code, message] = way.answers[check]
    expectError(await askFailing(way, new Set([check])), code, message)
  })

  it.each(pairs)('%s is told before %s', async (earlier, later) => {
    const [code, message] = way.answers[earlier]
    expectError(await askFailing(way, new Set([earlier, later])), code, message)
  })

  it('all at once are told one after the other', async () => {
    for (const [at, check] of checks.entries()) {
      const [code, message] = way.answers[check]
      expectError(await askFailing(way, new Set(checks.slice(at))), code, message)
    }
  })
})

it('nothing of all this has changed a pack', async () => {
  house.clock.nextMinute()
  expect((await after.get('/me/packs')).json.total).toBe(200)
  expect((await owner.get(`/packs/${theirs}`)).json.pack.name).toBe('Grand Finals')
})
