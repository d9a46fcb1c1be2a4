import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

// What another person saves while somebody types or chooses in the same place is never overwritten unseen.

let house: SiteHouse
let chromium: Chromium
let host: Browser
let slug: string
let round: string
let page: Page

const draft = {
  name: 'Finals',
  slots: [{ mod: 'NM', index: 1, beatmapId: 101 }],
  packName: 'Cup Finals',
  targets: {
    stars: { min: 4, max: 6 },
    length: { min: 90, max: 300 },
    bpm: { min: 120, max: 200 },
  },
  mapPackUrl: 'https://files.example/a.zip',
  showcaseUrl: 'https://videos.example/a',
}

const ask = async (method: string, path: string, body?: unknown) => {
  const tagged = method === 'PUT' ? { 'if-match': '*' } : {}
  const reply = await host.ask(method, `/session/tournaments${path}`, body, tagged)
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply.json
}

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  host = await house.signedIn(7001, 'pools')
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(async () => {
  house.clock.nextMinute()
  slug = (await ask('POST', '', { name: 'Harbour Lights Cup' })).tournament.slug
  round = `/${slug}/rounds/${(await ask('POST', `/${slug}/rounds`, draft)).round.id}`
  ;({ page } = await openRealPage(chromium, house, {
    from: host,
    service: 'pools',
    path: `/t/${slug}/edit`,
  }))
  await page.locator('.lanes').waitFor()
})
afterEach(async () => {
  await closeWindow(page)
  await ask('DELETE', `/${slug}`)
})

describe('in a field of a round', () => {
  const { stars, length, bpm } = draft.targets
  const fields: readonly (readonly [
    label: string,
    mine: string,
    theirs: object,
    shown: string,
    mineShown: string,
  ])[] = [
    ['Name of the round', 'Mine', { name: 'Theirs' }, 'Theirs', 'Mine'],
    ['Name of the pack', 'Mine', { packName: 'Theirs' }, 'Theirs', 'Mine'],
    [
      'Map pack',
      'https://files.example/mine.zip',
      { mapPackUrl: 'https://files.example/theirs.zip' },
      'https://files.example/theirs.zip',
      'https://files.example/mine.zip',
    ],
    [
      'Showcase',
      'https://videos.example/mine',
      { showcaseUrl: 'https://videos.example/theirs' },
      'https://videos.example/theirs',
      'https://videos.example/mine',
    ],
    ...(
      [
        ['Stars, from', '4.5', { stars: { ...stars, min: 5 } }, '5–6★', '4.5–6★'],
        ['Stars, to', '6.5', { stars: { ...stars, max: 7 } }, '4–7★', '4–6.5★'],
        ['Length, from', '1:40', { length: { ...length, min: 60 } }, '1:00–5:00', '1:40–5:00'],
        ['Length, to', '4:00', { length: { ...length, max: 360 } }, '1:30–6:00', '1:30–4:00'],
        ['BPM, from', '130', { bpm: { ...bpm, min: 140 } }, '140–200 BPM', '130–200 BPM'],
        ['BPM, to', '', { bpm: { ...bpm, max: 220 } }, '120–220 BPM', 'from 120 BPM'],
      ] as const
    ).map(
      ([label, mine, targets, shown, mineShown]) =>
        [label, mine, { targets: { ...draft.targets, ...targets } }, shown, mineShown] as const,
    ),
  ]

  it.each(fields)('%s', async (label, mine, theirs, shown, mineShown) => {
    await page.locator('.round-fields summary').click()
    const field = page.getByRole('textbox', { name: label, exact: true })
    await field.fill(mine)
    await ask('PUT', round, { ...draft, ...theirs, bestOf: 11 })
    // It came with the same event.
    await expect.poll(() => page.getByRole('combobox', { name: 'Best of' }).inputValue()).toBe('11')
    await field.press('Enter')
    const conflict = page.locator('.slot-conflict')
    await conflict.waitFor()
    const cells = await conflict.locator('tbody td').allTextContents()
    expect(cells[0]).toContain(shown)
    expect(cells[1]).toContain(mineShown)
    expect((await ask('GET', round)).round).toMatchObject(theirs)
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await conflict.waitFor({ state: 'detached' })
    await expect
      .poll(async () => JSON.stringify((await ask('GET', round)).round))
      .not.toContain(JSON.stringify(theirs).slice(1, -1))
  })

  it('other ends of the same ranges are no conflict', async () => {
    await page.locator('.round-fields summary').click()
    const field = page.getByRole('textbox', { name: 'Stars, from', exact: true })
    await field.fill('4.5')
    const targets = { ...draft.targets, stars: { min: 4, max: 7 }, bpm: { min: 100 } }
    await ask('PUT', round, { ...draft, targets, bestOf: 11 })
    await expect.poll(() => page.getByRole('combobox', { name: 'Best of' }).inputValue()).toBe('11')
    await field.press('Enter')
    const both = { ...targets, stars: { min: 4.5, max: 7 } }
    await expect.poll(async () => (await ask('GET', round)).round.targets).toEqual(both)
    expect(await page.locator('.slot-conflict').count()).toBe(0)
  })
})

describe('in the settings of a tournament', () => {
  const fields: readonly (readonly [label: string, mine: string, theirs: object, told: string])[] =
    [
      ['Name', 'Mine', { name: 'Theirs' }, 'Theirs'],
      ['Short name', 'MINE', { shortName: 'THEIRS' }, 'THEIRS'],
      ['Description', 'Mine', { description: 'Theirs' }, 'Theirs'],
      ['Link', 'https://a.example/mine', { link: 'https://a.example/theirs' }, 'theirs'],
      ['Ruleset', 'taiko', { ruleset: 'mania' }, 'Mania'],
      ['Year', '2026', { year: 2027 }, '2027'],
      ['Rank from', '10', { rankMin: 20 }, '20'],
      ['Rank to', '1000', { rankMax: 2000 }, '2000'],
    ]

  it.each(fields)('%s', async (label, mine, theirs, told) => {
    await page.getByRole('button', { name: 'Settings', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel(label, { exact: true })
    if (label === 'Ruleset') await dialog.getByRole('combobox').selectOption(mine)
    else await field.fill(mine)
    await ask('PATCH', `/${slug}`, theirs)
    const save = dialog.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await expect.poll(() => save.getAttribute('aria-busy')).toBe('false')
    expect((await ask('GET', `/${slug}`)).tournament).toMatchObject(theirs)
    await dialog.getByText('Another host has changed this meanwhile').waitFor()
    expect(await dialog.getByRole('alert').allTextContents()).toContainEqual(
      expect.stringContaining(
        `${label}: ${told.startsWith('theirs') ? 'https://a.example/' : ''}${told}`,
      ),
    )
    await save.click()
    await dialog.waitFor({ state: 'detached' })
    expect((await ask('GET', `/${slug}`)).tournament).not.toMatchObject(theirs)
  })
})
