import { describeError } from '../../main/startup-error.ts'
import { CliError, type CommandEntry, commandEntry as entry, type Program } from '../program.ts'
import { systemErrorText } from '../system-error.ts'

const accounts = () => import('./accounts.ts')
const keys = () => import('./keys.ts')
const moderation = () => import('./moderation.ts')
const operator = () => import('./operator.ts')
const publish = () => import('./publish.ts')
const serve = () => import('./serve.ts')
const store = () => import('./store.ts')

export const serverCommands: readonly CommandEntry[] = [
  entry('serve', 'run both services', serve),
  entry('health', 'check whether the server is ready', serve),
  entry('key', 'create an API key for a player, replacing the previous one', keys),
  entry('revoke', "delete a player's API key", keys),
  entry('moderator', 'add or remove a moderator of the site', moderation),
  entry('moderators', 'list the moderators', accounts),
  entry('account', 'show what is stored of a player', accounts),
  entry('delete-account', 'delete the account of a player who asked for it', accounts),
  entry('hide', 'hide a pack from everyone but its owner', moderation),
  entry('unhide', 'show a hidden pack again', moderation),
  entry('pin', 'pin a public pack on the site', moderation),
  entry('unpin', 'unpin a pack', moderation),
  entry('hide-tournament', 'hide a tournament from everyone but its staff', moderation),
  entry('show-tournament', 'show a hidden tournament again', moderation),
  entry('suspend', 'suspend a player', moderation),
  entry('unsuspend', "lift a player's suspension", moderation),
  entry('log', 'print the moderation log', () => import('./log.ts')),
  entry('notice', 'show a notice on all pages', operator),
  entry('read-only', 'let nothing be changed for a while', operator),
  entry('publish', 'publish a tournament pool, or replace a published one', publish),
  entry('unpublish', 'delete a published pool', publish),
  entry('recompute', 'recompute stats', () => import('./recompute.ts')),
  entry('platform', 'show how the game platform answers', () => import('./platform.ts')),
  entry('backup', 'copy the store to a file', store),
  entry('restore', 'restore a backup to an empty store', store),
  entry('copy', 'copy a store to another file or database', store),
]

export const serverProgram: Program = {
  name: 'mapcrate-server',
  about: `Runs and administers the services of Mapcrate. Unless noted otherwise, commands can be used while the
server runs, with the same configuration (see docs/configuration.md).

Exit status: 0 success, 1 failure, 2 usage error.`,
  commands: serverCommands,
  isPlain: true,
  describe(error) {
    if (error instanceof CliError) return error.message
    const isOfFile = error instanceof Error && 'path' in error
    return (isOfFile ? systemErrorText(error) : null) ?? describeError(error)
  },
}
