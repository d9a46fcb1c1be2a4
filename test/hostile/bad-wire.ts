import { aPack } from '../support/samples.ts'
import { badBody, type BadCase, show } from './case.ts'

const text = JSON.stringify(aPack())
const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)))

const notObjects = ['1', '"pack"', 'true', 'null', '[]', `[${text}]`].map((body) =>
  badBody(`the body is ${body.slice(0, 20)}`, body, 'the body must be a JSON object'),
)

const EMPTY = 'it is empty; send a JSON object'
const NUMBER = 'a number must be plain decimal digits, as 1, -2 or 0.5'
const QUOTES = 'is no double quote; strings and names need those'

/** Each with the place and what is wrong there, to the letter (D-51). */
const notJson = (
  [
    ['', EMPTY],
    [' ', EMPTY],
    ['\r\n\t ', EMPTY],
    ['{', 'line 1, column 2: the body ends where a name in double quotes or } should be'],
    ['{"a"', 'line 1, column 5: the body ends where a colon should be'],
    ['{"a":', 'line 1, column 6: the body ends where a value should be'],
    ['[1', 'line 1, column 3: the body ends where a comma or ] should be'],
    ['}', 'line 1, column 1: } is where a value should be'],
    ['{"name":}', 'line 1, column 9: } is where a value should be'],
    [`${text},`, `line 1, column ${text.length + 1}: , follows the end of the value`],
    [`${text}${text}`, `line 1, column ${text.length + 1}: { follows the end of the value`],
    ["{'name':'a'}", `line 1, column 2: ' ${QUOTES}`],
    ['{\r\n  "name": \'a\'}', `line 2, column 11: ' ${QUOTES}`],
    ['{"name": \u201ca\u201d}', `line 1, column 10: U+201C ${QUOTES}`],
    ['{name:"a"}', 'line 1, column 2: n begins a name without double quotes; add them'],
    ['{"a":1,}', 'line 1, column 7: remove the comma before }'],
    ['{"a":1,\n\n}', 'line 1, column 7: remove the comma before }'],
    ['[1,]', 'line 1, column 3: remove the comma before ]'],
    ['{"a":NaN}', 'line 1, column 6: NaN is not a JSON value; leave the field out or send another'],
    ['{"a":-Infinity}', /column 6: -Infinity is not a JSON value/],
    ['{"a":undefined}', /column 6: undefined is not a JSON value/],
    ['{"a":None}', /column 6: None is not a JSON value/],
    ['{"a":01}', `line 1, column 6: ${NUMBER}`],
    ['{"a":+1}', `line 1, column 6: ${NUMBER}`],
    ['{"a":.5}', `line 1, column 6: ${NUMBER}`],
    ['{"a":1.}', `line 1, column 6: ${NUMBER}`],
    ['{"a":0x1}', `line 1, column 6: ${NUMBER}`],
    ['{"a":-}', 'line 1, column 6: - is where a value should be'],
    ['// a\n{}', 'line 1, column 1: a comment; JSON has none, remove it'],
    ['{\n "a": 1, # one\n}', 'line 2, column 10: a comment; JSON has none, remove it'],
    ['{"a":"\t"}', 'line 1, column 7: a tab in a string must be written \\t'],
    ['{"a":"\n"}', 'line 1, column 7: a line break in a string must be written \\n'],
    ['{"a":"\x1b[31m"}', 'line 1, column 7: U+001B cannot be in a string; remove it'],
    ['{"a":"\\x41"}', 'line 1, column 7: this escape does not exist; write \\\\ for a backslash'],
    ['{"a":"\\u12"}', /column 7: this escape does not exist/],
    ['{"a":1 "b":2}', 'line 1, column 8: " is where a comma or } should be'],
    ['{"é🏆":1 2}', 'line 1, column 9: 2 is where a comma or } should be'],
    ['undefined', /column 1: undefined is not a JSON value/],
    ['name=a&slots=1', 'line 1, column 1: n is where a value should be'],
    ['<pack/>', 'line 1, column 1: < is where a value should be'],
    ['{"a":"b', /column 6: the string that begins here is not closed/],
    ['{"a":"\0"}', 'line 1, column 7: U+0000 cannot be in a string; remove it'],
    ['[\u202e1]', 'line 1, column 2: U+202E is where a value should be'],
    ['['.repeat(16_000), /column 16001: the body ends where a value should be/],
    ['{"a":'.repeat(3_000), /column 15001: the body ends where a value should be/],
  ] as [string, string | RegExp][]
).map(([body, what]) =>
  badBody(
    `not JSON: ${show(body)}`,
    body,
    typeof what === 'string' ? `the body must be valid JSON: ${what}` : what,
  ),
)

