import { afterAll, beforeEach, expect, test } from 'vitest'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { expectStanding } from '../api/standing.ts'
import { badDirections } from './bad-directions.ts'
import { badFields } from './bad-fields.ts'
import { badNumbers } from './bad-numbers.ts'
import { badPools } from './bad-pools.ts'
import { badWire } from './bad-wire.ts'
import { badWords } from './bad-words.ts'
import type { BadCase } from './case.ts'

const house = await openHouse()
afterAll(house.close)
const host = await house.host()
const other = await house.host()
const slug = await host.save(aPack({ name: 'The one that stays' }))
const before = (await host.get('/me/packs')).text

beforeEach(() => house.clock.nextMinute())

const badBodies = [...badFields, ...badNumbers, ...badPools, ...badWords, ...badDirections]
const cases = [...badBodies, ...badWire]
const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Refused to the letter, with the headers of a refusal; nothing was saved and the service goes on. */
const expectRefusal = async (method: string, reply: Reply, bad: BadCase): Promise<void> => {
  expectError(reply, bad.code, bad.message)
  expectStanding(reply)
  const limit = writes.has(method) ? 10 : 60
  expect(quotaOf(reply)).toMatchObject({ limit, remaining: limit - 1 })
  if (bad.secret !== undefined) expect(reply.text.toLowerCase()).not.toContain(bad.secret)
  expect((await host.get('/me/packs')).text).toBe(before)
}

test('the catalogue is long, and no case stands in it twice', () => {
  expect(cases.length).toBeGreaterThanOrEqual(300)
  const sent = cases.map(({ method, path, body, headers }) =>
    JSON.stringify([method, path, body, headers]),
  )
  expect(sent.length - new Set(sent).size).toBe(0)
})

test.each(cases.map((bad) => [bad.title, bad] as const))('%s', async (_title, bad) => {
  const { method = 'GET', path = '/packs', body, headers = {} } = bad
  await expectRefusal(method, await host.ask(method, path, { body, headers }), bad)
})

const posts = cases.filter(({ method, path }) => method === 'POST' && path === undefined)

test.each(posts.map((bad) => [bad.title, bad] as const))(
  'PUT is as strict: %s',
  async (_title, bad) => {
    const { body, headers = {} } = bad
    await expectRefusal('PUT', await host.ask('PUT', `/packs/${slug}`, { body, headers }), bad)
  },
)

const aroundBodies = badWire.filter(({ method, path }) => method === 'POST' && path === undefined)

test.each(aroundBodies.map((bad) => [bad.title, bad] as const))(
  'PUT of the history is as strict: %s',
  async (_title, bad) => {
    const { body, headers = {} } = bad
    const path = `/packs/${slug}/history`
    const reply = await host.ask('PUT', path, { body, headers })
    await expectRefusal('PUT', reply, bad)
    expect((await other.get(path)).status).toBe(404)
  },
)
