import { type CommandEntry, commandEntry as entry } from '../program.ts'
import { asCommand, type Machine, type UserCommand } from './user-command.ts'

const packs = () => import('./packs.ts')
const session = () => import('./session.ts')

const entries: readonly CommandEntry<UserCommand>[] = [
  entry('login', 'keep address and key for the other commands', session),
  entry('logout', 'delete what login has kept', session),
  entry('me', 'say whose key it is', session),
  entry('list', 'list packs', packs),
  entry('get', 'show a pack', packs),
  entry('create', 'save a new pack', packs),
  entry('replace', "replace a pack's beatmaps", packs),
  entry('edit', 'change a pack in your editor', () => import('./edit.ts')),
  entry('delete', 'delete a pack', packs),
  entry(
    'import',
    'save packs out of spreadsheets, brackets, collections, keys',
    () => import('./import.ts'),
  ),
  entry('export', 'write a pack in another format', () => import('./export.ts')),
  entry('key', 'make, open and find pack keys', () => import('./pack-keys.ts')),
  entry('sync', 'keep a folder of files and your packs alike', () => import('./sync/sync.ts')),
  entry('watch', 'print what changes in a pack', () => import('./watch.ts')),
  {
    name: 'completion',
    summary: 'complete words in your shell',
    load: async () => (await import('./completion.ts')).completionOf(loadAll),
  },
]

/** All commands, with their names and summaries. */
export const loadAll = () =>
  Promise.all(entries.map(async ({ load, ...entry }) => ({ ...entry, ...(await load()) })))

/** The commands, as the program runs them. */
export const userCommands = (machine: Machine): readonly CommandEntry[] =>
  entries.map((each) => ({ ...each, load: async () => asCommand(await each.load(), machine) }))

/** What holds for all commands. */
export const userAbout = `For hosts and bots: moves pools between spreadsheets, the tournament client, chats and packs. Begin
with mapcrate login. What was asked for goes to stdout, all else to stderr.

Exit codes: 0 done, 1 failed, 2 wrong use, 3 done in part (something was refused or left alone, and told),
130 interrupted.`
