import { type ServiceName, serviceNames } from '../../contract/services.ts'
import { checkUsername } from '../../domain/accounts.ts'
import { issueKey, revokeKey } from '../../operations/keys.ts'
import { gameIdOption, readBy, readGameId, refuseWords, required } from '../arguments.ts'
import { type Arguments, type Command, type CommandOption, usageError } from '../program.ts'
import { withPorts } from './with-ports.ts'

const ownerOptions: readonly CommandOption[] = [
  { name: 'service', takes: 'packs|pools', isRequired: true, about: 'service of the key' },
  gameIdOption,
]

export const keyCommand: Command = {
  details: `Create an API key for a player and print it. The previous key of the player for this service stops
working at once. The account is created if it does not exist; otherwise its name is changed to NAME.
Only a hash of the key is stored, so it cannot be shown again.`,
  options: [
    ...ownerOptions,
    { name: 'username', takes: 'NAME', isRequired: true, about: 'name of the player' },
  ],
  examples: ['mapcrate-server key --service packs --game-id 4711 --username Ada'],
  async run(call, { env, stdout }) {
    const { service, gameId } = readOwner(call)
    const username = readBy(() => checkUsername(required(call, 'username')))
    const key = await withPorts(env, 'make', (ports, { keyPrefixes }) =>
      issueKey(ports, { service, keyPrefix: keyPrefixes[service], gameId, username }),
    )
    stdout.write(`${key}\n`)
  },
}

export const revokeCommand: Command = {
  details: 'Delete the API key of a player for this service. It stops working at once.',
  options: ownerOptions,
  examples: ['mapcrate-server revoke --service packs --game-id 124493'],
  async run(call, { env, stdout }) {
    const { service, gameId } = readOwner(call)
    await withPorts(env, 'refuse', (ports) => revokeKey(ports, { service, gameId }))
    stdout.write(`revoked the ${service} key of player ${gameId}\n`)
  },
}

function readOwner(call: Arguments): { readonly service: ServiceName; readonly gameId: number } {
  refuseWords(call)
  const name = required(call, 'service')
  const service = serviceNames.find((each) => each === name)
  if (service === undefined) {
    throw usageError(`--service "${name}" is not known; give ${serviceNames.join(' or ')}`)
  }
  return { service, gameId: readGameId(call) }
}
