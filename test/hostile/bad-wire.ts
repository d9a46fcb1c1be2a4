import { aPack } from '../support/samples.ts'
import { badBody, type BadCase, show } from './case.ts'

const text = JSON.stringify(aPack())
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)))

const notObjects = ['1', '"pack"', 'true', 'null', '[]', `[${text}]`].map((body) =>
  badBody(`the body is ${body.slice(0, 20)}`, body, 'the body must be a JSON object'),
)

const notJson = [
  '',
  ' ',
  '{',
  '}',
  '{"name":}',
  `${text},`,
  `${text}${text}`,
  "{'name':'a'}",
  '{name:"a"}',
  '{"a":1,}',
  '[1,]',
  '{"a":NaN}',
  '{"a":Infinity}',
  '{"a":01}',
  '{"a":+1}',
  '{"a":.5}',
  '{"a":0x1}',
  '// a\n{}',
  '{"a":"\t"}',
  '{"a":"\n"}',
  '{"a":"\\x41"}',
  '{"a":"\\u12"}',
  'undefined',
  'name=a&slots=1',
  '<pack/>',
  '{"a":"b',
  '\0{}',
  '{"a":"\0"}',
].map((body) => badBody(`not JSON: ${show(body)}`, body, 'the body must be valid JSON'))

const notUtf8 = [
  ['a lone continuation byte', bytes('{"name":"', [0x80], '"}')],
  ['an overlong slash', bytes('{"name":"', [0xc0, 0xaf], '"}')],
  ['a surrogate in UTF-8', bytes('{"name":"', [0xed, 0xa0, 0x80], '"}')],
  ['a cut character', bytes('{"name":"', [0xe6, 0x98], '"}')],
  ['beyond U+10FFFF', bytes('{"name":"', [0xf4, 0x90, 0x80, 0x80], '"}')],
  ['Latin-1', Buffer.from('{"name":"caf\u00e9"}', 'latin1')],
].map(([title, body]) => badBody(`not UTF-8: ${String(title)}`, body, 'the body must be UTF-8'))

const unsound = [
  '{"name":"\\u0000"}',
  '{"name":"a\\u0000b"}',
  '{"\\u0000":1}',
  '{"name":"\\ud800"}',
  '{"name":"\\udc00"}',
  '{"name":"\\ud83c"}',
  '{"name":"\\udf38\\ud83c"}',
  '{"other":"\\ud800"}',
  '{"other":{"deep":["\\u0000"]}}',
  '{"\\udfff":1}',
  '{"slots":[{"mod":"\\u0000"}]}',
  '{"description":"\\ud800x"}',
].map((body) =>
  badBody(`unsound text ${body}`, body, 'the body must hold no lone surrogate and no U+0000'),
)

const pages = [
  'page=',
  'page=0',
  'page=00',
  'page=01',
  'page=-1',
  'page=%2B1',
  'page=1.5',
  'page=1.0',
  'page=1e3',
  'page=0x1',
  'page=1000000',
  'page=9999999999999999999',
  'page=one',
  'page=%201',
  'page=1%20',
  'page=%D9%A1',
  'page=1,2',
  'page=1&page=1',
  'page=1&page=2',
  'page',
  'page=null',
  'page=undefined',
  'page=true',
  'page=%00',
  'page=1%0A',
  'page=Infinity',
  'page=NaN',
].flatMap((query) =>
  ['/packs', '/me/packs'].map((path): BadCase => ({
    title: `GET ${path}?${query}`,
    method: 'GET',
    path: `${path}?${query}`,
    code: 'bad_request',
    message: 'page must be one whole number from 1 to 999999',
  })),
)

const media = [
  'text/plain',
  'application/json5',
  'application/problem+json',
  'application/ld+json',
  'text/json',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=a',
  'application/jsonx',
  'json',
  '*/*',
  'application/*',
].map((type): BadCase => ({
  title: `Content-Type: ${type}`,
  method: 'POST',
  body: text,
  headers: { 'content-type': type },
  code: 'unsupported_media_type',
  message: 'send the body with Content-Type: application/json',
}))

const encodings = ['gzip', 'br', 'deflate', 'identity', 'zstd', 'x-unknown'].map(
  (encoding): BadCase => ({
    title: `Content-Encoding: ${encoding}`,
    method: 'POST',
    body: text,
    headers: { 'content-encoding': encoding },
    code: 'unsupported_media_type',
    message: 'send the body as it is, without Content-Encoding',
  }),
)

const noPack = 'there is no pack with this slug that you may see or change'
const noPath = 'there is nothing at this path; /api/v1/openapi.json lists what there is'

const slugs = [
  'short',
  'AAAAAAAAA',
  'AAAAAAAAAAA',
  'A'.repeat(200),
  'A'.repeat(6000),
  'AAAAAAAAA%20',
  'AAAAA.AAAA',
  '%zz',
  '%',
  '%00',
  '%C0%AF',
  'AAAAAAAAA%2F',
  'AAAAAAAAA%E2%98%85',
  '..%2F..%2Fme',
  'AAAAAAAAAA%00',
  "'%20OR%201=1--",
  '%F0%9F%8C%B8',
].flatMap((slug) =>
  ['GET', 'PUT', 'DELETE'].map((method): BadCase => ({
    title: `${method} /packs/${slug.slice(0, 24)}`,
    method,
    path: `/packs/${slug}`,
    ...(method === 'PUT' && { body: text }),
    code: 'not_found',
    message: noPack,
  })),
)

const paths = [
  '',
  '/',
  '/Me',
  '/ME',
  '/me/',
  '/packs/',
  '//me',
  '/packs/AAAAAAAAAA/',
  '/packs/AAAAAAAAAA/maps',
  '/pack',
  '/users',
  '/openapi.yaml',
  '/me%2Fpacks',
  '/beatmaps/1/usage',
]
  .map((path): BadCase => ({
    title: `GET ${path}`,
    method: 'GET',
    path,
    code: 'not_found',
    message: noPath,
  }))
  .filter(({ path }) => path !== '/packs/')

const methods = [
  ['PATCH', '/me', 'GET, HEAD, OPTIONS'],
  ['POST', '/me', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/me/packs', 'GET, HEAD, OPTIONS'],
  ['PUT', '/packs', 'GET, POST, HEAD, OPTIONS'],
  ['DELETE', '/packs', 'GET, POST, HEAD, OPTIONS'],
  ['PATCH', '/packs/AAAAAAAAAA', 'GET, PUT, DELETE, HEAD, OPTIONS'],
  ['POST', '/packs/AAAAAAAAAA', 'GET, PUT, DELETE, HEAD, OPTIONS'],
  ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
].map(([method = '', path = '', allow = '']): BadCase => ({
  title: `${method} ${path}`,
  method,
  path,
  code: 'method_not_allowed',
  message: `this path takes ${allow}`,
}))

const tooLarge = [16_385, 16_400, 20_000, 100_000].map((length): BadCase => ({
  title: `a body of ${length} bytes`,
  method: 'POST',
  body: `${text}${' '.repeat(length - text.length)}`,
  code: 'too_large',
  message: 'the body must be at most 16384 bytes; send a smaller pack',
}))

/** What is wrong around the pack: JSON, text, pages, media types, paths, methods, sizes (D-12, D-15, D-18, D-25). */
export const badWire: readonly BadCase[] = [
  ...[notObjects, notJson, notUtf8, unsound, pages, media].flat(),
  ...[encodings, slugs, paths, methods, tooLarge].flat(),
]
