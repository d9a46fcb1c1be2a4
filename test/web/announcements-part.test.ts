import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DISCORD_URL_EXAMPLE } from '../../src/contract/announcements.ts'
import { axeViolations } from '../support/axe.ts'
import { SECRET_TOKEN } from '../support/chat-scene.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage, overflowOf } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let chromium: Chromium

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true, sendsToDiscord: true })
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

it('hosts set an address that is never shown again, send a trial, see the log, and remove it', async () => {
  const host = await house.signedIn(7001, 'pools')
  const body = { name: 'Harbour Lights Cup', visibility: 'public' }
  const { slug } = (await host.ask('POST', '/session/tournaments', body)).json.tournament
  const { page, complaints } = await openRealPage(chromium, house, {
    from: host,
    path: `/t/${slug}/edit`,
    service: 'pools',
    look: { viewport: { width: 390, height: 844 } },
  })
  await button(page, 'Settings').click()
  await page.getByText('Announce on Discord', { exact: true }).click()
  await page.getByLabel('Webhook URL').fill(` ${DISCORD_URL_EXAMPLE}  `)
  await button(page, 'Set the address').click()
  await page.getByText('An address is set.').waitFor()
  await page.locator('summary', { hasText: 'Delete the tournament' }).click()
  await page.getByText('is told that it was deleted').waitFor()
  await button(page, 'Send a trial').click()
  await page.locator('.announcements-log li').waitFor()
  expect(await page.locator('.announcements-log li').innerText()).toMatch(
    /Trial message[^]*Waiting/,
  )
  const now = house.clock.now()
  const [taken] = await house.ports.announcements.take(now, 15_000, 1)
  const refusal = { status: 400, code: 220_001 }
  const end = { kind: 'given-up', problem: 'rejected', refusal } as const
  await house.ports.announcements.finish(taken!, end, now)
  await button(page, 'Look again').click()
  const line = page.locator('.announcements-log li', { hasText: 'did not take the message' })
  expect(await line.innerText()).toMatch(/HTTP 400, code 220001[^]*thread_id=/)
  // Within ten seconds of the one before.
  await button(page, 'Send a trial').click()
  await page.getByText('At most one message in 10 seconds', { exact: false }).waitFor()
  expect(await page.content()).not.toContain(SECRET_TOKEN)
  expect(await overflowOf(page)).toBe(0)
  expect(await axeViolations(page)).toEqual([])
  await button(page, 'Replace').click()
  await button(page, 'Keep the address').click()
  await button(page, 'Remove').click()
  await page.getByLabel('Webhook URL').waitFor()
  expect(await page.locator('.announcements-log li').innerText()).toMatch(
    /Not sent: Discord did not/,
  )
  expect(complaints.filter((each) => !each.includes('status of 429'))).toEqual([])
  await closeWindow(page)
})
