import { createHash, randomInt } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { aPack } from './seed.ts'

/** How long a client rests after each turn: the rate limits of its address must not be reached. */
const REST_MS = { read: 20, save: 20, browse: 500, linger: 5 }
/** No answer is awaited for longer. */
const HANG_MS = 40_000
/** How many parts a slow client sends or reads, and how long it rests after each. */
const SLOW_PARTS = 8
const SLOW_PART_MS = 400
/** One of so many turns asks who is signed in: the rate limit of one account must not be reached. */
const SESSION_SHARE = 4

/** What the clients do, in turns. */
const kinds = ['save', 'read', 'browse', 'linger'] as const

/** What the load is about; made by the version that runs first. */
export type Ground = {
  /** Of the packs service, behind the proxy. */
  readonly url: string
  readonly slugs: readonly string[]
  /** More than the quotas of a minute use up. */
  readonly keys: readonly string[]
  /** The cookie of somebody who is signed in. */
  readonly cookie: string
}

type Ask = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The body is sent, or the answer read, in parts over some seconds. */
  readonly isSlow?: boolean
}

type Reply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** An answer other than the one that is right. */
class WrongAnswer extends Error {}

/** What became of the requests of one kind. */
type Tally = { asked: number; readonly failures: Map<string, number> }

/** One client with an address of its own, as the site's rate limits count by address. */
class Client {
  readonly #url: string
  readonly #address: string
  readonly #agent: Agent

  constructor(url: string, number: number, isKeptAlive: boolean) {
    this.#url = url
    this.#address = `127.0.${1 + Math.floor(number / 200)}.${1 + (number % 200)}`
    this.#agent = new Agent({ keepAlive: isKeptAlive, maxSockets: 1 })
  }

  ask(path: string, { method = 'GET', headers = {}, body, isSlow = false }: Ask): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const sent = request(this.#url + path, {
        method,
        agent: this.#agent,
        localAddress: this.#address,
        signal: AbortSignal.timeout(HANG_MS),
        headers: {
          ...headers,
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      })
      sent.on('error', reject)
      sent.on('response', (answer) => {
        const parts: Buffer[] = []
        answer.on('error', reject)
        answer.on('data', (part: Buffer) => {
          parts.push(part)
          if (!isSlow || parts.length > SLOW_PARTS) return
          answer.pause()
          setTimeout(() => answer.resume(), SLOW_PART_MS)
        })
        answer.on('end', () => {
          const { statusCode: status = 0, headers: received } = answer
          resolve({ status, headers: received, body: Buffer.concat(parts) })
        })
      })
      if (body === undefined || !isSlow) sent.end(body)
      else void sendSlowly(body, (part) => sent.write(part)).then(() => sent.end())
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

async function sendSlowly(body: string, write: (part: string) => void): Promise<void> {
  const length = Math.ceil(body.length / SLOW_PARTS)
  for (let at = 0; at < body.length; at += length) {
    write(body.slice(at, at + length))
    await pause(SLOW_PART_MS)
  }
}

/** A load of all that browsers and programs ask for; counts what was not answered as it should be. */
export class RestartLoad {
  readonly #works = {
    read: (client: Client) => this.#read(client),
    save: (client: Client) => this.#save(client),
    browse: (client: Client) => this.#browse(client),
    linger: (client: Client) => this.#linger(client),
  }
  readonly #ground: Ground
  readonly #onFailure: (what: string) => void
  readonly tallies = new Map<string, Tally>()
  /** The hash of each page file that any page named; all of them are asked for again and again. */
  readonly #pageFiles = new Map<string, string | null>()
  #packs = 0
  #keyAt = 0
  #isOver = false
  #clients: Promise<unknown> = Promise.resolve()

  constructor(ground: Ground, onFailure: (what: string) => void) {
    this.#ground = ground
    this.#onFailure = onFailure
  }

  /** Packs that were created less those that were deleted. */
  get packs(): number {
    return this.#packs
  }

  get pageFiles(): number {
    return this.#pageFiles.size
  }

  get asked(): number {
    return [...this.tallies.values()].reduce((sum, { asked }) => sum + asked, 0)
  }

  get failed(): number {
    const failures = [...this.tallies.values()].flatMap((tally) => [...tally.failures.values()])
    return failures.reduce((sum, count) => sum + count, 0)
  }

  /** Half of the clients keep their connection, half open one for each request. */
  start(clients: number): void {
    const run = async (_: unknown, number: number): Promise<void> => {
      const client = new Client(this.#ground.url, number, number % 2 === 0)
      const kind = kinds[Math.floor(number / 2) % kinds.length] ?? 'read'
      while (!this.#isOver) {
        await this.#works[kind](client)
        await pause(REST_MS[kind])
      }
      client.close()
    }
    this.#clients = Promise.all(Array.from({ length: clients }, run))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#clients
  }

  /** What programs read: packs, lists, their heads, and again what they have. */
  async #read(client: Client): Promise<void> {
    const headers = this.#key()
    const path = `/api/v1/packs/${this.#slug()}`
    await this.#try('pack', client, path, { headers }, 200, hasSlug(path))
    await this.#try('list', client, '/api/v1/packs?page=2', { headers }, 200, isJson)
    await this.#try('HEAD', client, path, { headers, method: 'HEAD' }, 200, isEmpty)
    const index = '/packs/index.json'
    const asked = { headers: { 'accept-encoding': 'br' } }
    const read = await this.#try('index', client, index, asked, 200)
    const tag = read?.headers.etag
    if (tag === undefined) return
    // It may have changed meanwhile.
    const again = { headers: { ...asked.headers, 'if-none-match': tag } }
    await this.#try('304', client, index, again, [304, 200])
  }

