import { createLibrary } from './beatmaps/library.ts'
import { createCallLog } from './control/call-log.ts'
import { createFaultBook } from './control/fault-book.ts'
import { createThrottle } from './control/throttle.ts'
import { createGrants } from './oauth/grants.ts'
import {
  defaultClient,
  PLATFORM_ASSETS_URL,
  PLATFORM_AVATARS_URL,
  PLATFORM_PER_MINUTE,
  type StandinOptions,
} from './options.ts'
import { samplePlayers } from './players.ts'

/** All that one stand-in remembers; gone when it stops. */
export type State = ReturnType<typeof createState>

export const createState = (options: StandinOptions) => {
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