const notUtf8 = [
  ['a lone continuation byte', bytes('{"name":"', [0x80], '"}')],
  ['an overlong slash', bytes('{"name":"', [0xc0, 0xaf], '"}')],
  ['a surrogate in UTF-8', bytes('{"name":"', [0xed, 0xa0, 0x80], '"}')],
  ['a cut character', bytes('{"name":"', [0xe6, 0x98], '"}')],
  ['beyond U+10FFFF', bytes('{"name":"', [0xf4, 0x90, 0x80, 0x80], '"}')],
  ['Latin-1', Buffer.from('{"name":"caf\u00e9"}', 'latin1')],
].map(([title, body]) =>
  badBody(
    `not UTF-8: ${String(title)}`,
    body,
    /^the body must be UTF-8: byte 1[0-4], in line 1, is not; encode the body as UTF-8$/,
  ),
)

const lineThree = Buffer.concat([Buffer.from('{\n"a": "\ufffd",\n"b": "'), Buffer.from([0xff])])
const swapped = Buffer.from(text, 'utf16le').swap16()
const otherEncodings = (
  [
    ['UTF-16 LE with a mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'UTF-16'],
    ['UTF-16 LE without one', Buffer.from(text, 'utf16le'), 'UTF-16'],
    ['UTF-16 BE with a mark', Buffer.concat([Buffer.from([0xfe, 0xff]), swapped]), 'UTF-16'],
    ['UTF-16 BE without one', swapped, 'UTF-16'],
    ['UTF-32 LE', bytes([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), 'UTF-32'],
    ['UTF-32 BE', bytes([0, 0, 0, 0x7b]), 'UTF-32'],
    ['a U+0000 in front', '\0{}', 'UTF-16'],
  ] as const
).map(([title, body, encoding]) =>
  badBody(
    `not UTF-8: ${title}`,
    body,
    `the body must be UTF-8: it is ${encoding}; encode it as UTF-8 before you send it`,
  ),
)
const badByteLater = badBody(
  'not UTF-8: in line three, behind a real U+FFFD',
  lineThree,
  'the body must be UTF-8: byte 21, in line 3, is not; encode the body as UTF-8',
)

const unsound = (
  [
    ['{"name":"\\u0000"}', 'name must hold no U+0000'],
    ['{"name":"a\\u0000b"}', 'name must hold no U+0000'],
    ['{"\\u0000":1}', 'the body has a field name with a U+0000'],
    ['{"name":"\\ud800"}', 'name must hold no lone surrogate'],
    ['{"name":"\\udc00"}', 'name must hold no lone surrogate'],
    ['{"name":"\\ud83c"}', 'name must hold no lone surrogate'],
    ['{"name":"\\udf38\\ud83c"}', 'name must hold no lone surrogate'],
    ['{"other":"\\ud800"}', 'other must hold no lone surrogate'],
    ['{"other":{"deep":["\\u0000"]}}', 'other.deep[0] must hold no U+0000'],
    ['{"\\udfff":1}', 'the body has a field name with a lone surrogate'],
    ['{"slots":[{"mod":"\\u0000"}]}', 'slots[0].mod must hold no U+0000'],
    ['{"slots":[{"mod":"NM"},{"\\ud800":1}]}', 'slots[1] has a field name with a lone surrogate'],
    ['{"description":"\\ud800x","name":"\\u0000"}', 'description must hold no lone surrogate'],
    ['"\\u0000"', 'the body must hold no U+0000'],
    [`${'['.repeat(5_000)}"\\u0000"${']'.repeat(5_000)}`, /^(\[0\]){40,60}… must hold no U\+0000$/],
    [`{"a\\n\\u202e${'b'.repeat(90)}":"\\u0000"}`, /^a\?\?b{61}… must hold no U\+0000$/],
    ['{"__proto__":{"a":"\\u0000"}}', '__proto__.a must hold no U+0000'],
  ] as [string, string | RegExp][]
).map(([body, message]) => badBody(`unsound text ${show(body)}`, body, message))

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
  ['/packs', '/me/packs', '/packs/AAAAAAAAAA/history'].map((path): BadCase => ({
    title: `GET ${path}?${query}`,
    method: 'GET',
    path: `${path}?${query}`,
    code: 'bad_request',
    message: 'page must be one whole number from 1 to 999999',
  })),
)

const aCursor =
  'after must be one cursor as it was received; leave it out to begin with what happens from now on'
const aWait = 'wait must be one whole number of seconds from 0 to 25'

const follows = (
  [
    ['after=', aCursor],
    ['after=Zm9vYmFyYmF6cXV4Y29ycw', aCursor],
    [`after=${'A'.repeat(22)}`, aCursor],
    [`after=${'A'.repeat(21)}`, aCursor],
    [`after=${'A'.repeat(5000)}`, aCursor],
    ['after=AAAAAAAAAAAAAAAAAAAAA%2B', aCursor],
    ['after=%00', aCursor],
    ['after', aCursor],
    ['after=AAAA&after=AAAA', aCursor],
    ["after='%20or%20true--", aCursor],
    ['wait=', aWait],
    ['wait', aWait],
    ['wait=-0', aWait],
    ['wait=00', aWait],
    ['wait=26', aWait],
    ['wait=9999999999999999999', aWait],
    ['wait=25s', aWait],
    ['wait=%2025', aWait],
    ['wait=2%005', aWait],
    ['wait=Infinity', aWait],
    ['wait=1&wait=1', aWait],
    ['wait=25&after=x', aCursor],
  ] as const
).map(([query, message]): BadCase => ({
  title: `GET /changes?${query.slice(0, 40)}`,
  method: 'GET',
  path: `/changes?${query}`,
  code: 'bad_request',
  message,
}))

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
  '/packs/AAAAAAAAAA/History',
  '/packs/AAAAAAAAAA/history/',
  '/packs/AAAAAAAAAA/history//',
  '/packs/AAAAAAAAAA/history/1/',
  '/packs/AAAAAAAAAA/history.atom',
  '/packs//history',
  '/changes/',
  '/Changes',
  '/changes/Zm9vYmFyYmF6cXV4Y29ycw',
  '/packs//history/1',
  '/pack',
  '/users',
  '/openapi.yaml',
  '/me%2Fpacks',
  '/beatmaps/1/usage',
].map((path): BadCase => ({
  title: `GET ${path}`,
  method: 'GET',
  path,
  code: 'not_found',
  message: noPath,
}))

