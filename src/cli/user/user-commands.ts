import type { CommandEntry } from '../program.ts'
import type { Completable } from './completion.ts'
import { asCommand, type CliContext, type UserCommand } from './user-command.ts'

/** A command in the list. */
type Row = {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<UserCommand>
}

/** What `mapcrate` can do. */
export const rows: readonly Row[] = [
  {
    name: 'login',
    summary: 'keep address and key for the other commands',
    load: async () => (await import('./session.ts')).loginCommand,
  },
  {
    name: 'logout',
    summary: 'delete what login has kept',
    load: async () => (await import('./session.ts')).logoutCommand,
  },
  {
    name: 'me',
    summary: 'say whose key it is',
    load: async () => (await import('./session.ts')).meCommand,
  },
  {
    name: 'list',
    summary: 'list packs',
    load: async () => (await import('./packs.ts')).listCommand,
  },
  {
    name: 'get',
    summary: 'show a pack',
    load: async () => (await import('./packs.ts')).getCommand,
  },
  {
    name: 'create',
    summary: 'save a new pack',
    load: async () => (await import('./packs.ts')).createCommand,
  },
  {
    name: 'replace',
    summary: "replace a pack's beatmaps",
    load: async () => (await import('./packs.ts')).replaceCommand,
  },
  {
    name: 'edit',
    summary: 'change a pack in your editor',
    load: async () => (await import('./edit.ts')).editCommand,
  },
  {
    name: 'delete',
    summary: 'delete a pack',
    load: async () => (await import('./packs.ts')).deleteCommand,
  },
  {
    name: 'import',
    summary: 'save packs out of spreadsheets, brackets, collections, keys',
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    name: 'export',
    summary: 'write a pack in another format',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'key',
    summary: 'make, open and find pack keys',
    load: async () => (await import('./pack-keys.ts')).keyCommand,
  },
  {
    name: 'sync',
    summary: 'keep a folder of files and your packs alike',
    load: async () => (await import('./sync/sync.ts')).syncCommand,
  },
  {
    name: 'watch',
    summary: 'print what changes in a pack',
    load: async () => (await import('./watch.ts')).watchCommand,
  },
  {
    name: 'completion',
    summary: 'complete words in your shell',
    load: async () => (await import('./completion.ts')).completionCommand(loadAll),
  },
]

/** All commands, with what they take. */
export const loadAll = (): Promise<(Completable & UserCommand)[]> =>
  Promise.all(
    rows.map(async ({ load, ...row }) => {
      const command = await load()
      return { ...command, ...row, firstWords: command.firstWords ?? [] }
    }),
  )

/** The commands, as the program runs them. */
export const userCommands = (around: CliContext): readonly CommandEntry[] =>
  rows.map(({ load, ...row }) => ({ ...row, load: async () => asCommand(await load(), around) }))

/** What holds for all commands. */
export const userAbout = `For hosts and bots: moves pools between spreadsheets, the tournament client, chats and packs. Begin
with mapcrate login. What was asked for goes to stdout, all else to stderr.

Exit codes: 0 done, 1 failed, 2 wrong use, 3 done in part (something was refused or left alone, and told),
130 interrupted.`