  /** A pack from its creation to its end, as any process may be asked for each step. */
  async #save(client: Client): Promise<void> {
    const headers = this.#key()
    const pack = aPack(randomInt(1e6))
    const wish = (name: string): string => JSON.stringify({ ...pack, name })
    const first = `Restart ${randomInt(1e9)}`
    const create = { headers, method: 'POST', body: wish(first) }
    const isSlow = randomInt(10) === 0
    const kind = isSlow ? 'slow POST' : 'POST'
    const made = await this.#try(kind, client, '/api/v1/packs', { ...create, isSlow }, 201)
    if (made === null) return
    this.#packs += 1
    const { slug } = (JSON.parse(made.body.toString()) as { pack: { slug: string } }).pack
    const path = `/api/v1/packs/${slug}`
    const second = `${first} again`
    const replace = { headers, method: 'PUT', body: wish(second) }
    const replaced = await this.#try('PUT', client, path, replace, 200, hasName(second))
    const name = replaced === null ? '' : second
    await this.#try('pack after its save', client, path, { headers }, 200, hasName(name))
    const removed = await this.#try('DELETE', client, path, { headers, method: 'DELETE' }, 204)
    if (removed !== null) this.#packs -= 1
  }

  /** What a browser asks for: a page, its files, pictures, and who is signed in. */
  async #browse(client: Client): Promise<void> {
    const pages = ['/', '/packs', `/p/${this.#slug()}`, '/docs', '/new']
    const page = await this.#try('page', client, pages[randomInt(pages.length)]!, {}, 200)
    const html = page?.body.toString() ?? ''
    if (page !== null && !html.includes('</html>')) this.#fail('page', 'no whole page')
    for (const [path] of html.matchAll(/\/assets\/[\w.-]+/g)) {
      if (!this.#pageFiles.has(path)) this.#pageFiles.set(path, null)
    }
    const files = [...this.#pageFiles.keys()]
    for (let turn = 0; turn < Math.min(4, files.length); turn += 1) {
      const file = files[randomInt(files.length)]!
      await this.#try('page file', client, file, {}, 200, ({ body }) => this.#isSame(file, body))
    }
    if (randomInt(SESSION_SHARE) === 0) {
      const cookie = { headers: { cookie: this.#ground.cookie } }
      await this.#try('session', client, '/session', cookie, 200, isJson)
    }
    const picture = `/p/${this.#ground.slugs[randomInt(3)]}/preview.png`
    await this.#try('preview', client, picture, {}, 200)
  }

  /** Somebody whose answer is still being read seconds later. */
  async #linger(client: Client): Promise<void> {
    await this.#try('slow reader', client, '/packs/index.json', { isSlow: true }, 200, isJson)
  }

  #key(): Record<string, string> {
    const { keys } = this.#ground
    this.#keyAt += 1
    return { authorization: `Bearer ${keys[this.#keyAt % keys.length]}` }
  }

  #slug(): string {
    const { slugs } = this.#ground
    return slugs[randomInt(slugs.length)] ?? ''
  }

  #isSame(file: string, body: Buffer): boolean {
    const hash = createHash('sha256').update(body).digest('hex')
    const before = this.#pageFiles.get(file) ?? hash
    this.#pageFiles.set(file, before)
    return before === hash
  }

  /** The answer, if it is right; null otherwise. */
  async #try(
    kind: string,
    client: Client,
    path: string,
    ask: Ask,
    wanted: number | readonly number[],
    isRight: (reply: Reply) => boolean = () => true,
  ): Promise<Reply | null> {
    this.#tally(kind).asked += 1
    try {
      const reply = await client.ask(path, ask)
      if (![wanted].flat().includes(reply.status)) throw new WrongAnswer(`status ${reply.status}`)
      if (!isRight(reply)) throw new WrongAnswer('wrong content')
      return reply
    } catch (error) {
      this.#fail(kind, reasonOf(error))
      return null
    }
  }

  #fail(kind: string, reason: string): void {
    const { failures } = this.#tally(kind)
    failures.set(reason, (failures.get(reason) ?? 0) + 1)
    this.#onFailure(`${kind}: ${reason}`)
  }

  #tally(kind: string): Tally {
    const tally = this.tallies.get(kind) ?? { asked: 0, failures: new Map() }
    this.tallies.set(kind, tally)
    return tally
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof WrongAnswer) return error.message
  if (error instanceof Error && error.name === 'AbortError') return 'no answer in time'
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? message
}

const isEmpty = ({ body }: Reply): boolean => body.length === 0

function isJson({ body }: Reply): boolean {
  try {
    return typeof JSON.parse(body.toString()) === 'object'
  } catch {
    return false
  }
}

const hasSlug =
  (path: string) =>
  ({ body }: Reply): boolean =>
    body.includes(`"slug":"${path.slice(-10)}"`)

const hasName =
  (name: string) =>
  ({ body }: Reply): boolean =>
    body.includes(`"name":"${name}`)
