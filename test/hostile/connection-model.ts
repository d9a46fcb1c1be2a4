import { SeededRandom } from '../../scripts/seeded-random.ts'
import type { ServiceName } from '../../src/contract/services.ts'
import { aPack } from '../support/samples.ts'

/** What a request does when it is executed: the name that a thing then has, null when it is gone. */
export type Effect = { readonly slug: string | null; readonly name: string | null }

/** What an account owns: the names of its things by their slugs; those of new ones by themselves. */
export type Things = ReadonlyMap<string, string>

/** A request, and what HTTP and the API say of it. */
export type Request = {
  readonly bytes: Buffer
  /** Whether its answer has no body. */
  readonly isHead: boolean
  /** Which answers it may get when it came whole. */
  readonly statuses: readonly number[]
  /** Whether its answer closes the connection; `either`: that is the server's to say. */
  readonly closes: 'yes' | 'no' | 'either'
  /** Nobody can know where the next request begins. */
  readonly isLast?: boolean
  readonly asksToContinue?: boolean
  readonly effect?: Effect
  /** The thing whose present name the answer shows. */
  readonly shows?: string
}

/** Of whom and about what a sequence asks. */
export type Scene = {
  readonly service: ServiceName
  readonly key: string
  /** Two things that are there at first: one to be renamed, and one to be deleted. */
  readonly kept: string
  readonly doomed: string
}

type Make = (scene: Scene, random: SeededRandom, name: string) => Request

const places = { packs: '/api/v1/packs', pools: '/api/v1/tournaments' } as const

const auth = ({ key }: Scene): string => `authorization: Bearer ${key}\r\n`
const close = 'connection: close\r\n'
const json = 'content-type: application/json\r\n'

const bodyOf = ({ service }: Scene, name: string): string =>
  JSON.stringify(service === 'packs' ? aPack({ name }) : { name, shortName: 'CUP' })

/** A body by its length or in chunks of any size, with extensions and trailers. */
function framed(random: SeededRandom, body: string): string {
  if (random.below(2) === 0) return `content-length: ${body.length}\r\n\r\n${body}`
  let chunks = ''
  for (let at = 0; at < body.length;) {
    const size = Math.min(body.length - at, 1 + random.below(60))
    const extension = random.oneOf(['', '', ';a', ';a=b', ';a="b c"'])
    chunks += `${size.toString(16)}${extension}\r\n${body.slice(at, at + size)}\r\n`
    at += size
  }
  const trailer = random.oneOf(['', '', 'x-last: 1\r\n', close])
  return `transfer-encoding: chunked\r\n\r\n${chunks}0\r\n${trailer}\r\n`
}

const bodies = (random: SeededRandom): string =>
  random.oneOf([
    '\r\n',
    'content-length: 0\r\n\r\n',
    'content-length: 10\r\n\r\n0123456789',
    'content-length: 42\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\nabc: d\r\n\r\n',
    'transfer-encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n',
  ])

type Manner = { readonly headers: string; readonly closes: Request['closes'] }

/** What may be said of the connection and of other protocols beside any request. */
const manners = (random: SeededRandom): Manner =>
  random.oneOf<Manner>([
    ...Array.from({ length: 8 }, () => ({ headers: '', closes: 'no' as const })),
    { headers: 'connection: keep-alive\r\n', closes: 'no' },
    { headers: 'Connection: x-hop\r\n', closes: 'no' },
    { headers: 'connection: close\r\n', closes: 'yes' },
    { headers: 'connection: x-hop, Close\r\n', closes: 'yes' },
    { headers: 'connection: upgrade\r\nupgrade: h2c\r\n', closes: 'no' },
    {
      headers:
        'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQ\r\n',
      closes: 'no',
    },
    { headers: 'connection: upgrade\r\nupgrade: websocket, x/1\r\n', closes: 'no' },
    { headers: 'upgrade: websocket\r\n', closes: 'no' },
    { headers: 'connection: upgrade, close\r\nupgrade: TLS/1.0\r\n', closes: 'yes' },
  ])

type Line = { readonly method: string; readonly path: string; readonly version?: string }

function request(
  random: SeededRandom,
  { method, path, version = 'HTTP/1.1' }: Line,
  headers: string,
  rest: string,
  facts: Partial<Request> & Pick<Request, 'statuses'>,
): Request {
  const manner = manners(random)
  const absolute = path.startsWith('/') ? `http://x${path}` : path
  const target = random.oneOf([path, path, path, absolute])
  const before = random.oneOf(['', '', '', '', '\r\n'])
  const expects = random.oneOf([false, false, false, false, rest.length > 2])
  const text = `${before}${method} ${target} ${version}\r\nhost: x\r\n${headers}${manner.headers}`
  const expecting = expects ? 'Expect: 100-continue\r\n' : ''
  const isCut = rest.endsWith(`0\r\n${close}\r\n`)
  const isTaken = facts.effect !== undefined && facts.effect.name !== null
  return {
    bytes: Buffer.from(text + expecting + rest, 'latin1'),
    isHead: method === 'HEAD',
    // Whether the body of a refused one still comes, nobody knows.
    closes: manner.closes === 'no' && ((expects && !isTaken) || isCut) ? 'either' : manner.closes,
    isLast: isCut,
    asksToContinue: expects,
    ...facts,
  }
}

