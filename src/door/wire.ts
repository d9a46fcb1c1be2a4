/* oxlint-disable eslint/no-underscore-dangle -- what Node keeps on its streams is named so. */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type ErrorCause, partsOfCause } from '../contract/error-reasons.ts'
import { type ErrorReply, RETRY_AFTER_FAILURE } from '../contract/errors.ts'
import type { ServiceName } from '../contract/services.ts'
import { type Awaitable, BoundedMap } from '../domain/loading.ts'
import type { QuotaReport } from '../domain/quotas.ts'

/** `draining` is aborted when the process begins to shut down. */
export type Lifecycle = { readonly draining: AbortSignal }

/** Whether a service is reached over TLS, ours or a proxy's. */
export const isSecure = ({ ownUrl }: { readonly ownUrl: string }): boolean =>
  ownUrl.startsWith('https://')

/**
 * The headers of every response (spec 4, D-9, D-13): alternating names and values, as `writeHead`
 * takes them.
 */
export function commonHeaders(
  requestId: string,
  quota: QuotaReport | null,
  cacheControl = 'private, no-cache',
): string[] {
  const headers = [
    'x-request-id',
    requestId,
    'x-content-type-options',
    'nosniff',
    'cache-control',
    cacheControl,
  ]
  if (quota !== null) {
    headers.push(
      'ratelimit-limit',
      String(quota.limit),
      'ratelimit-remaining',
      String(quota.remaining),
      'ratelimit-reset',
      String(quota.resetSeconds),
    )
  }
  return headers
}

/** The target of what is asked of no path. */
export const WHOLE_SERVER = '*'

/** In place of a target that is not valid. */
const BAD_TARGET = '**'

/**
 * The request target for the router: absolute form becomes a path (RFC 9112, 3.2.2), and
 * a path that cannot be percent-decoded becomes one that does not exist.
 */
export function rewriteTarget({
  url = '/',
  method,
}: Pick<IncomingMessage, 'url' | 'method'>): string {
  if (url.startsWith('/') && !/[%#]/.test(url)) return url
  // Of the server as a whole, only what it can do may be asked (RFC 9112, 3.2.4).
  if (url === WHOLE_SERVER) return method === 'OPTIONS' ? url : BAD_TARGET
  if (/^https?:/i.test(url) && !absoluteTarget.test(url)) return BAD_TARGET
  // No target has a fragment (RFC 9112, 3.2); the router would read it as a query.
  if (url.includes('#')) return BAD_TARGET
  const target = url.replace(/^https?:\/\/[^/?]*/i, '')
  const rooted = target.startsWith('/') ? target : `/${target}`
  try {
    decodeURIComponent(rooted.replace(/\?.*$/s, ''))
    return rooted
  } catch {
    return rooted.replaceAll('%', '%25')
  }
}

/** The path of a request target as the router decodes it: `/%61pi` is `/api`, `%2F` is not a slash. */
export const decodedPath = (url: string): string => decodeURI(url.replace(/\?.*$/s, ''))

type WireFault = {
  readonly message: string
  /** Another parser may see other requests in these bytes: the connection is closed. */
  readonly closes: boolean
}

const faults = {
  version: { message: 'speak HTTP/1.1 or HTTP/1.0', closes: true },
  twoHosts: { message: 'send one Host header', closes: true },
  noHost: { message: 'send a Host header', closes: true },
  badHost: { message: 'Host must be a name or an address, with a port if need be', closes: true },
  target: {
    message:
      'the request target must be a path, or an address with a host and without a user name; # must be written as %23',
    closes: true,
  },
  encoding: { message: 'of Transfer-Encoding only chunked is supported', closes: true },
  oldEncoding: { message: 'Transfer-Encoding needs HTTP/1.1', closes: true },
  twoKeys: { message: 'send one Authorization header', closes: false },
} satisfies Record<string, WireFault>

const HOST = 'host'
const KEY = 'authorization'
/** A name, an IPv4 address or an IPv6 address, and a port (RFC 3986, 3.2.2); may be empty (RFC 9112, 3.2). */
const hostField = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i
/** The start of an address in the place of a path, with a host and without user information (RFC 9110, 4.2). */
const absoluteTarget = /^https?:\/\/(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d*)?(?:[/?]|$)/i

/** What the HTTP parser accepts and we do not; null if the request is valid. */
export function findWireFault(message: IncomingMessage): WireFault | null {
  const { httpVersion, rawHeaders, headers, url } = message
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return faults.version
  let hosts = 0
  let keys = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === HOST.length && name.toLowerCase() === HOST) hosts++
    else if (name?.length === KEY.length && name.toLowerCase() === KEY) keys++
  }
  if (hosts > 1) return faults.twoHosts
  if (hosts === 0 && httpVersion === '1.1') return faults.noHost
  if (!isHost(headers.host ?? '')) return faults.badHost
  if (url === BAD_TARGET) return faults.target
  if (headers['transfer-encoding'] !== undefined) {
    if (!/^chunked$/i.test(headers['transfer-encoding'])) return faults.encoding
    // Proxies that do not know it see other requests in these bytes (RFC 9112, 6.1).
    if (httpVersion === '1.0') return faults.oldEncoding
  }
  return keys > 1 ? faults.twoKeys : null
}

