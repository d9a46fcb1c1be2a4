import { testSettings } from '../support/settings.ts'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { afterAll, describe, expect, it } from 'vitest'
import { createServiceApp } from '../../src/door/service-app.ts'
import { makeCertificate } from '../support/certificate.ts'
import { quotaOf } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { until } from '../support/until.ts'
import { type RawAnswer, sendRaw } from './raw.ts'

const house = await openHouse()
const files = await makeCertificate(house.folder, 'server')
const answered: string[] = []
/** Counters that take a moment, as those of a database do. */
const slowQuotas = new Proxy(house.ports.quotas, {
  get: (quotas, name) => {
    const call: unknown = Reflect.get(quotas, name)
    if (typeof call !== 'function') return call
    return async (...args: unknown[]) => {
      await pause(20)
      return call.apply(quotas, args)
    }
  },
})
/** The packs service with TLS; without it, with a count of what was answered; and with slow counters. */
const [tls, counted, slow] = (['tls', 'counted', 'slow'] as const).map((kind) =>
  createServiceApp({
    service: 'packs',
    ports: kind === 'slow' ? { ...house.ports, quotas: slowQuotas } : house.ports,
    settings: testSettings('packs'),
    ...(kind === 'tls' && {
      tls: { cert: readFileSync(files.certFile, 'utf8'), key: readFileSync(files.keyFile, 'utf8') },
    }),
    onAnswer: ({ route, status }) => answered.push(`${status} ${route}`),
  }),
)
await Promise.all([tls, counted, slow].map((app) => app!.listen({ host: '127.0.0.1', port: 0 })))
const portOf = (app: typeof tls): number => (app!.server.address() as AddressInfo).port
const countedUrl = `http://127.0.0.1:${portOf(counted)}`
afterAll(async () => {
  await Promise.all([tls!.close(), counted!.close(), slow!.close()])
  await house.close()
})

