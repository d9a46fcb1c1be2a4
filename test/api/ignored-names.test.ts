import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { endpointsOf, serviceNames } from '../../src/contract/services.ts'
import { expectError, type Reply } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { aChange, aRound, newScene } from './tournament-scene.ts'

const house = await openHouse()
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const ignoredOf = ({ headers }: Reply) => headers.get('x-ignored-fields')

describe('unknown parameters of the query are named, as fields of the body are (D-88)', () => {
  const reads = serviceNames.flatMap((service) =>
    Object.values(endpointsOf[service])
      .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
      .map((endpoint) => ({ service, ...endpoint })),
  )

  it.each(reads)('$service GET $path', async ({ service, path, paged }) => {
    const host = await house.host(service)
    const needed = path === '/beatmaps/usage' ? 'ids=75&' : ''
    const own = paged ? '&page=1' : ''
    const reply = await host.ask('GET', `${path}?${needed}q=OWC&Page=2${own}`)
    expect([reply.status, ignoredOf(reply)]).toEqual([200, 'q, Page'])
    const plain = await host.ask('GET', `${path}?${needed}${own}`)
    expect([plain.status, ignoredOf(plain)]).toEqual([200, null])
  })

  it('beside the fields of the body, ten in all', async () => {
    const host = await house.host()
    const query = Array.from({ length: 12 }, (_, at) => `q${at}=1`).join('&')
    const reply = await host.ask('POST', `/packs?${query}`, { body: { ...aPack(), visiblity: 1 } })
    const names = ['visiblity', ...Array.from({ length: 9 }, (_, at) => `q${at}`)]
    expect([reply.status, ignoredOf(reply)]).toEqual([201, names.join(', ')])
  })

  it('without a name that is empty; what is not seen is ?, and what a header cannot carry is encoded', async () => {
    const host = await house.host()
    const ask = async (query: string) => ignoredOf(await host.get(`/packs?${query}`))
    expect(await ask('=1')).toBeNull()
    expect(await ask('a=1&=1&b=1')).toBe('a, b')
    expect(await ask('%0d%0ax=1&%E2%80%AE=2&%C3%A4=1&%2c=1')).toBe('??x, ?, %C3%A4, %2C')
  })

  it('on 304, too', async () => {
    const host = await house.host()
    const etag = (await host.get('/packs?q=1')).headers.get('etag') ?? ''
    const reply = await host.ask('GET', '/packs?q=1', { headers: { 'if-none-match': etag } })
    expect([reply.status, ignoredOf(reply)]).toEqual([304, 'q'])
  })

  it('what a search of tournaments takes is none of them', async () => {
    const host = await house.host('pools')
    const reply = await host.ask(
      'GET',
      '/tournaments?search=a&ruleset=base&rank=1&year=2026&page=1',
    )
    expect([reply.status, ignoredOf(reply)]).toEqual([200, null])
  })
})

