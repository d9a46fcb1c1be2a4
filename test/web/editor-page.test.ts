import type { Browser as Chromium, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import {
  closeWindow,
  evil,
  looks,
  openRealPage,
  overflowOf,
  phone,
  targetHeights,
} from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { teach } from './pool-page.ts'

let house: SiteHouse
let chromium: Chromium
let from: Browser
let page: Page
let complaints: string[]

const open = async (
  path = '/new',
  look: BrowserContextOptions = {},
  who: Browser | null = from,
) => {
  ;({ page, complaints } = await openRealPage(chromium, house, { from: who, path, look }))
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const pasteBox = () => page.getByRole('textbox', { name: 'Paste a sheet' })
const paste = async (text: string) => {
  await pasteBox().fill(text)
  await page.getByRole('button', { name: /^Add \d+ beatmap/ }).click()
}
/** `NM1 75`, as the rows stand on the page from top to bottom. */
const rows = async (): Promise<string[]> => {
  const handles = await page.locator('.edit-handle').all()
  const labels = await Promise.all(handles.map((handle) => handle.getAttribute('aria-label')))
  const fields = await page.locator('.edit-beatmap').all()
  const ids = await Promise.all(fields.map((field) => field.inputValue()))
  return labels.map((label, at) => `${label?.replace('Move ', '')} ${ids[at]}`)
}
const rowsBecome = (expected: string[]) => expect.poll(rows).toEqual(expected)
const focused = () =>
  page.evaluate(`document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id`)
const focusBecomes = (name: string) => expect.poll(focused).toBe(name)
const toast = () => page.locator('.toast').textContent()
const name = () => page.getByLabel('Name', { exact: true })
const four = 'NM1 75\nNM2 129891\nNM3 131564\nHD1 58970'

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  // Pools of one level, about which nothing is asked.
  for (const id of [75, 76, 77, 58970, 129891, 131564, 725198, 725199]) {
    await teach(house, id, { mode: 'osu', stars: 6 })
  }
  from = await house.signedIn(7001)
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(() => closeWindow(page))

describe('pasting', () => {
  it('shows line by line what it understood before it counts, and keeps what it did not', async () => {
    await open()
    await pasteBox().fill('NM1 75\nNM1 https://osu.ppy.sh/b/76\n\nHD1 https://osu.ppy.sh/b/129891')
    const lines = page.getByRole('region', { name: 'Result' }).locator('tr:has(td)')
    await expect.poll(() => lines.count()).toBe(4)
    const seen = await lines.allInnerTexts()
    expect(seen.map((text) => text.replace(/\s+/g, ''))).toEqual([
      '1NM175NM175',
      expect.stringMatching(/^2NM1https.*already/),
      '3skipped',
      expect.stringMatching(/^4HD1https.*HD1129891$/),
    ])
    await expect.poll(() => rows()).toEqual([])
    await button('Use what was read').click()
    await button('Add 2 beatmaps').click()
    await rowsBecome(['NM1 75', 'HD1 129891'])
    await expect.poll(() => pasteBox().inputValue()).toBe('NM1 https://osu.ppy.sh/b/76')
    await expect.poll(() => toast()).toBe('2 beatmaps added, 1 line left in the box')
    expect(complaints).toEqual([])
  })

  it('opens by itself anywhere outside of a field', async () => {
    await open()
    await paste('NM1 75')
    await pasteBox().waitFor({ state: 'detached' })
    await page.evaluate(`navigator.clipboard.writeText('HD1 129891')`)
    await page.getByRole('heading', { name: 'Beatmaps' }).click()
    await page.keyboard.press('Control+V')
    await expect.poll(() => pasteBox().inputValue()).toBe('HD1 129891')
    await page.keyboard.press('Control+Enter')
    await rowsBecome(['NM1 75', 'HD1 129891'])
    await focusBecomes('Move HD1')
  })

  it('leaves fields alone, and takes several lines for their lane', async () => {
    await open()
    await name().focus()
    await page.evaluate(`navigator.clipboard.writeText('Cup')`)
    await page.keyboard.press('Control+V')
    await expect.poll(() => name().inputValue()).toBe('Cup')
    await page.evaluate(`navigator.clipboard.writeText('75\\n129891')`)
    await page.getByRole('textbox', { name: 'Add beatmap to HR' }).focus()
    await page.keyboard.press('Control+V')
    await button('Add 2 beatmaps').click()
    await rowsBecome(['HR1 75', 'HR2 129891'])
    await page.getByRole('textbox', { name: 'Beatmap of HR1' }).focus()
    await page.evaluate(`navigator.clipboard.writeText('76\\n77')`)
    await page.keyboard.press('Control+V')
    await button('Add 2 beatmaps').click()
    await rowsBecome(['HR1 75', 'HR2 129891', 'HR3 76', 'HR4 77'])
  })

  it('takes the place of what there is when asked', async () => {
    await open()
    await paste('NM1 75\nNM2 76')
    await button('Paste').click()
    await pasteBox().fill('NM1 129891')
    await page.getByLabel('Replace the 2 existing slots').check()
    await button('Replace with 1 beatmap').click()
    await rowsBecome(['NM1 129891'])
  })

  it('asks which round of a bracket is meant', async () => {
    await open()
    const Rounds = [
      { Name: 'Semifinals', Beatmaps: [{ ID: 75, Mods: 'NM' }] },
      {
        Name: 'Finals',
        Beatmaps: [
          { ID: 129891, Mods: 'TB' },
          { ID: 9_999_999_999, Mods: 'HD' },
        ],
      },
    ]
    const buffer = Buffer.from(JSON.stringify({ Rounds }))
    const file = { name: 'bracket.json', mimeType: 'application/json', buffer }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByText('2 rounds found').waitFor()
    expect(await button('Add beatmaps').isDisabled()).toBe(true)
    await page.getByLabel('Choose one of 2 rounds').selectOption('Finals (1 beatmap)')
    await page.getByText('must be from 1 to').waitFor()
    await page.getByText('From bracket.json').waitFor()
    expect(await pasteBox().count()).toBe(0)
    await button('Use what was read').click()
    await button('Add 1 beatmap').click()
    await expect.poll(() => name().inputValue()).toBe('Finals')
    await rowsBecome(['TB 129891'])
  })

  it('reads a file that is dropped anywhere, and says why it does not read another', async () => {
    await open()
    const drop = (content: string, file: string) =>
      page.evaluate(`{
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(file)}))
        for (const type of ['dragover', 'drop']) {
          const options = { dataTransfer, bubbles: true, cancelable: true }
          document.body.dispatchEvent(new DragEvent(type, options))
        }
      }`)
    await drop('Slot,Beatmap ID\nNM1,75\n', 'pool.csv')
    await button('Add 1 beatmap').click()
    await rowsBecome(['NM1 75'])
    await drop('\0\0\0\0\0\0\0\0', 'collection.db')
    await page.getByText('by checksums alone').waitFor()
  })
})

describe('by keyboard alone', () => {
  it('builds a pool, moves its slots, takes steps back and saves it', async () => {
    await open()
    await name().focus()
    await page.keyboard.type('Spring Cup')
    await page.getByRole('textbox', { name: 'Add beatmap to NM' }).focus()
    for (const id of ['75', '129891', 'https://osu.ppy.sh/b/58970']) {
      await page.keyboard.type(id)
      await page.keyboard.press('Enter')
    }
    await rowsBecome(['NM1 75', 'NM2 129891', 'NM3 58970'])
    // Up through the fields above, as in a sheet.
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => focused()).toBe('Beatmap of NM2')
    await page.keyboard.press('Alt+ArrowUp')
    await rowsBecome(['NM1 129891', 'NM2 75', 'NM3 58970'])
    await focusBecomes('Beatmap of NM1')
    await page.getByRole('button', { name: 'Move NM3', exact: true }).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await rowsBecome(['NM1 129891', 'NM2 75', 'HD1 58970'])
    await expect.poll(() => toast()).toBe('NM3 moved to HD1')
    await focusBecomes('Move HD1')
    await page.keyboard.press('Delete')
    await rowsBecome(['NM1 129891', 'NM2 75'])
    await page.keyboard.press('Control+Z')
    await rowsBecome(['NM1 129891', 'NM2 75', 'HD1 58970'])
    await expect.poll(() => toast()).toBe('Undone: remove HD1')
    await page.keyboard.press('Control+Shift+Z')
    await rowsBecome(['NM1 129891', 'NM2 75'])
    await page.keyboard.press('Control+Z')
    await page.keyboard.press('Control+S')
    await page.waitForURL(/\/p\/[A-Za-z0-9_-]{10}$/)
    const { json } = await from.ask('GET', `/session/packs/${page.url().slice(-10)}`)
    expect(json.pack).toMatchObject({
      name: 'Spring Cup',
      visibility: 'unlisted',
      slots: [
        { mod: 'NM', index: 1, beatmapId: 129891 },
        { mod: 'NM', index: 2, beatmapId: 75 },
        { mod: 'HD', index: 1, beatmapId: 58970 },
      ],
    })
  })

  it('renumbers by typing, and says what is wrong while one types', async () => {
    await open()
    await paste(four)
    const number = page.getByRole('textbox', { name: 'Number of NM1' })
    await number.fill('120')
    await page.getByText('Enter a number from 1 to 99.').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => number.inputValue()).toBe('1')
    await number.fill('3')
    await page.keyboard.press('Enter')
    await rowsBecome(['NM1 131564', 'NM2 129891', 'NM3 75', 'HD1 58970'])
    await expect.poll(() => toast()).toBe('NM1 moved to NM3')
    const beatmap = page.getByRole('textbox', { name: 'Beatmap of HD1' })
    await beatmap.fill('https://osu.ppy.sh/beatmapsets/39804')
    await page.getByText('This link leads to a beatmap set').waitFor()
    await beatmap.fill('76')
    await page.keyboard.press('Tab')
    await rowsBecome(['NM1 131564', 'NM2 129891', 'NM3 75', 'HD1 76'])
  })

  it('moves a slot by its menu', async () => {
    await open()
    await paste(four)
    await page.getByRole('button', { name: 'Move NM2', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Move to TB' }).focus()
    await page.keyboard.press('Enter')
    await rowsBecome(['NM1 75', 'NM2 131564', 'HD1 58970', 'TB 129891'])
    await focusBecomes('Move TB')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
    await focusBecomes('Move TB')
  })
})

describe('by mouse and by touch', () => {
  const centre = async (label: string) => {
    const box = await page.getByRole('button', { name: `Move ${label}`, exact: true }).boundingBox()
    if (box === null) throw new Error(`${label} is not there`)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, height: box.height }
  }
  const drag = async (label: string, to: string, nudge: number) => {
    const [start, end] = [await centre(label), await centre(to)]
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    await page.mouse.move(start.x + 4, start.y + 8)
    await page.mouse.move(end.x, end.y + nudge, { steps: 5 })
    await page.locator('.drop-mark').waitFor()
  }

  it('drags within a lane and into another, and shows where', async () => {
    await open()
    await paste(four)
    await drag('NM3', 'NM1', -4)
    expect(await page.locator('.drag-ghost').isVisible()).toBe(true)
    await page.mouse.up()
    await rowsBecome(['NM1 131564', 'NM2 75', 'NM3 129891', 'HD1 58970'])
    await drag('NM1', 'HD1', 8)
    await page.mouse.up()
    await rowsBecome(['NM1 75', 'NM2 129891', 'HD1 58970', 'HD2 131564'])
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
    await focusBecomes('Move HD2')
    await page.keyboard.press('Enter')
    await page.getByRole('menu', { name: 'Move HD2' }).waitFor()
    await page.keyboard.press('Escape')
    await button('Undo: move NM1').click()
    await rowsBecome(['NM1 131564', 'NM2 75', 'NM3 129891', 'HD1 58970'])
  })

  it('lets Escape call a drag off', async () => {
    await open()
    await paste(four)
    await drag('NM3', 'NM1', -4)
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await expect.poll(() => rows()).toEqual(['NM1 75', 'NM2 129891', 'NM3 131564', 'HD1 58970'])
    await expect.poll(() => page.locator('.drop-mark').count()).toBe(0)
  })

  it('scrolls while one drags to the edge of the window', async () => {
    await open('/new', { viewport: { width: 1280, height: 400 } })
    await paste(four)
    await page.getByRole('heading', { name: 'Beatmaps' }).evaluate((all) => all.scrollIntoView())
    const start = await centre('NM1')
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    await page.mouse.move(start.x, 395, { steps: 3 })
    await page.locator('[data-lane=TB].aimed').waitFor()
    await page.mouse.up()
    await rowsBecome(['NM1 129891', 'NM2 131564', 'HD1 58970', 'TB 75'])
  })

  it('drags with a finger, without scrolling the page', async () => {
    await open('/new', { viewport: phone, hasTouch: true, isMobile: true })
    await paste(four)
    const touch = await page.context().newCDPSession(page)
    await page
      .getByRole('heading', { name: 'Beatmaps' })
      .evaluate((element) => element.scrollIntoView())
    const [start, end] = [await centre('NM1'), await centre('NM3')]
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: y === undefined ? [] : [{ x: start.x, y }],
      })
    const before = await page.evaluate('scrollY')
    await send('touchStart', start.y)
    await send('touchMove', start.y + 20)
    await send('touchMove', end.y + 20)
    await page.locator('.drop-mark').waitFor()
    await send('touchEnd')
    await rowsBecome(['NM1 129891', 'NM2 131564', 'NM3 75', 'HD1 58970'])
    await expect.poll(() => page.evaluate('scrollY')).toBe(before)
  })
})

