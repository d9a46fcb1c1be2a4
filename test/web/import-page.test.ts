import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openAssetStore } from '../../src/site/assets/assets.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { buildPages } from '../support/build-pages.ts'
import { launchChromium } from '../support/chromium.ts'
import {
  closeWindow,
  looks,
  openRealPage,
  overflowOf,
  phone,
  targetHeights,
} from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { plainInstallation } from '../support/settings.ts'

let house: SiteHouse
let chromium: Chromium
let from: Browser
let page: Page
let complaints: string[]

type Opening = { readonly look?: BrowserContextOptions; readonly hasHandClock?: boolean }
const open = async (more: Opening = {}) => {
  ;({ page, complaints } = await openRealPage(chromium, house, { from, path: '/new', ...more }))
}
const box = () => page.getByRole('textbox', { name: 'Paste a sheet' })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const question = (name: string | RegExp) => page.getByRole('group', { name })
/** As people do: `fill` types line by line. */
const paste = async (text: string) => {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await box().focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Control+V')
}
const rows = async (): Promise<string[]> => {
  const labels = await page
    .locator('.edit-handle')
    .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')?.replace('Move ', '')))
  const ids = await page
    .locator('.edit-beatmap')
    .evaluateAll((all) => all.map((each) => (each as unknown as { value: string }).value))
  return labels.map((label, at) => `${label} ${ids[at]}`)
}
/** What is read of line `number`, without the sign for its rule. */
const outcome = (number: number) =>
  page
    .locator('tr', { has: page.locator(`.paste-number:text-is("${number}")`) })
    .locator('.paste-outcome')
    .first()
    .innerText()

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  from = await house.signedIn(7001)
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(() => closeWindow(page))

/** As overlays keep it; nobody but its host knows what SPEEDY and CHILL are. */
const doubtful = (chill = 78): string =>
  [
    '[{"beatmapId":75,"pick":"NM1"},',
    '{"beatmapId":76,"mods":"SPEEDY"},',
    '{"beatmapId":77,"mods":"SPEEDY"},',
    `{"beatmapId":${chill},"mods":"CHILL"}]`,
  ].join('\n')

describe('what is not certain', () => {
  it('is asked at its line, once for lines alike, and nothing is added before it is answered', async () => {
    await open()
    await box().fill(doubtful())
    await question(/SPEEDY.*Decides lines 2–3/).waitFor()
    await question(/CHILL/).waitFor()
    expect(await button('Add 1 beatmap').isDisabled()).toBe(true)
    await box().press('Control+Enter')
    await button('Answer 2 questions first').click()
    expect(await rows()).toEqual([])
    const isFocused = (name: RegExp) => () =>
      question(name)
        .getByRole('radio')
        .first()
        .evaluate((radio) => radio.matches(':focus'))
    await expect.poll(isFocused(/SPEEDY/)).toBe(true)
    await page.keyboard.press('1')
    await button('Answer 1 question first').click()
    await expect.poll(isFocused(/CHILL/)).toBe(true)
    await page.keyboard.press('2')
    await button('Add 4 beatmaps').click()
    await expect.poll(rows).toEqual(['1 78', 'NM1 75', 'SPEEDY1 76', 'SPEEDY2 77'])
    await page.keyboard.press('Control+Z')
    await expect.poll(rows).toEqual([])
    expect(complaints).toEqual([])
  })

  it('leaves the room of a line to its text, whatever comes first', async () => {
    for (const text of [doubtful(), 'NM1 75\nHD1 76', '[{"beatmapId":1,"mods":"CHILL"}]']) {
      await open()
      await box().fill(text)
      const number = page.locator('.paste-number').first()
      await number.waitFor()
      expect((await number.boundingBox())!.width, text).toBeLessThanOrEqual(48)
      await closeWindow(page)
    }
    await open()
  })

  it('stays visible once it is answered, and can be answered otherwise by arrows', async () => {
    await open()
    await box().fill(doubtful())
    const [first, second] = [0, 1].map((at) => question(/CHILL/).getByRole('radio').nth(at))
    await first!.focus()
    await page.keyboard.press('1')
    await expect.poll(() => outcome(4)).toMatch(/^CHILL1 78/)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => outcome(4)).toMatch(/^no bucket 78/)
    expect(await second!.isChecked()).toBe(true)
    expect(await second!.evaluate((radio) => radio.matches(':focus'))).toBe(true)
  })

  it('keeps its answer while its lines are the same', async () => {
    await open()
    await box().fill(doubtful())
    for (const name of [/SPEEDY/, /CHILL/]) {
      await question(name).getByRole('radio').first().press('1')
    }
    await button('Add 4 beatmaps').waitFor()
    await box().fill(`\n${doubtful(80)}`)
    await button('Answer 1 question first').waitFor()
    expect(
      await question(/SPEEDY/)
        .getByRole('radio')
        .first()
        .isChecked(),
    ).toBe(true)
    expect(await question(/CHILL/).getByRole('radio').first().isChecked()).toBe(false)
    await box().fill(doubtful())
    await button('Add 4 beatmaps').waitFor()
  })

  it('is not what has no beatmap yet: that is left out of a pack, and named (D-77)', async () => {
    await open()
    await box().fill('NM1 75\nHD1 TBA\nTB1 custom map, due Sunday')
    const summary = page.locator('.paste-summary')
    await expect
      .poll(() => summary.textContent())
      .toMatch(/^1 beatmap found; HD1 and TB have no beatmap yet: left out\./)
    await expect.poll(() => button('Add 1 beatmap').isEnabled()).toBe(true)
    expect(await page.locator('.paste-lines .planned').allTextContents()).toEqual([
      '2HD1 TBAHD1 has no beatmap yet: left out',
      '3TB1 custom map, due SundayTB has no beatmap yet: left out',
    ])
  })

  it('of the whole text comes first', async () => {
    await open()
    await box().fill('NM1 75\nNM2 is open\nNM3 is open\nHD1 is open')
    const asked = page.locator('.paste-lines > :first-child').getByRole('group')
    await expect.poll(() => asked.textContent()).toMatch(/^Less than half .* 1 of 4 lines/)
    expect(await button('Add 1 beatmap').isDisabled()).toBe(true)
    await asked.getByRole('radio').nth(1).press('2')
    await button('Add beatmaps').waitFor()
    expect(await button('Add beatmaps').isDisabled()).toBe(true)
    await asked.getByRole('radio').first().press('1')
    await button('Add 1 beatmap').click()
    await expect.poll(rows).toEqual(['NM1 75'])
  })
})

