import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'

/** A request with its answer, as faults are reported. */
export type Exchange = { readonly request: Sent; readonly answer: Answer | null }

export type Sent = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what comes back is judged, not trusted
  readonly json: any
}

export type Asking = { readonly body?: unknown; readonly headers?: Record<string, string> }

/** When a connection is broken: as soon as the request is written, or when its answer begins. */
export type Cut = 'sent' | 'answered'

/** The time is over, as many requests are sent as were asked for, or somebody has pressed Ctrl-C. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

export type Limits = {
  /** Aborted when nothing more is to be asked. */
  readonly signal: AbortSignal
  /** Called before each request. */
  readonly onRequest: () => void
}

const agents = {
  http: new HttpAgent({ keepAlive: true }),
  https: new HttpsAgent({ keepAlive: true }),
}

/** More than the 25 seconds for which a request may wait on purpose. */
const TIMEOUT_MS = 60_000

/** One of the two services, asked with a key and within its quotas. */
export class Service {
  readonly name: 'packs' | 'pools'
  readonly url: string
  /** Paths of packs and tournaments that were made, and are not removed yet. */
  readonly made = new Set<string>()
  /** An exchange for each shape of a path, method and status that there was. */
  readonly answered = new Map<string, Exchange>()
  /** When an answer was lost last, by the clock of `performance`. */
  lostAt = -Infinity
  readonly #key: string
  readonly #pace = new Pace()
  #limits: Limits

  constructor(name: 'packs' | 'pools', url: string, key: string, limits: Limits) {
    this.name = name
    this.url = url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
    this.#key = key
    this.#limits = limits
  }

  /** From now on other limits hold: what was made is removed after the end, too. */
  limit(limits: Limits): void {
    this.#limits = limits
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Exchange> {
    return this.ask('GET', path, { headers })
  }

  /** @param path below `/api/v1`. */
  async ask(method: string, path: string, asking: Asking = {}): Promise<Exchange> {
    const request = this.#requestOf(method, path, asking)
    for (let attempt = 0; ; attempt += 1) {
      const answer = await this.#paced(request, null)
      if (answer?.status !== 429 || attempt === 5) {
        this.#note(request, answer)
        return { request, answer }
      }
      const { signal } = this.#limits
      const seconds = Number(answer.headers.get('retry-after') ?? 60)
      await delay(1000 * seconds + 100, undefined, { signal }).catch(stop)
    }
  }

  /** Sends a request, and breaks the connection before its answer is read. */
  async lose(method: string, path: string, cut: Cut, asking: Asking = {}): Promise<void> {
    await this.#paced(this.#requestOf(method, path, asking), cut)
    this.lostAt = performance.now()
  }

  #note(request: Sent, answer: Answer | null): void {
    const { method, path } = request
    // Ids differ, and what each of them is answered does not.
    const shape = path.replace(/\?.*$/, '').replaceAll(/\/[\w-]{10}(?=\/|$)/g, '/…')
    this.answered.set(`${method} ${shape} ${answer?.status}`, { request, answer })
    if (method === 'DELETE' && answer?.status === 204) this.made.delete(path)
    const slug = answer?.json?.pack?.slug ?? answer?.json?.tournament?.slug
    if (method === 'POST' && answer?.status === 201 && slug !== undefined) {
      this.made.add(`${path}/${slug}`)
    }
  }

  #requestOf(method: string, path: string, { body, headers = {} }: Asking): Sent {
    return { method, path, headers, body }
  }

  async #paced(sent: Sent, cut: Cut | null): Promise<Answer | null> {
    const { signal, onRequest } = this.#limits
    const isWrite = !['GET', 'HEAD', 'OPTIONS'].includes(sent.method)
    if (signal.aborted) stop()
    onRequest()
    await this.#pace.begin(isWrite, signal)
    let answer: Answer | null = null
    try {
      answer = await this.#send(sent, cut)
    } finally {
      this.#pace.end(isWrite, answer?.headers ?? null)
    }
    return answer
  }

  #send(sent: Sent, cut: Cut | null): Promise<Answer | null> {
    const url = new URL(`${this.url}/api/v1${sent.path}`)
    const isSecure = url.protocol === 'https:'
    const payload = sent.body === undefined ? undefined : payloadOf(sent.body)
    const headers = {
      accept: '*/*',
      authorization: `Bearer ${this.#key}`,
      ...(payload !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(payload)),
      }),
      ...sent.headers,
    }
    // A connection that is broken is no loss for others.
    const agent = cut === null ? agents[isSecure ? 'https' : 'http'] : false
    return new Promise((resolve, reject) => {
      const options = { method: sent.method, headers, agent, timeout: TIMEOUT_MS }
      const request = (isSecure ? requestHttps : requestHttp)(url, options)
      const breakOff = () => {
        request.destroy()
        resolve(null)
      }
      request.on('error', (cause) => {
        if (cut === null) reject(new Error(`${sent.method} ${sent.path}: no answer`, { cause }))
        else resolve(null)
      })
      request.on('timeout', () => request.destroy(new Error('timed out')))
      request.on('response', (response) => {
        if (cut === null) readAnswer(response).then(resolve, reject)
        else breakOff()
      })
      request.end(payload, () => {
        if (cut === 'sent') setImmediate(breakOff)
      })
    })
  }
}

/** Text goes out as it is, anything else as JSON. */
const payloadOf = (body: unknown): string =>
  typeof body === 'string' ? body : JSON.stringify(body)

const readAnswer = async (response: IncomingMessage): Promise<Answer> => {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  const headers = new Headers()
  const { rawHeaders, statusCode = 0 } = response
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  }
  const isJson = headers.get('content-type')?.startsWith('application/json') && text !== ''
  return { status: statusCode, headers, text, json: isJson ? parsed(text) : undefined }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const stop = (): never => {
  throw new Stopped()
}

type Kind = 'requests' | 'writes'

/** Waits before a quota is used up, by what the answers say of it. */
class Pace {
  readonly #left: Record<Kind, number> = { requests: Infinity, writes: Infinity }
  readonly #inFlight: Record<Kind, number> = { requests: 0, writes: 0 }
  #requestLimit = 0
  #resetAt = 0

  async begin(isWrite: boolean, signal: AbortSignal): Promise<void> {
    const kinds: readonly Kind[] = isWrite ? ['requests', 'writes'] : ['requests']
    while (kinds.some((kind) => this.#left[kind] < 1)) {
      const ms = this.#resetAt - performance.now()
      if (ms > 0) await delay(ms, undefined, { signal }).catch(stop)
      if (performance.now() < this.#resetAt) continue
      this.#left.requests = Infinity
      this.#left.writes = Infinity
    }
    for (const kind of kinds) {
      this.#left[kind] -= 1
      this.#inFlight[kind] += 1
    }
  }

  /** @param headers of the answer; null where there was none. */
  end(isWrite: boolean, headers: Headers | null): void {
    this.#inFlight.requests -= 1
    if (isWrite) this.#inFlight.writes -= 1
    const limit = Number(headers?.get('ratelimit-limit') ?? 0)
    if (headers === null || limit === 0) return
    if (!isWrite) this.#requestLimit = limit
    // After a write, the headers are about the quota of which less is left.
    const kind = isWrite && limit < this.#requestLimit ? 'writes' : 'requests'
    this.#left[kind] = Number(headers.get('ratelimit-remaining')) - this.#inFlight[kind]
    this.#resetAt = performance.now() + 1000 * Number(headers.get('ratelimit-reset')) + 100
  }
}