/** What is valid HTTP, refused by the API or not: only those close that ask for it. */
const valid: readonly Make[] = [
  (scene, random) => {
    const path = `${places[scene.service]}/${scene.kept}`
    const method = random.oneOf(['GET', 'GET', 'HEAD'])
    const shows = method === 'GET' ? { shows: scene.kept } : {}
    return request(random, { method, path }, auth(scene), bodies(random), {
      statuses: [200],
      ...shows,
    })
  },
  (scene, random, name) => {
    const rest = json + framed(random, bodyOf(scene, name))
    const line = { method: 'POST', path: places[scene.service] }
    return request(random, line, auth(scene), rest, {
      statuses: [201],
      effect: { slug: null, name },
    })
  },
  (scene, random, name) => {
    const rest =
      json +
      framed(random, scene.service === 'packs' ? bodyOf(scene, name) : JSON.stringify({ name }))
    const method = scene.service === 'packs' ? 'PUT' : 'PATCH'
    const line = { method, path: `${places[scene.service]}/${scene.kept}` }
    return request(random, line, auth(scene), rest, {
      statuses: [200],
      effect: { slug: scene.kept, name },
    })
  },
  (scene, random) => {
    const line = { method: 'DELETE', path: `${places[scene.service]}/${scene.doomed}` }
    const effect = { slug: scene.doomed, name: null }
    return request(random, line, auth(scene), bodies(random), { statuses: [204, 404], effect })
  },
  (scene, random) => {
    const [method, path, status] = random.oneOf([
      ['GET', '/api/v1/nothing', 404],
      ['POST', '/api/v1/nothing', 404],
      ['PATCH', '/api/v1/me', 405],
      ['POST', '/api/v1/me', 405],
      ['OPTIONS', '/api/v1/me', 204],
      ['OPTIONS', '*', 204],
      ['HEAD', '/healthz', 200],
      ['GET', '/healthz', 200],
      ['GET', '/%zz', 404],
      ['TRACE', '/api/v1/me', 405],
      ['QUERY', '/api/v1/me', 405],
    ] as const)
    return request(random, { method, path }, auth(scene), bodies(random), { statuses: [status] })
  },
  (scene, random) => {
    const line = { method: 'POST', path: places[scene.service] }
    const [headers, body, status] = random.oneOf([
      [json, '{"name":', 400],
      [json, '\u00ff\u00fe', 400],
      ['content-type: text/plain\r\n', 'x', 415],
      [`${json}content-encoding: gzip\r\n`, 'x', 415],
      [json, ' '.repeat(20_000), 413],
    ] as const)
    const rest =
      random.below(2) === 0 ? framed(random, body) : `content-length: ${body.length}\r\n\r\n${body}`
    return request(random, line, auth(scene) + headers, rest, { statuses: [status] })
  },
  (scene, random) => {
    const key = random.oneOf([
      '',
      'authorization: Bearer x\r\n',
      `${auth(scene)}authorization: y\r\n`,
    ])
    const line = { method: random.oneOf(['GET', 'POST', 'DELETE']), path: places[scene.service] }
    return request(random, line, key + json, bodies(random), { statuses: [400, 401, 429] })
  },
]

const oneZero: Make = (scene, random) => {
  const line = {
    method: 'GET',
    path: `${places[scene.service]}/${scene.kept}`,
    version: 'HTTP/1.0',
  }
  const [keeps, closes] = random.oneOf([
    ['', 'yes'],
    ['connection: x-hop\r\n', 'yes'],
    ['connection: keep-alive\r\n', 'either'],
    // `close` comes first, whatever else is asked for (RFC 9112, 9.3).
    ['connection: keep-alive, close\r\n', 'yes'],
    ['connection: Close ,Keep-Alive\r\n', 'yes'],
    ['connection: keep-alive\r\nconnection: close\r\n', 'yes'],
  ] as const)
  const text = `${line.method} ${line.path} ${line.version}\r\n${keeps}${auth(scene)}\r\n`
  return { bytes: Buffer.from(text), isHead: false, statuses: [200], closes, shows: scene.kept }
}

/** What a valid Host is not (RFC 9112, 3.2). */
const badHosts = ['a b', 'a/b', 'a@b', 'x:y', '[::1', '<b>', 'x?', 'x#', 'x:80:80']
/** What a target is not: an address without a host, or with user information (RFC 9110, 4.2). */
const badTargets = ['*', 'http:///', 'http://u:p@x/', 'https://:80/']

