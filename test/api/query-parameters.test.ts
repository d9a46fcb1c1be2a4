import { afterAll, beforeEach, expect, it } from 'vitest'
import { endpointsOf, serviceNames } from '../../src/contract/services.ts'
import { expectError } from '../support/door.ts'
import { openHouse } from '../support/house.ts'

const house = await openHouse()
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const parameters = serviceNames.flatMap((service) =>
  Object.values(endpointsOf[service]).flatMap((endpoint) => {
    const { properties = {} } = (endpoint.query ?? {}) as { readonly properties?: object }
    const names = [...Object.keys(properties), ...(endpoint.paged ? ['page'] : [])]
    return names.map((name) => ({ service, name, method: endpoint.method, path: endpoint.path }))
  }),
)

const ask = async ({ service, method, path }: (typeof parameters)[number], query: string) => {
  const host = await house.host(service)
  const filled = path.replaceAll('{id}', '75').replaceAll(/\{\w+\}/g, 'AAAAAAAAAA')
  return host.ask(method, `${filled}?${query}`)
}

// "Must be a string" would send its reader looking for quotes.
it.each(parameters)(
  'bad_request names $name, sent twice to $service $method $path, and asks for one (D-14)',
  async (parameter) => {
    const { name } = parameter
    const reply = await ask(parameter, `${name}=1&${name}=2`)
    expectError(reply, 'bad_request', new RegExp(`^${name} must .*\\b(once|one)\\b`))
  },
)

it.each(parameters)(
  'bad_request names $name with a U+0000, which no store takes, of $service $method $path (D-18)',
  async (parameter) => {
    const { name } = parameter
    for (const text of ['%00', '1%002']) {
      const reply = await ask(parameter, `${name}=${text}`)
      expectError(reply, 'bad_request', new RegExp(`^${name} must `))
    }
  },
)

it('are tried wherever one can be sent', () => expect(parameters.length).toBeGreaterThan(15))
