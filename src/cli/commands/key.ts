import { issueKey } from '../../operations/issue-key.ts'
import type { Command } from '../command.ts'
import { readGameId, readOptions, readService } from '../read-arguments.ts'
import { withPorts } from '../with-ports.ts'

export const keyCommand: Command = {
  name: 'key',
  takes: '--service packs|pools --game-id N --username NAME',
  details: `Prints a new API key alone on stdout. The player's account is made if there is none, and takes
NAME over if there is one. The key that the player had for this service stops working at once.
Only a hash of the key is kept: it cannot be shown again.`,
  example: 'key --service packs --game-id 4711 --username Ada',
  async run(args) {
    const options = readOptions(args, ['service', 'game-id', 'username'])
    const service = readService(options.service)
    const gameId = readGameId(options['game-id'])
    const { username } = options
    const key = await withPorts('make', (ports, { keyPrefixes }) =>
      issueKey(ports, { service, keyPrefix: keyPrefixes[service], gameId, username }),
    )
    process.stdout.write(`${key}\n`)
  },
}
