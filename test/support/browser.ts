import type { Viewer } from '../../src/contract/accounts.ts'
import { PAGE_DATA_ID, type PageData } from '../../src/contract/page-data.ts'
import { CSRF_HEADER } from '../../src/contract/endpoint.ts'
import { type Reply, sendJson } from './door.ts'

type Sending = { readonly body?: unknown; readonly headers?: Record<string, string | null> }

/** What a page's head carries for the browser application. */
export const pageDataOf = ({ text }: Pick<Reply, 'text'>): PageData => {
  const script = new RegExp(`<script type="application/json" id="${PAGE_DATA_ID}">([^<]*)</script>`)
  return JSON.parse(script.exec(text)?.[1] ?? 'null') as PageData
}

/** The tags of a page in their order: text that stayed text adds none. */
export const tagsOf = ({ text }: Pick<Reply, 'text'>): readonly string[] | null =>
  text.match(/<[!/a-z-]+/gi)

/** Somebody's browser before one site: it keeps cookies and follows nothing by itself. */
export class Browser {
  readonly url: string
  /** What the site believes its own address to be. */
  readonly origin: string
  readonly cookies: Map<string, string>
  viewer: Viewer | null = null

  constructor(url: string, origin: string, cookies = new Map<string, string>()) {
    this.url = url
    this.origin = origin
    this.cookies = cookies
  }

  /** The same browser before another site of the same host: cookies ignore ports. */
  at(url: string, origin = url): Browser {
    return new Browser(url, origin, this.cookies)
  }

  /** Another browser before the same site. */
  another(): Browser {
    return new Browser(this.url, this.origin)
  }

  /** Sends these headers beside the cookies; null leaves one out. */
  async send(method: string, path: string, { body, headers = {} }: Sending = {}): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const all = { ...(cookie !== '' && { cookie }), ...headers }
    const ask = () => sendJson(method, this.url + path, all, body)
    const reply = await ask().catch((error: Error) => {
      // As browsers do: the server may have closed the idle connection meanwhile.
      if (method === 'GET' && isReset(error)) return ask()
      throw error
    })
    this.#keep(reply.headers.getSetCookie())
    return reply
  }

  /** Opens a page as people do. */
  open(path: string): Promise<Reply> {
    return this.send('GET', path, { headers: { accept: 'text/html,*/*;q=0.8' } })
  }

  /** Asks as the site's own page does, with its token where one is signed in. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Sending['headers'] = {},
  ): Promise<Reply> {
    const own = {
      origin: this.origin,
      'sec-fetch-site': 'same-origin',
      ...(this.viewer && { [CSRF_HEADER]: this.viewer.csrf }),
    }
    return this.send(method, path, { body, headers: { ...own, ...headers } })
  }

  /** Learns from the site who is signed in. */
  async look(): Promise<Viewer | null> {
    this.viewer = (await this.ask('GET', '/session')).json.viewer
    return this.viewer
  }

  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      if (attributes.includes('Max-Age=0')) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}

function isReset({ cause }: Error): boolean {
  const { code } = (cause ?? {}) as { readonly code?: string }
  return code === 'ECONNRESET'
}
