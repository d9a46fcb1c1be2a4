import { API_PREFIX } from '../contract/endpoint.ts'
import { MODERATOR_ID } from '../standin/state.ts'
import type { Config, Role } from './config.ts'
import { demonstrationPlayer, isDemonstration } from './demonstration.ts'
import type { startServer } from './server.ts'
import { storePlaceOf } from './wire.ts'

type Running = Pick<Awaited<ReturnType<typeof startServer>>, 'urls'> & {
  readonly config: Config
  readonly roles: ReadonlySet<Role>
  /** null when a platform is configured. */
  readonly standinUrl: string | null
  readonly metricsUrl: string | undefined
  readonly healthUrl: string | undefined
  readonly demonstrationKey: string | null
}

/** The text for people that is printed when the server has started. */
export function greeting(running: Running): string {
  const { config, roles, urls, standinUrl, metricsUrl, healthUrl } = running
  const platform = standinUrl
    ? `${standinUrl}  (a stand-in with made-up values; docs/operations.md)`
    : (config.platform?.url ?? '')
  const lines: readonly (readonly [string, string] | false)[] = [
    roles.has('site') && ['site', config.publicUrls.site ?? urls.packs],
    roles.has('api') && ['packs service', urls.packs + API_PREFIX],
    roles.has('pools') && ['tournament-pools service', urls.pools + API_PREFIX],
    !roles.has('worker') && ['no worker', 'another process computes stats and builds the index'],
    ['game platform', platform],
    ['store', storePlaceOf(config)],
    metricsUrl !== undefined && ['metrics', `${metricsUrl}/metrics`],
    healthUrl !== undefined && ['health', healthUrl],
  ]
  return `Mapcrate is ready.
${lines.map((line) => (line ? `  ${line[0].padEnd(24)}  ${line[1]}\n` : '')).join('')}
${firstSteps(running)}${standinUrl === null ? '' : moderatorStep}`
}

function firstSteps({ config, urls, demonstrationKey }: Running): string {
  if (demonstrationKey === null) {
    const player = { gameId: 'N', username: 'NAME' }
    const { gameId, username } = isDemonstration(config) ? demonstrationPlayer : player
    return `Make an API key (it replaces the one that the player has):
  npx mapcrate-server key --service packs --game-id ${gameId} --username ${username}
`
  }
  return `This is a demonstration: a made-up player with three packs. The API key is shown this once:
  ${demonstrationKey}
Read the packs with it:
  curl -H 'Authorization: Bearer ${demonstrationKey}' ${urls.packs}${API_PREFIX}/me/packs
`
}

const moderatorStep = `
On the site, sign in as any of the stand-in's players. This makes one of them a moderator:
  npx mapcrate-server moderator --game-id ${MODERATOR_ID}
`
