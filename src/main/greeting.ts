import { API_PREFIX } from '../contract/endpoint.ts'
import { MODERATOR_ID } from '../standin/state.ts'
import type { Config, Role } from './config.ts'
import { demonstrationPlayer, isDemonstration } from './demonstration.ts'
import type { Server } from './server.ts'
import type { Standin } from './standin.ts'
import { storePlaceOf } from './wire.ts'

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

const players = `
On the site, sign in as any of the stand-in's players. This makes one of them a moderator:
  npx mapcrate-server moderator --game-id ${MODERATOR_ID}
`

/** What runs. */
export type Running = {
  readonly server: Server
  /** null when a platform is configured. */
  readonly standin: Standin | null
  readonly metricsUrl: string | undefined
  readonly healthUrl: string | undefined
  readonly roles: ReadonlySet<Role>
}

const platformOf = (config: Config, standin: Standin | null): string =>
  standin === null
    ? (config.platform?.url ?? '')
    : `${standin.platform.url}  (a stand-in with made-up values; docs/operations.md)`

/** What people read when the server has started. */
export const greeting = (
  config: Config,
  { server: { urls }, standin, metricsUrl, healthUrl, roles }: Running,
  demonstrationKey: string | null,
): string => {
  const packsApi = urls.packs + API_PREFIX
  const lines: readonly (readonly [string, string] | false)[] = [
    roles.has('site') && ['site', config.publicUrls.site ?? urls.packs],
    roles.has('api') && ['packs service', packsApi],
    roles.has('pools') && ['tournament-pools service', urls.pools + API_PREFIX],
    !roles.has('worker') && ['no worker', 'another process computes stats and builds the index'],
    ['game platform', platformOf(config, standin)],
    ['store', storePlaceOf(config)],
    metricsUrl !== undefined && ['metrics', metricsUrl],
    healthUrl !== undefined && ['health', healthUrl],
  ]
  return `Mapcrate is ready.
${lines.map((line) => (line ? `  ${line[0].padEnd(24)}  ${line[1]}\n` : '')).join('')}${firstSteps(config, packsApi, demonstrationKey)}${standin === null ? '' : players}`
}