/** Of a POST that would save something, if anybody executed it. */
const closing: Make = (scene, random, name) => {
  const path = places[scene.service]
  const rest = json + (random.below(2) === 0 ? framed(random, bodyOf(scene, name)) : bodies(random))
  const body = bodyOf(scene, name)
  const chunks = `${json}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const line = `POST ${path} HTTP/1.1\r\n`
  const [text, statuses] = random.oneOf<readonly [string, readonly number[]]>([
    [`${line}host: x\r\nhost: y\r\n${auth(scene)}${rest}`, [400]],
    [`${line}${auth(scene)}${rest}`, [400]],
    [`${line}host: ${random.oneOf(badHosts)}\r\n${auth(scene)}${rest}`, [400]],
    [`POST ${random.oneOf(badTargets)} HTTP/1.1\r\nhost: x\r\n${auth(scene)}${rest}`, [400]],
    [`POST ${path} HTTP/1.0\r\nconnection: keep-alive\r\n${auth(scene)}${chunks}`, [400]],
    [`${line}host: x\r\nexpect: x\r\n${auth(scene)}${rest}`, [417]],
    [
      `${line}host: x\r\nexpect: 200-ok\r\nconnection: upgrade\r\nupgrade: h2c\r\n${auth(scene)}${rest}`,
      [417],
    ],
  ])
  return { bytes: Buffer.from(text), isHead: false, statuses, closes: 'yes' }
}

/** Nobody knows where they end. */
const broken: Make = (scene, random, name) => {
  const first = `POST ${places[scene.service]} HTTP/1.1\r\nhost: x\r\n${random.below(4) === 0 ? '' : auth(scene)}${json}`
  const body = bodyOf(scene, name)
  const long = `content-length: ${body.length}\r\n`
  const chunks = 'transfer-encoding: chunked\r\n'
  const [text, statuses] = random.oneOf<readonly [string, readonly number[]]>([
    [`${first}${long}${chunks}\r\n${body}`, [400]],
    [`${first}${chunks}${long}\r\n0\r\n\r\n`, [400]],
    [`${first}${long}content-length: 3\r\n\r\n${body}`, [400]],
    [`${first}content-length: -1\r\n\r\n${body}`, [400]],
    [`${first}content-length: 1x\r\n\r\n${body}`, [400]],
    [`${first}content-length: ${'9'.repeat(30)}\r\n\r\n${body}`, [400]],
    [`${first}transfer-encoding: gzip\r\n\r\n${body}`, [400]],
    [`${first}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, [400]],
    [`${first}transfer-encoding: chunked, gzip\r\n\r\n0\r\n\r\n`, [400]],
    [`${first}${chunks}\r\nZZ\r\n${body}\r\n0\r\n\r\n`, [400, 401, 429]],
    [`${first}${chunks}\r\n5\r\n{"name\r\n0\r\n\r\n`, [400, 401, 429]],
    [`${first}${chunks}\r\n-1\r\n\r\n`, [400, 401, 429]],
    [`${first}${chunks}\r\n1;${'a'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`, [413, 400, 401, 429]],
    [`${first}x y: z\r\n${long}\r\n${body}`, [400]],
    [`${first}x : y\r\n${long}\r\n${body}`, [400]],
    [`${first} folded\r\n${long}\r\n${body}`, [400]],
    [`${first}x: \u0000\r\n${long}\r\n${body}`, [400]],
    [`${first}x: ${'y'.repeat(20_000)}\r\n\r\n`, [431, 400]],
    [`GET /${'y'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, [431, 400]],
    [`${first.replace('HTTP/1.1', 'HTTP/3.7')}${long}\r\n${body}`, [400]],
    [`${first.replace('HTTP/1.1', 'http/1.1')}${long}\r\n${body}`, [400]],
    [`${first.replace('POST', 'post')}${long}\r\n${body}`, [400]],
    ['GET /healthz\r\n\r\n', [400]],
    ['nonsense\r\n\r\n', [400]],
    ['\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001', [400]],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
    ['CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\n\r\n', [400]],
    ['CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\ncontent-length: 4\r\n\r\nabcd', [400]],
  ])
  return {
    bytes: Buffer.from(text, 'latin1'),
    isHead: false,
    statuses,
    closes: 'either',
    isLast: true,
  }
}

const kinds: readonly Make[] = [...valid, ...valid, ...valid, oneZero, closing, closing, broken]

/** The request that this seed says, with a name of its own. */
export function makeRequest(scene: Scene, seed: number, name: string): Request {
  const random = new SeededRandom(seed)
  return random.oneOf(kinds)(scene, random, name)
}

/** The last request of a client that does not end by itself: the connection still serves it. */
export const goodbye: Request = {
  bytes: Buffer.from('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'),
  isHead: false,
  statuses: [200],
  closes: 'yes',
}
