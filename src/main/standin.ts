import { systemClock } from '../adapters/system.ts'
import { createStandin } from '../standin/create-standin.ts'
import { defaultClient, ordinary, samplePlayers } from '../standin/state.ts'
import type { Config, PlatformConfig } from './config.ts'
import { demonstrationPlayer } from './demonstration.ts'
import { listen, portOf } from './listen.ts'

/** The stand-in platform, listening for this machine alone. */
export type Standin = {
  readonly platform: PlatformConfig
  /** Where its players may come back to from its sign-in page. */
  readonly allowReturn: (address: string) => void
  readonly close: () => Promise<void>
}

const HOST = '127.0.0.1'

const demonstrationHost = {
  ...ordinary,
  id: demonstrationPlayer.gameId,
  username: demonstrationPlayer.username,
  about: 'The host of the packs that a first run shows',
}

/** Starts the platform's stand-in; `StartupError` says why it cannot. */
export const startStandin = async ({ platformPort }: Config): Promise<Standin> => {
  const redirectUris: string[] = []
  const app = createStandin({
    clock: () => systemClock.now(),
    client: { redirectUris },
    players: [demonstrationHost, ...samplePlayers],
  })
  await listen(app, { name: 'PLATFORM_PORT', host: HOST, port: platformPort })
  const url = `http://${HOST}:${portOf(app)}`
  return {
    platform: {
      url,
      coversUrl: `${url}/assets`,
      clientId: defaultClient.id,
      clientSecret: defaultClient.secret,
    },
    allowReturn: (address) => void redirectUris.push(address),
    close: () => app.close(),
  }
}
