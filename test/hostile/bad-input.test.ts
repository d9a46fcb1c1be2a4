import { afterAll, beforeEach, expect, test } from 'vitest'
import { expectError } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { badFields } from './bad-fields.ts'
import { badPools } from './bad-pools.ts'
import { badWire } from './bad-wire.ts'

const house = await openHouse()
afterAll(house.close)
const host = await house.host()
const slug = await host.save(aPack({ name: 'The one that stays' }))
const before = (await host.get('/me/packs')).text

beforeEach(() => house.clock.nextMinute())

const cases = [...badFields, ...badPools, ...badWire]

test('the catalogue is long', () => expect(cases.length).toBeGreaterThanOrEqual(300))

test.each(cases.map((bad) => [bad.title, bad] as const))(
  '%s',
  async (_title, { method = 'GET', path = '/packs', body, headers = {}, code, message }) => {
    const reply = await host.ask(method, path, { body, headers })
    expectError(reply, code, message)
    expect((await host.get('/me/packs')).text).toBe(before)
  },
)

test.each([...badFields, ...badPools].filter(({ body }) => typeof body === 'object').slice(0, 60))(
  'PUT is as strict, and changes nothing: $title',
  async ({ body, code, message }) => {
    expectError(await host.put(slug, body), code, message)
    expect((await host.get('/me/packs')).text).toBe(before)
  },
)
