import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { endpointsOf, serviceNames } from '../../src/contract/services.ts'
import { expectError, sendJson } from '../support/door.ts'
import { openHouse } from '../support/house.ts'

const house = await openHouse()
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const samples: Readonly<Record<string, string>> = { version: '1', gameId: '4711' }
const sampleOf = (path: string): string =>
  path
    .replace('/beatmaps/{id}', '/beatmaps/75')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => samples[name] ?? 'AAAAAAAAAA')

describe.each(serviceNames)('D-12: what the paths of the %s service take', (service) => {
  const endpoints = Object.values(endpointsOf[service])
  const paths = Map.groupBy(endpoints, ({ path }) => path)

  it.each([...paths.keys()])('%s', async (path) => {
    const host = await house.host(service)
    const methods = endpoints.filter((each) => each.path === path).map(({ method }) => method)
    const own = new Set<string>([
      'OPTIONS',
      ...methods,
      ...(methods.includes('GET') ? ['HEAD'] : []),
    ])
    const allow = everyMethod.filter((method) => own.has(method)).join(', ')

    const options = await host.ask('OPTIONS', sampleOf(path))
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow])
    for (const method of everyMethod.filter((each) => !own.has(each))) {
      const refused = await host.ask(method, sampleOf(path))
      expect(refused.headers.get('allow')).toBe(allow)
      if (method !== 'HEAD') expectError(refused, 'method_not_allowed', `this path takes ${allow}`)
    }
  })
})

describe.each(serviceNames)('paths of the API of the %s service without /api/v1', (service) => {
  const { url } = house.doors[service]

  it('are 404 that names their address, whatever the method', async () => {
    for (const { path } of Object.values(endpointsOf[service])) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        house.clock.nextMinute()
        const accept = { accept: 'application/json' }
        const reply = await sendJson(method, `${url}${sampleOf(path)}?page=1`, accept, undefined)
        expectError(
          reply,
          'not_found',
          new RegExp(`the API has it at \\S+/api/v1${sampleOf(path)}$`),
        )
      }
    }
  })

  it('of the other service, at its address', async () => {
    const other = service === 'packs' ? '/tournaments' : '/packs'
    const reply = await sendJson('GET', `${url}${other}`, {}, undefined)
    expectError(reply, 'not_found', new RegExp(`the API has it at \\S+/api/v1${other}$`))
    // The search index is a file of the site (spec 2.10).
    for (const path of ['/packs/index.json', '/packs/short', '/nowhere']) {
      const nowhere = await sendJson('GET', url + path, {}, undefined)
      expectError(nowhere, 'not_found', /^there is nothing at this path; \/api\/v1\/openapi/)
    }
  })
})
