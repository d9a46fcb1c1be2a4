import { type CommandEntry, commandEntry as entry } from '../program.ts'

const keys = () => import('./keys.ts')
const moderation = () => import('./moderation.ts')
const publish = () => import('./publish.ts')
const serve = () => import('./serve.ts')
const store = () => import('./store.ts')

/** The commands of `mapcrate-server`. */
export const serverCommands: readonly CommandEntry[] = [
  entry('serve', 'run both services', serve),
  entry('health', 'ask whether the server can serve', serve),
  entry('key', 'make an API key for a player, in place of the one before', keys),
  entry('revoke', "delete a player's API key", keys),
  entry('moderator', 'name a moderator of the site', moderation),
  entry('hide', 'hide a pack from everyone but its owner', moderation),
  entry('unhide', 'show a hidden pack again', moderation),
  entry('pin', 'pin a public pack on the site', moderation),
  entry('unpin', 'take a pack out of the pinned row', moderation),
  entry('publish', 'publish a tournament pool, or replace a published one', publish),
  entry('unpublish', 'remove a published pool', publish),
  entry('recompute', 'have stats computed anew', () => import('./recompute.ts')),
  entry('backup', 'copy the store to a file', store),
  entry('restore', 'fill an empty store from a backup', store),
  entry('copy', 'copy a whole store, to another engine too', store),
]
