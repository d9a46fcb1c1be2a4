import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { Browser } from '../support/browser.ts'
import { aPack } from '../support/samples.ts'
import { bodies, endpoints, pathFor } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { everythingOf, expectDeclared } from '../support/site-watch.ts'

// What a hostile client makes up; the token and the session are good, so that all of it gets through.
let house: SiteHouse
let browser: Browser
let slug: string
let valid: Readonly<Record<string, unknown>>

beforeAll(async () => {
  house = await openSiteHouse()
  await house.ports.accounts.setModerator(7003, true, 0)
  browser = await house.signedIn(7003)
  slug = await house.save(browser, aPack({ visibility: 'public', name: 'The one that stays' }))
  const { packKey, updatedAt } = (await browser.ask('GET', `/session/packs/${slug}`)).json.pack
  valid = bodies(packKey, updatedAt)
  await browser.ask('POST', '/session/key')
})
afterAll(() => house.close())

const reading = endpoints.filter(([, { body }]) => body !== undefined)
/** Nothing that is made up can be all that these ask for. */
const demanding = reading.filter(
  ([, { body }]) => ((body as { required?: readonly string[] }).required ?? []).length > 0,
)

const send = async (endpoint: Endpoint, body: unknown): Promise<number> => {
  house.clock.nextMinute()
  const reply = await browser.ask(endpoint.method, pathFor(endpoint, slug), body)
  expectDeclared(reply, endpoint)
  return reply.status
}

/** The same request, wrong in the same way, gets the same answer however often it is sent. */
const runs = { numRuns: 60, seed: 20_261_003 }

const nastyText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e',
    '\u2028',
    '__proto__',
    'constructor',
    'x'.repeat(5000),
    '%00',
    '../../etc/passwd',
    '${7*7}',
    "'; drop table pack; --",
    '</script>',
  ),
  fc.string({ unit: 'binary', maxLength: 80 }),
)
const nasty = fc.oneof(
  nastyText,
  fc.constantFrom(null, true, false, 0, -0, -1, 1e308, 1.5, 2 ** 53, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 3 }),
)

describe('whatever JSON is sent: never 500, only what the endpoint declares (spec 2.9, D-14, D-18)', () => {
  test.each(demanding)('%s: nothing comes of made-up values', async (_name, endpoint) => {
    const before = await everythingOf(browser)
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(await send(endpoint, JSON.stringify(value))).toBe(400)
      }),
      runs,
    )
    expect(await everythingOf(browser)).toEqual(before)
  })

  // Signing out and deleting the account ask for so little that a wrong value is all there is to try.
  const changeable = reading.filter(([name]) => name !== 'signOut' && name !== 'deleteAccount')
  test.each(changeable)('%s: a good body with one thing in it replaced', async (name, endpoint) => {
    const isPin = name === 'pinPack' || name === 'unpinPack'
    const good = isPin ? { reason: 'as asked' } : (structuredClone(valid[name]) as Json)
    const places = placesIn(good)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), nasty, async (place, value) => {
        await send(endpoint, JSON.stringify(replaced(good, place, value)))
      }),
      { ...runs, numRuns: 120 },
    )
  })

  test.each([
    ['everywhere', '/session/sign-out', 'POST'],
    ['username', '/session/account', 'DELETE'],
  ])('%s with any other value is 400, and one stays signed in', async (field, path, method) => {
    await fc.assert(
      fc.asyncProperty(nasty, async (value) => {
        if (typeof value === 'boolean' && field === 'everywhere') return
        const reply = await browser.ask(method, path, JSON.stringify({ [field]: value }))
        expect(reply.status).toBe(400)
      }),
      runs,
    )
    expect(await browser.look()).not.toBeNull()
  })
})

describe('D-17, D-18: tricks of JSON', () => {
  const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  const tricks: readonly (readonly [
    string,
    (good: string, fields: readonly string[]) => string,
  ])[] = [
    ['fields in __proto__', (good) => `{"__proto__":${good}}`],
    ['fields in constructor.prototype', (good) => `{"constructor":{"prototype":${good}}}`],
    ['each field twice, the good one first', (good, fields) => twice(good, fields)],
    ['an array of it', (good) => `[${good}]`],
    ['it as text', (good) => JSON.stringify(good)],
    ['two bodies', (good) => `${good}${good}`],
    ['a comment', (good) => `/* */${good}`],
    ['a comma at its end', (good) => good.replace(/\}$/, ',}')],
    ['half of it', (good) => good.slice(0, -1)],
    ['8,000 brackets', () => deep(8000)],
  ]
  const cases = demanding.flatMap(([name, endpoint]) =>
    tricks.map(([title, trick]) => [name, title, endpoint, trick] as const),
  )

  test.each(cases)('%s: %s: 400, nothing is done', async (name, _title, endpoint, trick) => {
    const before = await everythingOf(browser)
    const good = valid[name] as Readonly<Record<string, unknown>>
    const body = trick(JSON.stringify(good), Object.keys(good))
    expect(await send(endpoint, body)).toBe(400)
    expect(await everythingOf(browser)).toEqual(before)
    expect(Object.hasOwn(Object.prototype, 'name')).toBe(false)
  })

  test('7,000 brackets in a field that nobody reads are no more than that', async () => {
    const body = `{"beatmaps":[{"id":75,"mods":[]}],"x":${deep(7000)}}`
    house.clock.nextMinute()
    expect((await browser.ask('POST', '/session/beatmaps', body)).status).toBe(200)
  })
})

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
type Place = readonly (string | number)[]

/** Every place in a value but the whole. */
const placesIn = (value: Json): Place[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    [name],
    ...placesIn(inner).map((place) => [name, ...place]),
  ])
}

const replaced = (value: Json, [name, ...rest]: Place, by: unknown): unknown => {
  if (name === undefined) return by
  const copy = structuredClone(value) as Record<string, Json>
  copy[name] = replaced(copy[name] as Json, rest, by) as Json
  return copy
}

/** What stands last counts, and here that is wrong. */
const twice = (good: string, fields: readonly string[]): string =>
  good.replace(/\}$/, `,${fields.map((field) => `${JSON.stringify(field)}:7`).join(',')}}`)