/** Most requests have the same one as the request before. */
let lastHost = ''

function isHost(host: string): boolean {
  if (host === lastHost) return true
  if (!hostField.test(host)) return false
  lastHost = host
  return true
}

/** Whether its errors have a `reason` in addition to code and message (spec 2.9, D-87). */
export const hasReasons = (service: ServiceName): boolean => service === 'pools'

type WireError = { readonly status: number; readonly cause: ErrorCause; readonly message: string }

const malformed: WireError = {
  status: 400,
  cause: 'bad_request:malformed_request',
  message: 'the request is not valid HTTP/1.1',
}

/** Errors of the HTTP parser by code; all others are `malformed`. */
const errors: Readonly<Record<string, WireError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    cause: 'bad_request:request_timeout',
    message: 'the request took too long to arrive',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    cause: 'bad_request:headers_too_large',
    message: 'the request line and headers must be at most 16 KB together',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    cause: 'too_large:chunk_extensions_too_large',
    message: 'the chunk extensions are too long',
  },
  CONNECT: {
    status: 400,
    cause: 'bad_request:malformed_request',
    message: 'this server opens no tunnels: CONNECT is not supported',
  },
}

const noExpectation: WireError = {
  status: 417,
  cause: 'bad_request:unsupported_expectation',
  message: 'of Expect only 100-continue is supported',
}

