import { afterAll, describe, expect, it } from 'vitest'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { type RawAnswer, sendRaw } from './raw.ts'

const house = await openHouse({ settings: { trustedProxies: ['127.0.0.1'] } })
afterAll(() => house.close())

/** More headers than Node keeps by itself, all within what a request may have. */
const others = 'a:\r\n'.repeat(1_200)
const body = JSON.stringify(aPack())
const auth = ({ key }: Host) => `authorization: Bearer ${key}\r\n`
const typed = 'content-type: application/json\r\n'
const sized = `content-length: ${body.length}\r\n`

/** A request in which these headers come last, after as many others as they may. */
const send = async (
  line: string,
  first: string,
  last: string,
  rest = '',
): Promise<RawAnswer | undefined> => {
  const head = `${line} HTTP/1.1\r\nconnection: close\r\n${first}${others}${last}\r\n`
  const [answer] = await sendRaw(house.doors.packs.url, head + rest)
  return answer
}

const save = 'POST /api/v1/packs'

describe('a header counts, however many stand before it', () => {
  it.each<readonly [string, number, (host: Host) => ReturnType<typeof send>]>([
    ['Host', 200, (host) => send('GET /api/v1/me', auth(host), 'host: x\r\n')],
    [
      'a second Host',
      400,
      (host) => send('GET /api/v1/me', `host: x\r\n${auth(host)}`, 'host: y\r\n'),
    ],
    ['Authorization', 200, (host) => send('GET /api/v1/me', 'host: x\r\n', auth(host))],
    [
      'a second Authorization',
      400,
      (host) => send('GET /api/v1/me', `host: x\r\n${auth(host)}`, auth(host)),
    ],
    [
      'If-None-Match',
      304,
      () => send('GET /api/v1/openapi.json', 'host: x\r\n', 'if-none-match: *\r\n'),
    ],
    ['Content-Type', 201, (host) => send(save, `host: x\r\n${auth(host)}${sized}`, typed, body)],
    ['Content-Length', 201, (host) => send(save, `host: x\r\n${auth(host)}${typed}`, sized, body)],
    [
      'Transfer-Encoding',
      201,
      (host) =>
        send(
          save,
          `host: x\r\n${auth(host)}${typed}`,
          'transfer-encoding: chunked\r\n',
          `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
        ),
    ],
    [
      'Content-Encoding (D-25)',
      415,
      (host) =>
        send(save, `host: x\r\n${auth(host)}${typed}${sized}`, 'content-encoding: gzip\r\n', body),
    ],
    [
      'If-Match (D-48)',
      412,
      async (host) => {
        const slug = await host.save(aPack())
        const line = `PUT /api/v1/packs/${slug}`
        return send(line, `host: x\r\n${auth(host)}${typed}${sized}`, 'if-match: "x"\r\n', body)
      },
    ],
  ])('%s', async (_title, status, ask) => {
    house.clock.nextMinute()
    const answer = await ask(await house.host())
    expect({ status: answer?.status, body: answer?.body }).toMatchObject({ status })
  })

  it('X-Forwarded-For, which proxies add at the end (D-6)', async () => {
    house.clock.nextMinute()
    const forwarded = 'x-forwarded-for: 203.0.113.9\r\n'
    const left: (string | undefined)[] = []
    for (const path of ['me', 'me', 'openapi.json']) {
      const answer = await send(`GET /api/v1/${path}`, 'host: x\r\n', forwarded)
      left.push(answer?.headers['ratelimit-remaining'])
    }
    expect(left).toEqual(['19', '18', '18'])
    const own = await send('GET /api/v1/openapi.json', 'host: x\r\n', '')
    expect(own?.headers['ratelimit-remaining']).toBe('20')
  })
})
