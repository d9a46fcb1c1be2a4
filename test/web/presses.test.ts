import type { Browser as Chromium, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DISCORD_URL_EXAMPLE } from '../../src/contract/announcements.ts'
import type { Browser } from '../support/browser.ts'
import { catchUp } from '../support/catch-up.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

// What somebody presses or types counts as it was meant, whatever comes to the page by itself in that moment.

const HOST = 7001
const MEMBER = 7002

let house: SiteHouse
let chromium: Chromium
let host: Browser
let member: Browser
const opened: Page[] = []
const hosted: string[] = []

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true, sendsToDiscord: true })
  host = await house.signedIn(HOST, 'pools')
  member = await house.signedIn(MEMBER, 'pools')
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(async () => {
  for (const page of opened.splice(0)) await closeWindow(page)
  // A player hosts 20 at most.
  for (const slug of hosted.splice(0)) await host.ask('DELETE', `/session/tournaments/${slug}`)
})

const askAs = async (who: Browser, method: string, path: string, body?: unknown) => {
  const reply = await who.ask(method, `/session/tournaments${path}`, body)
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply.json
}
const ask = (method: string, path: string, body?: unknown) => askAs(host, method, path, body)
const tournament = async (...rounds: object[]) => {
  const { slug } = (await ask('POST', '', { name: 'Harbour Lights Cup' })).tournament
  hosted.push(slug)
  const paths: string[] = []
  for (const round of rounds) {
    const made = (await ask('POST', `/${slug}/rounds`, round)).round
    paths.push(`/${slug}/rounds/${made.id}`)
  }
  return { slug: slug as string, path: paths[0]!, paths }
}
const open = async (path: string, hasHandClock = false) => {
  const opening = { from: host, path, service: 'pools', hasHandClock } as const
  const { page } = await openRealPage(chromium, house, opening)
  opened.push(page)
  return page
}
const workspace = async (slug: string, { query = '', hasHandClock = false } = {}) => {
  const page = await open(`/t/${slug}/edit${query}`, hasHandClock)
  await page.locator('.workspace-columns').waitFor()
  return page
}
const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const dialogOf = (page: Page) => page.getByRole('dialog')
const field = (page: Page, slot: string) =>
  page.getByRole('textbox', { name: `Beatmap of ${slot}`, exact: true })
const saved = (page: Page) =>
  expect.poll(() => page.locator('.edit-bar-words').textContent()).toBe('Saved')
/** Holds the button of the mouse down on something while what others do comes, and lets it go then. */
const pressAround = async (target: Locator, meanwhile: () => Promise<unknown>) => {
  await target.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await target.boundingBox())!
  const { mouse } = target.page()
  await mouse.move(x + width / 2, y + height / 2)
  await mouse.down()
  await meanwhile()
  await mouse.up()
}
const nm = (index: number, held: object = {}) => ({ mod: 'NM', index, ...held })

/** Holds the answers to calls, which the site has got; gives how many are held, and a function that lets them come. */
const hold = async (page: Page, method: string, path: RegExp) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let held = 0
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    const reply = await route.fetch()
    held += 1
    await promise
    await route.fulfill({ response: reply })
  })
  const whenHeld = (n = 1) => expect.poll(() => held).toBeGreaterThanOrEqual(n)
  return { whenHeld, letCome: resolve, count: () => held }
}

