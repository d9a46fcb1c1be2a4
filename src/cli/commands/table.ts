import type { CommandEntry } from '../program.ts'

/** What `mapcrate-server` can do. */
export const serverCommands: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'run both services',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  {
    name: 'health',
    summary: 'ask whether the server can serve',
    load: async () => (await import('./serve.ts')).healthCommand,
  },
  {
    name: 'key',
    summary: 'make an API key for a player, in place of the one before',
    load: async () => (await import('./keys.ts')).keyCommand,
  },
  {
    name: 'revoke',
    summary: "delete a player's API key",
    load: async () => (await import('./keys.ts')).revokeCommand,
  },
  {
    name: 'moderator',
    summary: 'name a moderator of the site',
    load: async () => (await import('./moderation.ts')).moderatorCommand,
  },
  {
    name: 'hide',
    summary: 'hide a pack from everyone but its owner',
    load: async () => (await import('./moderation.ts')).hideCommand,
  },
  {
    name: 'unhide',
    summary: 'show a hidden pack again',
    load: async () => (await import('./moderation.ts')).unhideCommand,
  },
  {
    name: 'pin',
    summary: 'pin a public pack on the site',
    load: async () => (await import('./moderation.ts')).pinCommand,
  },
  {
    name: 'unpin',
    summary: 'take a pack out of the pinned row',
    load: async () => (await import('./moderation.ts')).unpinCommand,
  },
  {
    name: 'publish',
    summary: 'publish a tournament pool, or replace a published one',
    load: async () => (await import('./publish.ts')).publishCommand,
  },
  {
    name: 'unpublish',
    summary: 'remove a published pool',
    load: async () => (await import('./publish.ts')).unpublishCommand,
  },
  {
    name: 'recompute',
    summary: 'have stats computed anew',
    load: async () => (await import('./recompute.ts')).recomputeCommand,
  },
  {
    name: 'backup',
    summary: 'copy the store to a file',
    load: async () => (await import('./store.ts')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'fill an empty store from a backup',
    load: async () => (await import('./store.ts')).restoreCommand,
  },
  {
    name: 'copy',
    summary: 'copy a whole store, to another engine too',
    load: async () => (await import('./store.ts')).copyCommand,
  },
]
