import type { Browser as Chromium, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forSessions } from '../../src/contract/endpoint.ts'
import { poolsSessionRoutes, tournamentRoutes } from '../../src/contract/pools-routes.ts'
import { sessionRoutes } from '../../src/contract/routes.ts'
import type { poolsSessionApi, sessionApi } from '../../src/contract/session-api.ts'
import type { ServiceName } from '../../src/contract/services.ts'
import type { Browser } from '../support/browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { closeWindow, openRealPage } from '../support/real-page.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { teach } from './pool-page.ts'

const HOST = 7001

let house: SiteHouse
let chromium: Chromium
let page: Page
let host: Browser
let packs: Browser
const made: string[] = []

beforeAll(async () => {
  chromium = await launchChromium()
  house = await openSiteHouse({ hasRealPages: true })
  for (const id of [101, 102, 75]) await teach(house, id, { mode: 'osu', stars: 6 })
})
beforeEach(async () => {
  house.clock.nextMinute()
  host = await house.signedIn(HOST, 'pools')
  packs = await house.signedIn(HOST)
})
afterEach(async () => {
  await closeWindow(page)
  for (const slug of made.splice(0)) await host.ask('DELETE', `/session/tournaments/${slug}`)
})
afterAll(async () => {
  await chromium.close()
  await house.close()
})