describe('buckets', () => {
  it('are added, coloured, given mods, moved and removed', async () => {
    await open()
    await paste('NM1 75')
    await page.getByLabel('Custom bucket').fill('nm')
    await page.getByText('Bucket NM already exists.').waitFor()
    await page.getByLabel('Custom bucket').fill('SV')
    await page.keyboard.press('Enter')
    const settings = page.getByRole('group', { name: 'Settings for SV' })
    await settings.getByRole('radio', { name: 'pink' }).check({ force: true })
    await settings.getByRole('radio', { name: 'Forced mods' }).check()
    for (const mod of ['DT', 'EZ']) await settings.getByRole('checkbox', { name: mod }).check()
    for (const mod of ['HT', 'HR']) {
      await expect.poll(() => settings.getByRole('checkbox', { name: mod }).isDisabled()).toBe(true)
    }
    await button('Done').click()
    await focusBecomes('Bucket SV')
    await page.keyboard.press('Alt+ArrowUp')
    const codes = () => page.locator('.lane-button').allTextContents()
    await expect.poll(codes).toEqual(['NM', 'HD', 'HR', 'DT', 'SV', 'FM', 'TB'])
    await page.getByText('EZ + DT').waitFor()
    await page.getByRole('textbox', { name: 'Add beatmap to SV' }).fill('129891')
    await page.keyboard.press('Enter')
    await button('Bucket SV').click()
    await page.getByRole('menuitem', { name: 'Remove bucket' }).click()
    const dialog = page.getByRole('dialog')
    await expect
      .poll(() => dialog.textContent())
      .toContain('Its 1 slot will be kept without a bucket')
    await dialog.getByRole('button', { name: 'Remove bucket' }).click()
    await rowsBecome(['1 129891', 'NM1 75'])
    await page.keyboard.press('Control+Z')
    await rowsBecome(['NM1 75', 'SV1 129891'])
  })

  it('are numbered from 1 when asked', async () => {
    await open()
    await paste('NM2 75\nNM5 129891')
    await button('Bucket NM').click()
    await page.getByRole('menuitem', { name: 'Number slots from 1' }).click()
    await rowsBecome(['NM1 75', 'NM2 129891'])
  })
})

