import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, test } from 'vitest'
import { createWorkMeter } from '../../src/adapters/system.ts'
import {
  ACCOUNT_POINTS_PER_MINUTE,
  CONNECT_CPU_MS,
  CPU_MS_PER_POINT,
  HANDSHAKE_CPU_MS,
  REQUEST_CPU_MS,
} from '../../src/contract/quotas.ts'
import { createServiceApp } from '../../src/door/service-app.ts'
import { RoundRobin } from '../../src/door/work.ts'
import type { WorkMeter } from '../../src/ports/system.ts'
import type { Reply } from '../support/door.ts'
import { aPack } from '../support/samples.ts'
import { makeCertificate } from '../support/certificate.ts'
import { testSettings } from '../support/settings.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

// What is measured differs by machine, so here a meter that is set by hand says what things cost (D-75).

const VICTIM = '203.0.113.9'
const HOG = '198.51.100.66'

/** Charges each piece of work of a request some points, and makes addresses wait as `waits` says. */
function handMeter(points: number, waits: ReadonlyMap<string, number> = new Map()) {
  const cost = { points }
  const real = createWorkMeter()
  const charged = new Map<string, number>()
  const asked = new Set<string>()
  const meter: WorkMeter = {
    ...real,
    measure(work) {
      try {
        return work()
      } finally {
        real.add(cost.points * CPU_MS_PER_POINT)
      }
    },
    chargeAddress: (address, ms) => void charged.set(address, (charged.get(address) ?? 0) + ms),
    addressWaitMs(address) {
      asked.add(address)
      return waits.get(address) ?? 0
    },
  }
  return { meter, charged, asked, cost }
}

let house: SiteHouse
afterEach(() => house.close())

const open = async (work: WorkMeter): Promise<void> => {
  house = await openSiteHouse({ trustedProxies: ['127.0.0.1'], work })
}

const get = (path: string, address: string, headers: Record<string, string> = {}): Promise<Reply> =>
  house.browser().send('GET', path, {
    headers: { accept: 'text/html', 'x-forwarded-for': address, ...headers },
  })

describe('D-75: a request is charged what it cost', () => {
  it('to the share of its address: dear pages are fewer', async () => {
    await open(handMeter(20).meter)
    let served = 0
    while (served < 100 && (await get('/packs', HOG)).status === 200) served += 1
    expect(served).toBeGreaterThan(2)
    expect(served).toBeLessThanOrEqual(60)
    const refused = await get('/packs', HOG)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await get('/packs', VICTIM)).status).toBe(200)
    house.clock.nextMinute()
    expect((await get('/packs', HOG)).status).toBe(200)
  })

  it('to the share of its account, and not to that of others at its address', async () => {
    const { meter, cost } = handMeter(0)
    await open(meter)
    const ada = await house.signedIn(7001)
    cost.points = ACCOUNT_POINTS_PER_MINUTE
    const headers = { 'x-forwarded-for': HOG }
    const statuses = []
    for (let at = 0; at < 3; at += 1) {
      statuses.push((await ada.send('GET', '/session/search', { headers })).status)
    }
    expect(statuses.at(-1)).toBe(429)
    expect((await get('/packs', HOG)).status).toBe(200)
  })

  it('to its address in CPU time, the request itself and each byte included', async () => {
    const { meter, charged } = handMeter(0)
    await open(meter)
    await house.publishIndex()
    await get('/packs', HOG)
    const ofPage = charged.get(HOG) ?? 0
    expect(ofPage).toBeGreaterThan(0.15)
    await get('/packs/index.json', HOG)
    expect(charged.get(HOG)).toBeGreaterThan(ofPage)
  })

  it('in IPv6 to its /48: many networks of one /48 together are held to four shares', async () => {
    await open(handMeter(100).meter)
    let served = 0
    for (let network = 0; network < 100; network += 1) {
      const { status } = await get('/packs', `2001:db8:7:${(network % 8).toString(16)}::1`)
      if (status === 200) served += 1
    }
    expect(served).toBeGreaterThan(2)
    expect(served).toBeLessThanOrEqual(48)
    expect((await get('/packs', '2001:db8:8:1::1')).status).toBe(200)
  })
})

