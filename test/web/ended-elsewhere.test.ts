import type { Browser as Chromium, Page, Request, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { changeTournament, setStaff } from '../support/sample-tournament.ts'
import { aPack } from '../support/samples.ts'
import { aLink } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const HOST = 7001
const MEMBER = 7002

let house: SiteHouse
let chromium: Chromium
let host: Browser
let member: Browser
let owner: Browser
let page: Page

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  host = await house.signedIn(HOST, 'pools')
  member = await house.signedIn(MEMBER, 'pools')
  owner = await house.signedIn(HOST)
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})
beforeEach(() => house.clock.nextMinute())
afterEach(async () => {
  await closeWindow(page)
  // An account hosts 20 at most.
  for (const path of left.splice(0)) await host.ask('DELETE', path)
})

/** The paths of tournaments. */
const left: string[] = []

const askOf =
  (who: () => Browser) =>
  async (method: string, path: string, body?: unknown, headers = {}) => {
    const reply = await who().ask(method, path, body, headers)
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`)
    return reply
  }
const ask = askOf(() => host)
const askAsOwner = askOf(() => owner)
const made = async (method: string, path: string, body?: unknown) =>
  (await ask(method, path, body)).json

/** A tournament with a round, which is deleted where `isDeleted` says so; the paths of both. */
const tournament = async () => {
  const { slug } = (await made('POST', '/session/tournaments', { name: 'Harbour Cup' })).tournament
  const path = `/session/tournaments/${slug}`
  left.push(path)
  const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
  const { id } = (await made('POST', `${path}/rounds`, { name: 'Finals', slots })).round
  return { slug: slug as string, path, id: id as string, round: `${path}/rounds/${id}` }
}
const press = (name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()
const confirm = (name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

type Scene = {
  /** Left out: the host, or the owner of packs. */
  readonly from?: Browser
  readonly path: string
  readonly service?: ServiceName
  /** What is to go. */
  readonly row: string
  /** Before it can be seen. */
  readonly show?: () => Promise<void>
  readonly end: () => Promise<unknown>
  readonly press: () => Promise<void>
}

const scenes: Readonly<Record<string, () => Promise<Scene>>> = {
  session: async () => {
    const from = await house.signedIn(7003, 'pools')
    const other = await house.signedIn(7003, 'pools')
    return {
      from,
      path: '/account',
      row: '.account-sessions li:not(:has(.account-here))',
      end: () => other.ask('POST', '/session/sign-out', {}),
      press: () => press(/^End session/),
    }
  },
  key: async () => {
    await ask('POST', '/session/key')
    return {
      path: '/account',
      row: '.account-state.live',
      end: () => ask('DELETE', '/session/key'),
      press: async () => {
        await press('Revoke')
        await confirm('Revoke')
      },
    }
  },
  invitation: async () => {
    const { slug, path } = await tournament()
    await ask('POST', `${path}/invitations`, { role: 'tester' })
    const [{ id }] = (await made('GET', `${path}/invitations`)).invitations
    return {
      path: `/t/${slug}/staff`,
      row: '.staff-ways .staff-member',
      end: () => ask('DELETE', `${path}/invitations/${id}`),
      press: () => press('Revoke'),
    }
  },
  member: async () => {
    const { slug, path } = await tournament()
    await ask('PUT', `${path}/staff/${MEMBER}`, { role: 'tester' })
    return {
      path: `/t/${slug}/staff`,
      row: '.staff-page > .staff-list > .staff-member >> nth=1',
      end: () => ask('DELETE', `${path}/staff/${MEMBER}`),
      press: async () => {
        await press(/^Remove /)
        await confirm('Remove')
      },
    }
  },
  candidate: async () => {
    const { slug, round } = await tournament()
    const body = { mod: 'NM', index: 1, beatmapId: 76 }
    const { candidate } = await made('POST', `${round}/candidates`, body)
    return {
      path: `/t/${slug}/edit`,
      row: '.candidate',
      show: () => press(/^Candidates and remarks of NM1/),
      end: () => ask('DELETE', `${round}/candidates/${candidate.id}`),
      press: () => press('Remove the candidate'),
    }
  },
  remark: async () => {
    const { slug, round } = await tournament()
    const body = { mod: 'NM', index: 1, text: 'Too long' }
    const { remark } = await made('POST', `${round}/remarks`, body)
    return {
      path: `/t/${slug}/edit`,
      row: '.remark',
      show: () => press(/^Candidates and remarks of NM1/),
      end: () => ask('DELETE', `${round}/remarks/${remark.id}`),
      press: () => press('Remove the remark'),
    }
  },
  round: async () => {
    const { slug, path, round } = await tournament()
    await ask('POST', `${path}/rounds`, { name: 'Groups' })
    const tag = (await ask('GET', round)).headers.get('etag')
    return {
      path: `/t/${slug}/edit`,
      row: '.round-name:has-text("Finals")',
      end: () => ask('DELETE', round, undefined, { 'if-match': tag }),
      press: async () => {
        await press('Delete the round')
        await confirm('Delete round')
      },
    }
  },
  'deleted round': async () => {
    const { slug, path, id, round } = await tournament()
    await ask('POST', `${path}/rounds`, { name: 'Groups' })
    const tag = (await ask('GET', round)).headers.get('etag')
    await ask('DELETE', round, undefined, { 'if-match': tag })
    return {
      path: `/t/${slug}/edit`,
      row: '.deleted-rounds li',
      show: () => press(/deleted/i),
      end: () => ask('POST', `${path}/deleted-rounds/${id}/restore`),
      press: () => press(/^Restore/),
    }
  },
  'magnet link': async () => {
    const slug = await house.save(owner, aPack())
    const { packKey } = (await askAsOwner('GET', `/session/packs/${slug}`)).json.pack
    const url = `${aLink(1)}&dn=Harbour`
    await askAsOwner('POST', `/session/packs/${slug}/magnets`, { url, packKey })
    return {
      path: `/p/${slug}`,
      service: 'packs',
      row: '.side-link:has-text("Harbour")',
      end: () => askAsOwner('DELETE', `/session/packs/${slug}/magnets`, { url }),
      press: () => press(/^Remove magnet link/),
    }
  },
}

describe('what was ended elsewhere goes quietly when its button is pressed', () => {
  it.each(Object.keys(scenes))('%s', async (name) => {
    const { path, service = 'pools', row, show, end, press, ...scene } = await scenes[name]!()
    const { from = service === 'packs' ? owner : host } = scene
    // Nothing tells the page of it, and it does not see it by itself before the press.
    const reads = new Set<Request>()
    const isRead = (request: Request) => /\/(?:workspace|deleted-rounds)$/.test(request.url())
    const prepare = async (opened: Page) => {
      opened.on('request', (request) => isRead(request) && reads.add(request))
      opened.on('requestfinished', (request) => reads.delete(request))
      opened.on('requestfailed', (request) => reads.delete(request))
      await opened.route('**/events*', (route) => route.abort())
    }
    ;({ page } = await openRealPage(chromium, house, { from, path, service, prepare }))
    await show?.()
    const shown = page.locator(row)
    await shown.waitFor()
    await page.route('**/workspace', (route) => route.abort())
    await expect.poll(() => reads.size).toBe(0)
    await end()
    await press()
    await page.unroute('**/workspace')
    await expect.poll(() => shown.count()).toBe(0)
    const failures = page.locator('.failure-line').filter({ hasText: /\S/ })
    expect(await failures.count()).toBe(0)
    expect(await page.getByRole('dialog').filter({ visible: true }).count()).toBe(
      name === 'deleted round' ? 1 : 0,
    )
  })

  it('a pack, which is left for the others', async () => {
    const slug = await house.save(owner, aPack({ name: 'Doomed' }))
    ;({ page } = await openRealPage(chromium, house, { from: owner, path: `/p/${slug}` }))
    await askAsOwner('DELETE', `/session/packs/${slug}`)
    await press('Delete')
    await confirm('Delete pack')
    await page.waitForURL('**/me')
  })

  const typeName = async () => {
    await press('Settings')
    await page.getByText('Delete the tournament', { exact: true }).first().click()
    await page.getByLabel('Name of the tournament').fill('Harbour Cup')
  }
  /** What opens a dialog, or fills a form, of the workspace or of the page of the staff, and the button that confirms it. */
  const acts: Readonly<
    Record<string, { path: 'edit' | 'staff'; open: () => Promise<unknown>; button: string }>
  > = {
    'deletes it': { path: 'edit', open: typeName, button: 'Delete the tournament' },
    'saves its settings': {
      path: 'edit',
      open: async () => {
        await press('Settings')
        await page.getByLabel('Description').fill('Two days, four boats')
      },
      button: 'Save',
    },
    'deletes a round': {
      path: 'edit',
      open: () => press('Delete the round'),
      button: 'Delete round',
    },
    'restores a round': {
      path: 'edit',
      open: () => press('Deleted rounds (1)'),
      button: 'Restore Groups',
    },
    'releases a round': {
      path: 'edit',
      open: () => press('Release again'),
      button: 'Release again',
    },
    'withdraws a pack': {
      path: 'edit',
      open: () => press('Withdraw the pack'),
      button: 'Withdraw the pack',
    },
    'takes a sheet': {
      path: 'edit',
      open: async () => {
        await press('Paste a sheet')
        await page.locator('#sheet-text').fill('Semifinals\nNM1 75')
      },
      button: 'Add the round',
    },
    'removes a member': {
      path: 'staff',
      open: () => press(/^Remove /),
      button: 'Remove',
    },
    'limits a member': {
      path: 'staff',
      open: () =>
        page
          .getByRole('button', { name: /^Rounds of / })
          .last()
          .click(),
      button: 'Save',
    },
    'makes a link': { path: 'staff', open: async () => {}, button: 'Make a link' },
    'adds a player': {
      path: 'staff',
      open: () => page.getByLabel('Player id or profile link').fill('7004'),
      button: 'Add',
    },
  }
  const ends = ['it is gone', 'who does it is off the staff', 'that is so and everybody may see it']
  const cases = Object.entries(acts).flatMap(([act, { button }]) =>
    ends
      .slice(0, ['Save', 'Delete the tournament'].includes(button) ? 3 : 2)
      .map((end) => [act, end] as const),
  )

  it.each(cases)('a tournament, which is left for the others: who %s, and %s', async (act, end) => {
    const { slug, path, round } = await tournament()
    await ask('PUT', `${path}/staff/${MEMBER}`, { role: 'host' })
    if (end === ends[2]) await ask('PATCH', path, { visibility: 'public' })
    const tagOf = async (round: string) => ({
      'if-match': (await ask('GET', round)).headers.get('etag'),
    })
    await ask('PUT', `${round}/release`, { at: 'now' }, await tagOf(round))
    const other = `${path}/rounds/${(await made('POST', `${path}/rounds`, { name: 'Groups' })).round.id}`
    await ask('DELETE', other, undefined, await tagOf(other))
    await house.signedIn(7003, 'pools')
    await ask('PUT', `${path}/staff/7003`, { role: 'tester' })
    const { open, button, path: at } = acts[act]!
    ;({ page } = await openRealPage(chromium, house, {
      from: member,
      path: `/t/${slug}/${at}`,
      service: 'pools',
      prepare: (opened) => opened.route('**/events*', (route) => route.abort()),
    }))
    await open()
    // The page does not see it by itself before the press: it waits for its next look.
    const looks: Route[] = []
    await page.route('**/workspace', (route) => void looks.push(route))
    if (at === 'edit') await expect.poll(() => looks.length).toBe(1)
    await ask('DELETE', end === ends[0] ? path : `${path}/staff/${MEMBER}`)
    await page.unroute('**/workspace')
    for (const look of looks) await look.abort()
    await page.getByRole('button', { name: button, exact: true }).last().click()
    await page.waitForURL('**/my')
    await page.getByText('Harbour Cup was deleted, or you were removed from its staff').waitFor()
  })

  it('a tournament, of which nobody knows whether this deletion or another host was faster', async () => {
    const { slug, path } = await tournament()
    await ask('PUT', `${path}/staff/${MEMBER}`, { role: 'host' })
    ;({ page } = await openRealPage(chromium, house, {
      from: member,
      path: `/t/${slug}/edit`,
      service: 'pools',
    }))
    await typeName()
    let isLost = false
    await page.route(`**/session/tournaments/${slug}`, async (route) => {
      if (isLost || route.request().method() !== 'DELETE') return route.continue()
      isLost = true
      // The first attempt does not arrive, and the second comes too late.
      await ask('DELETE', `${path}/staff/${MEMBER}`)
      await route.abort('connectionreset')
    })
    await press('Delete the tournament')
    await page.waitForURL('**/my')
    await page.getByText('Harbour Cup was deleted, or you were removed from its staff').waitFor()
    expect((await made('GET', path)).tournament.name).toBe('Harbour Cup')
  })

  it('a member of the staff, of whom the page says so', async () => {
    const { slug, path } = await tournament()
    await ask('PUT', `${path}/staff/${MEMBER}`, { role: 'tester' })
    const opening = { from: host, path: `/t/${slug}/staff`, service: 'pools' } as const
    ;({ page } = await openRealPage(chromium, house, opening))
    await press(/^Remove /)
    await confirm('Remove')
    await page.locator('.toasts').getByText('removed from the staff').waitFor()
  })

  it('being on a staff, by who leaves it', async () => {
    const { slug, path } = await tournament()
    await ask('PUT', `${path}/staff/${MEMBER}`, { role: 'tester' })
    const opening = { from: member, path: `/t/${slug}/staff`, service: 'pools' } as const
    ;({ page } = await openRealPage(chromium, house, opening))
    await page.locator('.staff-member').first().waitFor()
    await ask('DELETE', `${path}/staff/${MEMBER}`)
    await press('Leave the staff')
    await confirm('Leave')
    await page.waitForURL('**/my')
  })
})

describe('a key that nobody has seen on this page', () => {
  const keyOf = async () => (await made('GET', '/session/key')).key?.shown as string | undefined
  const acts: Readonly<Record<string, () => Promise<void>>> = {
    Revoke: async () => {
      await press('Revoke')
      await confirm('Revoke')
    },
    Regenerate: async () => {
      await press('Regenerate')
      await confirm('Regenerate')
    },
    'Create key': () => press('Create key'),
  }

  const times = ['before the press', 'while the request is on its way'] as const
  const cases = times.flatMap((time) =>
    Object.entries(acts).map((each) => [time, ...each] as const),
  )

  // Ten keys are made in an hour at most (D-41).
  beforeEach(() => house.clock.advance(3_600_000))

  it.each(cases)(
    'is made %s, and shown before anything is done to it: %s',
    async (time, name, act) => {
      await host.ask('DELETE', '/session/key')
      if (name !== 'Create key') await ask('POST', '/session/key')
      const before = await keyOf()
      ;({ page } = await openRealPage(chromium, house, {
        from: host,
        path: '/account',
        service: 'pools',
      }))
      await page.getByText(before === undefined ? 'No key' : `pools_${before}…`).waitFor()
      let now: string | undefined
      const makeElsewhere = async () => {
        now = (await made('POST', '/session/key')).shown
      }
      if (time === 'before the press') await makeElsewhere()
      else {
        const isOfKey = (url: URL) => url.pathname === '/session/key'
        await page.route(isOfKey, async (route) => {
          if (route.request().method() !== 'GET' && now === undefined) await makeElsewhere()
          await route.continue()
        })
      }
      await act()
      const failure = page.locator('.failure-line').filter({ hasText: /pools_.{4}…/ })
      await failure.waitFor()
      expect(await failure.textContent()).toContain(`pools_${now}…`)
      expect(await keyOf()).toBe(now)
      await page.locator('.account-shown').getByText(`pools_${now}…`).waitFor()
      expect(await page.getByRole('dialog').filter({ visible: true }).count()).toBe(0)
      await acts['Revoke']!()
      await expect.poll(keyOf).toBeUndefined()
    },
  )
})

describe('invitations', () => {
  it('can be seen and revoked on a staff that is full', async () => {
    const { slug, path } = await tournament()
    await ask('POST', `${path}/invitations`, { role: 'tester' })
    for (let count = 1; count < 100; count += 1) {
      const id = `staff-${slug}-${count}`
      const player = { gameId: house.clock.now() + count, username: `player ${count}` }
      await house.ports.accounts.ensurePlayer(player, id, 0)
      await setStaff(house.ports, slug, id, 'referee')
    }
    const opening = { from: host, path: `/t/${slug}/staff`, service: 'pools' } as const
    ;({ page } = await openRealPage(chromium, house, opening))
    await page.getByText('100 of 100').waitFor()
    expect(await page.getByRole('button', { name: 'Make a link' }).count()).toBe(0)
    await press('Revoke')
    await page.locator('.staff-ways .staff-member').waitFor({ state: 'detached' })
    expect((await made('GET', `${path}/invitations`)).invitations).toEqual([])
    // There is room again.
    await changeTournament(house.ports, slug, ({ staff }) => ({ staff: staff.slice(0, -1) }))
    await page.reload()
    await page.getByRole('heading', { name: 'Invite by a link' }).waitFor()
  })
})
