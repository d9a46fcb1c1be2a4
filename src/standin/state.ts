import { createCallLog, createThrottle, createTokenWindows } from './calls.ts'
import { createFaults } from './faults.ts'
import { createGrants } from './grants.ts'
import { createLibrary } from './library.ts'
import samplePlayers from './players.json' with { type: 'json' }

export type StandinOptions = {
  /** ms since the epoch; tokens, codes and the limit go by it. */
  readonly clock: () => number
  /** Fields left out: those of `defaultClient`. */
  readonly client?: Partial<Client>
  /** Left out: `samplePlayers`. */
  readonly players?: readonly Player[]
  /** Calls let through in any 60 seconds; null for no limit. Left out: 60, as on the platform. */
  readonly perMinute?: number | null
  /** Token calls let through in a minute from one address; null for no limit. Left out: 60, as on the platform. */
  readonly tokensPerMinute?: number | null
  /** Where covers and avatars are, without a slash at the end. Left out: the platform's own addresses. */
  readonly assetsUrl?: string
}

/** The application that may ask; `redirectUris` are compared character by character. */
export type Client = Readonly<{ id: string; secret: string; redirectUris: readonly string[] }>

/** It has no redirect address: signing in needs one. */
export const defaultClient: Client = { id: '1', secret: 'standin-secret', redirectUris: [] }

export const TOKENS_PER_MINUTE = 60

/** All that one stand-in stores, in memory. */
export type State = ReturnType<typeof createState>

export function createState({
  clock,
  client,
  players = samplePlayers,
  perMinute = 60,
  tokensPerMinute = TOKENS_PER_MINUTE,
  assetsUrl,
}: StandinOptions) {
  const avatarsUrl = assetsUrl === undefined ? 'https://a.ppy.sh' : `${assetsUrl}/avatars`
  return {
    client: { ...defaultClient, ...client },
    players: new Map(players.map((player) => [player.id, player])),
    assetsUrl: assetsUrl ?? 'https://assets.ppy.sh',
    avatarUrl: (id: number): string => `${avatarsUrl}/${id}`,
    grants: createGrants(clock),
    library: createLibrary(),
    faults: createFaults(),
    calls: createCallLog(clock),
    throttle: createThrottle(clock, perMinute),
    tokenWindows: createTokenWindows(clock, tokensPerMinute),
  }
}

export type Player = (typeof samplePlayers)[number]

/** Made-up players, one for each case of signing in (D-42). */
export { samplePlayers }

/** The platform does not know our moderators: our configuration names them, by this id. */
export const MODERATOR_ID = 7003
