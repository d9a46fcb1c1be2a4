import type { ServiceName } from '../contract/services.ts'
import { dayOf } from '../domain/time.ts'
import type { ApiKeyStore, KeyUse } from '../ports/keys.ts'

/** Keys remembered in one day; beyond it they are noted again. */
const MOST_KEYS = 100_000

/**
 * Notes the day on which each key of a service was last used (D-40): once a day and key, behind the
 * requests, several keys in one write. A note that fails is lost for that day.
 */
export class KeyUses {
  readonly #service: ServiceName
  readonly #apiKeys: Pick<ApiKeyStore, 'noteUses'>
  readonly #onTrouble: (error: unknown) => void
  readonly #noted = new Set<string>()
  #day = Number.NEGATIVE_INFINITY
  #waiting: KeyUse[] = []
  #isWriting = false

  /** @param onTrouble hears of what the store throws. */
  constructor(
    service: ServiceName,
    apiKeys: Pick<ApiKeyStore, 'noteUses'>,
    onTrouble: (error: unknown) => void,
  ) {
    this.#service = service
    this.#apiKeys = apiKeys
    this.#onTrouble = onTrouble
  }

  /** A live key with this hash was used. Returns at once and never throws. */
  note(hash: string, now: number): void {
    const day = dayOf(now)
    if (day > this.#day || this.#noted.size >= MOST_KEYS) {
      this.#day = Math.max(day, this.#day)
      this.#noted.clear()
    }
    if (this.#noted.has(hash)) return
    this.#noted.add(hash)
    this.#waiting.push({ service: this.#service, hash, day: this.#day })
    if (!this.#isWriting) void this.#write()
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const uses = this.#waiting
      this.#waiting = []
      try {
        await this.#apiKeys.noteUses(uses)
      } catch (error) {
        this.#onTrouble(error)
      }
    }
    this.#isWriting = false
  }
}