describe('what is certain', () => {
  it('gives the rule by which it was read, to the keyboard alone', async () => {
    await open()
    await box().fill('NM1 75\nHD1 76')
    await page.getByText('2 beatmaps found').waitFor()
    await page.getByText('List. ').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const rule = page.locator('tr', { hasText: 'HD1' }).getByText('one slot and one beatmap')
    await expect.poll(() => rule.isVisible()).toBe(true)
    expect(await page.locator('.paste-why[open]').count()).toBe(1)
  })

  it('makes new buckets with the mods of their code, or others', async () => {
    await open()
    await box().fill('HDHR1 75\nRC1 76')
    const bucket = (code: string) =>
      page.locator('.paste-bucket', { has: page.getByText(code, { exact: true }) })
    await bucket('HDHR').locator('summary').click()
    for (const mod of ['HD', 'HR']) {
      const checkbox = bucket('HDHR').getByRole('checkbox', { name: mod })
      expect(await checkbox.isChecked(), mod).toBe(true)
    }
    expect(await bucket('HDHR').getByRole('checkbox', { name: 'EZ' }).isDisabled()).toBe(true)
    await bucket('RC').locator('summary').click()
    await bucket('RC').getByRole('radio', { name: 'Free mods' }).check()
    await bucket('HDHR').getByRole('checkbox', { name: 'HR' }).uncheck()
    await bucket('HDHR').getByText('mods: HD').waitFor()
    await button('Add 2 beatmaps').click()
    await page.getByLabel('Name', { exact: true }).fill('Cup')
    await button('Save').click()
    await page.waitForURL(/\/p\//)
    const slug = new URL(page.url()).pathname.split('/')[2]
    const { pack } = (await from.ask('GET', `/session/packs/${slug}`)).json
    expect(pack.buckets).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'HDHR', mods: { kind: 'forced', set: ['HD'] } }),
        expect.objectContaining({ code: 'RC', mods: { kind: 'free' } }),
      ]),
    )
  })
})

describe('several rounds', () => {
  it('are offered, and none is taken before it is chosen', async () => {
    await open()
    await box().fill('Semifinals\nNM1 75\nNM2 76\nFinals\nNM1 129891')
    await page.getByText('2 rounds found').waitFor()
    expect(await button('Add beatmaps').isDisabled()).toBe(true)
    await box().press('Control+Enter')
    const choice = page.getByLabel('Choose one of 2 rounds')
    await expect.poll(() => choice.evaluate((select) => select.matches(':focus'))).toBe(true)
    await choice.selectOption('Finals (1 beatmap)')
    // It stays chosen while the text goes on.
    await box().press('End')
    await box().pressSequentially('\nHD1 78')
    await button('Add 2 beatmaps').click()
    await expect.poll(rows).toEqual(['NM1 129891', 'HD1 78'])
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Finals')
  })
})