describe('refusals name what they ignore (D-88)', () => {
  it('400, where it is needed most, and asks about the likely name', async () => {
    const host = await house.host()
    const slot = { mod: 'NM', index: 1, beatmap_id: 75 }
    const reply = await host.post({ ...aPack(), slots: [slot], visiblity: 1 })
    expectError(reply, 'bad_request', 'slots[0].beatmapId is missing; is it beatmap_id?')
    expect(ignoredOf(reply)).toBe('visiblity, slots[0].beatmap_id')
  })

  it('400 of a body or a part that may have one of several shapes, and has a name of none (D-88)', async () => {
    const scene = await newScene(house)
    const list = [{ mod: 'NM', index: 1, beatmapId: 4 }]
    for (const name of ['Candidates', 'candidate']) {
      const path = `${scene.roundPath}/candidates`
      const reply = await scene.host.ask('POST', path, { body: { [name]: list } })
      expectError(reply, 'bad_request', new RegExp(`; is it ${name}\\?$`))
      expect(ignoredOf(reply)).toBe(name)
    }
    const [change] = aChange.changes
    const body = { changes: [{ ...change, to: { beatmap_id: 4 } }] }
    const changed = await scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body })
    expectError(changed, 'bad_request', /; is it beatmap_id\?$/)
  })

  it('400 of a body inside another object: asks whether it is that (D-88)', async () => {
    const scene = await newScene(house)
    const packs = await house.host()
    const inside = (name: string) => new RegExp(`name is missing; is it inside ${name}\\?`)
    const { path, roundPath, host } = scene
    const posts = [
      [packs, '/packs', 'pack', aPack()],
      [host, '/tournaments', 'tournament', { name: 'Winter Cup' }],
      [host, `${path}/rounds`, 'round', { name: 'Finals' }],
    ] as const
    for (const [by, at, name, body] of posts) {
      const reply = await by.ask('POST', at, { body: { [name]: body } })
      expectError(reply, 'bad_request', inside(name))
      expect(ignoredOf(reply)).toBe(name)
      // Where nothing is missing, nothing is asked.
      const whole = await by.ask('POST', at, { body: { ...body, [name]: body } })
      expect([whole.status, ignoredOf(whole)]).toEqual([201, name])
    }
    const candidate = { mod: 'NM', index: 1, beatmapId: 4 }
    const wrapped = await host.ask('POST', `${roundPath}/candidates`, { body: { candidate } })
    expectError(wrapped, 'bad_request', /; is it inside candidate\?$/)
    const beside = await host.ask('POST', `${path}/rounds`, {
      body: { round: { id: 1 }, list: [{ name: 1 }] },
    })
    expectError(beside, 'bad_request', 'name is missing')
  })

  it.each([
    [[], null],
    ['text', null],
    [null, null],
    [{ slots: 1, buckets: 'x', a: 1 }, 'a'],
    [{ slots: [1, null, [], { b: 1 }], buckets: [null, { c: 1 }] }, 'slots[3].b, buckets[1].c'],
  ])('400 of any shape: %j', async (body, names) => {
    const host = await house.host()
    const reply = await host.ask('POST', '/packs', { body: JSON.stringify(body) })
    expectError(reply, 'bad_request')
    expect(ignoredOf(reply)).toBe(names)
  })

  it('403, 404, 409, 412 and 428 of tournaments, the same to strangers for what is there and what is not (D-60)', async () => {
    const scene = await newScene(house)
    const referee = await scene.staff('referee')
    const stranger = await house.host('pools')
    const body = { changes: [{ ...aChange.changes[0], frm: 1 }], who: 'me' }
    const path = `${scene.roundPath}/slots?dry=1`
    const names = 'changes[0].frm, who, dry'
    const texts = new Set<string>()
    for (const at of [path, path.replace(scene.slug, 'AAAAAAAAAA')]) {
      const reply = await stranger.ask('PATCH', at, { body })
      expectError(reply, 'not_found')
      expect(ignoredOf(reply)).toBe(names)
      texts.add(reply.text)
    }
    expect(texts.size).toBe(1)
    const forbidden = await referee.ask('PATCH', path, { body })
    expect([forbidden.status, ignoredOf(forbidden)]).toEqual([403, names])
    const headers = { 'if-match': '"another"' }
    const stale = await scene.host.ask('PATCH', path, { body, headers })
    expect([stale.status, ignoredOf(stale)]).toEqual([412, names])
    await scene.host.ask('PATCH', path, { body })
    const conflict = await scene.host.ask('PATCH', path, { body })
    expect([conflict.status, ignoredOf(conflict)]).toEqual([409, names])
    const round = { ...aRound(), Name: 1 }
    const unguarded = await scene.host.ask('PUT', scene.roundPath, { body: round })
    expect([unguarded.status, ignoredOf(unguarded)]).toEqual([428, 'Name'])
  })

  it('of the query alone before the body was read: 401, 413, 415 and what is not JSON', async () => {
    const host = await house.host()
    const replies = [
      await house.doors.packs.ask('POST', '/packs?q=1', { body: { a: 1 } }),
      await host.ask('POST', '/packs?q=1', { body: `{"a":"${'x'.repeat(17_000)}"}` }),
      await host.ask('POST', '/packs?q=1', { body: '{}', headers: { 'content-type': 'text/a' } }),
      await host.ask('POST', '/packs?q=1', { body: '{"a":' }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([401, 413, 415, 400])
    for (const reply of replies) expect(ignoredOf(reply)).toBe('q')
  })
})

it('a body that is too large is told what to do, of the service that it is sent to (D-25)', async () => {
  const body = { name: 'x'.repeat(17_000) }
  const words = 'the body must be at most 16384 bytes; '
  const pools = await (await house.host('pools')).ask('POST', '/tournaments', { body })
  expectError(pools, 'too_large', `${words}send less at once, such as round by round`)
  const packs = await (await house.host()).ask('POST', '/packs', { body })
  expectError(packs, 'too_large', `${words}send a smaller pack`)
})
