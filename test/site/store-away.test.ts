import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isWrite } from '../../src/contract/endpoint.ts'
import { serviceNames, type ServiceName } from '../../src/contract/services.ts'
import { sessionEndpointsOf } from '../../src/contract/session-api.ts'
import type { DoorPorts } from '../../src/door/context.ts'
import { makeInvitation } from '../../src/operations/invitations.ts'
import { StoreUnavailable } from '../../src/ports/store.ts'
import { pagesOf } from '../../src/site/pages/page-table.ts'
import type { Browser } from '../support/browser.ts'
import { catchUp } from '../support/catch-up.ts'
import { openTournament } from '../support/public-tournament.ts'
import { pathsOf } from '../support/routes.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

// Everything that the sites serve while the store does not answer: 503, but for what needs no store.

const inMemory: ReadonlySet<string> = new Set([
  'platform',
  'quotas',
  'clock',
  'random',
  'hasher',
  'compressor',
  'work',
])
let isAway = false
/** The ports that were asked in vain since the last request. */
const asked = new Set<string>()

/** A port whose every call finds no store while that is away. */
const guarded = <T extends object>(portName: string, port: T): T =>
  new Proxy(port, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name)
      if (!isAway || typeof own !== 'function') return own
      return () => {
        asked.add(portName)
        return Promise.reject(new StoreUnavailable('the database cannot be reached'))
      }
    },
  })
const withPorts = (ports: DoorPorts): DoorPorts =>
  Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [
      name,
      inMemory.has(name) ? port : guarded(name, port),
    ]),
  ) as DoorPorts

let house: SiteHouse
let names: Readonly<Record<ServiceName, Readonly<Record<string, string>>>>
let viewers: Readonly<Record<ServiceName, readonly Browser[]>>

beforeAll(async () => {
  house = await openSiteHouse({ withPorts })
  await house.ports.accounts.setModerator(7001, true, 0)
  const [owner, host] = [await house.signedIn(7001), await house.signedIn(7001, 'pools')]
  viewers = { packs: [house.browser(), owner], pools: [house.browser('pools'), host] }
  const slug = await house.save(owner, aPack({ visibility: 'public' }))
  const opened = await owner.ask('PUT', `/session/packs/${slug}/history`, { public: true })
  expect(opened.status).toBe(204)
  const rounds = [{ name: 'Finals', at: 'now' as const }]
  const hostId = host.viewer!.id
  const cup = await openTournament(house.ports, hostId, {}, rounds)
  const { token } = await makeInvitation(house.ports, hostId, cup.slug, { role: 'tester' })
  await catchUp(house.ports)
  await house.publishIndex()
  const common = {
    id: String(aPack().slots[0]!.beatmapId),
    version: '1',
    '*': 'assets/shared-9f8e.js',
  }
  const { username } = owner.viewer!
  names = {
    packs: { ...common, slug, username, part: 'pages.xml' },
    pools: { ...common, slug: cup.slug, round: cup.rounds[0]!.id, token },
  }
})
afterAll(() => house.close())
beforeEach(() => {
  isAway = false
})

const queries: Readonly<Record<string, string>> = {
  '/session/search': 'q=grand',
  '/session/beatmaps/usage': 'ids=75',
  '/session/moderation/players': 'search=peridot',
  '/sign-in/hand-over': `state=${'a'.repeat(43)}`,
}

/** The path with names of what there is. */
const named = (service: ServiceName, path: string): string => {
  const own = path.replaceAll(/\{(\w+)\}|\*/g, (all, name: string = all) => {
    const known = names[service][name]
    if (known === undefined) throw new Error(`this test has no ${name} for ${path}`)
    return known
  })
  return queries[path] === undefined ? own : `${own}?${queries[path]}`
}

const readPaths = (service: ServiceName): string[] =>
  pathsOf(house.apps[service]).filter((path) => !path.startsWith('/api/'))

const ask = (browser: Browser, method: string, path: string, accept: string) => {
  house.clock.nextMinute()
  asked.clear()
  const body = method === 'GET' ? undefined : {}
  return browser.ask(method, path, body, { accept })
}

/** Every way to read, by a stranger and by somebody who may see everything, with and without a wish for a page. */
const readAll = async function* (service: ServiceName) {
  for (const path of readPaths(service)) {
    for (const [at, browser] of viewers[service].entries()) {
      for (const accept of ['text/html', '*/*']) {
        // A stream that begins does not end.
        if (!isAway && at === 1 && path.endsWith('/events')) continue
        const reply = await ask(browser, 'GET', named(service, path), accept)
        yield { path, reply, what: `${service} ${path} ${at} ${accept}: ${reply.text}` }
      }
    }
  }
}

/** Pages on which the reader can search, whatever they begin with. */
const mayBeginWithout: ReadonlySet<string> = new Set(
  pagesOf.packs.flatMap(({ path, beginsWithPacks }) => (beginsWithPacks ? [path] : [])),
)

/** What has nothing to show without a step before it. */
const isAlone = (path: string): boolean => path.startsWith('/sign-in/') || path === '/*'

const expectAway = async (service: ServiceName): Promise<void> => {
  isAway = true
  const refused = new Set<string>()
  for await (const { path, reply, what } of readAll(service)) {
    if (reply.status < 500) {
      if (!mayBeginWithout.has(path)) expect([...asked], what).toEqual([])
      continue
    }
    expect(reply.status, what).toBe(503)
    expect(Number(reply.headers.get('retry-after')), what).toBeGreaterThan(0)
    refused.add(path)
  }
  expect(refused.size).toBeGreaterThan(20)
  const own = service === 'packs' ? ['/packs.atom', '/p/{slug}/pool.png'] : ['/t/{slug}.json']
  expect([...refused]).toEqual(expect.arrayContaining([...own, '/sitemap.xml', '/session', '/*']))
}

const expectBack = async (service: ServiceName): Promise<void> => {
  isAway = false
  for await (const { path, reply, what } of readAll(service)) {
    const isRefused = [401, 403].includes(reply.status) || isAlone(path)
    expect(reply.status, what).toBeLessThan(isRefused ? 500 : 400)
  }
}

describe.each(serviceNames)('while the store is away, the site of %s', (service) => {
  test('answers 503 with Retry-After wherever it needs it, and is itself again afterwards', async () => {
    // Before anything is in memory, and when what can be is.
    for (let time = 0; time < 2; time += 1) {
      await expectAway(service)
      await expectBack(service)
    }
  })

  test('refuses whatever is done there in the same way', async () => {
    isAway = true
    const [, own] = viewers[service]
    for (const { method, path } of Object.values(sessionEndpointsOf[service])) {
      if (!isWrite(method)) continue
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[service][name] ?? '1')
      const reply = await ask(own!, method, filled, 'application/json')
      expect([path, reply.status, reply.json.error.code]).toEqual([path, 503, 'unavailable'])
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
})
