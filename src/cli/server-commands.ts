import type { CommandEntry } from './command.ts'

/** What `mapcrate-server` can do. */
export const serverCommands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'run both services',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  {
    name: 'health',
    summary: 'ask whether the server can serve',
    load: async () => (await import('./commands/health.ts')).healthCommand,
  },
  {
    name: 'key',
    summary: 'make an API key for a player, in place of the one before',
    load: async () => (await import('./commands/key.ts')).keyCommand,
  },
  {
    name: 'revoke',
    summary: "delete a player's API key",
    load: async () => (await import('./commands/revoke.ts')).revokeCommand,
  },
  {
    name: 'moderator',
    summary: 'name a moderator of the site',
    load: async () => (await import('./commands/moderator.ts')).moderatorCommand,
  },
  {
    name: 'hide',
    summary: 'hide a pack from everyone but its owner',
    load: async () => (await import('./commands/hide.ts')).hideCommand,
  },
  {
    name: 'unhide',
    summary: 'show a hidden pack again',
    load: async () => (await import('./commands/unhide.ts')).unhideCommand,
  },
  {
    name: 'pin',
    summary: 'pin a public pack on the site',
    load: async () => (await import('./commands/pin.ts')).pinCommand,
  },
  {
    name: 'unpin',
    summary: 'take a pack out of the pinned row',
    load: async () => (await import('./commands/unpin.ts')).unpinCommand,
  },
  {
    name: 'publish',
    summary: 'publish a tournament pool, or replace a published one',
    load: async () => (await import('./commands/publish.ts')).publishCommand,
  },
  {
    name: 'unpublish',
    summary: 'remove a published pool',
    load: async () => (await import('./commands/publish.ts')).unpublishCommand,
  },
  {
    name: 'recompute',
    summary: 'have stats computed anew',
    load: async () => (await import('./commands/recompute.ts')).recomputeCommand,
  },
  {
    name: 'backup',
    summary: 'copy the store to a file',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'fill an empty store from a backup',
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  {
    name: 'copy',
    summary: 'copy a whole store, to another engine too',
    load: async () => (await import('./commands/copy.ts')).copyCommand,
  },
]
