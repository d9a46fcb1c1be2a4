import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { type RawAnswer, sendRaw } from './raw.ts'

// Over a bare socket: what a client would tidy up before it sends it.
const house = await openHouse()
afterAll(house.close)
const host = await house.host()
const slug = await host.save(aPack({ visibility: 'public' }))
const { url } = house.doors.packs
beforeEach(() => house.clock.nextMinute())

const ask = async (target: string, method = 'GET'): Promise<RawAnswer> => {
  const head = `${method} ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${host.key}\r\nconnection: close\r\n\r\n`
  const [answer] = await sendRaw(url, head)
  if (answer === undefined) throw new Error('no answer')
  return answer
}
const errorOf = ({ body }: RawAnswer): unknown => JSON.parse(body).error

const encoded = (text: string): string =>
  Array.from(text, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')

describe('404 not_found, no such path (D-12)', () => {
  test.each([
    '/api/v1/./me',
    '/api/v1/../v1/me',
    '/api/v1/x/../me',
    '/api/v1/%2e%2e/v1/me',
    '/api/v1/..%2fv1%2fme',
    '/api/v1//me',
    '//api/v1/me',
    '/api//v1/me',
    '/api/v1/me/',
    '/api/v1/Packs',
    '/API/v1/me',
    '/api/V1/me',
    '/api/v2/me',
    '/api/v1/me;x=1',
    '/api/v1/packs%3fpage=0',
    '/api/v1/me%2Fpacks',
    '/api/v1/me%00',
    '/api/v1/%zz',
    '/api/v1/%',
    '/api/v1/%C0%AF',
    '/api/v1/me%20',
    '/api/v1/me\\packs',
    '/api/v1',
    '/api/v1/',
    '/api',
    '/',
    'http://x',
    'http://x/',
    'http://x/api/v1/nothing',
    'http://x/api/v1/%zz',
    'ftp://x/api/v1/me',
    `/api/v1/packs/${'A'.repeat(10)}/`,
    `/api/v1/packs//${'A'.repeat(10)}`,
    `/api/v1/packs/${'A'.repeat(10)}/history/`,
    `/api/v1/packs/${'A'.repeat(10)}//history`,
    `/api/v1/packs/${'A'.repeat(10)}/history%2F`,
    `/api/v1/packs/${'A'.repeat(10)}/./history`,
    `/api/v1/packs/${'A'.repeat(10)}/history/1/2`,
    `/api/v1/packs/history/1`,
    `/api/v1/${'a/'.repeat(4000)}`,
  ])('GET %s', async (target) => {
    const answer = await ask(target)
    expect(answer.status).toBe(404)
    expect(errorOf(answer)).toEqual({
      code: 'not_found',
      message: 'there is nothing at this path; /api/v1/openapi.json lists what there is',
    })
  })
})

describe('*, of the server as a whole (RFC 9112, 3.2.4)', () => {
  test('204 with what it can do is answered to OPTIONS', async () => {
    const answer = await ask('*', 'OPTIONS')
    expect(answer.status).toBe(204)
    expect(answer.headers['allow']).toBe('GET, POST, PUT, DELETE, HEAD, OPTIONS')
  })

  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])('400: %s', async (method) => {
    const answer = await ask('*', method)
    expect(answer.status).toBe(400)
    if (method !== 'HEAD') expect(errorOf(answer)).toMatchObject({ code: 'bad_request' })
  })
})

test.each([
  '/api/v1/packs#page=0',
  '/api/v1/packs#?page=1',
  '/api/v1/packs?page=1#2',
  '/api/v1/me#',
  '/api/v1/nothing#',
  '/#%zz',
  'http://x/api/v1/me#x',
])('400: %s, since no target has a fragment (RFC 9112, 3.2)', async (target) => {
  const answer = await ask(target)
  expect(answer.status).toBe(400)
  expect(errorOf(answer)).toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('# must be written as %23'),
  })
})

describe('404 not_found, a slug that no pack can have', () => {
  test.each([
    '',
    'A',
    'A'.repeat(9),
    'A'.repeat(11),
    'A'.repeat(200),
    'A'.repeat(10_000),
    '%41'.repeat(9),
    '%zz%zz%zz%',
    '%',
    '%00%00%00%00%00%00%00%00%00%00',
    'AAAAAAAAA%2F',
    'AAAAAAAAA%0A',
    'AAAAAAAAAA%0A',
    'AAAAAAAAA%C3%A9',
    'AAAAAAAAA+',
    'AAAAA.AAAA',
    '%252e%252e',
    'AAAA%20AAAAA',
    '..',
  ])('%s', async (wrong) => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await ask(`/api/v1/packs/${wrong}`, method)
      expect(answer.status).toBe(404)
      expect(errorOf(answer)).toMatchObject({ code: 'not_found' })
    }
    expect((await host.get(`/packs/${slug}`)).status).toBe(200)
  })
})

describe('200: other spellings of the same target', () => {
  test.each([
    ['a slug in percent signs', `/api/v1/packs/${encoded(slug)}`],
    ['the path in percent signs', `/api/v1/${encoded('packs')}/${slug}`],
    ['a query that means nothing', `/api/v1/packs/${slug}?page=0&%zz&a=%00`],
    ['an empty query', `/api/v1/packs/${slug}?`],
    ['absolute form', `http://somewhere.test:81/api/v1/packs/${slug}`],
    ['absolute form, in capitals', `HTTPS://X/api/v1/packs/${slug}`],
  ])('%s', async (_title, target) => {
    const answer = await ask(target)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body).pack.slug).toBe(slug)
  })
})

describe('200: other spellings of the path of a version', () => {
  test.each([
    ['the number in percent signs', `/packs/${slug}/history/${encoded('1')}`],
    ['the word in percent signs', `/packs/${slug}/${encoded('history')}/1`],
    ['a query that means nothing', `/packs/${slug}/history/1?page=0&version=2`],
  ])('%s', async (_title, path) => {
    const answer = await ask(`/api/v1${path}`)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body).version.version).toBe(1)
  })
})

describe('200: what only looks like a page is no page (D-15)', () => {
  test.each([
    'Page=0',
    'PAGE=x',
    'page%20=0',
    'page[]=1',
    'page%5B%5D=0',
    'page[0]=0',
    'pages=0',
    'p=0',
    'perPage=1000',
    'per_page=0&limit=-1&offset=x',
    '%zz',
    '&&&',
    '=',
    '__proto__=1&constructor=2',
    'page=1',
    'page=%31',
    '%70age=1',
    'page=999999',
  ])('?%s', async (query) => {
    const answer = await ask(`/api/v1/packs?${query}`)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toMatchObject({ total: 1, pageCount: 1 })
  })
})

test.each(['%70age=0', 'page=%30', 'page=1&%70age=2', 'page=%zz', 'page=\t', 'page=+1', 'page=１'])(
  '400: however it is written: ?%j',
  async (query) => {
    const answer = await ask(`/api/v1/me/packs?${query}`)
    expect(answer.status).toBe(400)
    expect(errorOf(answer)).toMatchObject({ code: 'bad_request' })
  },
)
