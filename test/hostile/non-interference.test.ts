import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countFrom } from '../../scripts/arguments.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpointsOf, type ServiceName, serviceNames } from '../../src/contract/services.ts'
import { sessionEndpointsOf } from '../../src/contract/session-api.ts'
import { pathsOf } from '../support/routes.ts'
import { cursorName, StrangerWalk, type Target } from './stranger-walk.ts'
import {
  actInSecret,
  type Call,
  chance,
  type Heard,
  type Known,
  nothingKnown,
  openWorld,
  type World,
} from './two-worlds.ts'

/** `npm run non-interference` makes more. */
const REQUESTS = countFrom('NON_INTERFERENCE_REQUESTS', 3_000)
/** Then a minute is over, and the workers have their turn: a few more than all shares allow. */
const A_MINUTE = 250
/** So often those with secrets do something; all of it within a day, so that nothing that is cached expires. */
const SECRET_ACTS_EVERY = Math.max(4 * A_MINUTE, Math.ceil(REQUESTS / 20))
/** As long as each request may take on a machine that is busy. */
const TIMEOUT_MS = 100 * REQUESTS

let worlds: readonly [World, World]
const secrets: readonly [Known, Known] = [nothingKnown(), nothingKnown()]
const open: Known = {
  packs: [],
  places: [],
  beatmaps: [129891, 75, 2069833, 3631491, 3658033],
  words: ['harbour', 'lights', 'cup', 'finals', 'hollow', 'host', 'stranger'],
  titles: new Map(),
}

beforeAll(async () => {
  worlds = [await openWorld(), await openWorld()]
  for (const world of worlds) {
    await world.addPerson('host', 8001)
    await world.addPerson('pooler', 8002)
    await world.addPerson('stranger', 8003)
    await world.addPerson('other host', 8004)
  }
  await inBoth(makePublic)
  await actsInSecret(0)
  await actsInSecret(1)
})
afterAll(() => Promise.all(worlds.map(({ close }) => close())))

describe('D-74: two servers with equal public data and different secrets', () => {
  it(
    `answer ${REQUESTS} requests of strangers alike: status, headers, body, and calls to the platform`,
    async () => {
      const targets = serviceNames.flatMap(targetsOf)
      const walk = new StrangerWalk(targets, open, secrets, chance(74))
      const visited = new Set<Target>()
      const statuses = new Map<number, number>()
      let named = 0
      for (let at = 1; at <= REQUESTS; at += 1) {
        if (at % SECRET_ACTS_EVERY === 0) await actsInSecret(at)
        else if (at % A_MINUTE === 0) await inBoth((world) => world.work())
        walk.cursors = cursors[0].length
        const step = walk.next()
        const { who, call } = step
        const [one, two] = await Promise.all(
          worlds.map((world, side) => {
            world.random.begin(`request ${at}`)
            return world.ask(who, withCursors(call, side as 0 | 1))
          }),
        )
        const { service, door, method, path, body = null } = call
        const requestText = `request ${at}: ${who} ${service} ${door} ${method} ${path} ${JSON.stringify(body)}`
        expect(comparable(call, two!, 1), requestText).toEqual(comparable(call, one!, 0))
        // Not by a fault of this walk: then it would compare refusals.
        expect(one!.status, requestText).toBeLessThan(500)
        if (!drawsByChance(call)) walk.learn(step, one!)
        visited.add(step.target)
        statuses.set(one!.status, (statuses.get(one!.status) ?? 0) + 1)
        if (namesSecret(call)) named += 1
      }
      const pages = ['/maps/{id}', '/t/{slug}', '/p/{slug}/history.atom', '/sitemap-{part}']
      expect(targets.map(({ path }) => path)).toEqual(expect.arrayContaining(pages))
      expect(targets.filter((target) => !visited.has(target))).toEqual([])
      // What never got past the first check would compare nothing.
      expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 5)
      expect(statuses.get(201) ?? 0).toBeGreaterThan(REQUESTS / 500)
      expect(statuses.get(429) ?? 0).toBeGreaterThan(0)
      expect(named).toBeGreaterThan(REQUESTS / 20)
      for (const { beatmaps } of secrets) expect(beatmaps.length).toBeGreaterThan(10)
      console.log(
        `${REQUESTS} requests to ${targets.length} endpoints, ${named} with something secret; by status:`,
        Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)),
      )
    },
    TIMEOUT_MS,
  )
})

/** Every endpoint of the contract, and every other route of the site: a new one is walked without being named here. */
function targetsOf(service: ServiceName): Target[] {
  const ofTable = (door: Target['door'], table: Readonly<Record<string, Endpoint>>): Target[] =>
    Object.values(table).map((endpoint) => {
      const { method, path } = endpoint
      return { service, door, method, path, endpoint }
    })
  const declared = [
    ...ofTable('api', endpointsOf[service]),
    ...ofTable('site', sessionEndpointsOf[service]),
  ]
  const pages = pathsOf(worlds[0].house.apps[service])
    .filter((path) => !/^\/(?:api\/v1|session)(?:\/|$)/.test(path))
    .map((path): Target => ({ service, door: 'site', method: 'GET', path }))
  return [...declared, ...pages]
}