const body = JSON.stringify(aPack())
const close = 'connection: close\r\n'
const auth = ({ key }: Host): string => `host: x\r\nauthorization: Bearer ${key}\r\n`
const json = (length: number): string =>
  `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
const save = (host: Host, more = ''): string =>
  `POST /api/v1/packs HTTP/1.1\r\n${auth(host)}${more}${json(body.length)}${body}`
const me = (host: Host, more = ''): string => `GET /api/v1/me HTTP/1.1\r\n${auth(host)}${more}\r\n`

const statuses = (answers: readonly RawAnswer[]): number[] => answers.map(({ status }) => status)

/** With a body that nobody asked for, by length and in chunks. */
const ten = 'content-length: 10\r\n\r\n0123456789'
const chunked = 'transfer-encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n'
const bodied = (host: Host, more: string, rest = ten): string =>
  `POST /api/v1/me HTTP/1.1\r\n${auth(host)}${more}${rest}`
const upgrade = 'connection: upgrade\r\nupgrade: h2c\r\n'

type Refused = readonly [string, number, (host: Host) => string | Buffer]

/** Requests whose answer closes the connection. */
const closing: readonly Refused[] = [
  ['two Host headers', 400, (host) => me(host, 'host: y\r\n')],
  ['no Host header', 400, (host) => me(host).replace('host: x\r\n', '')],
  ['HTTP/1.0', 200, (host) => me(host).replace('HTTP/1.1', 'HTTP/1.0')],
  ...['keep-alive, close', 'close, keep-alive', 'keep-alive\r\nconnection: close'].map(
    (asked): Refused => [
      `HTTP/1.0 and ${asked.replace('\r\n', ', ')}`,
      200,
      (host) => me(host, `connection: ${asked}\r\n`).replace('HTTP/1.1', 'HTTP/1.0'),
    ],
  ),
  [
    'HTTP/1.0 and chunks',
    400,
    (host) => bodied(host, 'connection: keep-alive\r\n', chunked).replace('HTTP/1.1', 'HTTP/1.0'),
  ],
  ['a Host that is none', 400, (host) => me(host).replace('host: x', 'host: x/y')],
  ['a target without a host', 400, (host) => me(host).replace('/api', 'http:///api')],
  ['a target with user information', 400, (host) => me(host).replace('/api', 'http://u:p@x/api')],
  ['the client’s own close', 200, (host) => me(host, close)],
  ['two Host headers and a body', 400, (host) => bodied(host, 'host: y\r\n')],
  ['two Host headers and chunks', 400, (host) => bodied(host, 'host: y\r\n', chunked)],
  ['no Host header and a body', 400, (host) => bodied(host, '').replace('host: x\r\n', '')],
  ['the client’s own close and a body', 405, (host) => bodied(host, close)],
  ['an expectation that nobody knows and a body', 417, (host) => bodied(host, 'expect: x\r\n')],
  [
    'a refused Expect: 100-continue with its body',
    405,
    (host) => bodied(host, 'expect: 100-continue\r\n'),
  ],
  [
    'a refused Expect: 100-continue with its chunks',
    405,
    (host) => bodied(host, 'expect: 100-continue\r\n', chunked),
  ],
  ['another protocol and the client’s own close', 405, (host) => bodied(host, upgrade + close)],
  ['HTTP/2 with prior knowledge', 400, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['no request line', 400, () => 'nonsense\r\n\r\n'],
  ...[
    'x',
    '100-continue, x',
    'x, 100-continue',
    '100-continue;q=1',
    'x-100-continue',
    '100-continue\r\nexpect: x',
  ].map((expected): Refused => [
    `an expectation that nobody knows, ${expected.replace('\r\n', ', ')}`,
    417,
    (host) => me(host, `expect: ${expected}\r\n`),
  ]),
  ['CONNECT', 400, () => 'CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\n\r\n'],
  ['20 KB of headers', 431, (host) => me(host, `a: ${'b'.repeat(20_000)}\r\n`)],
  [
    'an encoding of the transfer that nobody undoes',
    400,
    (host) => me(host, 'transfer-encoding: gzip, chunked\r\n').replace(/$/, '0\r\n\r\n'),
  ],
  [
    'a bad chunk',
    400,
    // A path that the service does not have is answered before its body is read.
    (host) =>
      `POST /api/v1/${host.door.service === 'pools' ? 'tournaments' : 'packs'} HTTP/1.1\r\n${auth(host)}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n`,
  ],
]

/** Refusals after which it is known where the next request begins. */
const staying: readonly Refused[] = [
  ['a JSON syntax error', 400, (host) => save(host).replace(body, 'x'.repeat(body.length))],
  [
    'a body that is not UTF-8',
    400,
    (host) => Buffer.from(save(host).replace(body, '\u00ff'.repeat(body.length)), 'latin1'),
  ],
  ['another media type', 415, (host) => save(host).replace('application/json', 'text/plain')],
  [
    'a body that is too large',
    413,
    (host) => save(host).replace(json(body.length) + body, json(20_000) + ' '.repeat(20_000)),
  ],
  ['a key of nobody', 401, (host) => me(host).replace('Bearer ', 'Bearer x')],
  ['two Authorization headers', 400, (host) => me(host, 'authorization: Bearer y\r\n')],
  ['a bad page', 400, (host) => me(host).replace('/me', '/packs?page=0')],
  ['another protocol', 200, (host) => me(host, upgrade)],
  ['another protocol, with a body', 405, (host) => bodied(host, upgrade)],
  ['another protocol, with chunks', 405, (host) => bodied(host, upgrade, chunked)],
  ['another protocol, with a body that is taken', 201, (host) => save(host, upgrade)],
  [
    'another protocol, with a body of two chunks that is taken',
    201,
    (host) =>
      save(host, upgrade + 'transfer-encoding: chunked\r\n').replace(
        `content-length: ${body.length}\r\n\r\n${body}`,
        `\r\n1;a=b\r\n{\r\n${(body.length - 1).toString(16)}\r\n${body.slice(1)}\r\n0\r\nx: y\r\n\r\n`,
      ),
  ],
]

const together = (...parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)))

describe('what was sent after an answer that closes is not executed (RFC 9112, 9.6)', () => {
  it.each(closing)('on the packs service: %s', async (_title, status, make) => {
    const host = await house.host()
    // Over the ten kinds, 1,000 in all.
    for (let turn = 0; turn < 100; turn++) {
      if (turn % 8 === 0) house.clock.nextMinute()
      const answers = await sendRaw(
        house.doors.packs.url,
        together(make(host), save(host), save(host)),
      )
      expect(statuses(answers)).toEqual([status])
      expect(answers[0]?.headers['connection']).toBe('close')
    }
    expect((await host.get('/me/packs')).json.total).toBe(0)
  })

  it.each(closing)('on the tournament-pools service: %s', async (_title, status, make) => {
    const host = await house.host('pools')
    const before = quotaOf(await host.get('/me')).remaining
    const answers = await sendRaw(house.doors.pools.url, together(make(host), me(host), me(host)))
    expect(statuses(answers)).toEqual([status])
    // One for the request that was answered, where it was one, and one for this.
    const spent = before - quotaOf(await host.get('/me')).remaining
    expect(spent).toBeLessThanOrEqual(2)
  })

  it.each(closing)('with TLS: %s', async (_title, status, make) => {
    const host = await house.host()
    const socket = connectTls({ port: portOf(tls), host: '127.0.0.1', rejectUnauthorized: false })
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.on('error', () => socket.destroy())
    socket.write(together(make(host), save(host), save(host)))
    await once(socket, 'close')
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code))).toEqual([
      status,
    ])
    expect((await host.get('/me/packs')).json.total).toBe(0)
  })

  it('nor what comes a moment later, while the client is still to notice', async () => {
    const host = await house.host()
    const socket = connect({
      port: Number(new URL(house.doors.packs.url).port),
      allowHalfOpen: true,
    })
    socket.on('error', () => socket.destroy())
    socket.write(me(host, 'host: y\r\n'))
    await once(socket, 'data')
    socket.write(save(host))
    socket.end(save(host))
    socket.resume()
    await once(socket, 'close')
    expect((await host.get('/me/packs')).json.total).toBe(0)
  })

  it.each([
    ['another protocol', (host: Host) => me(host, upgrade)],
    ['another protocol, with a body', (host: Host) => save(host, upgrade)],
    ['a tunnel', () => 'CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\n\r\n'],
    ['a tunnel, with a body', () => `CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\n${ten}`],
  ] as const)(
    'nor does a request for %s reset the connection before the answer is read',
    async (_title, make) => {
      const host = await house.host()
      const port = Number(new URL(house.doors.packs.url).port)
      for (const [, , close] of closing) {
        house.clock.nextMinute()
        const socket = connect({ port, allowHalfOpen: true })
        const errors: Error[] = []
        socket.on('error', (error) => errors.push(error))
        socket.write(together(close(host), make(host)))
        socket.resume()
        await once(socket, 'end')
        // The second one would find that the server reads no more.
        for (const more of [save(host), save(host)]) {
          await new Promise((resolve) => socket.write(more, resolve))
        }
        socket.end()
        if (!socket.destroyed) await once(socket, 'close')
        expect(errors).toEqual([])
      }
    },
  )

  it('an answer that closes ends the requests that waited for it', async () => {
    const host = await house.host()
    const answers = await sendRaw(house.doors.packs.url, me(host) + me(host, close) + save(host))
    expect(statuses(answers)).toEqual([200, 200])
    expect((await host.get('/me/packs')).json.total).toBe(0)
  })
})

describe('after an ordinary refusal, or a protocol that is not spoken, the connection goes on', () => {
  it.each(staying)('%s', async (_title, status, make) => {
    const host = await house.host()
    const answers = await sendRaw(
      house.doors.packs.url,
      together(make(host), save(host), me(host, close)),
    )
    expect(statuses(answers)).toEqual([status, 201, 200])
    expect(answers[0]?.headers['connection']).toBe('keep-alive')
    // Proxies close after a minute at most, and must be the first.
    expect(answers[0]?.headers['keep-alive']).toBe('timeout=72')
  })
})

describe('one request of a socket is in work, and unread answers stop its reading (D-56)', () => {
  it('1,000 pipelined requests, in one write and in small pieces, are answered in their order', async () => {
    const one = 'GET /api/v1/openapi.json HTTP/1.1\r\nhost: x\r\nif-none-match: *\r\n\r\n'
    const last = one.replace('\r\n\r\n', `\r\n${close}\r\n`)
    const all = Buffer.from(one.repeat(999) + last)
    const pieces = Array.from({ length: Math.ceil(all.length / 777) }, (_, at) =>
      all.subarray(at * 777, (at + 1) * 777),
    )
    for (const parts of [[all], pieces]) {
      const answers = await sendRaw(countedUrl, ...parts)
      expect(answers).toHaveLength(1000)
      expect(new Set(statuses(answers))).toEqual(new Set([304]))
    }
  })

  it('bodies of waiting requests stay whole', async () => {
    const host = await house.host()
    const named = (name: string): string => {
      const text = JSON.stringify({ ...aPack(), name, description: name.repeat(8).slice(0, 400) })
      return `POST /api/v1/packs HTTP/1.1\r\n${auth(host)}${json(text.length)}${text}`
    }
    const names = Array.from({ length: 8 }, (_, at) => `${at}`.repeat(50))
    const answers = await sendRaw(countedUrl, names.map(named).join('') + me(host, close))
    expect(statuses(answers)).toEqual([...names.map(() => 201), 200])
    expect(answers.slice(0, 8).map((answer) => JSON.parse(answer.body).pack.name)).toEqual(names)
  })

  it('what waits is neither parsed nor in work', async () => {
    let parsed = 0
    counted!.server.prependListener('request', () => parsed++)
    answered.length = 0
    const socket = connect(portOf(counted), '127.0.0.1')
    socket.on('error', () => socket.destroy())
    socket.pause()
    socket.write('GET /api/v1/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3000))
    let before = -1
    // Until the buffers of both sides are full of answers, and no more come.
    await until(async () => {
      const isStill = answered.length > 0 && answered.length === before
      before = answered.length
      await new Promise((resolve) => setTimeout(resolve, 200))
      return isStill
    })
    expect(answered.length).toBeLessThan(1500)
    expect(parsed - answered.length).toBeLessThanOrEqual(2)
    expect((await fetch(`${countedUrl}/healthz`)).status).toBe(200)
    socket.destroy()
  })
})

describe('an early answer drains what still comes, within bounds', () => {
  const big = 400_000
  const refused: readonly [string, number, (host: Host) => string][] = [
    ['no key', 401, () => `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n`],
    [
      'a bad key',
      401,
      () => 'POST /api/v1/packs HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\n',
    ],
    ['an unknown path', 404, (host) => `POST /api/v1/nothing HTTP/1.1\r\n${auth(host)}`],
    ['another method', 405, (host) => `POST /api/v1/me HTTP/1.1\r\n${auth(host)}`],
    ['too large', 413, (host) => `POST /api/v1/packs HTTP/1.1\r\n${auth(host)}`],
  ]

  it.each(refused)(
    '%s, with the body there before the answer: the next request is answered, too',
    async (_title, status, make) => {
      const host = await house.host()
      for (const more of [close, '']) {
        const socket = connect(portOf(slow), '127.0.0.1')
        let text = ''
        socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
        const errors: Error[] = []
        socket.on('error', (error) => errors.push(error))
        const closed = new Promise((resolve) => socket.once('close', resolve))
        socket.write(make(host) + more + json(big) + ' '.repeat(big))
        await until(async () => text.includes(`HTTP/1.1 ${status} `))
        if (more === close) await closed
        else {
          socket.write(save(host))
          await until(async () => text.includes('HTTP/1.1 201 '))
          socket.destroy()
        }
        expect(errors).toEqual([])
        expect(socket.bytesWritten).toBeGreaterThan(big)
      }
    },
  )

  it.each(refused)(
    '%s: the client can send all and reads its answer',
    async (_title, status, make) => {
      const head = make(await house.host())
      for (const more of [close, '']) {
        const socket = connect(portOf(counted), '127.0.0.1')
        let text = ''
        socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
        const errors: Error[] = []
        socket.on('error', (error) => errors.push(error))
        socket.write(head + more + json(big))
        // The answer comes before the body does.
        await once(socket, 'data')
        for (let sent = 0; sent < big; sent += 50_000) {
          await new Promise<void>((resolve) => socket.write(' '.repeat(50_000), () => resolve()))
        }
        if (more === '') socket.write(`GET /healthz HTTP/1.1\r\nhost: x\r\n${close}\r\n`)
        await once(socket, 'close')
        expect(errors).toEqual([])
        expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code))).toEqual(
          more === '' ? [status, 200] : [status],
        )
      }
    },
  )

  const post = 'POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n'
  it.each([
    ['a chunked body', 401, `${post}transfer-encoding: chunked\r\n\r\nffffff0\r\n`],
    ['a body of a gigabyte', 401, `${post}content-length: 1000000000\r\n\r\n`],
    ['what is no HTTP', 400, 'hello\r\n\r\n'],
    ['what comes behind a close', 200, `GET /healthz HTTP/1.1\r\nhost: x\r\n${close}\r\n`],
  ])('%s without an end is cut', async (_title, status, head) => {
    // It sends on when the server has ended its side.
    const socket = connect({ port: portOf(counted), host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.on('error', () => socket.destroy())
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(head)
    const chunk = Buffer.alloc(100_000, 'x')
    let sent = 0
    const send = (): void => {
      while (!socket.destroyed && sent < 200_000_000) {
        sent += chunk.length
        if (!socket.write(chunk)) return
      }
      socket.destroy()
    }
    socket.on('drain', send)
    send()
    await closed
    expect(text).toContain(`HTTP/1.1 ${status} `)
    expect(sent).toBeLessThan(200_000_000)
  })

  it.each([
    [8 * 1024 * 1024, 'keep-alive'],
    [8 * 1024 * 1024 + 1, 'close'],
  ])('an answer ahead of a body of %i bytes says %s', async (length, end) => {
    const socket = connect(portOf(counted), '127.0.0.1')
    socket.on('error', () => socket.destroy())
    socket.write(`POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n${json(length)}`)
    const [answer] = await once(socket, 'data')
    socket.destroy()
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /)
    expect(/^connection: (.*)\r$/im.exec(String(answer))?.[1]).toBe(end)
  })
})

describe('the smaller manners of HTTP', () => {
  it('HEAD with If-None-Match: 304 without a length (RFC 9110, 8.6)', async () => {
    const tag = (await fetch(`${countedUrl}/api/v1/openapi.json`)).headers.get('etag') ?? ''
    for (const method of ['HEAD', 'GET']) {
      const [answer] = await sendRaw(
        countedUrl,
        `${method} /api/v1/openapi.json HTTP/1.1\r\nhost: x\r\nif-none-match: ${tag}\r\n${close}\r\n`,
      )
      expect(answer?.status).toBe(304)
      expect(answer?.headers).not.toHaveProperty('content-length')
    }
    const [whole] = await sendRaw(
      countedUrl,
      `HEAD /api/v1/openapi.json HTTP/1.1\r\nhost: x\r\n${close}\r\n`,
    )
    expect(Number(whole?.headers['content-length'])).toBeGreaterThan(1000)
  })

  const asking = 'expect: 100-continue\r\n'
  it.each<readonly [string, number, (host: Host) => string]>([
    ['no key', 401, (host) => save(host, asking).replace(/authorization.*\r\n/, '')],
    ['a bad key', 401, (host) => save(host, asking).replace('Bearer ', 'Bearer x')],
    [
      'another media type',
      415,
      (host) => save(host, asking).replace('application/json', 'text/plain'),
    ],
    [
      'a length that is too large',
      413,
      (host) => save(host, asking).replace(json(body.length), json(20_000)),
    ],
    ['an unknown path', 404, (host) => save(host, asking).replace('/packs', '/nothing')],
    ['a method that the path has not', 405, (host) => save(host, asking).replace('/packs', '/me')],
    ['a body that is taken', 201, (host) => save(host, asking)],
    [
      'a body that is not',
      400,
      (host) => save(host, asking).replace(body, ' '.repeat(body.length)),
    ],
  ])('Expect: 100-continue: %s', async (_title, status, make) => {
    const host = await house.host()
    const [head = ''] = make(host).split('\r\n\r\n')
    const sent = make(host).slice(head.length + 4)
    const socket = connect(portOf(counted), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.on('error', () => socket.destroy())
    socket.write(`${head}\r\n\r\n`)
    await once(socket, 'data')
    const isAsked = status === 201 || status === 400
    expect(text).toMatch(isAsked ? /^HTTP\/1\.1 100 Continue\r\n\r\n$/ : /^HTTP\/1\.1 4/)
    if (isAsked) socket.write(sent + me(host, close))
    await once(socket, 'close')
    const codes = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code))
    // Nobody knows whether the body still comes: what is refused without it closes.
    expect(codes).toEqual(isAsked ? [100, status, 200] : [status])
    if (!isAsked) expect(text).toMatch(/^connection: close\r$/im)
  })

  it('429 comes before 100 Continue, too', async () => {
    const host = await house.host()
    house.clock.nextMinute()
    for (let count = 0; count < 10; count++) await host.delete('AAAAAAAAAA')
    const [answer] = await sendRaw(countedUrl, save(host, asking).split(body)[0]!)
    expect(answer?.status).toBe(429)
  })

  it('400: two Authorization headers, wherever the good one is, described as the address', async () => {
    const host = await house.host()
    for (const service of ['packs', 'pools'] as const) {
      const head = `GET /api/v1/me HTTP/1.1\r\nhost: x\r\n`
      const [good, bad] = [`authorization: Bearer ${host.key}\r\n`, 'Authorization: Bearer y\r\n']
      for (const both of [good + bad, bad + good, good + good]) {
        const [answer] = await sendRaw(house.doors[service].url, head + both + close + '\r\n')
        expect(answer?.status).toBe(400)
        expect(answer?.body).toContain('send one Authorization header')
        expect(answer?.headers).toMatchObject({ 'ratelimit-limit': '20' })
      }
    }
  })
})
