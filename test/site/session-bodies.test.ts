import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { Browser } from '../support/browser.ts'
import type { Reply } from '../support/door.ts'
import { aPack } from '../support/samples.ts'
import { endpoints, expectSiteError, pathFor } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const MODERATOR = 7003

let house: SiteHouse
let browser: Browser
let slug: string
let before: unknown

const everything = async (): Promise<unknown> => [
  (await browser.ask('GET', '/session/packs')).json,
  (await browser.ask('GET', '/session/key')).json.key,
  (await browser.ask('GET', '/session/moderation/log')).json,
]

beforeAll(async () => {
  house = await openSiteHouse()
  await house.ports.accounts.setModerator(MODERATOR, true, 0)
  browser = await house.signedIn(MODERATOR)
  slug = await house.save(browser, aPack({ visibility: 'public' }))
  before = await everything()
})
afterAll(() => house.close())

type Headers = Record<string, string | null>

const reading = endpoints.filter(([, { body }]) => body !== undefined)

describe('D-25, D-18: a body that is none is refused, and nothing is done', () => {
  const send = (
    [, endpoint]: readonly [string, Endpoint],
    body: unknown,
    headers: Headers = {},
  ): Promise<Reply> => {
    // Each of these spends a write where saving does; they must not run dry.
    if (endpoint.spendsWrite) house.clock.nextMinute()
    return browser.ask(endpoint.method, pathFor(endpoint, slug), body, headers)
  }

  test.each(reading)('%s: 415', async (...endpoint) => {
    for (const type of ['text/plain', 'application/json5', 'application/ld+json']) {
      const reply = await send(endpoint, '{}', { 'content-type': type })
      expectSiteError(reply, 'unsupported_media_type')
    }
    const packed = await send(endpoint, '{}', { 'content-encoding': 'gzip' })
    expectSiteError(packed, 'unsupported_media_type')
  })

  test.each(reading)('%s: 413', async (...endpoint) => {
    const text = JSON.stringify({ filler: 'x'.repeat(16_384) })
    expectSiteError(await send(endpoint, text), 'too_large')
  })

  test.each(reading)('%s: 400', async (...endpoint) => {
    const wrong = [
      ['{', /valid JSON/],
      ['', /valid JSON/],
      ['[]', /must be an? (JSON )?object/],
      ['"text"', /must be an? (JSON )?object/],
      ['null', /must be an? (JSON )?object/],
      [Buffer.from('{"name":"\xff"}', 'latin1'), /UTF-8/],
      ['{"name":"\\ud800"}', /lone surrogate/],
      ['{"name":"\\u0000"}', /U\+0000/],
    ] as const
    for (const [body, message] of wrong) {
      expectSiteError(await send(endpoint, body), 'bad_request', message)
    }
  })

  test.each(reading)(
    '%s: 400 for fields that are missing or of another type',
    async (...endpoint) => {
      const { required = [] } = endpoint[1].body as { required?: readonly string[] }
      for (const field of required) {
        const reply = await send(endpoint, {})
        expectSiteError(reply, 'bad_request', / is missing$/)
        const wrong = await send(endpoint, { [field]: 7 })
        expectSiteError(wrong, 'bad_request', / (is missing|must be .+)$/)
      }
    },
  )

  test('and all is as it was', async () => {
    expect(await everything()).toEqual(before)
  })
})
