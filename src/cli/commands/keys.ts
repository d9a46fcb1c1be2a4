import { type ServiceName, serviceNames } from '../../contract/services.ts'
import { issueKey, revokeKey } from '../../operations/keys.ts'
import { readArguments, readGameId, refuseWords, required } from '../arguments.ts'
import { CliError, type Command } from '../program.ts'
import { withPorts } from './with-ports.ts'

const serviceOption = { name: 'service', takes: 'NAME' }
const gameIdOption = { name: 'game-id', takes: 'N' }
const usernameOption = { name: 'username', takes: 'NAME' }

export const keyCommand: Command = {
  name: 'key',
  takes: '--service packs|pools --game-id N --username NAME',
  details: `Prints a new API key alone on stdout. The player's account is made if there is none, and takes
NAME over if there is one. The key that the player had for this service stops working at once.
Only a hash of the key is kept: it cannot be shown again.`,
  example: 'key --service packs --game-id 4711 --username Ada',
  async run(args) {
    const given = readArguments(args, [serviceOption, gameIdOption, usernameOption])
    refuseWords(given)
    const service = readService(required(given, 'service'))
    const gameId = readGameId(required(given, 'game-id'))
    const username = required(given, 'username')
    const key = await withPorts('make', (ports, { keyPrefixes }) =>
      issueKey(ports, { service, keyPrefix: keyPrefixes[service], gameId, username }),
    )
    process.stdout.write(`${key}\n`)
  },
}

export const revokeCommand: Command = {
  name: 'revoke',
  takes: '--service packs|pools --game-id N',
  details: "Deletes the player's API key for this service; it stops working at once.",
  example: 'revoke --service packs --game-id 124493',
  async run(args) {
    const given = readArguments(args, [serviceOption, gameIdOption])
    refuseWords(given)
    const service = readService(required(given, 'service'))
    const gameId = readGameId(required(given, 'game-id'))
    await withPorts('refuse', (ports) => revokeKey(ports, { service, gameId }))
    process.stdout.write(`revoked the ${service} key of player ${gameId}\n`)
  },
}

function readService(text: string): ServiceName {
  const service = serviceNames.find((name) => name === text)
  if (service !== undefined) return service
  throw new CliError(
    `--service "${text}" is not known; give ${serviceNames.join(' or ')}`,
    'misuse',
  )
}