describe('D-75: an address that has used its CPU time', () => {
  it('is served after a wait, what costs no points included', async () => {
    await open(handMeter(0, new Map([[HOG, 50]])).meter)
    expect((await get('/packs', HOG)).status).toBe(200)
    expect((await get('/robots.txt', HOG)).status).toBe(200)
  })

  it('is refused when it would wait for long: 429 with the seconds, pages and session calls alike', async () => {
    await open(handMeter(0, new Map([[HOG, 3_500]])).meter)
    const [page, call] = await Promise.all([
      get('/packs', HOG),
      get('/session/search', HOG, { accept: 'application/json' }),
    ])
    expect([page.status, page.headers.get('retry-after')]).toEqual([429, '4'])
    expect(page.text).toContain('Too many requests')
    expect([call.status, call.headers.get('retry-after')]).toEqual([429, '4'])
    expect(call.json.error.code).toBe('rate_limited')
  })

  it('is no longer answered when more wait than can be refused', async () => {
    await open(handMeter(0, new Map([[HOG, 60_000]])).meter)
    let end = 'open'
    const asking = fetch(`${house.urls.packs}/packs`, { headers: { 'x-forwarded-for': HOG } }).then(
      ({ status }) => (end = String(status)),
      () => (end = 'closed'),
    )
    // Others are served meanwhile: closed at once, its client would open the next connection at once.
    for (let at = 0; at < 2; at += 1) expect((await get('/robots.txt', VICTIM)).status).toBe(200)
    expect(end).toBe('open')
    await asking
    expect(end).toBe('closed')
  })

  it('D-5: is still answered at once with a valid key, and asked whether it is alive', async () => {
    const { meter, asked, charged } = handMeter(0, new Map([['127.0.0.1', 60_000]]))
    await open(meter)
    const host = await house.hostOf(7001, 'Ada')
    const slug = await host.save(aPack())
    expect((await host.get(`/packs/${slug}`)).status).toBe(200)
    expect((await fetch(`${house.urls.packs}/healthz`)).status).toBe(200)
    expect([...asked, ...charged.keys()]).toEqual([])
  })

  it('waits for its refusals by the API, too', async () => {
    const { meter, asked, charged } = handMeter(0)
    await open(meter)
    const unknown = await fetch(`${house.urls.packs}/api/v1/me`, {
      headers: { 'x-forwarded-for': HOG, authorization: 'Bearer nonsense' },
    })
    expect(unknown.status).toBe(401)
    expect([...asked]).toEqual([HOG])
    expect(charged.get(HOG)).toBeGreaterThan(0)
  })
})

