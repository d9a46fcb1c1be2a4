import type { Browser as Chromium, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let chromium: Chromium
let host: Browser
let pooler: Browser
const opened: Page[] = []

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  host = await house.signedIn(7001, 'pools')
  pooler = await house.signedIn(7002, 'pools')
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(async () => {
  for (const page of opened.splice(0)) await closeWindow(page)
})

const ask = async (from: Browser, method: string, path: string, body?: unknown) => {
  const reply = await from.ask(method, `/session/tournaments${path}`, body)
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply.json
}

type Slot = { readonly mod: string; readonly index: number; readonly beatmapId?: number }

const nm = (index: number, beatmapId: number): Slot => ({ mod: 'NM', index, beatmapId })

/** A tournament with a workspace open on its last round, and what the site has of it. */
async function open(...rounds: { readonly name: string; readonly slots: readonly Slot[] }[]) {
  const { slug } = (await ask(host, 'POST', '', { name: 'Harbour Lights Cup' })).tournament
  await ask(host, 'PUT', `/${slug}/staff/7002`, { role: 'pooler' })
  const ids: string[] = []
  for (const round of rounds)
    ids.push((await ask(host, 'POST', `/${slug}/rounds`, round)).round.id as string)
  const path = `/t/${slug}/edit?round=${ids.at(-1)}`
  const { page } = await openRealPage(chromium, house, { from: host, path, service: 'pools' })
  opened.push(page)
  await page.locator('.lanes').waitFor()
  /** `Finals NM1 101` of all rounds, as the site has them. */
  const drafts = async (): Promise<string[]> => {
    const { tournament } = await ask(host, 'GET', `/${slug}`)
    return (tournament.rounds as { name: string; slots: Slot[] }[]).flatMap(({ name, slots }) =>
      slots.length === 0
        ? [name]
        : slots.map(({ mod, index, beatmapId }) => `${name} ${mod}${index} ${beatmapId ?? '-'}`),
    )
  }
  const idOf = async (name: string): Promise<string> => {
    const { tournament } = await ask(host, 'GET', `/${slug}`)
    return tournament.rounds.find((round: { name: string }) => round.name === name)?.id
  }
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  return {
    slug: slug as string,
    page,
    ids,
    idOf,
    button,
    /** The site has these, and the page has the site's answer, by which it shows another round. */
    become: async (...expected: string[]) => {
      await expect.poll(drafts).toEqual(expected)
      const names = new Set(expected.map((each) => each.split(' ')[0]))
      const shown = page.locator('.rounds-nav .round-name')
      await expect.poll(() => shown.allTextContents()).toEqual([...names])
    },
    says: (words: string | RegExp) =>
      expect
        .poll(() => page.locator('.toast').allTextContents())
        .toEqual([expect.stringMatching(words)]),
    press: async (keys: string) => {
      await page.getByRole('heading', { name: /^Slots/ }).click()
      await page.keyboard.press(keys)
    },
    paste: async (rows: readonly string[]) => {
      await button('Paste a sheet').click()
      await page.locator('#sheet-text').fill(['Round\tSlot\tBeatmap', ...rows].join('\n'))
      await button(/^(?:Add the rounds?|Apply the changes)$/).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    },
    put: async (slot: string, text: string) => {
      const field = page.getByRole('textbox', { name: `Beatmap of ${slot}`, exact: true })
      await field.fill(text)
      await field.press('Enter')
    },
    look: async (round: string, row: number, beatmap: string) => {
      await page.getByRole('link', { name: new RegExp(`^${round}`) }).click()
      await expect.poll(() => page.locator('.edit-beatmap').nth(row).inputValue()).toBe(beatmap)
    },
    theirs: (round: string, slot: Slot, from: number) =>
      ask(pooler, 'PATCH', `/${slug}/rounds/${round}/slots`, {
        changes: [
          {
            mod: slot.mod,
            index: slot.index,
            from: { beatmapId: from },
            to: { beatmapId: slot.beatmapId },
          },
        ],
      }),
  }
}

const finals = { name: 'Finals', slots: [nm(1, 101), nm(2, 102)] }

describe('an undo of a pasted sheet (D-83)', () => {
  it('takes back the whole: slots that it changed and rounds that it made; a redo brings all again', async () => {
    const { become, paste, press, says, idOf } = await open(finals)
    await paste(['Finals\tNM1\t201', 'Octo\tNM1\t301'])
    await become('Finals NM1 201', 'Finals NM2 102', 'Octo NM1 301')
    const octo = await idOf('Octo')
    await press('Control+Z')
    await says('Undone: paste a sheet')
    await become('Finals NM1 101', 'Finals NM2 102')
    await press('Control+Shift+Z')
    await says('Redone: paste a sheet')
    await become('Finals NM1 201', 'Finals NM2 102', 'Octo NM1 301')
    // What was said of it and its history are there again, too (D-82).
    expect(await idOf('Octo')).toBe(octo)
    await press('Control+Z')
    await become('Finals NM1 101', 'Finals NM2 102')
  })

  it('leaves what somebody else has changed since, and names it', async () => {
    const semis = { name: 'Semifinals', slots: [nm(1, 111)] }
    const { become, paste, press, says, theirs, ids, look } = await open(semis, finals)
    await paste(['Finals\tNM1\t201', 'Finals\tNM2\t202', 'Semifinals\tNM1\t211'])
    await become('Semifinals NM1 211', 'Finals NM1 201', 'Finals NM2 202')
    await theirs(ids[1]!, nm(2, 75), 202)
    await theirs(ids[0]!, nm(1, 76), 211)
    await look('Semifinals', 0, '76')
    await look('Finals', 1, '75')
    await press('Control+Z')
    await says(/^Undone: paste a sheet, except NM1 of Semifinals and NM2, changed elsewhere since$/)
    await become('Semifinals NM1 76', 'Finals NM1 101', 'Finals NM2 75')
  })

  it('leaves a round that it made when somebody else has put something in', async () => {
    const { become, paste, press, says, idOf, slug } = await open(finals)
    await paste(['Finals\tNM1\t201', 'Octo\tNM1\t301', 'Nona\tNM1\t401'])
    await become('Finals NM1 201', 'Finals NM2 102', 'Octo NM1 301', 'Nona NM1 401')
    const remark = { text: 'Too long' }
    await ask(pooler, 'POST', `/${slug}/rounds/${await idOf('Octo')}/remarks`, remark)
    await press('Control+Z')
    await says('Undone: paste a sheet, except Octo, changed elsewhere since')
    await become('Finals NM1 101', 'Finals NM2 102', 'Octo NM1 301')
  })

  it('comes after those of later steps, in whichever round they were made', async () => {
    const semis = { name: 'Semifinals', slots: [nm(1, 111)] }
    const { become, paste, press, says, put, page, look, ids } = await open(semis, finals)
    await paste(['Finals\tNM1\t201', 'Semifinals\tNM1\t211'])
    await look('Semifinals', 0, '211')
    await put('NM1', '75')
    await become('Semifinals NM1 75', 'Finals NM1 201', 'Finals NM2 102')
    await look('Finals', 0, '201')
    await press('Control+Z')
    await says('Undone: change NM1')
    // The round in which it was is shown.
    expect(new URL(page.url()).searchParams.get('round')).toBe(ids[0])
    await become('Semifinals NM1 211', 'Finals NM1 201', 'Finals NM2 102')
    await press('Control+Z')
    await become('Semifinals NM1 111', 'Finals NM1 101', 'Finals NM2 102')
  })

  it('is finished later when the site cannot be reached midway', async () => {
    const { become, paste, press, says, page } = await open(finals)
    await paste(['Finals\tNM1\t201', 'Octo\tNM1\t301'])
    await become('Finals NM1 201', 'Finals NM2 102', 'Octo NM1 301')
    await page.route('**/rounds/*', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    )
    await press('Control+Z')
    // It is sent a few times before that is said.
    await page.locator('.toast', { hasText: 'answer was lost' }).waitFor()
    await page.unroute('**/rounds/*')
    await press('Control+Z')
    await says('Undone: paste a sheet')
    await become('Finals NM1 101', 'Finals NM2 102')
    await press('Control+Y')
    await become('Finals NM1 201', 'Finals NM2 102', 'Octo NM1 301')
  })
})

describe('an undo of a deleted round (D-82)', () => {
  it('restores it, and a redo deletes it again', async () => {
    const semis = { name: 'Semifinals', slots: [nm(1, 111)] }
    const { become, press, says, idOf, button, ids, page, slug } = await open(semis, finals)
    await ask(pooler, 'POST', `/${slug}/rounds/${ids[1]}/remarks`, { text: 'Too long' })
    await button('Delete the round').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete round' }).click()
    await become('Semifinals NM1 111')
    await press('Control+Z')
    await says('Undone: delete Finals')
    await become('Semifinals NM1 111', 'Finals NM1 101', 'Finals NM2 102')
    expect(await idOf('Finals')).toBe(ids[1])
    await press('Control+Shift+Z')
    await become('Semifinals NM1 111')
  })

  it('by the message of the deletion is the same, and a round that was added is deleted', async () => {
    const { become, press, says, button, page } = await open(finals)
    await page.getByLabel('Name of a new round').fill('Octo')
    await page.keyboard.press('Enter')
    await become('Finals NM1 101', 'Finals NM2 102', 'Octo')
    await button('Delete the round').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete round' }).click()
    await become('Finals NM1 101', 'Finals NM2 102')
    await page.locator('.toast-undo').click()
    await says('Octo restored as a draft, after the other rounds')
    await become('Finals NM1 101', 'Finals NM2 102', 'Octo')
    await press('Control+Z')
    await says('Undone: add Octo')
    await become('Finals NM1 101', 'Finals NM2 102')
  })
})