/** Lines of 17 characters. */
const large = (lines: number, id: string): string =>
  Array.from({ length: lines }, (_, at) => `NM${(at % 9) + 1} ${id}`.padEnd(16)).join('\n')
// The same slots again, with another beatmap each.
const huge = `${large(9, '129891')}\n${large(58_000, '129892')}`
const stuck = `postMessage('ready'); addEventListener('message', () => { for (;;); })`

describe('a worker reads', () => {
  it('1 MB of text, while nothing on the page moves', async () => {
    await open()
    await page.evaluate(`
      globalThis.shifts = 0
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifts += value
      }).observe({ type: 'layout-shift' })
    `)
    await paste(huge)
    await page.getByText('9 beatmaps').first().waitFor()
    expect(await page.locator('.paste-lines tr').count()).toBeLessThan(600)
    await page.getByText(/more with problems/).waitFor()
    expect(await page.evaluate('shifts')).toBe(0)
    expect(complaints).toEqual([])
  })

  it('a text that is too long for a field, whose beginning it shows until all of it is wanted', async () => {
    await open()
    await page.evaluate(`
      globalThis.most = 0
      const look = () => {
        most = Math.max(most, document.querySelector('#edit-paste')?.value.length ?? 0)
        requestAnimationFrame(look)
      }
      look()
    `)
    const text = Array.from({ length: 1500 }, (_, at) => `well played, ${at} of us`)
    const whole = [...text, 'NM1 75'].join('\n')
    await paste(whole)
    await button('Add 1 beatmap').waitFor()
    // A field lays out all of its lines, which takes seconds.
    expect(await page.evaluate('most')).toBeLessThan(20_000)
    expect((await box().inputValue()).split('\n').length).toBe(100)
    expect(await box().getAttribute('readonly')).not.toBeNull()
    expect(await box().evaluate((field) => field.matches(':focus'))).toBe(true)
    const note = page.getByText('1,501 lines: the whole text is read')
    expect(await box().getAttribute('aria-describedby')).toContain(await note.getAttribute('id'))
    // More is added to it.
    await page.evaluate(`navigator.clipboard.writeText('NM2 76')`)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+V')
    await button('Add 2 beatmaps').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await button('Show and edit the whole text').click()
    await expect.poll(() => box().inputValue()).toBe(`${whole}\nNM2 76`)
    await expect.poll(() => box().evaluate((field) => field.matches(':focus'))).toBe(true)
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\nHD1 77')
    await button('Add 3 beatmaps').waitFor()
    // Once it is short, the next long one is cut again. With all of it selected, a paste takes its place.
    await paste('NM1 75')
    await button('Add 1 beatmap').waitFor()
    await paste(whole)
    await box().and(page.locator('[readonly]')).waitFor()
    await paste('NM3 75')
    await expect.poll(() => box().inputValue()).toBe('NM3 75')
    await paste(whole)
    await button('Remove it').click()
    await expect.poll(() => box().inputValue()).toBe('')
    await expect.poll(() => box().evaluate((field) => field.matches(':focus'))).toBe(true)
    expect(await box().getAttribute('readonly')).toBeNull()
    expect(complaints).toEqual([])
  })

  it('what was typed last, and drops what it was reading before', async () => {
    await open()
    await paste(huge)
    await box().evaluate((field) => {
      ;(field as unknown as { value: string }).value = 'TB 75'
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await button('Add 1 beatmap').click()
    await expect.poll(rows).toEqual(['TB 75'])
  })

  it('while every key press is handled, however busy it is; and is ended after 10 seconds', async () => {
    await open({ hasHandClock: true })
    await page.route('**/assets/import-worker-*.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: stuck }),
    )
    await page.evaluate(`
      globalThis.handled = 0
      document.addEventListener('input', () => (handled += 1))
    `)
    await paste(large(900, '75'.padEnd(30)))
    await page.getByText('Reading …').waitFor()
    await expect.poll(() => page.workers().length).toBe(1)
    await box().press('Control+End')
    const before = Number(await page.evaluate('handled'))
    await page.keyboard.type('\nHD1 76')
    expect(await page.evaluate('handled')).toBe(before + 7)
    expect((await box().inputValue()).endsWith('\nHD1 76')).toBe(true)
    await expect.poll(() => page.workers().length).toBe(1)
    await expect
      .poll(async () => {
        await page.clock.fastForward(11_000)
        return page.getByRole('alert').allTextContents()
      })
      .toContainEqual(expect.stringMatching(/This text could not be read: it takes too long/))
    await expect.poll(() => page.workers().length).toBe(0)
    await page.unroute('**/assets/import-worker-*.js')
    await box().fill('NM1 75')
    await button('Add 1 beatmap').waitFor()
  })

  it('again when it could not be loaded, once one asks', async () => {
    await open()
    await page.route('**/assets/import-worker-*.js', (route) => route.abort())
    await box().fill('NM1 75')
    await page.locator('main').getByText('Check your connection').waitFor()
    await page.unroute('**/assets/import-worker-*.js')
    await button('Try again').click()
    await button('Add 1 beatmap').waitFor()
  })

  it('and no page loads what reads before there is something to read', async () => {
    await open()
    const folder = buildPages()
    const { entries, files, find } = await openAssetStore(folder, plainInstallation)
    const worker = readdirSync(join(folder, 'assets')).find((name) =>
      name.startsWith('import-worker-'),
    )
    const readers = readFileSync(join(folder, 'assets', worker!), 'utf8')
    expect(readers).toContain('column')
    // As it was when lists and tables were all that was read, 67.3 and 69.9 KB, the notes of usage, the table of
    // session calls, which those of moderation are in, the merging of what two windows save, what is to hold whenever
    // the beatmaps that are looked up come, the field that does not lay out a long text, what editors say while nothing
    // may be changed, what is kept of words, texts of whole sentences for each number, and for all that is wrong, that each
    // value in them is isolated, that numbers in addresses and titles are no ids where a beatmap is typed, what becomes of a
    // write whose answer is lost, of whom is what the browser keeps, where the focus goes, that the plot grows with the text
    // and has lines for all codes, that a bucket's name with its count is
    // no beatmap, which brackets belong to an address, that a sheet brings whole rounds, that numbers count the beatmaps of buckets,
    // what is typed and not sent yet, that figures in front of a beatmap are none of its slot, that one key loses nothing that is
    // typed, nor a reload, nor a script that is late, whether the others' changes come, that a beatmap is typed with the one that it
    // replaces, what time it is on the site, which digits were typed, what can be taken back, and that a press lasts until the
    // page is left.
    for (const [name, most] of [
      ['editor', 95_700],
      ['workspace', 96_700],
    ] as const) {
      const { script, preloads } = entries!.get(name)!
      const all = [script!, ...preloads].map((file) => readFileSync(join(folder, file)))
      const size = all.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0)
      expect(size, name).toBeLessThanOrEqual(most)
      expect([script!, ...preloads].join(' ')).not.toContain(worker)
    }
    // It is served as other assets are, and published for processes of other versions.
    expect(files.map(({ path }) => path)).toContain(`assets/${worker}`)
    expect(await find(`assets/${worker}`, 'br')).toMatchObject({ coding: 'br' })
    const reply = await house.browser().open(`/assets/${worker}`)
    expect(reply.headers.get('cache-control')).toContain('immutable')
  })
})

describe('a file', () => {
  const bracket = JSON.stringify({
    Rounds: [
      {
        Name: 'Finals',
        Beatmaps: [
          { ID: 129891, Mods: 'TB' },
          { ID: 9_999_999_999, Mods: 'HD' },
        ],
      },
    ],
  })
  const choose = (name: string, content: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })

  it('shows its lines in place of the text, which comes back when it is closed', async () => {
    await open()
    await box().fill('NM1 75')
    await choose('bracket.json', bracket)
    await page.getByText('From bracket.json').waitFor()
    await page.getByText('must be from 1 to').waitFor()
    expect(await box().count()).toBe(0)
    await button('Close the file').click()
    await expect.poll(() => box().inputValue()).toBe('NM1 75')
    await button('Add 1 beatmap').waitFor()
  })

  it('of text is added to the text', async () => {
    await open()
    await box().fill('NM1 75')
    await choose('more.txt', 'HD1 76\n')
    await expect.poll(() => box().inputValue()).toBe('NM1 75\nHD1 76\n')
    await button('Add 2 beatmaps').click()
    await expect.poll(rows).toEqual(['NM1 75', 'HD1 76'])
  })
})

describe.each(looks)('in both themes, $viewport.width pixels wide', (look) => {
  it('questions and rounds can be used by everybody, and fit', async () => {
    await open({ look })
    await box().fill(doubtful())
    await question(/CHILL/).getByRole('radio').first().press('1')
    await page.locator('.paste-bucket summary').first().click()
    await button('Answer 1 question first').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await box().fill('Semifinals\nNM1 75\nnothing\nFinals\nNM1 129891')
    await page.getByLabel('Choose one of 2 rounds').selectOption('Finals (1 beatmap)')
    await page.locator('.paste-why > summary').first().click()
    expect(await axeViolations(page)).toEqual([])
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0)
    if (look.viewport.width === phone.width) {
      const targets =
        '.paste-box :is(button, .field, summary, .asking-choices label > span):visible'
      expect(Math.min(...(await targetHeights(page, targets)))).toBeGreaterThanOrEqual(44)
    }
  })
})