/** What came is on the page. */
const painted = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))
  })`)

type Hold = Awaited<ReturnType<typeof hold>>

describe('a press for a release while the round is saved', () => {
  const typeIn = async () => {
    const { slug, path } = await tournament({ name: 'Finals', slots: [nm(1, { beatmapId: 101 })] })
    const page = await workspace(slug)
    const saving = await hold(page, 'PATCH', /\/slots/)
    await field(page, 'NM1').fill('102')
    const round = async () => (await ask('GET', path)).round
    const confirm = async (action: string): Promise<void> => {
      const confirmed = button(dialogOf(page), action)
      await confirmed.click()
      await expect.poll(() => confirmed.getAttribute('aria-busy')).toBe('true')
      await saving.whenHeld()
      saving.letCome()
      await dialogOf(page).waitFor({ state: 'detached' })
    }
    return { page, saving, round, confirm }
  }

  it('counts, also one that has itself ended what was typed', async () => {
    const { page, round, confirm } = await typeIn()
    await button(page, 'Release now').click()
    await confirm('Release now')
    expect(await round()).toMatchObject({
      packSlug: expect.any(String),
      slots: [{ beatmapId: 102 }],
    })
  })

  it('counts, also by keys', async () => {
    const { page, saving, round, confirm } = await typeIn()
    await page.getByLabel('Release at (your time)').fill('2099-12-01T18:00')
    await saving.whenHeld()
    await page.keyboard.press('Enter')
    await confirm('Schedule')
    expect((await round()).releaseAt).toMatch(/^2099-12-01T18:00/)
  })
})

describe('a release despite what speaks against it (D-78)', () => {
  it('is asked about once more when more speaks against it than was said', async () => {
    const slots = [nm(1, { beatmapId: 101 }), nm(2, { beatmapId: 102 }), nm(3)]
    const { slug, path } = await tournament({ name: 'Finals', slots })
    const page = await workspace(slug)
    await button(page, 'Release now').click()
    await button(dialogOf(page), 'Release as it is').click()
    await dialogOf(page).getByText('The round has 1 slot without a beatmap.').waitFor()
    await pressAround(button(dialogOf(page), 'Release anyway'), async () => {
      await ask('PATCH', `${path}/slots`, {
        changes: [{ ...nm(2), from: { beatmapId: 102 }, to: { placeholder: 'later' } }],
      })
      await dialogOf(page).getByText('2 slots without a beatmap').first().waitFor()
    })
    await dialogOf(page).getByText('The round has 2 slots without a beatmap.').waitFor()
    expect((await ask('GET', path)).round.packSlug).toBeUndefined()
    await button(dialogOf(page), 'Release anyway').click()
    await page.getByRole('link', { name: 'Open the pack' }).waitFor()
  })
})

describe('a press that takes a sheet', () => {
  it('is made when its beatmaps have been looked up', async () => {
    const { slug } = await tournament()
    const page = await workspace(slug)
    const looking = await hold(page, 'POST', /\/session\/beatmaps/)
    await button(page, 'Paste a whole sheet').first().click()
    await dialogOf(page).getByRole('textbox').first().fill('Finals\nNM1\t101\nNM2\t102')
    await looking.whenHeld()
    await button(dialogOf(page), 'Add the round').click({ force: true })
    expect((await ask('GET', `/${slug}`)).tournament.rounds).toEqual([])
    looking.letCome()
    await dialogOf(page).waitFor({ state: 'detached' })
    expect((await ask('GET', `/${slug}`)).tournament.rounds).toMatchObject([{ name: 'Finals' }])
  })
})

describe('presses that come before the one before them was answered', () => {
  it('choose a role by keys, which choose each on the way', async () => {
    const { slug } = await tournament()
    await ask('PUT', `/${slug}/staff/${MEMBER}`, { role: 'pooler' })
    const page = await open(`/t/${slug}/staff`)
    const select = page.getByRole('list', { name: 'Staff' }).getByRole('combobox').nth(1)
    const changing = await hold(page, 'PUT', /\/staff\//)
    await select.focus()
    await page.keyboard.press('ArrowDown')
    await changing.whenHeld()
    await page.keyboard.press('ArrowDown')
    expect(await select.inputValue()).toBe('referee')
    changing.letCome()
    const role = async () =>
      (await ask('GET', `/${slug}/staff`)).staff.find(
        ({ gameId }: { readonly gameId: number }) => gameId === MEMBER,
      ).role
    await expect.poll(role).toBe('referee')
    await expect.poll(() => select.inputValue()).toBe('referee')
  })

  it('move a round as often as they are', async () => {
    const { slug } = await tournament({ name: 'A' }, { name: 'B' }, { name: 'C' })
    const page = await workspace(slug)
    const moving = await hold(page, 'PUT', /\/rounds$/)
    await page.locator('.rounds-nav a').first().focus()
    await page.keyboard.press('Alt+ArrowDown')
    await moving.whenHeld()
    // Beyond the end there is nothing.
    for (let more = 0; more < 3; more += 1) await page.keyboard.press('Alt+ArrowDown')
    moving.letCome()
    const names = () => page.locator('.round-name').allTextContents()
    await expect.poll(names).toEqual(['B', 'C', 'A'])
    await page.locator('.rounds-nav a').first().focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(names).toEqual(['C', 'B', 'A'])
    expect(moving.count()).toBe(3)
  })
})

describe('what is read while it is read already', () => {
  it('is read again: the rounds that can be restored', async () => {
    const { slug } = await tournament({ name: 'A' }, { name: 'B' }, { name: 'C' })
    const page = await workspace(slug)
    const reading = await hold(page, 'GET', /\/deleted-rounds/)
    for (const left of [2, 1]) {
      await button(page, 'Delete the round').click()
      await button(dialogOf(page), 'Delete round').click()
      await expect.poll(() => page.locator('.round-name').count()).toBe(left)
      await reading.whenHeld()
    }
    reading.letCome()
    await button(page, 'Deleted rounds (2)').waitFor()
  })

  it('is read again: the checks', async () => {
    const slots = [nm(1, { beatmapId: 101 }), nm(2), nm(3)]
    const { slug } = await tournament({ name: 'Finals', slots })
    const page = await workspace(slug, { hasHandClock: true })
    await page.locator('.checks-kind').first().waitFor()
    const reading = await hold(page, 'GET', /\/checks/)
    for (const [slot, id, filled] of [
      ['NM2', '102', '2/3'],
      ['NM3', '101', '3/3'],
    ] as const) {
      await field(page, slot).fill(id)
      await field(page, slot).press('Enter')
      await page.locator('.round-state', { hasText: filled }).waitFor()
      await saved(page)
      await page.clock.runFor(1_000)
      await reading.whenHeld()
    }
    reading.letCome()
    await page.locator('.checks summary', { hasText: 'Twice or more' }).waitFor()
  })
})

describe('what is typed while what was typed before is sent', () => {
  type Form = { readonly page: Page; readonly field: Locator; readonly saving: Hold }
  const forms: Readonly<Record<string, () => Promise<Form>>> = {
    settings: async () => {
      const { slug } = await tournament()
      const page = await workspace(slug)
      await button(page, 'Settings').click()
      const saving = await hold(page, 'PATCH', new RegExp(`/${slug}$`))
      return { page, field: dialogOf(page).getByLabel('Short name'), saving }
    },
    'the address for announcements': async () => {
      const { slug } = await tournament()
      const page = await workspace(slug)
      await button(page, 'Settings').click()
      await page.getByText('Announce on Discord', { exact: true }).click()
      const saving = await hold(page, 'PATCH', new RegExp(`/${slug}$`))
      return { page, field: page.getByLabel('Webhook URL'), saving }
    },
    'a new member': async () => {
      const { slug } = await tournament()
      const page = await open(`/t/${slug}/staff`)
      const saving = await hold(page, 'PUT', /\/staff\//)
      return { page, field: page.getByLabel('Player id or profile link'), saving }
    },
  }
  const sent: Readonly<Record<string, readonly [text: string, press: string]>> = {
    settings: ['HLC', 'Save'],
    'the address for announcements': [DISCORD_URL_EXAMPLE, 'Set the address'],
    'a new member': [String(MEMBER), 'Add'],
  }

  it.each(Object.keys(forms))('stays: %s', async (name) => {
    const { page, field, saving } = await forms[name]!()
    const [text, press] = sent[name]!
    await field.fill(text)
    await button(page, press).click()
    await saving.whenHeld()
    await field.fill('half')
    saving.letCome()
    await expect.poll(() => button(page, press).getAttribute('aria-busy')).toBe('false')
    expect(await field.inputValue()).toBe('half')
  })
})

describe('what is ticked while what was ticked before is sent', () => {
  it('stays, and is saved by the next press: the rounds of a member', async () => {
    const { slug, paths } = await tournament({ name: 'A' }, { name: 'B' }, { name: 'C' })
    const ids = paths.map((path) => path.split('/').at(-1))
    await ask('PUT', `/${slug}/staff/${MEMBER}`, { role: 'pooler' })
    const page = await open(`/t/${slug}/staff`)
    const rounds = async () =>
      (await ask('GET', `/${slug}/staff`)).staff.find(
        ({ gameId }: { readonly gameId: number }) => gameId === MEMBER,
      ).rounds
    await button(page, /^Rounds of /)
      .last()
      .click()
    const dialog = dialogOf(page)
    await dialog.getByText('These rounds').click()
    await dialog.getByRole('checkbox', { name: 'A' }).check()
    const saving = await hold(page, 'PUT', /\/staff\//)
    await button(dialog, 'Save').click()
    await saving.whenHeld()
    await dialog.getByRole('checkbox', { name: 'B' }).check()
    saving.letCome()
    await expect.poll(() => button(dialog, 'Save').getAttribute('aria-busy')).toBe('false')
    expect(await rounds()).toEqual(ids.slice(0, 1))
    expect(await dialog.getByRole('checkbox', { name: 'B' }).isChecked()).toBe(true)
    await button(dialog, 'Save').click()
    await dialog.waitFor({ state: 'detached' })
    expect(await rounds()).toEqual(ids.slice(0, 2))
  })
})

describe('where a press leads', () => {
  const slots = [nm(1, { beatmapId: 101 }), nm(2)]
  const planOf = async (page: Page, slot: string) => {
    await button(page, `Move ${slot}`).press('Enter')
    await page.getByRole('menuitem', { name: 'Details and link' }).press('Enter')
  }
  const hasFocus = (field: Locator) =>
    field.evaluate((element) => element === document.activeElement)

  it('has the focus before the browser shows it: what is pressed next keeps it', async () => {
    const { slug } = await tournament({ name: 'Finals', slots })
    const page = await workspace(slug)
    await planOf(page, 'NM2')
    await expect.poll(() => hasFocus(page.getByLabel('Artist'))).toBe(true)
    // As of a browser that is busy.
    await page.evaluate(`{
      const frames = []
      const { requestAnimationFrame: request } = window
      window.requestAnimationFrame = (then) => frames.push(then)
      window.showFrames = () => {
        window.requestAnimationFrame = request
        for (const then of frames) then(performance.now())
      }
    }`)
    await planOf(page, 'NM1')
    await expect.poll(() => hasFocus(page.getByLabel('Artist'))).toBe(true)
    await page.getByLabel('Title').focus()
    await page.evaluate('showFrames()')
    await page.keyboard.insertText('Half a title')
    expect(await page.getByLabel('Title').inputValue()).toBe('Half a title')
    await page.reload()
    await planOf(page, 'NM1')
    await page.getByLabel('Title').waitFor()
    expect(await page.getByLabel('Title').inputValue()).toBe('Half a title')
    expect(await page.getByLabel('Artist').inputValue()).toBe('')
  })

  it.each(['stays', 'has moved on', 'has moved on before the page came to it'])(
    'is loaded late, and the focus %s',
    async (how) => {
      const { slug } = await tournament({ name: 'Finals', slots })
      const page = await workspace(slug)
      const loading = Promise.withResolvers<void>()
      let asked = 0
      await page.route('**/assets/**', async (route) => {
        asked += 1
        await loading.promise
        await route.fallback()
      })
      const other = field(page, 'NM2')
      if (how.endsWith('came to it')) {
        // As on a busy machine: what somebody does next is there before the timers of the press are.
        await other.evaluate((element: HTMLInputElement) => {
          const type = (): void => {
            element.focus()
            element.value = '1'
            element.dispatchEvent(new Event('input', { bubbles: true }))
          }
          document.addEventListener(
            'click',
            ({ target }) => {
              if ((target as Element).closest('[role=menuitem]')) setTimeout(type)
            },
            true,
          )
        })
      }
      await planOf(page, 'NM1')
      await expect.poll(() => asked).toBeGreaterThan(0)
      if (how === 'has moved on') await other.fill('1')
      loading.resolve()
      await page.getByLabel('Artist').waitFor()
      await painted(page)
      const focused = how === 'stays' ? page.getByLabel('Artist') : other
      expect(await hasFocus(focused)).toBe(true)
    },
  )
})

describe('what can be taken back for a while', () => {
  /** A tournament of which the rounds but the last one were deleted, one after the other. */
  const deletions = async (...rounds: string[]) => {
    const { slug } = await tournament(...rounds.map((name) => ({ name })))
    const page = await workspace(slug)
    // A busy machine may take longer for all that is done here.
    await page.evaluate(`{
      const { setTimeout: set } = window
      window.setTimeout = (then, ms) => set(then, ms === 20_000 ? 3_600_000 : ms)
    }`)
    const names = () => page.locator('.round-name').allTextContents()
    for (const [at] of rounds.slice(1).entries()) {
      await button(page, 'Delete the round').click()
      await button(dialogOf(page), 'Delete round').click()
      await expect.poll(names).toEqual(rounds.slice(at + 1))
    }
    const undo = (round: string) =>
      button(page.locator('.toast', { hasText: `${round} deleted` }), 'Undo')
    const left = async () => (await names()).toSorted()
    return { page, left, undo }
  }

  it('can be still when something else is said', async () => {
    const { page, left, undo } = await deletions('A', 'B', 'C')
    await page.locator('.rounds-nav a').first().focus()
    await undo('A').click()
    await page.getByText('A restored as a draft').waitFor()
    await undo('B').click()
    await expect.poll(left).toEqual(['A', 'B', 'C'])
    expect(await page.locator('.toast-undo:not([aria-disabled=true])').count()).toBe(0)
  })

  it.each(['A', 'B', 'C'])(
    'is pressed in its place, by pointer and by key, so that no second press is on another one: %s',
    async (round) => {
      for (const by of ['pointer', 'key']) {
        const { page, left, undo } = await deletions('A', 'B', 'C', 'D')
        const pressed = undo(round)
        const box = (await pressed.boundingBox())!
        const at = [box.x + box.width / 2, box.y + box.height / 2] as const
        await pressed.focus()
        const press = () => (by === 'key' ? page.keyboard.press('Enter') : page.mouse.click(...at))
        await press()
        await press()
        await page.locator('.toast', { hasText: `${round} restored as a draft` }).waitFor()
        await painted(page)
        await press()
        await expect.poll(left).toEqual([round, 'D'])
        const isFocused = page.locator('.toast-undo[aria-disabled=true]:focus').count()
        expect(by === 'pointer' || (await isFocused) === 1).toBe(true)
        for (const other of ['A', 'B', 'C'].filter((each) => each !== round)) {
          await undo(other).click()
          await page.locator('.toast', { hasText: `${other} restored as a draft` }).waitFor()
        }
        await expect.poll(left).toEqual(['A', 'B', 'C', 'D'])
      }
    },
  )
})

describe('what is chosen of a list', () => {
  it('stays when the list grows: two versions to compare', async () => {
    const slots = [nm(1, { beatmapId: 101 })]
    const { slug, path } = await tournament({ name: 'Finals', slots })
    const change = (from: number) =>
      ask('PATCH', `${path}/slots`, {
        changes: [{ ...nm(1), from: { beatmapId: from }, to: { beatmapId: from + 1 } }],
      })
    for (const from of [101, 102]) await change(from)
    const page = await workspace(slug, { query: `?round=${path.split('/').at(-1)}&history` })
    await expect.poll(() => page.locator('.version').count()).toBe(3)
    const compared = () =>
      page
        .locator('.version input:checked')
        .evaluateAll((boxes) =>
          boxes.map(
            (each) => `${(each as HTMLInputElement).name}${(each as HTMLInputElement).value}`,
          ),
        )
    expect(await compared()).toEqual(['b3', 'a2'])
    await page.getByLabel('From version 1').check()
    await page.getByLabel('To version 2').check()
    await change(103)
    await expect.poll(() => page.locator('.version').count()).toBe(4)
    expect(await compared()).toEqual(['b2', 'a1'])
    await button(page, 'Compare').click()
    await page.waitForURL(/a=1&b=2/)
  })
})

describe('a press in a list that changes before it ends', () => {
  const names = ['Harbour Lights', 'Harbour Nights', 'Paper Moon']
  beforeAll(async () => {
    const owner = await house.signedIn(HOST)
    for (const name of names) {
      house.clock.nextMinute()
      await house.save(owner, aPack({ name, visibility: 'public' }))
    }
    await catchUp(house.ports)
  })
  const browse = async (path: string, prepare?: (page: Page) => Promise<unknown>) => {
    const opening = { from: null, path, ...(prepare && { prepare }) }
    const { page } = await openRealPage(chromium, house, opening)
    opened.push(page)
    return page
  }
  const rows = (page: Page) => page.locator('.results .row-name > a')

  it.each(names)(
    'opens what was there when it began, while a search is answered: %s',
    async (name) => {
      const page = await browse('/packs')
      await expect.poll(() => rows(page).allTextContents()).toEqual(names.toReversed())
      const searching = await hold(page, 'GET', /\/session\/search/)
      await page.getByRole('searchbox').fill('Harbour ')
      await searching.whenHeld()
      const left = page.waitForURL(/\/p\//)
      await pressAround(rows(page).filter({ hasText: name }), async () => {
        const answered = page.waitForResponse(/\/session\/search/)
        searching.letCome()
        await (await answered).finished()
        await painted(page)
      })
      await left
      expect(await page.locator('h1').textContent()).toBe(name)
    },
  )

  it('opens what was there when it began, while all packs come', async () => {
    const [, name = ''] = names
    let index!: Hold
    const page = await browse('/packs', async (page) => {
      index = await hold(page, 'GET', /\/packs\/index\.json/)
    })
    await index.whenHeld()
    await pressAround(rows(page).filter({ hasText: name }), async () => {
      const answered = page.waitForResponse(/\/packs\/index\.json/)
      index.letCome()
      await (await answered).finished()
      await painted(page)
    })
    await page.waitForURL(/\/p\//)
    expect(await page.locator('h1').textContent()).toBe(name)
  })
})

describe('a press whose meaning changes before it ends', () => {
  it.each([
    ['Resolve', 'Reopen', true],
    ['Reopen', 'Resolve', false],
  ] as const)('does what was there when it began: %s', async (meant, opposite, settled) => {
    const { slug, path } = await tournament({ name: 'Finals', slots: [nm(1, { beatmapId: 101 })] })
    await ask('PUT', `/${slug}/staff/${MEMBER}`, { role: 'pooler' })
    const { remark } = await ask('POST', `${path}/remarks`, { text: 'Too long' })
    const settle = (who: Browser, isSettled: boolean) =>
      askAs(who, 'PATCH', `${path}/remarks/${remark.id}`, { settled: isSettled })
    await settle(host, !settled)
    const page = await workspace(slug)
    await button(page, /^(?:1 open remark|Remarks)/).click()
    const sent = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
    await pressAround(button(page, meant), async () => {
      await settle(member, settled)
      await button(page, opposite).waitFor()
    })
    await sent
    const { remarks } = await ask('GET', `${path}/discussion`)
    expect(remarks).toMatchObject([{ settled }])
  })
})
