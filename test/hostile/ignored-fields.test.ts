import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { endpointsOf } from '../../src/contract/services.ts'
import { createClient } from '../../src/client/packs.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { aMagnet, someStats } from '../api/samples.ts'
import { alter } from '../api/seed.ts'
import type { Ask } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())
const host = await house.host()

const HEADER = 'x-ignored-fields'
const slot = { mod: 'NM', index: 1, beatmapId: 75 }

/** What a POST and a PUT of this body answer in the header. */
const ignoredIn = async (body: object): Promise<(string | null)[]> => {
  const made = await host.post(body)
  expect(made.status, made.text).toBe(201)
  const put = await host.put(made.json.pack.slug, body)
  expect(put.status).toBe(200)
  return [made.headers.get(HEADER), put.headers.get(HEADER)]
}

describe('what a save ignores is named (D-49)', () => {
  it.each<[string, object, string | null]>([
    ['nothing', aPack(), null],
    [
      'misspelt fields of the pack and of a slot',
      { ...aPack(), visiblity: 'private', slots: [{ ...slot, modd: 'HD' }] },
      'visiblity, slots[0].modd',
    ],
    [
      'fields of a custom bucket',
      { ...aPack(), buckets: [{ code: 'NM' }, { code: 'RC', color: 1, colour: 2, name: 'Rice' }] },
      'buckets[1].colour, buckets[1].name',
    ],
    ['another case', { ...aPack(), Description: 'a', NAME: 'b' }, 'Description, NAME'],
    ['what is nested in what is ignored, once', { ...aPack(), extra: { a: { b: 1 } } }, 'extra'],
    [
      'ten at most',
      { ...aPack(), ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, at])) },
      'f0, f1, f2, f3, f4, f5, f6, f7, f8, f9',
    ],
    [
      'fields of an object itself',
      JSON.parse(`{"__proto__":{"a":1},"constructor":1,${JSON.stringify(aPack()).slice(1)}`),
      '__proto__, constructor',
    ],
  ])('%s', async (_, body, header) => {
    expect(await ignoredIn(body)).toEqual([header, header])
  })

  it('names that no header can carry are escaped, and long ones cut', async () => {
    const names = [
      'a,b',
      '50%',
      'a b',
      'é',
      '🏆',
      'a\r\nset-cookie: x=1',
      '\u202e',
      '"',
      'x'.repeat(99),
    ]
    const body = { ...aPack(), ...Object.fromEntries(names.map((name) => [name, 1])) }
    const [header] = await ignoredIn(body)
    const cut = `${'x'.repeat(64)}…`
    const shown = ['a,b', '50%', 'a b', 'é', '🏆', 'a??set-cookie: x=1', '?', '"', cut]
    expect(header).toMatch(/^[!-~]+(?:, [!-~]+)*$/)
    expect(header?.split(', ').map(decodeURIComponent)).toEqual(shown)
  })

  it('the header stays short, whatever the names', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `${'語'.repeat(63)}${at}`)
    const [header] = await ignoredIn({
      ...aPack(),
      ...Object.fromEntries(names.map((n) => [n, 1])),
    })
    expect(header?.length).toBeGreaterThan(100)
    expect(header?.length).toBeLessThanOrEqual(1_024)
  })

  it('never a field of a pack as it is read: whatever it holds can be sent back (D-17)', async () => {
    const slug = await host.save(aPack({ description: 'a', buckets: [{ code: 'RC', color: 3 }] }))
    await alter(house, slug, { stats: someStats, exports: [aMagnet(1)] })
    await hidePack(house.ports, slug)
    const { pack } = (await host.get(`/packs/${slug}`)).json
    expect(Object.keys(pack)).toEqual(expect.arrayContaining(['stats', 'hiddenAt', 'exports']))
    const reply = await host.put(slug, { ...pack, historyPublic: true })
    expect(reply.headers.has(HEADER)).toBe(false)
  })

  it('and the client hands them out with what a call gives', async () => {
    const client = createClient({ baseUrl: host.door.url, key: host.key })
    const input = { ...aPack(), 'a,b': 1, visiblity: 'private' }
    const { data, ignoredFields } = await client.createPack(input).withResponse()
    expect(ignoredFields).toEqual(['a,b', 'visiblity'])
    const again = await client.replacePack(data.slug, { ...data, name: 'x' }).withResponse()
    expect(again.ignoredFields).toEqual([])
  })
})

describe.each(['packs', 'pools'] as const)('on the %s service', (service) => {
  const endpoints = Object.entries<Endpoint>(endpointsOf[service])

  it.each(endpoints.filter(([, { body }]) => body !== undefined))(
    '%s: the answer names a field of the body that it does not know (D-49, D-88)',
    async (_, { method, path }) => {
      const by = await house.host(service)
      const filled = path.replaceAll('{gameId}', '7').replaceAll(/\{\w+\}/g, 'AAAAAAAAAA')
      const reply = await by.ask(method, filled, { body: { foo: 1 } })
      expect([reply.status < 500, reply.headers.get(HEADER)]).toEqual([true, 'foo'])
    },
  )

  it.each(endpoints)(
    '%s: each answer names a parameter that it does not know (D-88)',
    async (_, endpoint) => {
      const { method, path, body, auth } = endpoint
      const { key } = await house.host(service)
      const filled = (by: string) => `${path.replaceAll(/\{\w+\}/g, by)}?foo=1&foo=2`
      const ask = async (by: string, ask: Ask = {}) => {
        const reply = await house.doors[service].ask(method, filled(by), { key, ...ask })
        return [reply.status, reply.headers.get(HEADER)]
      }
      const wrong = (text: string, type = 'application/json'): Ask => ({
        body: text,
        headers: { 'content-type': type },
      })
      const answers = [
        await ask('AAAAAAAAAA'),
        await ask('7'),
        await ask('~'),
        await ask('AAAAAAAAAA', { key: undefined }),
        await ask('AAAAAAAAAA', { key: `${service}_${'x'.repeat(43)}` }),
        ...(body === undefined
          ? []
          : [
              await ask('AAAAAAAAAA', wrong('{bad')),
              await ask('AAAAAAAAAA', wrong('{}', 'text/plain')),
              await ask('AAAAAAAAAA', wrong(' '.repeat(20_000))),
            ]),
      ]
      if (auth === 'key') {
        const { id } = (await house.doors[service].ask('GET', '/me', { key })).json.user
        for (let spent = 0; spent < 60; spent += 1)
          await house.ports.quotas.spend(service, id, false, house.clock.now())
        answers.push(await ask('AAAAAAAAAA'))
        expect(answers.at(-1)?.[0]).toBe(429)
      }
      expect(answers).toEqual(answers.map(([status]) => [status, 'foo']))
    },
  )
})
