import { nameModerator } from '../../operations/name-moderator.ts'
import type { Command } from '../command.ts'
import { readGameId, readOptions, takeFlag } from '../read-arguments.ts'
import { withPorts } from '../with-ports.ts'

/** The player as the operator knows them. */
const sentence = (player: string, isModerator: boolean, changed: boolean): string => {
  if (isModerator) return `${player} ${changed ? 'is a moderator now' : 'was a moderator already'}`
  return changed ? `${player} is no moderator any more` : `${player} was no moderator`
}

export const moderatorCommand: Command = {
  name: 'moderator',
  takes: '--game-id N [--remove]',
  details: `Names a player as a moderator of the site, who finds public and unlisted packs at /moderation, hides
and pins them; with --remove, takes that away. It holds at once where they are signed in. A player
who has never signed in has no account yet: then it holds from their first sign-in on. It ends when
they delete their account.`,
  example: 'moderator --game-id 4711',
  async run(args) {
    const { isGiven: remove, rest } = takeFlag(args, 'remove')
    const gameId = readGameId(readOptions(rest, ['game-id'])['game-id'])
    const isModerator = !remove
    const line = await withPorts('make', async (ports) => {
      const { changed, account } = await nameModerator(ports, { gameId, isModerator })
      const player = `player ${gameId}${account?.username ? ` (${account.username})` : ''}`
      const note = account === null && isModerator ? ', from their first sign-in on' : ''
      return `${sentence(player, isModerator, changed)}${note}\n`
    })
    process.stdout.write(line)
  },
}
