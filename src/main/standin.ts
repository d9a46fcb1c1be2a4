import { systemClock } from '../adapters/system.ts'
import { createStandin } from '../standin/create-standin.ts'
import { defaultClient, samplePlayers } from '../standin/state.ts'
import type { Config, PlatformConfig } from './config.ts'
import { demonstrationPlayers } from './demonstration.ts'
import { listen, portOf } from './listen.ts'

const HOST = '127.0.0.1'

/** Starts the stand-in platform, for this machine alone. Throws `StartupError` when it cannot listen. */
export async function startStandin({ platformPort }: Config) {
  const redirectUris: string[] = []
  const [ordinary] = samplePlayers
  const about = 'Has a part in what a first run shows'
  const app = createStandin({
    clock: () => systemClock.now(),
    client: { redirectUris },
    players: [
      ...demonstrationPlayers.map(({ gameId, username }) => {
        return { ...ordinary!, id: gameId, username, about }
      }),
      ...samplePlayers,
    ],
  })
  await listen(app, { name: 'PLATFORM_PORT', host: HOST, port: platformPort })
  const url = `http://${HOST}:${portOf(app)}`
  const { id: clientId, secret: clientSecret } = defaultClient
  const platform: PlatformConfig = { url, coversUrl: `${url}/assets`, clientId, clientSecret }
  return {
    platform,
    /** Adds an address that its sign-in page may send people back to. */
    allowReturn: (address: string): void => void redirectUris.push(address),
    close: () => app.close(),
  }
}