describe('beside the lanes', () => {
  it('details, the plot and the pack key fill in while one edits', async () => {
    await open()
    await paste('NM1 58970\nDT1 129891')
    await page.getByText('SWITCHED-ON LOTUS').waitFor()
    await expect.poll(() => page.locator('.plot-dot').count()).toBe(2)
    await page.getByText('Add a name and a beatmap to get a pack key').waitFor()
    await name().fill('Cup')
    const key = page.locator('.key-text')
    const first = await key.textContent()
    expect(first).toMatch(/^pk1\./)
    await name().fill('Mug')
    await expect.poll(() => key.textContent()).not.toBe(first)
    await page.locator('.plot-dot').first().focus()
    await page.keyboard.press('Enter')
    await focusBecomes('Move NM1')
  })

  it('says when a beatmap stands twice, and where', async () => {
    await open()
    await paste('NM1 75\nHD1 75')
    await page.getByText('Also in HD1').waitFor()
  })

  it('lists what is worth a look, which keeps nothing from being saved', async () => {
    await open()
    await pasteBox().fill('NM1 75\nHD1 75\nFM1 75\nTB1 19999997')
    const asked = page.getByRole('group', { name: /no beatmap 19999997/ })
    await asked.getByRole('radio').last().press('2')
    await button('Add 4 beatmaps').click()
    await page.getByText('Also in HD1 and FM1').waitFor()
    await page.getByText('Beatmap not found. Check the id.').waitFor()
    const hints = page.getByRole('region', { name: 'Worth a look' })
    await expect
      .poll(() => hints.getByRole('button').allInnerTexts())
      .toEqual([
        'NM1, HD1 and FM1 have the same beatmap.',
        'TB: The game platform has no beatmap 19999997.',
      ])
    await hints.getByRole('button').last().click()
    await focusBecomes('Move TB')
    await name().fill('Cup')
    expect(await button('Save').getAttribute('aria-disabled')).toBe('false')
  })
})

