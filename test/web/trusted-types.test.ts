import type { Browser as Chromium, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import { pagesOf } from '../../src/site/pages/page-table.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let chromium: Chromium
let owner: Browser
let slug: string
let packKey: string

beforeAll(async () => {
  house = await openSiteHouse({ hasRealPages: true })
  chromium = await launchChromium()
  await house.ports.accounts.setModerator(7003, true, 0)
  owner = await house.signedIn(7003)
  slug = await house.save(owner, aPack({ visibility: 'public' }))
  packKey = (await owner.ask('GET', `/session/packs/${slug}`)).json.pack.packKey
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})

/** A context whose pages note in `violations` what the content security policy stops. */
const watched = async (service: ServiceName, from: Browser | null): Promise<BrowserContext> => {
  const url = house.urls[service]
  const context = await chromium.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 800 },
  })
  const cookies = [...(from?.cookies ?? [])].map(([name, value]) => ({ name, value, url }))
  if (cookies.length > 0) await context.addCookies(cookies)
  await context.addInitScript(`
    globalThis.violations = []
    addEventListener('securitypolicyviolation', ({ violatedDirective, sample, sourceFile }) =>
      violations.push([violatedDirective, sample, sourceFile].join(' ')), true)
  `)
  return context
}

const pathsOf = (service: ServiceName): string[] => pagesOf[service].map(({ path }) => path)

describe('every page runs under Trusted Types, by one policy', () => {
  it.each([
    ['packs', 'a moderator'],
    ['packs', 'a stranger'],
    ['pools', 'a stranger'],
  ] as const)('no page of %s violates it for %s', async (service, who) => {
    const context = await watched(service, who === 'a stranger' ? null : owner)
    const page = await context.newPage()
    const paths = [
      ...pathsOf(service),
      ...(service === 'packs' ? [`/p/${slug}`, `/p/${slug}/edit`, `/k#${packKey}`] : ['/', '/my']),
      '/nothing/here',
      '/sign-in/callback?code=1',
    ]
    for (const path of paths) {
      // A hash alone would not load the page again.
      if (path.includes('#')) await page.goto('/robots.txt')
      const reply = await page.goto(path)
      const policy = reply?.headers()['content-security-policy']
      expect(policy, path).toContain("require-trusted-types-for 'script'; trusted-types mapcrate")
      await page.locator('h1').first().waitFor()
      expect(await page.evaluate('violations'), path).toEqual([])
    }
    await context.close()
  })

  it('what pages load and do later does not violate it', async () => {
    const context = await watched('packs', owner)
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto('/new')
    await page.locator('textarea').first().fill('NM1 75\nHD1 129891')
    await page.getByText('129891').last().waitFor()
    expect(await page.evaluate('violations')).toEqual([])
    await page.goto(`/p/${slug}`)
    await page
      .getByRole('button', { name: /^Download / })
      .first()
      .click()
    expect(await page.evaluate('violations')).toEqual([])
    await page.goto('/docs/reference')
    await page.locator('.docs-part a').first().click()
    await page
      .getByRole('button', { name: /^Copy / })
      .first()
      .click()
    expect(await page.evaluate('violations')).toEqual([])
    await context.close()
  })

  it('guides are shown, and the same page takes no other string as markup', async () => {
    const context = await watched('packs', null)
    const page = await context.newPage()
    await page.goto('/docs/api')
    await page.locator('.docs-text code').first().waitFor()
    await page.locator('.docs-table td a, .docs-text a').first().waitFor()
    const attempts = await page.evaluate(`
      [
        () => { document.createElement('p').innerHTML = '<b>x</b>' },
        () => { document.createElement('script').textContent = 'x' },
        () => { trustedTypes.createPolicy('mapcrate', {}) },
        () => { trustedTypes.createPolicy('other', {}) },
      ].map((run) => {
        try { run() } catch (error) { return error.name }
        return 'passed'
      })
    `)
    expect(attempts).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError'])
    await context.close()
  })
})
