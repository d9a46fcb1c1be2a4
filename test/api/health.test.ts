import { expect, it, onTestFinished } from 'vitest'
import { StoreUnavailable } from '../../src/ports/store.ts'
import { type HouseOptions, openHouse } from '../support/house.ts'

const open = async (options: HouseOptions = {}) => {
  const house = await openHouse(options)
  onTestFinished(() => house.close())
  const ask = async (path: string) => {
    const answer = await fetch(`${house.doors.packs.url}${path}`)
    const { status, headers } = answer
    const [retryAfter, connection] = [headers.get('retry-after'), headers.get('connection')]
    return { status, body: await answer.json(), retryAfter, connection }
  }
  return { house, ask }
}

/** A house whose store fails to be checked with this. */
const openFaulty = (error: Error, onLog: (line: string) => void) => {
  const check = async () => {
    throw error
  }
  return open({
    onLog,
    withPorts: (ports) => ({ ...ports, care: { ...ports.care, check } }),
  })
}

const alive = { status: 200, body: { status: 'ok' }, retryAfter: null, connection: 'keep-alive' }

it('/healthz and /readyz need no key', async () => {
  const { ask } = await open()
  expect(await ask('/healthz')).toEqual(alive)
  expect(await ask('/readyz')).toEqual({ ...alive, body: { status: 'ready' } })
})

it('while it drains, /readyz says so and closes the connection, and /healthz stays as it is (D-54)', async () => {
  const { house, ask } = await open()
  house.drain()
  const refused = { status: 503, retryAfter: '5', connection: 'close' }
  expect(await ask('/readyz')).toEqual({ ...refused, body: { status: 'draining' } })
  expect(await ask('/healthz')).toMatchObject({ status: 200, body: alive.body })
})

it.each([
  [
    'of a known kind, which it names',
    new StoreUnavailable('full'),
    { status: 'store unavailable', reason: 'full' },
  ],
  ['of another', new Error('secret'), { status: 'store unavailable' }],
])(
  'while the store cannot be used for a reason %s, /readyz says so and logs it',
  async (_, error, body) => {
    const log: string[] = []
    const { ask } = await openFaulty(error, (line) => log.push(line))
    const refused = { status: 503, retryAfter: '5', connection: 'keep-alive' }
    expect(await ask('/readyz')).toEqual({ ...refused, body })
    expect(await ask('/healthz')).toEqual(alive)
    const lines = log.map((line) => JSON.parse(line))
    const told = lines.find(({ msg }) => msg === 'the store is not ready')
    expect(told).toMatchObject({ err: { message: error.message } })
    const [own] = lines.filter(({ route }) => route === '/readyz')
    expect(told.requestId).toBe(own.requestId)
  },
)
