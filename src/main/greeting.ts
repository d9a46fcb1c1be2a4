import { API_PREFIX } from '../contract/endpoint.ts'
import { type Config } from './config.ts'
import { demonstrationPlayer, isDemonstration } from './demonstration.ts'
import type { Server } from './server.ts'
import { storeFileOf } from './wire.ts'

const newKey = ({ gameId, username }: { gameId: number | string; username: string }): string =>
  `npx mapcrate-server key --service packs --game-id ${gameId} --username ${username}`

const firstSteps = (config: Config, packsApi: string, demonstrationKey: string | null): string => {
  if (demonstrationKey !== null) {
    return `
This is a demonstration: a made-up player with three packs. The API key is shown this once:
  ${demonstrationKey}
Read the packs with it:
  curl -H 'Authorization: Bearer ${demonstrationKey}' ${packsApi}/me/packs
`
  }
  return `
Make an API key (it replaces the one that the player has):
  ${newKey(isDemonstration(config) ? demonstrationPlayer : { gameId: 'N', username: 'NAME' })}
`
}

/** What people read when the server has started. */
export const greeting = (
  config: Config,
  { urls }: Server,
  demonstrationKey: string | null,
): string => {
  const packsApi = urls.packs + API_PREFIX
  return `Mapcrate is ready.
  packs service             ${packsApi}
  tournament-pools service  ${urls.pools}${API_PREFIX}
  store                     ${storeFileOf(config)}
${firstSteps(config, packsApi, demonstrationKey)}`
}