describe('D-75: connections', () => {
  /** Opens a connection; resolves to the first byte of what it is answered, empty when it is closed at once. */
  const knock = async (port: number, text: string): Promise<string> => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => socket.destroy())
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
      socket.destroy()
    })
    socket.write(text)
    await once(socket, 'close')
    return answer.slice(0, 1)
  }
  const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'

  /** Admits so many connections of each address, after a wait. */
  const countingMeter = (most: number, waitMs = 0) => {
    const begun = new Map<string, number[]>()
    const { meter } = handMeter(0)
    const admitUnpaced = (address: string, ms: number): number | null => {
      const all = begun.get(address) ?? []
      begun.set(address, [...all, ms])
      return all.length < most ? waitMs : null
    }
    return { begun, meter: { ...meter, admitUnpaced } }
  }

  it('are closed unread where their address has begun too many', async () => {
    const { begun, meter } = countingMeter(2)
    house = await openSiteHouse({ work: meter })
    const port = Number(new URL(house.urls.packs).port)
    const answers = []
    const request = 'GET /api/v1/me HTTP/1.1\r\nhost: x\r\n\r\n'
    for (let at = 0; at < 4; at += 1) answers.push(await knock(port, request))
    expect(answers).toEqual(['H', 'H', '', ''])
    expect([...begun.keys()]).toEqual(['127.0.0.1'])
  })

  it('wait unread where there were many, and lose nothing of what was sent meanwhile', async () => {
    const { meter } = countingMeter(Infinity, 20)
    house = await openSiteHouse({ work: meter })
    const port = Number(new URL(house.urls.packs).port)
    const body = '{"name":"x"}'
    const post = `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const last = 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
    const socket = connect({ port, host: '127.0.0.1' })
    socket.write(HEALTH + post)
    socket.write(last)
    const chunks = await socket.toArray()
    const statuses = Buffer.concat(chunks)
      .toString('latin1')
      .match(/(?<=HTTP\/1\.1 )\d+/g)
    expect(statuses).toEqual(['200', '401', '200'])
  })

  it('health checks are charged as connections are, and do not wait for the requests of their address', async () => {
    const { begun, meter } = countingMeter(Infinity)
    await open({ ...meter, addressWaitMs: () => 1e6 })
    for (const path of ['/healthz', '/readyz']) expect((await get(path, HOG)).status).toBe(200)
    expect(begun.get(HOG)).toEqual([REQUEST_CPU_MS, REQUEST_CPU_MS])
  })

  it('of proxies are not charged: they carry the requests of many', async () => {
    const { begun, meter } = countingMeter(0)
    await open(meter)
    expect((await get('/packs', HOG)).status).toBe(200)
    expect(begun.size).toBe(0)
  })

  it.each([0, 20])('with TLS are charged their handshake, and closed before it', async (waitMs) => {
    house = await openSiteHouse()
    const folder = await mkdtemp(join(tmpdir(), 'mapcrate-gate-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { cert, keyFile } = await makeCertificate(folder, 'server')
    const { begun, meter } = countingMeter(1, waitMs)
    const app = createServiceApp({
      service: 'packs',
      ports: { ...house.ports, work: meter },
      settings: testSettings('packs'),
      tls: { cert, key: await readFile(keyFile, 'utf8') },
    })
    onTestFinished(() => app.close())
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const shake = (): Promise<string> =>
      new Promise((resolve) => {
        const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
        const end = (how: string) => () => {
          socket.destroy()
          resolve(how)
        }
        socket.once('secureConnect', end('secure')).once('error', end('closed'))
      })
    expect([await shake(), await shake()]).toEqual(['secure', 'closed'])
    const [handshake = 0] = begun.get('127.0.0.1') ?? []
    expect(handshake).toBeGreaterThan(CONNECT_CPU_MS + HANDSHAKE_CPU_MS)
  })

  it('D-5: begin whatever the requests of their address have cost, until they are too many themselves', async () => {
    house = await openSiteHouse()
    const meter = createWorkMeter()
    meter.chargeAddress(HOG, 1e6)
    expect(meter.addressWaitMs(HOG)).toBeGreaterThan(0)
    expect(meter.admitUnpaced(HOG, 1)).toBe(0)
    for (const address of [HOG, '2001:db8:7:1']) {
      let admitted = 0
      while (admitted < 1000 && meter.admitUnpaced(address, 100) !== null) admitted += 1
      expect(admitted).toBeGreaterThan(2)
      expect(admitted).toBeLessThan(1000)
    }
    expect(meter.admitUnpaced('2001:db8:7:2', 1)).toBe(null)
    expect(meter.admitUnpaced(VICTIM, 1)).toBe(0)
  })
})

describe('the meter', () => {
  const burn = (ms: number): void => {
    const { user, system } = process.cpuUsage()
    const until = user + system + ms * 1000
    for (;;) {
      const now = process.cpuUsage()
      if (now.user + now.system >= until) return
    }
  }

  test('charges the CPU time of measured work once, however deep it is nested, and none of waiting', async () => {
    house = await openSiteHouse()
    const meter = createWorkMeter()
    let charged = 0
    await meter.run(
      (ms) => void (charged += ms),
      async () => {
        meter.measure(() => meter.measure(() => burn(20)))
        await new Promise((resolve) => setTimeout(resolve, 5))
        meter.measure(() => burn(10))
        expect(meter.spentMs()).toBeGreaterThanOrEqual(charged)
        meter.add(7)
      },
    )
    expect(charged).toBeGreaterThanOrEqual(37)
    const before = charged
    meter.measure(() => burn(1))
    expect([charged, meter.spentMs()]).toEqual([before, 0])
  })

  test('charges what runs after an `await`, where nobody measures it, and to no other request', async () => {
    house = await openSiteHouse()
    const meter = createWorkMeter()
    const charged = [0, 0]
    const request = (at: number, ms: number) =>
      meter.run(
        (spent) => void (charged[at]! += spent),
        async () => {
          await Promise.resolve()
          burn(ms)
          await new Promise((resolve) => setTimeout(resolve, 1))
          burn(ms)
        },
      )
    const uncharged = async () => {
      await Promise.resolve()
      burn(200)
    }
    await Promise.all([request(0, 10), request(1, 40), uncharged()])
    expect(charged[0]).toBeGreaterThanOrEqual(20)
    expect(charged[1]).toBeGreaterThanOrEqual(80)
    expect(charged[0]).toBeLessThan(charged[1]!)
    expect(charged[0]! + charged[1]!).toBeLessThan(2 * 200)
  })

  test('charges each of two requests that run side by side its own', async () => {
    house = await openSiteHouse()
    const meter = createWorkMeter()
    const charged = [0, 0]
    const work = (at: number, ms: number) =>
      meter.run(
        (spent) => void (charged[at]! += spent),
        async () => {
          for (let step = 0; step < 5; step += 1) {
            meter.add(ms)
            await meter.breathe()
            await Promise.resolve()
          }
        },
      )
    // What they really take is measured, too: seconds at the most.
    await Promise.all([work(0, 10_000), work(1, 1_000_000)])
    expect(charged.map((ms) => Math.floor(ms / 50_000))).toEqual([1, 100])
  })
})

describe('turns', () => {
  test('one request begins in each turn of the event loop, and addresses take turns', async () => {
    house = await openSiteHouse()
    const turns = new RoundRobin()
    const began: string[] = []
    let turn = 0
    const counter = setInterval(() => {}, 1_000)
    onTestFinished(() => clearInterval(counter))
    const count = (): void => {
      turn += 1
      if (began.length < 6) setImmediate(count)
    }
    setImmediate(count)
    const { promise, resolve } = Promise.withResolvers<void>()
    for (const name of ['a', 'a', 'a', 'b', 'b', 'c']) {
      turns.enter(name, () => {
        began.push(`${name} ${turn}`)
        if (began.length === 6) resolve()
      })
    }
    await promise
    expect(began.map((each) => each[0])).toEqual(['a', 'a', 'b', 'c', 'a', 'b'])
    expect(new Set(began.map((each) => each.slice(2))).size).toBe(6)
  })
})
