import { lookup as lookUpName } from 'node:dns/promises'
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** An address that a name leads to. */
export type ResolvedAddress = { readonly address: string; readonly family: number }

export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>

export type PinnedRequest = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** From the look-up to the last byte. */
  readonly timeoutMs: number
  /** Of the answer's body; what is beyond is not read. */
  readonly maxBytes: number
  /** Which addresses may be connected to. */
  readonly isAllowed: (address: string) => boolean
  readonly resolve?: Resolve | undefined
}

export type PinnedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** null: it did not come whole, or is too long. */
  readonly body: string | null
}

/** There was no answer; the message has neither the path nor the body of the request. */
export class NoAnswer extends Error {
  readonly isRefused: boolean

  /** @param isRefused whether the name leads where nothing is sent to. */
  constructor(message: string, isRefused = false) {
    super(message)
    this.isRefused = isRefused
  }
}

/**
 * Sends a POST to an address that is looked up once, checked, and connected to as it was checked, so that a name that leads
 * elsewhere a moment later is not followed there (DNS rebinding, D-100). The certificate is that of the name. A name one of
 * whose addresses is not allowed is refused whole. Redirects are answers like others. Throws `NoAnswer`.
 */
export async function postPinned(asked: PinnedRequest): Promise<PinnedAnswer> {
  const signal = AbortSignal.timeout(asked.timeoutMs)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(lateOf(asked.timeoutMs)))
  })
  // Of the two, one may fail when its result is no longer awaited.
  late.catch(() => {})
  const addresses = await Promise.race([addressesOf(asked), late])
  return send(asked, addresses, signal)
}

async function addressesOf({ url, isAllowed, resolve = resolveAll }: PinnedRequest) {
  const name = url.hostname.replace(/^\[|\]$/g, '')
  let found: readonly ResolvedAddress[]
  try {
    found = isIP(name) === 0 ? await resolve(name) : [{ address: name, family: isIP(name) }]
  } catch (error) {
    throw new NoAnswer(`the name was not found (${codeOf(error)})`)
  }
  if (found.length === 0) throw new NoAnswer('the name was not found')
  if (found.every(({ address }) => isAllowed(address))) return found
  throw new NoAnswer('the name leads to an address that is not public', true)
}

const resolveAll: Resolve = (name) => lookUpName(name, { all: true })

/** Answers every look-up with what was found before. */
export const pinnedLookup =
  (addresses: readonly ResolvedAddress[]): LookupFunction =>
  (_name, { all }, done) => {
    const list = addresses.map(({ address, family }) => ({ address, family }))
    const [first] = list
    if (all === true) done(null, list)
    else done(null, first?.address ?? '', first?.family ?? 0)
  }

function send(
  { url, headers, body, timeoutMs, maxBytes, isAllowed }: PinnedRequest,
  addresses: readonly ResolvedAddress[],
  signal: AbortSignal,
): Promise<PinnedAnswer> {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers,
      signal,
      agent: false,
      lookup: pinnedLookup(addresses),
    }
    const request: ClientRequest =
      url.protocol === 'https:'
        ? httpsRequest(url, options, onAnswer)
        : httpRequest(url, options, onAnswer)
    const fail = (error: unknown): void =>
      reject(signal.aborted ? lateOf(timeoutMs) : noAnswerOf(error))
    // After an answer that changes the protocol, there is no error.
    const onClose = (): void => reject(new NoAnswer('the connection ended without an answer'))
    request.on('error', fail).on('close', onClose)

    function onAnswer(answer: IncomingMessage): void {
      const { statusCode: status = 0 } = answer
      const chunks: Buffer[] = []
      let size = 0
      const end = (text: string | null): void => {
        request.destroy()
        resolve({ status, headers: flat(answer), body: text })
      }
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes) end(null)
        else chunks.push(chunk)
      })
      answer.on('end', () => end(answer.complete ? Buffer.concat(chunks).toString('utf8') : null))
      // What was answered counts, though its body breaks off or takes too long.
      request.off('close', onClose)
      request.off('error', fail).on('error', () => end(null))
      answer.on('error', () => end(null))
    }

    request.on('socket', (socket) => {
      socket.once('connect', () => {
        if (isAllowed(socket.remoteAddress ?? '')) return
        request.destroy(new NoAnswer('the connection leads to an address that is not public', true))
      })
    })
    request.end(body)
  })
}

function flat({ headers }: IncomingMessage): PinnedAnswer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
}

const lateOf = (timeoutMs: number): NoAnswer => new NoAnswer(`no answer within ${timeoutMs} ms`)

/** The error's own message may have the address in it: only its code is passed on. */
function noAnswerOf(error: unknown): NoAnswer {
  return error instanceof NoAnswer
    ? error
    : new NoAnswer(`the connection failed (${codeOf(error)})`)
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'unknown'
}

/** Not on the Internet, or not for one host (https://www.iana.org/assignments/iana-ipv4-special-registry). */
const specialIPv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * Within the addresses of single hosts, 2000::/3: those that are not on the Internet, and those that have one of IPv4 in
 * them, Teredo and 6to4 (https://www.iana.org/assignments/iana-ipv6-special-registry).
 */
const specialIPv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const refused = new BlockList()
for (const range of specialIPv4) addRange(range, 'ipv4')
for (const range of specialIPv6) addRange(range, 'ipv6')

/** Whatever else has IPv4 in it, mapped, translated or of old kinds, is outside. */
const hosts = new BlockList()
hosts.addSubnet('2000::', 3, 'ipv6')

function addRange(range: string, family: 'ipv4' | 'ipv6'): void {
  const [start = '', length] = range.split('/')
  refused.addSubnet(start, Number(length), family)
}

/** Whether it is the address of a host on the Internet, written as an address; no other way to write a number is one. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  if (family === 4) return !refused.check(address, 'ipv4')
  return hosts.check(address, 'ipv6') && !refused.check(address, 'ipv6')
}
