import { createCallLog, createThrottle } from './calls.ts'
import { createFaultBook } from './faults.ts'
import { createGrants } from './grants.ts'
import { createLibrary } from './library.ts'

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

/** The application that may ask; `redirectUris` are compared character by character. */
export type Client = {
  readonly id: string
  readonly secret: string
  readonly redirectUris: readonly string[]
}

/** Has no redirect address: signing in needs one that is told. */
export const defaultClient: Client = { id: '1', secret: 'standin-secret', redirectUris: [] }

const PLATFORM_PER_MINUTE = 60

const PLATFORM_ASSETS_URL = 'https://assets.ppy.sh'

const PLATFORM_AVATARS_URL = 'https://a.ppy.sh'

/** All that one stand-in remembers; gone when it stops. */
export type State = ReturnType<typeof createState>

export function createState(options: StandinOptions) {
  const { clock, players = samplePlayers, assetsUrl = PLATFORM_ASSETS_URL } = options
  return {
    client: { ...defaultClient, ...options.client },
    players: new Map(players.map((player) => [player.id, player])),
    assetsUrl,
    avatarUrl: (id: number): string =>
      options.assetsUrl === undefined
        ? `${PLATFORM_AVATARS_URL}/${id}`
        : `${assetsUrl}/avatars/${id}`,
    grants: createGrants(clock),
    library: createLibrary(),
    faults: createFaultBook(),
    calls: createCallLog(clock),
    throttle: createThrottle(
      clock,
      options.perMinute === undefined ? PLATFORM_PER_MINUTE : options.perMinute,
    ),
  }
}

/** Somebody who can sign in on the authorize page. */
export type Player = {
  readonly id: number
  readonly username: string
  /** What the page says of the player. */
  readonly about: string
  readonly countryCode: string
  readonly playmode: 'osu' | 'taiko' | 'fruits' | 'mania'
  readonly isRestricted: boolean
  readonly isBot: boolean
  readonly isDeleted: boolean
}

/** What most players are. */
export const ordinary = {
  countryCode: 'NL',
  playmode: 'osu',
  isRestricted: false,
  isBot: false,
  isDeleted: false,
} as const

/** The platform knows nothing of our moderators: who is one is said in our configuration, by this id. */
export const MODERATOR_ID = 7003

/** Made-up players, one for each case of signing in (D-42). */
export const samplePlayers: readonly Player[] = [
  { ...ordinary, id: 7001, username: 'Peridot', about: 'An ordinary host' },
  {
    ...ordinary,
    id: 7002,
    username: '[ second wind ]',
    about: 'A second player',
    countryCode: 'JP',
    playmode: 'mania',
  },
  { ...ordinary, id: MODERATOR_ID, username: 'maple_keeper', about: 'A moderator' },
  {
    ...ordinary,
    id: 7004,
    username: 'Sidelined',
    about: 'A restricted player, who cannot sign in',
    isRestricted: true,
  },
  {
    ...ordinary,
    id: 7005,
    username: 'DeletedUser_7005',
    about: 'A deleted player, who cannot sign in',
    isDeleted: true,
  },
]
