import { connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { openHouse } from '../support/house.ts'
import { type RawAnswer, sendRaw } from './raw.ts'

const house = await openHouse()
afterAll(house.close)
const host = await house.host()
const { url } = house.doors.packs
const key = `authorization: Bearer ${host.key}\r\n`

/** D-10, D-13: every answer carries the headers, those that the HTTP parser gives too. */
const expectRefusal = (answer: RawAnswer | undefined, status: number, code: string): void => {
  expect(answer?.status).toBe(status)
  expect(JSON.parse(answer?.body ?? '')).toEqual({ error: { code, message: expect.any(String) } })
  expect(answer?.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9_-]{8,64}$/),
    'ratelimit-limit': '20',
    'ratelimit-remaining': '20',
    'ratelimit-reset': expect.stringMatching(/^[1-9][0-9]?$/),
    connection: 'close',
  })
}

describe('D-10: what is not HTTP/1.1 is answered and describes the address', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a bad request line', 'GET /api/v1/me\x01 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['no version (HTTP/0.9)', `GET /api/v1/me\r\n${key}\r\n`],
    ['HTTP/2.0', `GET /api/v1/me HTTP/2.0\r\nhost: x\r\n${key}\r\n`],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', `BREW /api/v1/me HTTP/1.1\r\nhost: x\r\n${key}\r\n`],
    ['a header without a colon', `GET /api/v1/me HTTP/1.1\r\nhost: x\r\nnonsense\r\n\r\n`],
    ['NUL in a header', `GET /api/v1/me HTTP/1.1\r\nhost: x\r\na: b\0c\r\n\r\n`],
    ['a space before the colon', `GET /api/v1/me HTTP/1.1\r\nhost : x\r\n\r\n`],
    ['no Host header', `GET /api/v1/me HTTP/1.1\r\n${key}\r\n`],
    ['two Host headers', `GET /api/v1/me HTTP/1.1\r\nhost: x\r\nHost: y\r\n${key}\r\n`],
    ['two equal Host headers', `GET /api/v1/me HTTP/1.1\r\nhost: x\r\nhost: x\r\n${key}\r\n`],
    [
      'two lengths',
      `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n${key}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
    ],
    [
      'a length and chunks',
      `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n${key}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
    ],
    [
      'a length that is no number',
      `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n${key}content-length: two\r\n\r\n{}`,
    ],
    [
      'an encoding of the transfer that nobody undoes',
      `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n${key}content-type: application/json\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nhost: example.org:443\r\n\r\n'],
  ])('400 bad_request: %s', async (_title, text) => {
    const answers = await sendRaw(url, text)
    expect(answers).toHaveLength(1)
    expectRefusal(answers[0], 400, 'bad_request')
  })

  test('431: 20 KB of headers', async () => {
    const [answer] = await sendRaw(
      url,
      `GET /api/v1/me HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(20_000)}\r\n\r\n`,
    )
    expectRefusal(answer, 431, 'bad_request')
  })

  test('417: an expectation that nobody knows', async () => {
    const [answer] = await sendRaw(
      url,
      `GET /api/v1/me HTTP/1.1\r\nhost: x\r\nexpect: tea\r\n${key}\r\n`,
    )
    expectRefusal(answer, 417, 'bad_request')
  })

  test('a bad chunk in the middle of a body', async () => {
    const head = `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n${key}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    const answers = await sendRaw(url, head, '5\r\n{"nam\r\nZZ\r\n')
    expect(answers[0]?.status).toBe(400)
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ error: { code: 'bad_request' } })
  })

  test('a bad request behind a good one: both are answered', async () => {
    const good = `GET /api/v1/me HTTP/1.1\r\nhost: x\r\n${key}\r\n`
    const answers = await sendRaw(url, good, 'nonsense\r\n\r\n')
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
  })
})

describe('what HTTP allows works', () => {
  const close = 'connection: close\r\n'

  test('two requests in one packet', async () => {
    const one = `GET /api/v1/me HTTP/1.1\r\nhost: x\r\n${key}\r\n`
    const answers = await sendRaw(url, one + one.replace('\r\n\r\n', `\r\n${close}\r\n`))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  test('HTTP/1.0 without a Host header', async () => {
    const [answer] = await sendRaw(url, `GET /api/v1/me HTTP/1.0\r\n${key}\r\n`)
    expect(answer?.status).toBe(200)
  })

  test('the absolute form of a request target', async () => {
    const [answer] = await sendRaw(
      url,
      `GET http://x/api/v1/me HTTP/1.1\r\nhost: x\r\n${key}${close}\r\n`,
    )
    expect(answer?.status).toBe(200)
  })

  test('Expect: 100-continue', async () => {
    const body = '{"name":1}'
    const head = `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n${key}${close}content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`
    const answers = await sendRaw(url, head, body)
    expect(answers.map(({ status }) => status)).toEqual([100, 400])
  })

  test('an upgrade that nobody takes is an ordinary request', async () => {
    const [answer] = await sendRaw(
      url,
      `GET /api/v1/me HTTP/1.1\r\nhost: x\r\n${key}connection: upgrade, close\r\nupgrade: websocket\r\n\r\n`,
    )
    expect(answer?.status).toBe(200)
  })

  test('415: two content types, though the first is JSON (D-25)', async () => {
    const [answer] = await sendRaw(
      url,
      `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n${key}${close}content-type: application/json\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\n{}`,
    )
    expect(answer?.status).toBe(415)
  })

  test('413 of a chunked body can be read while the client still sends; the connection goes on (D-25)', async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    const head = `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n${key}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    const next = `GET /api/v1/me HTTP/1.1\r\nhost: x\r\n${key}${close}\r\n`
    const chunks = Array.from({ length: 64 }, () => chunk)
    const answers = await sendRaw(url, head, ...chunks, '0\r\n\r\n', next)
    expect(answers.map(({ status }) => status)).toEqual([413, 200])
  })

  test.each([
    ['x-last: 1\r\n', [400, 200]],
    [close, [400]],
  ])(
    'the trailer %j behind a body: what the connection does is said',
    async (trailer, statuses) => {
      const head = `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n${key}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
      const next = `GET /api/v1/me HTTP/1.1\r\nhost: x\r\n${key}${close}\r\n`
      const answers = await sendRaw(url, `${head}2\r\n{}\r\n0\r\n${trailer}\r\n${next}`)
      expect(answers.map(({ status }) => status)).toEqual(statuses)
      expect(answers.at(-1)?.headers['connection']).toBe('close')
    },
  )
})

describe('who is slow is cut within 15 s, and gone clients do no harm', () => {
  test.concurrent.each([
    ['nothing sent', ''],
    ['half a request line', 'GET /api'],
    ['half the headers', 'GET /api/v1/me HTTP/1.1\r\nhost: x\r\n'],
    [
      'half a body',
      `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n${key}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"na`,
    ],
  ])('%s', async (_title, text) => {
    const [answer] = await sendRaw(url, text)
    expect(answer?.ms ?? 15_001).toBeLessThan(15_000)
    expectRefusal(answer, 408, 'bad_request')
  })

  test.concurrent('a client that leaves in the middle', async () => {
    for (let at = 0; at < 20; at++) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => socket.destroy())
      socket.write(
        `POST /api/v1/packs HTTP/1.1\r\nhost: x\r\n${key}content-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
      )
      socket.write('"', () => socket.resetAndDestroy())
    }
    const stranger = await house.host()
    expect((await stranger.get('/me')).status).toBe(200)
  })
})
