import type { Player } from './players.ts'

/** The application that may ask; `redirectUris` are compared character by character. */
export type Client = {
  readonly id: string
  readonly secret: string
  readonly redirectUris: readonly string[]
}

/** What a stand-in can be told; all but the clock has a default. */
export type StandinOptions = {
  /** ms since the epoch; tokens, codes and the limit live by it. */
  readonly clock: () => number
  /** Fields left out: those of `defaultClient`. */
  readonly client?: Partial<Client>
  /** Left out: `samplePlayers`. */
  readonly players?: readonly Player[]
  /** Calls let through in any 60 seconds; null for no limit. Left out: 60, as the platform has it. */
  readonly perMinute?: number | null
  /** Where covers and avatars are, without a slash at the end. Left out: the platform's own addresses. */
  readonly assetsUrl?: string
}

/** Has no redirect address: signing in needs one that is told. */
export const defaultClient: Client = { id: '1', secret: 'standin-secret', redirectUris: [] }

export const PLATFORM_PER_MINUTE = 60
export const PLATFORM_ASSETS_URL = 'https://assets.ppy.sh'
export const PLATFORM_AVATARS_URL = 'https://a.ppy.sh'
