import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serviceNames, type ServiceName } from '../../src/contract/services.ts'
import { catchUp } from '../support/catch-up.ts'
import { ask as httpAsk } from '../support/http.ts'
import { openTournament } from '../support/public-tournament.ts'
import { pathsOf } from '../support/routes.ts'
import { aPack, slots } from '../support/samples.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

// Everything that both services answer a stranger with a tag, asked again by those who have a copy of it.

let house: SiteHouse
let names: Readonly<Record<ServiceName, Readonly<Record<string, string>>>>

beforeAll(async () => {
  house = await openSiteHouse()
  const owner = await house.signedIn(7001)
  const slug = await house.save(owner, aPack({ visibility: 'public', slots: slots(64) }))
  expect((await owner.ask('PUT', `/session/packs/${slug}/history`, { public: true })).status).toBe(
    204,
  )
  const rounds = [{ name: 'Finals', at: 'now' as const }]
  const cup = await openTournament(house.ports, owner.viewer!.id, {}, rounds)
  await catchUp(house.ports)
  await house.publishIndex()
  const common = { id: String(aPack().slots[0]!.beatmapId), '*': 'assets/shared-9f8e.js' }
  const { username } = owner.viewer!
  names = {
    packs: { ...common, slug, username, part: 'pages.xml' },
    pools: { ...common, slug: cup.slug, round: cup.rounds[0]!.id },
  }
})
afterAll(() => house.close())

/** The paths of which this test knows what stands in them. */
const knownPaths = (service: ServiceName): string[] =>
  pathsOf(house.apps[service])
    .map((path) =>
      path.replaceAll(/\{(\w+)\}|\*/g, (all, name: string = all) => names[service][name] ?? '{}'),
    )
    .filter((path) => !path.includes('{}'))

const codings = ['identity', 'gzip', 'br'] as const

describe.each(serviceNames)('what the service and the site of %s answer', (service) => {
  test('is 304 by the tag of any coding, whichever is accepted now, and names that tag (D-52)', async () => {
    const ask = async (path: string, headers: Readonly<Record<string, string>>) => {
      house.clock.nextMinute()
      const { status, headers: got } = await httpAsk('GET', house.urls[service] + path, { headers })
      const isPage = got.get('content-type')?.startsWith('text/html') ?? false
      return { status, etag: got.get('etag'), vary: got.get('vary'), isPage }
    }
    const coded: string[] = []
    for (const path of knownPaths(service)) {
      const first = await ask(path, { 'accept-encoding': 'identity' })
      if (first.status !== 200 || first.etag === null) continue
      // One page stands for all, which one function sends.
      if (first.isPage && path !== '/') continue
      const { vary } = first
      const tags = new Set<string>()
      for (const [at, coding] of codings.entries()) {
        const etag = (await ask(path, { 'accept-encoding': coding })).etag ?? ''
        const next = codings[(at + 1) % codings.length]!
        const again = await ask(path, { 'accept-encoding': next, 'if-none-match': etag })
        expect([path, next, again]).toMatchObject([path, next, { status: 304, etag, vary }])
        tags.add(etag)
      }
      if (tags.size === codings.length) coded.push(path)
    }
    const own = service === 'packs' ? ['/packs/index.json', '/packs.atom'] : ['/llms.txt']
    expect(coded).toEqual(expect.arrayContaining([...own, '/api/v1/openapi.json']))
  })
})
