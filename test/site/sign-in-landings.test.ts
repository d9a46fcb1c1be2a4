import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectation } from '../../src/adapters/platform/expectations.ts'
import type { Browser } from '../support/browser.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

// What the site makes of the answers of the platform's own page (4, 7 to 9 of the list), which the browser brings.

let house: SiteHouse
let browser: Browser

beforeEach(async () => {
  house = await openSiteHouse()
  browser = house.browser()
})
afterEach(() => house.close())

const addressOfPage = async (): Promise<URL> =>
  new URL((await browser.open('/sign-in')).headers.get('location') ?? '')

/** Sends the form of the page, and opens the address that it leads to. */
const send = async (changes: Readonly<Record<string, string>>) => {
  const { origin, pathname, searchParams } = await addressOfPage()
  for (const [name, value] of Object.entries(changes)) searchParams.set(name, value)
  const response = await fetch(origin + pathname, {
    method: 'POST',
    body: searchParams,
    redirect: 'manual',
  })
  return land(response)
}

const land = async (response: Response) => {
  const { pathname, search } = new URL(response.headers.get('location') ?? '')
  return browser.open(pathname + search)
}

test('4: a scope that the platform does not know is a mistake of the operator, though no state comes back', async () => {
  expect(expectation(4).then).toBe('set-up')
  const reply = await send({ scope: 'identify everything', player: '7001' })
  expect(reply.text).toContain('Sign-in is not set up correctly')
  expect(await browser.look()).toBeNull()
})

test('7: who cancels is not signed in, and nothing is wrong', async () => {
  expect(expectation(7).then).toBe('denied')
  const reply = await send({ decision: 'deny' })
  expect(reply.text).toContain('nothing has changed')
  expect(await browser.look()).toBeNull()
})

test('8: who agrees is signed in', async () => {
  expect(expectation(8).then).toBe('fine')
  expect((await send({ player: '7001' })).status).toBe(302)
  expect(await browser.look()).toMatchObject({ gameId: 7001 })
})

test('9: who has agreed before is signed in without being asked', async () => {
  expect(expectation(9).then).toBe('fine')
  await send({ player: '7002' })
  browser.cookies.clear()
  await fetch(`${house.platformUrl}/standin/visitor`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"player":7002}',
  })
  const page = await addressOfPage()
  expect((await land(await fetch(page, { redirect: 'manual' }))).status).toBe(302)
  expect(await browser.look()).toMatchObject({ gameId: 7002 })
})
