import { DISCORD_URL_PATTERN } from '../contract/announcements.ts'

const pattern = new RegExp(DISCORD_URL_PATTERN)
const parts = /\/webhooks\/([0-9]+)\/([A-Za-z0-9_-]+)(\?thread_id=[0-9]+)?$/

const SHOWN = '[secret]'

/**
 * The address of a webhook (D-97). Anyone who knows it can write to the channel, so that it is neither printed nor
 * serialised: as text, as JSON and in the inspector of Node it is `[secret]`. Only `reveal` returns it.
 */
export class ChatAddress {
  readonly #url: string

  private constructor(url: string) {
    this.#url = url
  }

  /** null unless it has the form of such an address; white space around it does not count. */
  static parse(text: string): ChatAddress | null {
    const trimmed = text.trim()
    const [, id, token, thread = ''] = (pattern.test(trimmed) && parts.exec(trimmed)) || []
    if (id === undefined || token === undefined) return null
    // All names of the host lead to the same webhook: only this one is ever asked for.
    return new ChatAddress(`https://discord.com/api/v10/webhooks/${id}/${token}${thread}`)
  }

  /** The whole address, for those who keep it or send there. */
  reveal(): string {
    return this.#url
  }

  equals(other: ChatAddress): boolean {
    return this.#url === other.#url
  }

  toString(): string {
    return SHOWN
  }

  toJSON(): string {
    return SHOWN
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return SHOWN
  }
}
