import { revokeKey } from '../../operations/revoke-key.ts'
import type { Command } from '../command.ts'
import { readGameId, readOptions, readService } from '../read-arguments.ts'
import { withPorts } from '../with-ports.ts'

export const revokeCommand: Command = {
  name: 'revoke',
  takes: '--service packs|pools --game-id N',
  details: "Deletes the player's API key for this service; it stops working at once.",
  example: 'revoke --service packs --game-id 124493',
  async run(args) {
    const options = readOptions(args, ['service', 'game-id'])
    const service = readService(options.service)
    const gameId = readGameId(options['game-id'])
    await withPorts('refuse', (ports) => revokeKey(ports, { service, gameId }))
    process.stdout.write(`revoked the ${service} key of player ${gameId}\n`)
  },
}
