import { Agent, type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** A whole answer. */
export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type Asking = {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })

/** Of servers of tests: a request on a connection that closes in that moment, as on a busy machine, would be lost. */
export const keepsConnections = { keepAliveTimeout: 600_000 }

/** What `fetch` says of itself, so that the server does the same for both. */
const ofFetch = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  deflate: inflateSync,
  gzip: gunzipSync,
}

/**
 * What `fetch` does without following redirects, at a fraction of its cost: most of what tests do is to ask.
 *
 * @param url with `http:`.
 * @throws TypeError with the reason as its cause when no answer comes.
 */
export const ask = async (method: string, url: string, asking: Asking = {}): Promise<Answer> => {
  const response = await begin(method, url, asking)
  const parts: Buffer[] = []
  try {
    for await (const part of response) parts.push(part as Buffer)
  } catch (cause) {
    throw new TypeError('terminated', { cause })
  }
  const decode = decoders[response.headers['content-encoding'] ?? '']
  const bytes = Buffer.concat(parts)
  const whole = decode === undefined || bytes.length === 0 ? bytes : decode(bytes)
  const headers = new Headers()
  const { rawHeaders, statusCode = 0 } = response
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  }
  return { status: statusCode, headers, text: new TextDecoder().decode(whole) }
}

const begin = (method: string, url: string, { headers, body }: Asking): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    // Node counts no body of DELETE by itself.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const all = { ...ofFetch, ...length, ...headers }
    const sent = request(url, { method, agent, headers: all }, resolve)
    sent.on('error', (cause) => reject(new TypeError('fetch failed', { cause })))
    sent.end(body)
  })
