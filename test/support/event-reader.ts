import type { WorkspaceEvent } from '../../src/contract/workspace.ts'
import type { Browser } from './browser.ts'

/** A stream of server-sent events, as somebody's page reads it. */
export class EventReader {
  readonly response: Response
  /** Everything that came. */
  text = ''
  readonly events: WorkspaceEvent[] = []
  /** When the server has ended it, or the reader has hung up. */
  readonly ended: Promise<void>
  readonly #ending: AbortController
  #onChange = (): void => {}

  private constructor(response: Response, ending: AbortController) {
    this.response = response
    this.#ending = ending
    this.ended = this.#read()
  }

  /** @param url another process that serves the same site. */
  static async open(browser: Browser, path: string, url = browser.url): Promise<EventReader> {
    const ending = new AbortController()
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url + path, { headers: { cookie }, signal: ending.signal })
    return new EventReader(response, ending)
  }

  /** The newest event, as soon as it is as wanted. */
  async until(isWanted: (event: WorkspaceEvent) => boolean): Promise<WorkspaceEvent> {
    for (;;) {
      const last = this.events.at(-1)
      if (last !== undefined && isWanted(last)) return last
      const isOver = await Promise.race([
        this.ended.then(() => true),
        new Promise<false>((resolve) => (this.#onChange = () => resolve(false))),
      ])
      if (isOver) throw new Error(`the stream ended after ${this.text}`)
    }
  }

  hangUp(): void {
    this.#ending.abort()
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of this.response.body ?? []) {
        this.text += decoder.decode(chunk, { stream: true })
        const whole = this.text.split('\n\n').slice(0, -1)
        const data = whole.filter((part) => part.startsWith('data: '))
        for (const part of data.slice(this.events.length)) {
          this.events.push(JSON.parse(part.slice(6)) as WorkspaceEvent)
        }
        this.#onChange()
      }
    } catch (error) {
      if (!this.#ending.signal.aborted) throw error
    }
  }
}