/** Responses to invalid requests. */
export type WireAnswers = {
  /** The whole response as text. `error`: the parser's code, or `CONNECT`. */
  readonly textFor: (error: string | undefined, socket: Socket) => Promise<string>
  readonly refuseExpectation: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/**
 * Responses for the HTTP parser, with the headers of every response (D-10, D-13). All of them close the
 * connection.
 *
 * @param quotaOf the failed-attempt quota of a socket's address.
 */
export function createWireAnswers(
  service: ServiceName,
  quotaOf: (socket: Socket) => Awaitable<QuotaReport>,
  now: () => number,
): WireAnswers {
  const headersFor = async (socket: Socket, body: string): Promise<string[]> => [
    ...commonHeaders(randomUUID(), await quotaOf(socket)),
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(body)),
  ]
  return {
    async textFor(error, socket) {
      const answer = errors[error ?? ''] ?? malformed
      const body = bodyOf(service, answer)
      const headers = await headersFor(socket, body)
      const head = [
        `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
        `date: ${new Date(now()).toUTCString()}`,
        'connection: close',
        ...headers.flatMap((name, at) => (at % 2 === 0 ? `${name}: ${headers[at + 1]}` : [])),
      ].join('\r\n')
      return `${head}\r\n\r\n${body}`
    },

    async refuseExpectation({ socket }, response) {
      const body = bodyOf(service, noExpectation)
      const headers = await headersFor(socket, body)
      response.shouldKeepAlive = false
      response.writeHead(noExpectation.status, headers).end(body)
    },
  }
}

function bodyOf(service: ServiceName, { cause, message }: WireError): string {
  const { code, reason } = partsOfCause(cause)
  const error = { code, message, ...(hasReasons(service) && { reason }) }
  return JSON.stringify({ error } satisfies ErrorReply)
}

/** Of every 503 that does not say itself when to try again. */
function addRetryAfter(headers: string[] | Record<string, unknown> = {}): void {
  if (!Array.isArray(headers)) headers['retry-after'] ??= String(RETRY_AFTER_FAILURE)
  else if (!headers.some((name, at) => at % 2 === 0 && name === 'retry-after')) {
    headers.push('retry-after', String(RETRY_AFTER_FAILURE))
  }
}

/** How much of a body is read and discarded when its response was sent before it had arrived. */
export const DISCARDED_BYTES = 8 * 1024 * 1024

/**
 * Responses that close their connection where the next request cannot be found, or is not to be.
 *
 * @param discardBody reads on what has not come of the body of an answered request.
 */
export function createResponseClass(
  lifecycle: Lifecycle,
  discardBody: (request: IncomingMessage, socket: Socket) => void,
) {
  return class Response extends ServerResponse {
    /** False while the client waits for `100 Continue`. */
    isBodyExpected = true

    override writeHead(status: number, ...rest: unknown[]): this {
      if (
        lifecycle.draining.aborted ||
        isLastOf(this.req) ||
        !canOutlastBody(this.req, this.isBodyExpected)
      ) {
        this.shouldKeepAlive = false
      }
      const headers = rest.at(-1) as Record<string, unknown> | undefined
      // Fastify closes after each body that it could not read, even if the next request can be found.
      if (headers?.['connection'] !== undefined) delete headers['connection']
      // Fastify sends a length for HEAD, but that of a 304 would be the length of its 200.
      if (status === 304) delete headers?.['content-length']
      if (status === 503) addRetryAfter(headers)
      return super.writeHead(status, ...(rest as []))
    }

    override detachSocket(socket: Socket): void {
      super.detachSocket(socket)
      if (!this.req.complete) discardBody(this.req, socket)
    }
  }
}

/** Whether the next request can be found after the body of this one. */
function canOutlastBody(
  { complete, headers, trailers }: IncomingMessage,
  isExpected: boolean,
): boolean {
  // It belongs into no trailer, but Node's parser obeys it there, too.
  if (complete) return trailers['connection'] === undefined
  return isExpected && Number(headers['content-length'] ?? 0) <= DISCARDED_BYTES
}

/** Node obeys the `close` of HTTP/1.0 only where nothing else is asked for (RFC 9112, 9.3). */
const isLastOf = ({ headers: { connection } }: IncomingMessage): boolean =>
  connection !== undefined && /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(connection)

/** Sends `100 Continue` only when the body is read: requests refused before that are refused without it. */
export function askForBodyWhenRead(
  request: IncomingMessage,
  response: ServerResponse & { isBodyExpected: boolean; _expect_continue?: boolean },
): void {
  // Node would close after each response without it, even if the body is there.
  response._expect_continue = false
  const read = request._read.bind(request)
  response.isBodyExpected = false
  request._read = (size) => {
    if (!response.isBodyExpected && !response.headersSent) {
      response.isBodyExpected = true
      response.writeContinue()
    }
    read(size)
  }
}

/** Parsing an address takes up to 10 µs. */
const CACHED_ADDRESSES = 1_024
const LONGEST_CACHED_ADDRESS = 100

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/**
 * Reads the client's address: the socket's, or behind trusted proxies the right-most entry of
 * `X-Forwarded-For` that is not a trusted proxy (D-6). Entries to the left of it are the client's own
 * claims and are ignored.
 */
export function addressReader(trustedProxies: readonly string[]) {
  const trusted = trustedProxies.map(parseRange)
  const isTrusted = (address: Address) => trusted.some((range) => inRange(address, range))
  const cached = new BoundedMap<string, string>({ maxEntries: CACHED_ADDRESSES })

  function read(socketAddress: string, forwardedFor: string): string {
    let client = parseAddress(socketAddress)
    if (client === null) return 'unknown'
    const hops = forwardedFor.split(',')
    while (isTrusted(client)) {
      const hop: Address | null = parseAddress(hops.pop() ?? '')
      if (hop === null) break
      client = hop
    }
    return countedAs(client)
  }

  return (socketAddress = '', forwardedFor = ''): string => {
    const key = `${socketAddress},${forwardedFor}`
    const known = cached.get(key)
    if (known !== undefined) return known
    const address = read(socketAddress, forwardedFor)
    if (key.length <= LONGEST_CACHED_ADDRESS) cached.set(key, address)
    return address
  }
}

/** Parses an address as proxies write it, with an optional port, brackets or zone; null if invalid. */
function parseAddress(text: string): Address | null {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
  const isWhole = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)
  return isWhole ? ipaddr.process(bare) : null
}

function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

function inRange(address: Address, [base, bits]: Range): boolean {
  return address.kind() === base.kind() && address.match(base, bits)
}

/** The key of the counters: an IPv4 address, or the /64 of an IPv6 address (spec 8). */
function countedAs(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString()
  const parts = (address as ipaddr.IPv6).parts.slice(0, 4)
  return parts.map((part) => part.toString(16)).join(':')
}
