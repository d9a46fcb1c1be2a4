import type { Reply } from '../support/door.ts'
import type { Host } from '../support/house.ts'
import type { Call, RoundChange, Service } from './drafts-service.ts'

type Sent = Call & {
  readonly resolve: (response: Response) => void
  readonly reject: (error: unknown) => void
}

/** The requests of a page: they go, and their answers come, when they are told to; each may get lost. */
export class PageNetwork {
  readonly #service: Service
  readonly #person: Host
  readonly #onChange: (change: RoundChange) => void
  #requests: Sent[] = []
  #answers: ((isLost: boolean) => void)[] = []

  /** @param onChange called with what a write has changed. */
  constructor(service: Service, person: Host, onChange: (change: RoundChange) => void) {
    this.#service = service
    this.#person = person
    this.#onChange = onChange
  }

  get isIdle(): boolean {
    return this.#requests.length + this.#answers.length === 0
  }

  /** As the page calls it. */
  readonly fetch = (url: string, init: RequestInit): Promise<Response> => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const path = url.replace(/^\/session\/tournaments\/[^/]+/, '')
    // Where beatmaps were pooled, which is asked besides, is never answered.
    if (!path.startsWith('/session/')) {
      this.#requests.push({ ...callOf(path, init), resolve, reject })
    }
    return promise
  }

  /** Lets the next request reach the service, or get lost; returns what the page notices of it. */
  async deliver(isLost: boolean): Promise<() => void> {
    const sent = this.#requests.shift()
    if (sent === undefined) return nothing
    const { resolve, reject } = sent
    if (isLost) return () => reject(new TypeError('fetch failed'))
    const response = await this.#ask(sent)
    this.#answers.push((isGone) =>
      isGone ? reject(new TypeError('fetch failed')) : resolve(response),
    )
    return nothing
  }

  /** Lets the next answer arrive, or get lost. */
  answer(isLost: boolean): () => void {
    const answer = this.#answers.shift()
    return answer === undefined ? nothing : () => answer(isLost)
  }

  async #ask(call: Call): Promise<Response> {
    const [, , id = ''] = call.path.split('/')
    if (call.path === '/workspace') {
      return responseOf(200, await this.#service.workspace(this.#person))
    }
    if (call.path.endsWith('/discussion')) {
      return this.#service.cells(id) === undefined
        ? responseOf(404, { error: { code: 'not_found', message: 'It is gone.' } })
        : responseOf(200, await this.#service.discussion(id, this.#person))
    }
    if (call.method === 'GET') return asResponse(await this.#service.send(this.#person, call))
    const { reply, changes } = await this.#service.write(this.#person, call)
    for (const change of changes) this.#onChange(change)
    return asResponse(reply)
  }
}

const nothing = (): void => {}

export function callOf(path: string, { method = 'GET', headers, body }: RequestInit): Call {
  const ifMatch = new Headers(headers).get('if-match')
  return { method, path, ifMatch, ...(body != null && { body: JSON.parse(body as string) }) }
}

/** What of an answer the page reads, without the turns of the event loop that a real one takes. */
const responseOf = (status: number, body: unknown, headers = new Headers()): Response =>
  ({ ok: status < 300, status, headers, json: async () => body }) as Partial<Response> as Response

const asResponse = ({ status, json, headers }: Reply): Response => responseOf(status, json, headers)
