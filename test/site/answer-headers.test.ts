import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { aPack } from '../support/samples.ts'
import { endpoints, expectSuccess, pathFor } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let browser: Browser
let slug: string
beforeAll(async () => {
  house = await openSiteHouse()
  await house.ports.accounts.setModerator(7003, true, 0)
  browser = await house.signedIn(7003)
  slug = await house.save(browser, aPack({ visibility: 'public' }))
})
afterAll(() => house.close())

const reads = endpoints.filter(([, { method }]) => method === 'GET')

test.each(reads)(
  '%s: its answer is a file to keep only if its endpoint says so',
  async (name, endpoint) => {
    house.clock.nextMinute()
    const reply = await browser.ask('GET', pathFor(endpoint, slug))
    if (reply.status >= 400) expect(reply.headers.has('content-disposition')).toBe(false)
    else expectSuccess(reply, name)
  },
)
