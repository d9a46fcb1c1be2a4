import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Endpoint, isWrite } from '../../src/contract/endpoint.ts'
import { endpointsOf, serviceNames } from '../../src/contract/services.ts'
import { setReadOnly } from '../../src/operations/operator.ts'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import { type Host, type House, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { dumpStore } from '../support/store-dump.ts'
import { spendRequests } from './spend.ts'
import { expectStanding } from './standing.ts'
import { newScene, type Scene } from './tournament-scene.ts'

let house: House
let owner: Host
let slug: string
let scene: Scene
let before: ReadonlyMap<string, string>

/** That a key was used today is no change of what people have made. */
const everything = () => dumpStore(house.ports.care, house.folder, ['api_key'])

const turn = async (mode: { reason: string | undefined } | null) => {
  await setReadOnly(house.ports, mode)
  await house.operator.look()
}

beforeAll(async () => {
  house = await openHouse()
  owner = await house.host('packs')
  slug = await owner.save(aPack({ visibility: 'public' }))
  scene = await newScene(house)
  await turn({ reason: 'we move to another machine' })
  before = await everything()
})
afterAll(() => house.close())

const declared = serviceNames.flatMap((service) =>
  Object.entries<Endpoint>(endpointsOf[service]).map(
    ([id, endpoint]) => [service, id, endpoint] as const,
  ),
)
const writes = declared.filter(([, , { method }]) => isWrite(method))
/** But for what needs a platform, or something that the scene lacks. */
const reads = declared.filter(([, , { method, path }]) => {
  return method === 'GET' && !/\{(?:id|version|gameId)\}|usage|checks/.test(path)
})

const send = (service: 'packs' | 'pools', { method, path, body }: Endpoint): Promise<Reply> => {
  house.clock.nextMinute()
  const [host, itsSlug] = service === 'packs' ? [owner, slug] : [scene.host, scene.slug]
  const real = path
    .replace('{slug}', itsSlug)
    .replace('{round}', scene.id)
    .replace('{id}', 'A'.repeat(10))
    .replace('{gameId}', String(host.gameId))
  return host.ask(method, real, { ...(body !== undefined && { body: {} }) })
}

describe('while the operator lets nothing be changed', () => {
  it.each(writes)('no write is made: 503 with reason and Retry-After: %s %s', async (...row) => {
    const [service, , endpoint] = row
    const reply = await send(service, endpoint)
    expectError(
      reply,
      'unavailable',
      'nothing can be changed at the moment; the operator has made the service read-only for a while: we move to another machine',
    )
    // Spec 2.9: errors of the packs service have two fields. D-87: the others have a reason.
    expect(reply.json.error.reason).toBe(service === 'pools' ? 'read_only' : undefined)
    expect(reply.headers.get('retry-after')).toBe('30')
    expectStanding(reply)
    expect(quotaOf(reply)).toMatchObject({ limit: 10, remaining: 9 })
  })

  it('nothing in the store has changed after all of them', async () => {
    expect(await everything()).toEqual(before)
  })

  it.each(reads)('what reads is answered: %s %s', async (service, _, endpoint) => {
    expect((await send(service, endpoint)).status).toBe(200)
  })

  it('who may not ask at all is told that first (D-3)', async () => {
    house.clock.nextMinute()
    const ask = (key?: string) => house.doors.packs.ask('DELETE', `/packs/${slug}`, { key })
    expectError(await ask(), 'unauthorized')
    await spendRequests(house, owner, 'packs')
    expectError(await ask(owner.key), 'rate_limited')
    house.clock.nextMinute()
    expectError(await owner.ask('PUT', '/packs/short', { body: {} }), 'not_found')
    expectError(await owner.ask('PATCH', `/packs/${slug}`, { body: {} }), 'method_not_allowed')
    expectError(await owner.ask('PUT', `/packs/${slug}`, { body: '{' }), 'bad_request')
  })

  it('without a reason none is given, and afterwards writes are made again', async () => {
    await turn({ reason: undefined })
    house.clock.nextMinute()
    expectError(
      await owner.delete(slug),
      'unavailable',
      'nothing can be changed at the moment; the operator has made the service read-only for a while',
    )
    await turn(null)
    expect((await owner.delete(slug)).status).toBe(204)
  })
})
