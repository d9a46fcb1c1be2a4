import { afterAll, expect, test } from 'vitest'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
afterAll(house.close)
const host = await house.host()

test.each([
  ['an empty body of type JSON', 'application/json', ''],
  ['a body that is not JSON', 'application/json', '{'],
  ['another type', 'text/plain', 'goodbye'],
  ['a type that is none', ';;;', 'x'],
  ['a large body', 'application/json', 'x'.repeat(100_000)],
])('204: DELETE reads no body and minds none: %s (spec 4.1)', async (_title, type, body) => {
  house.clock.nextMinute()
  const slug = await host.save(aPack())
  const headers = { 'content-type': type }
  const reply = await host.ask('DELETE', `/packs/${slug}`, { body, headers })
  expect(reply.status).toBe(204)
  expect(reply.text).toBe('')
})
