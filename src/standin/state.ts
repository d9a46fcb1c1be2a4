import {
  CALLS_PER_TOKEN,
  createCallLog,
  createThrottle,
  createWindows,
  TOKENS_PER_ADDRESS,
} from './calls.ts'
import { createChat } from './chat.ts'
import { createFaults } from './faults.ts'
import { createGrants } from './grants.ts'
import { createLibrary } from './library.ts'
import { createMirror } from './mirror.ts'
import playerList from './players.json' with { type: 'json' }

export type StandinOptions = {
  /** ms since the epoch; tokens, codes and the limits go by it. */
  readonly clock: () => number
  /** Fields left out: those of `defaultClient`. */
  readonly client?: Partial<Client>
  /** Other applications that are registered; left out: none. */
  readonly otherClients?: readonly Client[]
  /** Left out: `samplePlayers`. */
  readonly players?: readonly Player[]
  /** Calls of all kinds let through in any 60 seconds, which the platform does not limit. Left out, or null: any number. */
  readonly perMinute?: number | null
  /** Token calls let through in a minute from one address; null for no limit. Left out: 60, as on the platform. */
  readonly tokensPerMinute?: number | null
  /** Calls let through in a minute with one token; null for no limit. Left out: 1,200, as on the platform. */
  readonly callsPerToken?: number | null
  /** Where covers and avatars are, without a slash at the end. Left out: the platform's own addresses. */
  readonly assetsUrl?: string
}

/** An application that may ask; `redirectUris` are compared character by character. */
export type Client = Readonly<{ id: string; secret: string; redirectUris: readonly string[] }>

/** It has no redirect address: signing in needs one. */
export const defaultClient: Client = { id: '1', secret: 'standin-secret', redirectUris: [] }

/** All that one stand-in stores, in memory. */
export type State = ReturnType<typeof createState>

export function createState({
  clock,
  client,
  otherClients = [],
  players = samplePlayers,
  perMinute = null,
  tokensPerMinute = TOKENS_PER_ADDRESS,
  callsPerToken = CALLS_PER_TOKEN,
  assetsUrl,
}: StandinOptions) {
  const avatarsUrl = assetsUrl === undefined ? 'https://a.ppy.sh' : `${assetsUrl}/avatars`
  const clients: readonly Client[] = [{ ...defaultClient, ...client }, ...otherClients]
  return {
    findClient: (id: string): Client | undefined => clients.find((each) => each.id === id),
    players: new Map(players.map((player) => [player.id, player])),
    assetsUrl: assetsUrl ?? 'https://assets.ppy.sh',
    avatarUrl: (id: number): string => `${avatarsUrl}/${id}`,
    grants: createGrants(clock),
    library: createLibrary(),
    faults: createFaults(),
    calls: createCallLog(clock),
    mirror: createMirror(),
    chat: createChat(clock),
    throttle: createThrottle(clock, perMinute),
    addressWindows: createWindows(clock, tokensPerMinute),
    tokenWindows: createWindows(clock, callsPerToken),
    /** Who is signed in at the platform itself, so that its page knows them; `isConfirmed`: by a mailed code. */
    visitor: null as { readonly player: number; isConfirmed: boolean } | null,
  }
}

export type Player = Readonly<{
  id: number
  username: string
  /** What the page says of them. */
  about: string
  countryCode: string
  /** Error texts are in it, unless the request names another. */
  language: string
  playmode: string
  isRestricted: boolean
  isBot: boolean
  isDeleted: boolean
  isSilenced: boolean
  /** `before`: the page does not let them back to the application; `after`: the page did. */
  disabled: 'before' | 'after' | null
}>

/** Made-up players, one for each case of signing in (D-42). */
export const samplePlayers = playerList as readonly Player[]

/** The platform does not know our moderators: our configuration names them, by this id. */
export const MODERATOR_ID = 7003
