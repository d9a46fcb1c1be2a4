import { readFile } from 'node:fs/promises'
import type { Browser as Chromium, Download, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aboutOf } from '../../src/formats/format.ts'
import { formats } from '../../src/formats/format-table.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import { axeViolations } from '../support/axe.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { changeSlots } from '../../src/operations/rounds.ts'
import { deleteTournament } from '../../src/operations/tournaments.ts'
import { openTournament } from '../support/public-tournament.ts'
import {
  closeWindow,
  evil,
  looks,
  openRealPage,
  overflowOf,
  phone,
  tabTo,
  targetHeights,
} from '../support/real-page.ts'
import type { SiteHouse } from '../support/site-house.ts'
import { clipboard, everyKind, openPoolHouse, settleStats, teach } from './pool-page.ts'

let house: SiteHouse
let chromium: Chromium
let host: Browser
let slug: string
let rounds: { readonly id: string; readonly packSlug: string }[]
let page: Page
let complaints: string[]

const pool = { buckets: everyKind.buckets ?? [], slots: everyKind.slots }
/** The platform has it in the last round alone. */
const LAST_ID = 150
const one = (beatmapId: number) => ({ slots: [{ mod: 'NM', index: 1, beatmapId }] })
const later = (ms: number): string => new Date(Date.now() + ms).toISOString()
const hostId = (): string => host.viewer?.id ?? ''

