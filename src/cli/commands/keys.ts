import { type ServiceName, serviceNames } from '../../contract/services.ts'
import { issueKey, revokeKey } from '../../operations/keys.ts'
import { readGameId, refuseWords, required } from '../arguments.ts'
import { type Call, type Command, usageError } from '../program.ts'
import { withPorts } from './with-ports.ts'

const ownerOptions = [
  { name: 'service', takes: 'NAME' },
  { name: 'game-id', takes: 'N' },
]

export const keyCommand: Command = {
  takes: '--service packs|pools --game-id N --username NAME',
  details: `Prints a new API key alone on stdout. The player's account is made if there is none, and takes
NAME over if there is one. The key that the player had for this service stops working at once.
Only a hash of the key is kept: it cannot be shown again.`,
  options: [...ownerOptions, { name: 'username', takes: 'NAME' }],
  examples: ['mapcrate-server key --service packs --game-id 4711 --username Ada'],
  async run(call) {
    const { service, gameId } = readOwner(call)
    const username = required(call, 'username')
    const key = await withPorts('make', (ports, { keyPrefixes }) =>
      issueKey(ports, { service, keyPrefix: keyPrefixes[service], gameId, username }),
    )
    process.stdout.write(`${key}\n`)
  },
}

export const revokeCommand: Command = {
  takes: '--service packs|pools --game-id N',
  details: "Deletes the player's API key for this service; it stops working at once.",
  options: ownerOptions,
  examples: ['mapcrate-server revoke --service packs --game-id 124493'],
  async run(call) {
    const { service, gameId } = readOwner(call)
    await withPorts('refuse', (ports) => revokeKey(ports, { service, gameId }))
    process.stdout.write(`revoked the ${service} key of player ${gameId}\n`)
  },
}

function readOwner(call: Call): { readonly service: ServiceName; readonly gameId: number } {
  refuseWords(call)
  const name = required(call, 'service')
  const service = serviceNames.find((each) => each === name)
  if (service === undefined) {
    throw usageError(`--service "${name}" is not known; give ${serviceNames.join(' or ')}`)
  }
  return { service, gameId: readGameId(call) }
}
