import { expect, it, onTestFinished } from 'vitest'
import { type Answered, createServiceApp } from '../../src/door/service-app.ts'
import { StoreUnavailable } from '../../src/ports/store.ts'
import { type HouseOptions, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { testSettings } from '../support/settings.ts'

const open = async (options: HouseOptions = {}) => {
  const [log, answered]: [string[], Answered[]] = [[], []]
  const house = await openHouse({
    ...options,
    onLog: (line) => log.push(line),
    onAnswer: (answer) => void answered.push(answer),
  })
  onTestFinished(() => house.close())
  return { house, log, answered }
}

it('logs and reports one line for each answer, without keys, paths and queries', async () => {
  const { house, log, answered } = await open()
  const host = await house.host()
  const replies = [
    await host.get('/packs?page=2'),
    await host.get('/packs/secret-slug'),
    await host.post({}),
    await host.get('/nowhere'),
    await house.doors.packs.ask('GET', '/me', { key: `${host.key}x` }),
  ]
  const lines = log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  const seen = [
    { method: 'GET', route: '/api/v1/packs', status: 200 },
    { method: 'GET', route: '/api/v1/packs/:slug', status: 404 },
    { method: 'POST', route: '/api/v1/packs', status: 400 },
    { method: 'GET', route: 'none', status: 404 },
    { method: 'GET', route: '/api/v1/me', status: 401 },
  ]
  expect(lines).toMatchObject(seen.map((line) => ({ ...line, level: 30 })))
  expect(answered).toMatchObject(seen)
  expect(log.join('')).not.toMatch(/secret-slug|nowhere|page=2/)
  expect(log.join('')).not.toContain(host.key)
  expect(lines.map(({ requestId }) => requestId)).toEqual(
    replies.map(({ headers }) => headers.get('x-request-id')),
  )
  // In hundredths of a millisecond, of the same time that is reported.
  for (const [at, { ms }] of answered.entries()) {
    expect(lines[at].ms).toBe(Number(ms.toFixed(2)))
  }
})

it.each([
  [new StoreUnavailable('full'), 'the store is not available'],
  [new Error('secret'), 'internal error'],
])(
  'logs why a request failed, under the id of its answer, which does not say it: %s',
  async (error, msg) => {
    const create = async () => {
      throw error
    }
    const { house, log } = await open({
      withPorts: (ports) => ({ ...ports, packs: { ...ports.packs, create } }),
    })
    const reply = await (await house.host()).post(aPack())
    expect(reply.status).toBe(500)
    expect(reply.text).not.toContain(error.message)
    const lines = log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)
    const requestId = reply.headers.get('x-request-id')
    expect(lines).toMatchObject([{ requestId, msg, err: { message: error.message } }])
  },
)

it('counts requests from one random beginning for each process (D-13)', async () => {
  const { house } = await open()
  const host = await house.host()
  const ids: string[] = []
  for (let n = 0; n < 40; n += 1) ids.push((await host.get('/me')).headers.get('x-request-id')!)
  const begin = /^[\w-]{12}-/.exec(ids[0]!)?.[0] ?? 'none'
  expect(ids.map((id) => id.replace(begin, ''))).toEqual(ids.map((_, at) => at.toString(36)))
  const other = await open()
  const reply = await (await other.house.host()).get('/me')
  expect(reply.headers.get('x-request-id')).not.toContain(begin)
})

it('tells programs where the API has what they ask a site for, and leaves all else to the site', async () => {
  const { house } = await open()
  const app = createServiceApp({
    service: 'packs',
    ports: house.ports,
    settings: testSettings('packs'),
    site: async (scope) => {
      scope.get('/*', (_, reply) => reply.send('a page'))
    },
  })
  onTestFinished(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const ask = async (path: string, headers: Record<string, string>) => {
    const reply = await fetch(url + path, { headers })
    return [reply.status, reply.headers.get('vary')]
  }
  const [page, file] = [{ accept: 'text/html' }, '/packs/index.json']
  const toProgram = [404, 'Accept, Authorization']
  expect(await ask('/packs', { accept: 'application/json' })).toEqual(toProgram)
  expect(await ask('/packs', { ...page, authorization: 'Bearer x' })).toEqual(toProgram)
  expect(await ask('/packs', page)).toEqual([200, 'Accept, Authorization'])
  expect(await ask(file, { accept: 'application/json' })).toEqual([200, null])
})
