import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { documents, operationsOf } from '../contract/documents.ts'
import { expectError } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { newScene } from './tournament-scene.ts'

const house = await openHouse()
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const MERGE_PATCH = 'application/merge-patch+json'

const endpoints = (['packs', 'pools'] as const).flatMap((service) =>
  Object.entries(documents[service].paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, requestBody }]) => ({
      service,
      path,
      method: method.toUpperCase(),
      operationId,
      taken: requestBody && Object.keys(requestBody.content),
    })),
  ),
)
const known = [...new Set(endpoints.flatMap(({ taken = [] }) => taken))]
const types = [...known, 'application/json-patch+json', 'application/problem+json', 'text/plain']
const spellings = (type: string) => [type, `${type.toUpperCase()} ; charset=utf-8`]

describe('the document names each media type that a body may have, and no other (D-25)', () => {
  it.each(endpoints.filter(({ taken }) => taken))(
    '$service $operationId takes $taken',
    async ({ service, method, path, taken }) => {
      const host = await house.host(service)
      const impossible = path.replaceAll(/\{\w+\}/g, '1111111111')
      const found = []
      for (const type of types.flatMap(spellings)) {
        const headers = { 'content-type': type, 'if-match': '*' }
        const { status } = await host.ask(method, impossible, { body: '{}', headers })
        if (status !== 415) found.push(type)
        if (found.length % 5 === 0) house.clock.nextMinute()
      }
      expect(found).toEqual(taken!.flatMap(spellings))
    },
  )

  it('the body of each PATCH, and of nothing else, may be sent as a merge patch (RFC 7396)', () => {
    const merged = endpoints.filter(({ taken }) => taken?.includes(MERGE_PATCH))
    expect(merged).toEqual(endpoints.filter(({ method }) => method === 'PATCH'))
    for (const service of ['packs', 'pools'] as const) {
      for (const [, { requestBody }] of operationsOf(documents[service])) {
        const [first, ...others] = Object.values(requestBody?.content ?? {})
        for (const other of others) expect(other).toEqual(first)
      }
    }
  })

  it('and does the same', async () => {
    const scene = await newScene(house)
    const headers = { 'content-type': MERGE_PATCH }
    const named = await scene.host.ask('PATCH', scene.path, { body: { name: 'Cup' }, headers })
    expect([named.status, named.json.tournament.name]).toEqual([200, 'Cup'])
  })

  it('the refusal of others names application/json', async () => {
    const host = await house.host('pools')
    const headers = { 'content-type': 'application/merge-patch' }
    const reply = await host.ask('POST', '/tournaments', { body: '{}', headers })
    const message = 'send the body with Content-Type: application/json'
    expectError(reply, 'unsupported_media_type', message)
  })
})
