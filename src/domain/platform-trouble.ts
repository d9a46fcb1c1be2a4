/** The platform could not be asked, or answered with nothing to rely on: unknown for now, never gone. */
export class PlatformTrouble extends Error {
  /** When it is worth asking again, ms since the epoch; null when the platform did not say. */
  readonly retryAt: number | null
  /** Whether the platform has heard nothing of it: a code, for example, is still good. */
  readonly isUnasked: boolean

  /** @param message for the log: which call, what came back. Never a token or secret. */
  constructor(message: string, retryAt: number | null = null, isUnasked = false) {
    super(message)
    this.name = 'PlatformTrouble'
    this.retryAt = retryAt
    this.isUnasked = isUnasked
  }
}