const open = async (from: Browser, path: string, service: ServiceName = 'pools') => {
  ;({ page } = await openRealPage(chromium, house, { from, path, service }))
}
const button = (name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const press = (name: string | RegExp) => button(name).first().click()
const confirm = (name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const ask = async (method: string, path: string, body?: unknown) => {
  const reply = await host.ask(method, `/session/tournaments${path}`, body)
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply.json
}

/** A tournament with a round, which is what most is done to. */
const cup = async () => {
  const { slug } = (await ask('POST', '', { name: 'Harbour Lights Cup' })).tournament
  made.push(slug)
  const slots = [
    { mod: 'NM', index: 1, beatmapId: 101 },
    { mod: 'NM', index: 2, beatmapId: 102 },
  ]
  const { round } = await ask('POST', `/${slug}/rounds`, { name: 'Finals', slots })
  const path = `/${slug}/rounds/${round.id}`
  return { slug: slug as string, id: round.id as string, path }
}
const toWorkspace = async (slug: string) => {
  await open(host, `/t/${slug}/edit`)
  await page.locator('.lanes').waitFor()
}
type Writes<A> = {
  [N in keyof A]: A[N] extends { method: 'GET' } ? never : N
}[keyof A]
type Write = Writes<typeof sessionApi> | Writes<typeof poolsSessionApi>

type Trial = {
  /** Begins the write. */
  readonly act: () => Promise<unknown>
  /** Waits until the page shows what the site has, and sees that this is right. */
  readonly agree: () => Promise<unknown>
}
const trial = (open: () => Promise<Trial>) => open

const seen = (text: string | RegExp) => page.getByText(text).first().waitFor()

/** What a person does, by the write that it makes; `calls`: nothing but what `lost-calls.test.ts` tries of every write. */
const trials: Readonly<Record<Write, (() => Promise<Trial>) | 'calls'>> = {
  makeKey: trial(async () => {
    const before = (await packs.ask('POST', '/session/key')).json.shown as string
    await open(packs, '/account', 'packs')
    await page.getByText(`packs_${before}…`).waitFor()
    return {
      act: async () => {
        await press('Regenerate')
        await confirm('Regenerate')
      },
      agree: async () => {
        const { key } = (await packs.ask('GET', '/session/key')).json
        expect(key.shown).not.toBe(before)
        await seen('Your key was replaced')
        await page.locator('.account-shown').getByText(`packs_${key.shown}…`).waitFor()
      },
    }
  }),
  revokeKey: trial(async () => {
    await packs.ask('POST', '/session/key')
    await open(packs, '/account', 'packs')
    return {
      act: async () => {
        await press('Revoke')
        await confirm('Revoke')
      },
      agree: async () => {
        expect((await packs.ask('GET', '/session/key')).json.key).toBeNull()
        await button('Create key').waitFor()
      },
    }
  }),
  createTournament: trial(async () => {
    await open(host, '/my')
    return {
      act: async () => {
        await press('New tournament')
        await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Twice Cup')
        await confirm('Create and open')
      },
      agree: async () => {
        await page.waitForURL('**/t/*/edit')
        made.push(new URL(page.url()).pathname.split('/')[2]!)
        await page.goto('/my')
        await page.getByText('Twice Cup').first().waitFor()
        expect(await page.locator('main').getByText('Twice Cup').count()).toBe(1)
      },
    }
  }),
  createRound: trial(async () => {
    const { slug } = await cup()
    await toWorkspace(slug)
    return {
      act: async () => {
        await page.locator('#round-new').fill('Semifinals')
        await page.locator('#round-new').press('Enter')
      },
      agree: async () => {
        await page.locator('.rounds-nav').getByText('Semifinals').waitFor()
        const { rounds } = (await ask('GET', `/${slug}`)).tournament
        expect(rounds.map(({ name }: { name: string }) => name)).toEqual(['Finals', 'Semifinals'])
        expect(await page.getByText('Another round has this name').count()).toBe(0)
      },
    }
  }),
  releaseRound: trial(async () => {
    const { slug, path } = await cup()
    await toWorkspace(slug)
    return {
      act: async () => {
        await press('Release now')
        await confirm('Release now')
      },
      agree: async () => {
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await button('Release again').waitFor()
        expect((await ask('GET', path)).round.packSlug).toBeDefined()
      },
    }
  }),
  addRemark: trial(async () => {
    const { slug, path } = await cup()
    await toWorkspace(slug)
    await press(/^Candidates and remarks of NM1/)
    return {
      act: async () => {
        await page.locator('.add-remark textarea').first().fill('Too long?')
        await page.locator('.add-remark button').first().click()
      },
      agree: async () => {
        await page.locator('.remark-text').getByText('Too long?').waitFor()
        expect(await page.locator('.remark-text').count()).toBe(1)
        expect((await ask('GET', `${path}/discussion`)).remarks).toHaveLength(1)
        await expect.poll(() => page.locator('.add-remark textarea').first().inputValue()).toBe('')
      },
    }
  }),
  deleteRound: trial(async () => {
    const { slug, path } = await cup()
    await ask('POST', `/${slug}/rounds`, { name: 'Semifinals', slots: [] })
    await toWorkspace(slug)
    return {
      act: async () => {
        await press('Delete the round')
        await page.getByRole('dialog').getByRole('button', { name: 'Delete round' }).click()
      },
      agree: async () => {
        const inList = page.locator('.rounds-nav').getByText('Finals', { exact: true })
        await inList.waitFor({ state: 'detached' })
        expect((await host.ask('GET', `/session/tournaments${path}`)).status).toBe(404)
      },
    }
  }),
  makeInvitation: trial(async () => {
    const { slug } = await cup()
    await open(host, `/t/${slug}/staff`)
    return {
      act: () => press('Make a link'),
      agree: async () => {
        await seen('A link was created')
        const { invitations } = await ask('GET', `/${slug}/invitations`)
        expect(invitations).toHaveLength(1)
        await expect.poll(() => page.getByText(/^until /).count()).toBe(1)
      },
    }
  }),
  createPack: trial(async () => {
    await open(packs, '/new', 'packs')
    const total = async () => (await packs.ask('GET', '/session/packs')).json.total as number
    const before = await total()
    return {
      act: async () => {
        await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Once')
        await page.getByRole('textbox', { name: 'Paste a sheet' }).fill('NM1 75')
        await press('Add 1 beatmap')
        await press('Save')
      },
      agree: async () => {
        await page.waitForURL(/\/p\/[^/]{10}$/)
        expect(await total()).toBe(before + 1)
      },
    }
  }),
  deletePack: trial(async () => {
    const slug = await house.save(packs, aPack())
    await open(packs, `/p/${slug}`, 'packs')
    return {
      act: async () => {
        await press('Delete')
        await confirm('Delete pack')
      },
      agree: async () => {
        await page.waitForURL('**/me')
        expect((await packs.ask('GET', `/session/packs/${slug}`)).status).toBe(404)
      },
    }
  }),
  setHistoryPublic: 'calls',
  replacePack: 'calls',
  signOut: 'calls',
  setLanguage: 'calls',
  endSession: 'calls',
  endOtherSessions: 'calls',
  recordMagnet: 'calls',
  removeMagnet: 'calls',
  lookAtBeatmaps: 'calls',
  deleteAccount: 'calls',
  hidePack: 'calls',
  unhidePack: 'calls',
  pinPack: 'calls',
  unpinPack: 'calls',
  orderPins: 'calls',
  suspendPlayer: 'calls',
  unsuspendPlayer: 'calls',
  updateTournament: 'calls',
  deleteTournament: 'calls',
  replaceRounds: 'calls',
  replaceRound: 'calls',
  changeSlots: 'calls',
  restoreRound: 'calls',
  setRole: 'calls',
  removeMember: 'calls',
  proposeCandidate: 'calls',
  voteOnCandidate: 'calls',
  moveCandidate: 'calls',
  removeCandidate: 'calls',
  updateRemark: 'calls',
  removeRemark: 'calls',
  sendTrial: 'calls',
  sendAgain: 'calls',
  withdrawInvitation: 'calls',
  acceptInvitation: 'calls',
  hideTournament: 'calls',
  unhideTournament: 'calls',
}

const routesOf = { ...sessionRoutes, ...poolsSessionRoutes, ...forSessions(tournamentRoutes) }

/** The write commits, and its answer does not come: not for the first time, or not for a while. */
const losses = {
  'its connection ends': (route: Route) => route.abort('connectionreset'),
  'a proxy gives up': (route: Route) => route.fulfill({ status: 504, body: '<h1>Gateway</h1>' }),
  'its answer is cut': (route: Route) => route.fulfill({ status: 200, body: '{"half' }),
}

const claims =
  /Nothing was|still works|was not (created|saved|changed|deleted|restored|hidden)|^Not saved|not affected|not shown\?/i

const tried = Object.entries(trials).flatMap(([name, begin]) =>
  begin === 'calls' ? [] : [[name as Write, begin] as const],
)

describe.each(Object.entries(losses))('when the answer to a write is lost: %s', (_, lose) => {
  it.each(tried)(
    '%s: the page claims nothing that is not so, and finds out',
    async (name, begin) => {
      const { act, agree } = await begin()
      const [method, path] = routesOf[name as keyof typeof routesOf].split(' ')
      const pattern = new RegExp(`${path!.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`)
      let [isLost, isCommitted] = [false, false]
      await page.route(pattern, async (route) => {
        if (isLost || route.request().method() !== method) return route.fallback()
        isLost = true
        await route.fetch()
        isCommitted = true
        return lose(route)
      })
      await page.evaluate(`(() => {
        const note = () => {
          const [claim] = ${String(claims)}.exec(document.body.innerText) ?? []
          if (claim !== undefined) sessionStorage.setItem('claimed', claim)
        }
        new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true })
      })()`)
      await act()
      await expect.poll(() => isCommitted).toBe(true)
      await agree()
      expect(await page.locator('body').innerText()).not.toMatch(claims)
      expect(await page.evaluate(`sessionStorage.getItem('claimed')`)).toBeNull()
    },
  )
})

describe('a new pack of which no answer comes', () => {
  const saves = /\/session\/packs$/
  const name = () => page.getByRole('textbox', { name: 'Name', exact: true })
  const all = async () => {
    const { json } = await packs.ask('GET', '/session/packs')
    return json.packs.map((pack: { name: string }) => pack.name) as string[]
  }

  it.each([
    ['is saved once, though it was changed since', false],
    ['is saved once, though it was changed since, and the page loaded again', true],
  ])('%s', async (_, isReloaded) => {
    const before = await all()
    await open(packs, '/new', 'packs')
    await name().fill('Lost')
    await page.getByRole('textbox', { name: 'Paste a sheet' }).fill('NM1 75')
    await press('Add 1 beatmap')
    await page.route(saves, async (route) => {
      await route.fetch()
      return route.abort()
    })
    await press('Save')
    await seen('Perhaps not saved')
    await page.unroute(saves)
    if (isReloaded) {
      await page.reload()
      await seen('Draft restored')
    }
    await name().fill('Found')
    await press('Save')
    await page.waitForURL(/\/p\/[^/]{10}$/)
    expect((await all()).toSorted()).toEqual([...before, 'Found'].toSorted())
  })
})

describe('a tournament', () => {
  it('that is withdrawn with a lost answer is said to be withdrawn', async () => {
    const { slug, path } = await cup()
    await ask('PUT', `${path}/release`, { at: 'now' })
    await toWorkspace(slug)
    let isLost = false
    await page.route(/\/release$/, async (route) => {
      if (isLost) return route.fallback()
      isLost = true
      await route.fetch()
      return route.abort()
    })
    await press('Withdraw the pack')
    await confirm('Withdraw the pack')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button('Release now').waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(claims)
    expect((await ask('GET', path)).round.packSlug).toBeUndefined()
  })
})