beforeAll(async () => {
  house = await openPoolHouse()
  await teach(house, LAST_ID, { title: 'Undertow', stars: 5.5 })
  // The pages count down by the clock of the browser.
  house.clock.set(new Date().toISOString())
  chromium = await launchChromium()
  host = await house.signedIn(7001, 'pools')
  const facts = {
    shortName: 'HLC',
    year: 2026,
    rankMin: 1000,
    rankMax: 9999,
    announceRounds: true,
    description: 'Two against two.',
    link: 'https://forum.example.org/topics/1',
  }
  ;({ slug, rounds } = await openTournament(house.ports, hostId(), facts, [
    { name: 'Qualifiers', bestOf: 9, bans: 1, ...pool, at: 'now' },
    { name: 'Round of 16', ...pool, at: 'now' },
    { name: 'Quarterfinals', ...one(LAST_ID), at: 'now' },
    { name: 'Semifinals', ...one(102), at: later(90 * 60_000) },
    { name: 'Finals' },
  ]))
  house.clock.advance(1_000)
  await openTournament(house.ports, hostId(), { name: 'Mania Trials', ruleset: 'mania' }, [])
  const secret = { name: 'Secret Cup', visibility: 'private' } as const
  await openTournament(house.ports, hostId(), secret, [{ name: 'Only', ...one(101), at: 'now' }])
  await settleStats(house)
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
afterEach(() => closeWindow(page))

type Opening = Partial<Parameters<typeof openRealPage>[2]>

const open = async (path: string, opening: Opening = {}): Promise<void> => {
  const asked = { from: null, service: 'pools', path, ...opening } as const
  ;({ page, complaints } = await openRealPage(chromium, house, asked))
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const chosen = () => page.getByRole('combobox', { name: 'Rounds' })
const names = () => page.locator('.tournament-row .tournament-name').allInnerTexts()

const contentOf = async (download: Promise<Download>): Promise<[name: string, text: string]> => {
  const file = await download
  return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')]
}
const downloaded = (name: string) => {
  const download = page.waitForEvent('download')
  void button(`Download ${name}`).click()
  return contentOf(download)
}

describe('the front page', () => {
  it('shows at once what was released, what comes next, and all tournaments', async () => {
    await open('/')
    const released = page.getByRole('region', { name: 'Recently released' })
    await expect.poll(() => released.locator('li').count()).toBe(3)
    const way = released.getByRole('link', { name: 'Round of 16' })
    expect(await way.getAttribute('href')).toBe(`/t/${slug}#r-${rounds[1]?.id}`)
    const coming = await page.getByRole('region', { name: 'Coming up' }).innerText()
    expect(coming).toMatch(/Semifinals[\s\S]*in 1 h \d+ min[\s\S]*UTC/)
    expect(await names()).toEqual(['Mania Trials', 'Harbour Lights Cup'])
    expect(await page.content()).not.toContain('Secret Cup')
    expect(complaints).toEqual([])
  })

  it('is searched while one types, and the address says for what', async () => {
    await open('/')
    await page.getByRole('searchbox').fill('harbour')
    await expect.poll(names).toEqual(['Harbour Lights Cup'])
    expect(new URL(page.url()).search).toBe('?search=harbour')
    const rank = page.getByLabel('Open to rank')
    for (const typed of ['#12,345', '۱۲۳۴۵', '１２,３４５']) {
      await rank.fill(typed)
      expect(await rank.inputValue()).toBe('12345')
    }
    await page.getByRole('heading', { name: 'No tournament matches' }).waitFor()
    await button('Clear search').click()
    await expect.poll(names).toHaveLength(2)
    await page.goto('/?ruleset=mania')
    await expect.poll(names).toEqual(['Mania Trials'])
    await page.goto('/?page=9')
    await page.getByRole('link', { name: 'Go to the last page' }).click()
    await expect.poll(names).toHaveLength(2)
    expect(complaints).toEqual([])
  })
})

describe('the page of a tournament', () => {
  it('has the newest round first, with its beatmaps', async () => {
    await open(`/t/${slug}`)
    await page.getByText('Harbour 101').first().waitFor()
    const titles = page.locator('.round h2')
    expect(await titles.allInnerTexts()).toEqual(['Quarterfinals', 'Round of 16', 'Qualifiers'])
    const facts = await page.locator('.pack-header').innerText()
    for (const fact of ['HLC', 'Standard', '2026', '#1,000–9,999', 'forum.example.org']) {
      expect(facts).toContain(fact)
    }
    const upcoming = await page.getByRole('region', { name: 'Coming up' }).innerText()
    expect(upcoming).toMatch(/Semifinals[\s\S]*in 1 h \d+ min[\s\S]*Finals[\s\S]*Not scheduled yet/)
    const last = page.locator('.round').first()
    expect(await last.locator('.beatmap-title').allInnerTexts()).toEqual(['Undertow'])
    const pack = last.getByRole('link', { name: 'Open pack of Quarterfinals' })
    const url = `${house.urls.packs}/p/${rounds[2]?.packSlug}`
    expect(await pack.getAttribute('href')).toBe(url)
    expect(complaints).toEqual([])
  })

  it('shows what is planned, the links, and which slots changed since the release (D-78, D-80, D-85)', async () => {
    const planned = { placeholder: 'due Sunday', details: { title: 'Reef', mapper: 'Ada' } }
    const link = 'https://files.example/reef.osz'
    const slots = [
      { mod: 'NM', index: 1, beatmapId: 101 },
      { mod: 'TB', index: 1, ...planned, link },
    ]
    const links = {
      mapPackUrl: 'https://files.example/maps.zip',
      showcaseUrl: 'https://video.example/showcase',
    }
    const { ports } = house
    const [cup, changes] = [
      await openTournament(ports, hostId(), {}, [{ name: 'Finals', slots, ...links }]),
      [{ mod: 'NM', index: 1, from: { beatmapId: 101 }, to: { beatmapId: 102 } }],
    ]
    const { id } = cup.rounds[0]!
    const release = { at: 'now', incomplete: true } as const
    await releaseRound(ports, hostId(), cup.slug, id, release)
    await changeSlots(ports, hostId(), cup.slug, id, { changes })
    house.clock.advance(1_000)
    const { round } = await releaseRound(ports, hostId(), cup.slug, id, release)
    const expectShown = async () => {
      const words = await page.getByRole('region', { name: 'Still to come' }).innerText()
      expect(words).toMatch(/TB\s+Reef by Ada, due Sunday\s+Get the map/)
      const changed = page.getByRole('list', { name: 'Changed since release' })
      expect(await changed.innerText()).toMatch(/^NM1 changed on \d+ \w+$/)
      for (const [name, href] of [
        ['Get the map', link],
        ['Download the map pack', links.mapPackUrl],
        ['Watch the showcase', links.showcaseUrl],
      ] as const) {
        const ways = await page.getByRole('link', { name }).all()
        expect(ways.length, name).toBeGreaterThan(0)
        for (const way of ways) {
          expect(await way.getAttribute('href')).toBe(href)
          expect(await way.getAttribute('rel')).toContain('nofollow')
        }
      }
      expect(await axeViolations(page)).toEqual([])
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      expect(complaints).toEqual([])
    }
    for (const look of looks) {
      await open(`/t/${cup.slug}`, { look })
      await expectShown()
      await closeWindow(page)
      await open(`/p/${round.released!.packSlug}`, { look, service: 'packs' })
      await expectShown()
      await closeWindow(page)
    }
    await deleteTournament(ports, hostId(), cup.slug)
    await open('/')
  })

  it('looks up rounds beyond the first 300 slots as they come into view', async () => {
    const slots = Array.from({ length: 64 }, (_, at) => ({
      mod: 'NM',
      index: at + 1,
      beatmapId: 101,
    }))
    const names = ['One', 'Two', 'Three', 'Four', 'Five']
    const large = await openTournament(
      house.ports,
      hostId(),
      { name: 'Large', visibility: 'private' },
      names.map((name) => ({ name, slots, at: 'now' })),
    )
    await open(`/t/${large.slug}`, { from: host })
    const last = page.locator('.round').nth(4)
    expect(await last.locator('h2').innerText()).toBe('One')
    const height = () => last.evaluate((each) => each.getBoundingClientRect().height)
    const before = await height()
    expect(await last.locator('.beatmap-title').count()).toBe(0)
    await page.getByRole('navigation', { name: 'Rounds' }).getByText('One').click()
    await last.getByText('Harbour 101').first().waitFor()
    // What is read does not move when the tables above it are drawn.
    expect(Math.abs((await height()) - before)).toBeLessThan(40)
    expect(complaints).toEqual([])
  })

  it('leads to a round by its address, and from a dot to its row', async () => {
    await open(`/t/${slug}#r-${rounds[1]?.id}`)
    const round = page.locator('.round').nth(1)
    const top = () => round.evaluate((each) => each.getBoundingClientRect().top)
    await expect.poll(top).toBeLessThan(200)
    await round.locator('.plot-dot').first().focus()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.evaluate('document.activeElement.id'))
      .toMatch(new RegExp(`^r-${rounds[1]?.id}-slot-`))
  })

  it('has lines for referees at each slot', async () => {
    await open(`/t/${slug}`)
    await page.getByText('Harbour 103').first().waitFor()
    await button('!mp: copy !mp lines of HD1').first().click()
    await expect.poll(() => clipboard(page)).toContain('!mp map 103')
  })

  it('has every format of rounds, with what it is for', async () => {
    await open(`/t/${slug}`)
    const shown = page.getByRole('region', { name: 'Downloads' }).locator('.side-words')
    const expected = Object.values(formats).map(
      (format) => format.label + aboutOf(format, 'rounds'),
    )
    expect(await shown.allTextContents()).toEqual(expected)
  })

  it('is downloaded whole or by the round, looking up what nobody has seen', async () => {
    await open(`/t/${slug}`)
    const [name, all] = await downloaded('Spreadsheet')
    expect(name).toBe('Harbour Lights Cup.csv')
    expect(all).toContain(`Quarterfinals,NM1,${LAST_ID},`)
    expect(all.match(/Harbour 101|Undertow/g)).toHaveLength(3)
    await chosen().selectOption('Quarterfinals')
    const [own, bracket] = await downloaded('bracket.json')
    expect(own).toBe('Harbour Lights Cup Quarterfinals bracket.json')
    expect(JSON.parse(bracket).Rounds).toMatchObject([{ Name: 'Quarterfinals' }])
    await button('Copy Wiki Markdown').click()
    await expect.poll(() => clipboard(page)).toContain('Undertow')
    const [osdb] = await downloaded('Collections (.osdb)')
    expect(osdb).toBe('Harbour Lights Cup Quarterfinals.osdb')
    expect(complaints).toEqual([])
  })

  it('is added to a bracket.json of one’s own, or the file is left as it is', async () => {
    await open(`/t/${slug}`)
    const choose = async (content: string) => {
      const chooser = page.waitForEvent('filechooser')
      await button('Add to your own bracket.json').click()
      const file = { name: 'mine.json', mimeType: 'application/json', buffer: Buffer.from(content) }
      await (await chooser).setFiles(file)
    }
    const download = page.waitForEvent('download')
    await choose('{ "Teams": [1], "Rounds": [] }')
    const [name, merged] = await contentOf(download)
    expect([name, JSON.parse(merged).Teams]).toEqual(['mine.json', [1]])
    expect(JSON.parse(merged).Rounds).toHaveLength(3)
    await choose('{ "Rounds": [')
    await page.getByRole('alert').getByText('Your file was not changed: line 1').waitFor()
  })

  it('says what to expect while nothing is released', async () => {
    const { slug: empty } = await openTournament(house.ports, hostId(), { name: 'Empty' }, [])
    await open(`/t/${empty}`)
    await page.getByRole('heading', { name: 'No rounds released yet' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('shows a round that is released while one waits for it', async () => {
    const { slug: awaited, rounds: made } = await openTournament(
      house.ports,
      hostId(),
      { name: 'Awaited', announceRounds: true },
      [{ name: 'First', ...one(101), at: later(3_600_000) }],
    )
    await open(`/t/${awaited}`, { hasHandClock: true })
    await page.getByText('No rounds released yet').waitFor()
    await releaseRound(house.ports, hostId(), awaited, made[0]?.id ?? '', { at: 'now' })
    await page.clock.runFor('01:01:00')
    await page.getByText('A round was released').waitFor()
    await page.getByRole('heading', { name: 'First' }).waitFor()
    expect(await page.getByRole('region', { name: 'Coming up' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('counts down by the clock of the site when that of a computer said it was time', async () => {
    await open(`/t/${slug}`, {
      prepare: (made) =>
        made.addInitScript(`
            const own = performance.now.bind(performance)
            performance.now = () => own() + 95 * 60_000`),
    })
    const upcoming = page.getByRole('region', { name: 'Coming up' })
    await upcoming.getByText(/in 1 h \d+ min/).waitFor()
    expect(complaints).toEqual([])
  })

  it('is hidden by moderators, who can show it again later', async () => {
    await house.ports.accounts.setModerator(7003, true, 0)
    const moderator = await house.signedIn(7003, 'pools')
    const { slug: odd } = await openTournament(house.ports, hostId(), { name: 'Odd' }, [])
    const statusOf = async () => (await house.browser('pools').open(`/t/${odd}`)).status
    await open(`/t/${odd}`, { from: moderator })
    await button('Hide tournament …').click()
    await page.getByLabel('Reason').fill('copied')
    await button('Hide tournament').click()
    await page.getByText('Hidden:').waitFor()
    expect(await statusOf()).toBe(404)
    await page.reload()
    await button('Unhide …').click()
    await page.getByLabel('Reason').fill('a mistake')
    await button('Unhide tournament').click()
    await button('Hide tournament …').waitFor()
    expect(await statusOf()).toBe(200)
    expect(complaints).toEqual([])
  })

  it('tells its staff how to the workspace, and what others see', async () => {
    await open(`/t/${slug}`, { from: host })
    const way = page.getByRole('link', { name: 'Open workspace' })
    expect(await way.getAttribute('href')).toBe(`/t/${slug}/edit`)
    await page.getByText('You are on the staff as host').waitFor()
    const facts = { name: 'Quiet Cup', visibility: 'private' } as const
    const { slug: quiet } = await openTournament(house.ports, hostId(), facts, [])
    await page.goto(`/t/${quiet}`)
    await page.getByText('This tournament is private').waitFor()
  })
})

describe('my tournaments', () => {
  it('are listed with what comes next, and lead to their workspaces', async () => {
    await open('/my', { from: host })
    const row = page.locator('.tournament-row').filter({ hasText: 'Harbour Lights Cup' })
    const text = await row.innerText()
    expect(text).toMatch(/Host[\s\S]*3 of 5 rounds released[\s\S]*Semifinals in 1 h \d+ min/)
    const href = await row.locator('.tournament-name a').getAttribute('href')
    expect(href).toBe(`/t/${slug}/edit`)
  })

  it('are made with a name, and open at once', async () => {
    const maker = await house.signedIn(7002, 'pools')
    await open('/my', { from: maker })
    await page.getByRole('heading', { name: 'No tournaments yet' }).waitFor()
    await page.goto('/my?new=1')
    await page.getByLabel('Name', { exact: true }).fill(' ')
    expect(await button('Create and open').isDisabled()).toBe(true)
    await page.getByLabel('Name', { exact: true }).fill(evil)
    await page.getByLabel('Ruleset').selectOption('Taiko')
    await page.keyboard.press('Escape')
    await button('New tournament').first().click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(evil)
    await page.getByLabel('Short name').fill('EVIL')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/t\/[\w-]{10}\/edit$/)
    const [, slug] = /\/t\/([\w-]{10})\/edit$/.exec(page.url())!
    const { json } = await maker.ask('GET', `/session/tournaments/${slug}`)
    const made = { name: evil, shortName: 'EVIL', ruleset: 'taiko', visibility: 'private' }
    expect(json.tournament).toMatchObject({ ...made, role: 'host' })
    await page.goto('/my')
    await expect.poll(names).toEqual([evil])
  })

  it('begin as a copy of the rounds of another one', async () => {
    await open(`/t/${slug}`, { from: host })
    await page.getByRole('link', { name: 'Start another from this one' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Harbour Lights Cup 2')
    const origin = page.getByLabel(/^Copy rounds from/)
    expect(await origin.inputValue()).toBe(slug)
    expect(await page.getByLabel('Ruleset').count()).toBe(0)
    await origin.fill('a cup of tea')
    await page.getByText('Paste the address of a tournament’s page').waitFor()
    expect(await button('Create and open').isDisabled()).toBe(true)
    await origin.fill('')
    await page.getByLabel('Ruleset').waitFor()
    await origin.fill(`${house.urls.pools}/t/${slug}#r-x`)
    await button('Create and open').click()
    await page.waitForURL(/\/t\/[\w-]{10}\/edit$/)
    const [, made] = /\/t\/([\w-]{10})\/edit$/.exec(page.url())!
    const read = async (each: string) =>
      (await host.ask('GET', `/session/tournaments/${each}`)).json.tournament
    const [copy, original] = [await read(made!), await read(slug)]
    expect(copy).toMatchObject({ name: 'Harbour Lights Cup 2', from: slug, visibility: 'private' })
    const namesOf = ({ rounds: all }: { rounds: { name: string }[] }) => all.map(({ name }) => name)
    expect(namesOf(copy)).toEqual(namesOf(original))
    expect(complaints).toEqual([])
  })

  it('are for those who are signed in', async () => {
    await open('/my')
    const way = page.locator('.notice a')
    expect(await way.getAttribute('href')).toBe('/sign-in?return=%2Fmy')
  })
})

describe('the page of a released pack', () => {
  it('leads to its tournament and to the packs of the rounds next to it', async () => {
    await open(`/p/${rounds[1]?.packSlug}`, { service: 'packs' })
    const links = page.getByRole('navigation', { name: 'Tournament' })
    const tournament = links.getByRole('link', { name: 'Harbour Lights Cup' })
    expect(await tournament.getAttribute('href')).toBe(`${house.urls.pools}/t/${slug}`)
    await links.getByRole('link', { name: 'Next round: Quarterfinals' }).click()
    await page.waitForURL(`**/p/${rounds[2]?.packSlug}`)
    await page.getByRole('link', { name: 'Previous round: Round of 16' }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('by keyboard', () => {
  it('everything can be reached', async () => {
    await open(`/t/${slug}`, { from: host })
    for (const name of ['Copy link', 'Open workspace', 'Qualifiers']) await tabTo(page, name)
    await chosen().focus()
    for (const name of ['Add to your own bracket.json', 'Download Referee lines']) {
      await tabTo(page, name)
    }
  })
})

describe.each(looks)('in both themes, $viewport.width pixels wide', (look) => {
  it('can be used by everybody, and fits', async () => {
    const expectUsable = async () => {
      expect(await axeViolations(page)).toEqual([])
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      if (look.viewport !== phone) return
      const targets = 'main button:visible, main .button, main .field, .round-nav a, dialog button'
      expect(Math.min(...(await targetHeights(page, targets)))).toBeGreaterThanOrEqual(44)
    }
    await open('/', { look })
    await expectUsable()
    await page.goto(`/t/${slug}`)
    await page.locator('h1').waitFor()
    await page.getByText('Harbour 101').first().waitFor()
    await page.locator('.round').first().locator('.blank').first().waitFor({ state: 'detached' })
    await expectUsable()
    await closeWindow(page)
    await open('/my', { look, from: host })
    await expectUsable()
    await button('New tournament').click()
    await expectUsable()
  })
})