const methods = [
  ['PATCH', '/me', 'GET, HEAD, OPTIONS'],
  ['POST', '/me', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/me/packs', 'GET, HEAD, OPTIONS'],
  ['PUT', '/packs', 'GET, POST, HEAD, OPTIONS'],
  ['DELETE', '/packs', 'GET, POST, HEAD, OPTIONS'],
  ['PATCH', '/packs/AAAAAAAAAA', 'GET, PUT, DELETE, HEAD, OPTIONS'],
  ['POST', '/packs/AAAAAAAAAA', 'GET, PUT, DELETE, HEAD, OPTIONS'],
  ['POST', '/changes', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/changes', 'GET, HEAD, OPTIONS'],
  ['POST', '/packs/AAAAAAAAAA/history', 'GET, PUT, HEAD, OPTIONS'],
  ['PATCH', '/packs/AAAAAAAAAA/history', 'GET, PUT, HEAD, OPTIONS'],
  ['DELETE', '/packs/AAAAAAAAAA/history', 'GET, PUT, HEAD, OPTIONS'],
  ['PUT', '/packs/AAAAAAAAAA/history/1', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/packs/AAAAAAAAAA/history/1', 'GET, HEAD, OPTIONS'],
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
  ...[notObjects, notJson, notUtf8, otherEncodings, badByteLater, unsound, pages].flat(),
  ...[follows, media].flat(),
  ...[encodings, slugs, paths, methods, tooLarge].flat(),
]