describe('text of people', () => {
  it('stands as text wherever it is shown', async () => {
    await open()
    await name().fill(evil)
    await page.getByLabel('Description').fill(evil)
    await pasteBox().fill(`${evil}\nNM1 75\n<svg/onload=alert(1)>`)
    await button('Add 1 beatmap').click()
    await page.getByLabel('Custom bucket').fill('<img>')
    await page.getByText('Use 1 to 12 letters or digits.').waitFor()
    await page.getByRole('textbox', { name: 'Beatmap of NM1' }).fill(evil)
    await expect
      .poll(() => page.locator('main img:not(.cover img), main svg[onload]').count())
      .toBe(0)
    expect(complaints).toEqual([])
  })
})

describe('on a phone', () => {
  it('has targets of 44 pixels', async () => {
    await open('/new', { viewport: phone, hasTouch: true, isMobile: true })
    await paste(four)
    const selector = 'main button:visible, main .field:visible, main summary:visible'
    expect(Math.min(...(await targetHeights(page, selector)))).toBeGreaterThanOrEqual(44)
  })
})

describe.each(looks)('in both themes, $viewport.width pixels wide', (look) => {
  it('can be used by everybody, and fits', async () => {
    await open('/new', look)
    expect(await axeViolations(page)).toEqual([])
    await pasteBox().fill(`${four}\nRC1 725198\nRC1 725199`)
    expect(await axeViolations(page)).toEqual([])
    await button('Use what was read').click()
    await page.getByRole('button', { name: /^Add \d+ beatmap/ }).click()
    await button('Bucket RC').click()
    await page.getByRole('menuitem', { name: 'Code, colour and mods' }).click()
    await page.getByRole('radio', { name: 'Forced mods' }).check()
    await page.getByRole('textbox', { name: 'Beatmap of NM1' }).fill('x')
    expect(await axeViolations(page)).toEqual([])
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: 'Move HD1', exact: true }).click()
    expect(await axeViolations(page)).toEqual([])
  })
})
