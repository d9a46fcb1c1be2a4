import { readFile } from 'node:fs/promises'
import type { Browser as Chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { readZip } from '../support/read-zip.ts'
import { closeWindow, looks, overflowOf } from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { openPool, openPoolHouse, savePack, settleStats, whenKnown } from './pool-page.ts'

let chromium: Chromium
let house: SiteHouse
let owner: Browser
let slug: string

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openPoolHouse({ mirrors: 'own' })
  owner = await house.signedIn(7001)
  slug = await savePack(house, owner)
  await settleStats(house)
})
afterAll(async () => {
  await house.close()
  await chromium.close()
})

const behave = (how: object) =>
  fetch(`${house.platformUrl}/standin/mirror`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(how),
  })

it('without a mirror, the page says what to do, and asks no other site for anything', async () => {
  const bare = await openPoolHouse()
  const at = await savePack(bare, await bare.signedIn(7001))
  const { page } = await openPool(chromium, bare, `/p/${at}`)
  await whenKnown(page)
  expect(await page.getByRole('button', { name: 'Get the maps' }).count()).toBe(0)
  await page.getByRole('region', { name: 'Maps' }).getByText('from its page').waitFor()
  const { headers, text } = await bare.browser().send('GET', `/p/${at}`)
  expect(headers.get('content-security-policy')).toContain("connect-src 'self';")
  expect(text).not.toContain('"mirrors"')
  await closeWindow(page)
  await bare.close()
})

describe('the maps of a pack', () => {
  it('are one file in three presses, by the browser alone, with names in pool order', async () => {
    await behave({ lacking: [9_104], failing: 0.3 })
    const { page, complaints } = await openPool(chromium, house, `/p/${slug}`, {
      // Where the browser cannot ask for a place, it saves as any download.
      prepare: (opened) => opened.addInitScript('delete window.showSaveFilePicker'),
    })
    await whenKnown(page)
    const press = (name: string | RegExp) => page.getByRole('button', { name }).click()
    await press('Get the maps')
    await press(/^Load 8 sets$/)
    await page.getByText('7 of 8 sets are here; 1 could not be loaded').waitFor()
    const missing = page.getByRole('listitem').filter({ hasText: 'No mirror has it' })
    expect(await missing.getByRole('link').getAttribute('href')).toBe(
      'https://osu.ppy.sh/beatmapsets/9104',
    )
    const [download] = await Promise.all([page.waitForEvent('download'), press('Save 7 of 8')])
    expect(download.suggestedFilename()).toBe('Harbour Cup.zip')
    const bytes = await readFile(await download.path())
    const files = readZip(bytes)
    const names = files.map(({ name }) => name)
    expect(names).toHaveLength(7)
    expect(names).toEqual(names.toSorted())
    for (const { content } of files) expect(readZip(content)).toHaveLength(1)
    expect(names[0]).toMatch(/^1 .*Nine Rivers - Harbour 108\.osz$/)
    // What failed on the way is no fault of the page.
    expect(complaints.filter((line) => !/Failed to load|ERR_/.test(line))).toEqual([])
    await closeWindow(page)
  })

  it('can be asked of the configured mirrors alone, and one by one of the game', async () => {
    const { page } = await openPool(chromium, house, `/p/${slug}`)
    await whenKnown(page)
    const policy = async (path: string): Promise<string> => {
      const { headers } = await owner.send('GET', path)
      return /connect-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? ''
    }
    for (const path of [`/p/${slug}`, '/packs', '/nothing']) {
      expect(await policy(path)).toBe(`'self' ${house.platformUrl}`)
    }
    const inGame = page.getByRole('link', { name: 'Harbour 101 in the game' })
    expect(await inGame.getAttribute('href')).toBe('osu://b/101')
    await closeWindow(page)
  })

  it.each(looks)('can be read and worked in %s', async (_name, look) => {
    const { page } = await openPool(chromium, house, `/p/${slug}`, { look })
    await whenKnown(page)
    await page.getByRole('button', { name: 'Get the maps' }).click()
    await page.getByRole('button', { name: /^Load/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await closeWindow(page)
  })
})