async function inBoth(work: (world: World) => Promise<void>): Promise<void> {
  for (const world of worlds) await work(world)
  const latest = Math.max(...worlds.map(({ clock }) => clock.now()))
  for (const { clock } of worlds) clock.set(new Date(latest).toISOString())
}

/** In each world something else, while no stranger waits for anything: that all share the calls is no secret. */
async function actsInSecret(seed: number): Promise<void> {
  await settle()
  for (const [side, world] of worlds.entries()) {
    const acts = 1 + ((seed + side) % 2)
    for (let act = 0; act < acts; act += 1) {
      const own = seed * 10 + side * 5 + act + 1
      await actInSecret(world, secrets[side]!, open.places[0]!.slug, own)
      world.clock.nextMinute()
    }
  }
  await settle()
}

/** Until all stats are computed in both worlds, and all shares are whole again. */
async function settle(): Promise<void> {
  for (let minutes = 0; minutes < 60; minutes += 1) {
    await inBoth((world) => world.work())
    const due = await Promise.all(
      worlds.map(({ house }) => house.ports.statsWork.nextDueAt(house.clock.now())),
    )
    if (minutes > 1 && due.every((each) => each === null)) return
  }
  throw new Error('the stats are never computed')
}

async function makePublic({ make, random, work }: World): Promise<void> {
  random.begin('public')
  const slots = (['NM', 'DT', 'HR', 'HD'] as const).map((mod, at) => {
    return { mod, index: 1, beatmapId: open.beatmaps[at]! }
  })
  const post = { door: 'api', method: 'POST' } as const
  const packs: string[] = []
  for (const [who, visibility] of [
    ['host', 'public'],
    ['pooler', 'public'],
    ['host', 'unlisted'],
  ] as const) {
    const body = { name: `Harbour Lights ${visibility}`, description: 'Finals', visibility, slots }
    const { pack } = await make(who, { ...post, service: 'packs', path: '/packs', body })
    packs.push(pack.slug)
  }
  const places: Known['places'] = []
  for (const [who, visibility] of [
    ['host', 'public'],
    ['other host', 'private'],
  ] as const) {
    const cup = { name: `Harbour Cup of ${who}`, visibility, year: 2026 }
    const pools = { ...post, service: 'pools' } as const
    const { tournament } = await make(who, { ...pools, path: '/tournaments', body: cup })
    const path = `/tournaments/${tournament.slug}/rounds`
    const { round } = await make(who, { ...pools, path, body: { name: 'Finals', slots } })
    places.push({ slug: tournament.slug, round: round.id })
    if (visibility === 'private') continue
    const release = { ...pools, method: 'PUT', path: `${path}/${round.id}/release` } as const
    const out = await make(who, { ...release, body: { at: 'now' } })
    packs.push(out.round.packSlug)
  }
  await work()
  await work()
  // The same in both worlds: what differed would be found by the first request.
  open.packs.splice(0, Infinity, ...packs)
  open.places.splice(0, Infinity, ...places)
}

/** What each world gave as a place to go on from, in the order of their first appearance. */
const cursors: readonly [string[], string[]] = [[], []]
const CURSOR = /"(?:cursor|next|after)":"([^"]+)"/g

const inOrder = (text: string, side: 0 | 1): string =>
  text.replaceAll(CURSOR, (whole, cursor: string) => {
    if (!cursors[side].includes(cursor)) cursors[side].push(cursor)
    return whole.replace(cursor, cursorName(cursors[side].indexOf(cursor)))
  })

function withCursors(call: Call, side: 0 | 1): Call {
  const path = call.path.replace(/cursor-(\d+)/, (name, at) =>
    encodeURIComponent(cursors[side][Number(at)] ?? name),
  )
  return { ...call, path }
}

/** Of these the body has what each store draws by chance: cursors have a random mark. */
const drawsByChance = ({ door, path }: Call): boolean =>
  /^\/(?:changes|session\/search)\b/.test(path) ||
  (door === 'site' && /^\/(?:packs)?(?:\?|$)/.test(path))
/** Of such a body these two follow from its bytes. */
const ofItsBytes = /^(etag|content-length): .*/i

const comparable = (call: Call, heard: Heard, side: 0 | 1): Heard => {
  if (!drawsByChance(call)) return heard
  return {
    ...heard,
    headers: heard.headers.map((each) => each.replace(ofItsBytes, '$1: by chance')),
    text: inOrder(heard.text, side),
  }
}

function namesSecret({ path, body }: Call): boolean {
  const text = `${path} ${JSON.stringify(body ?? '')}`
  const texts = secrets.flatMap(({ packs, places, beatmaps, words }) => [
    ...packs,
    ...places.flatMap((place) => Object.values(place)),
    ...beatmaps.slice(-8).map(String),
    ...words.slice(-24),
  ])
  return texts.some((each) => text.includes(each))
}
