import { type CommandEntry, commandEntry as entry } from '../program.ts'
import { asCommand, type Machine, type UserCommand } from './user-command.ts'

const history = () => import('./history.ts')
const importing = () => import('./import.ts')
const packs = () => import('./packs.ts')
const session = () => import('./session.ts')

const entries: readonly CommandEntry<UserCommand>[] = [
  entry('login', 'store the address of the site and your API key', session),
  entry('logout', 'delete the stored address and key', session),
  entry('me', 'show the owner of the API key', session),
  entry('list', 'list packs', packs),
  entry('get', 'show a pack', packs),
  entry('create', 'create a pack from a file', packs),
  entry('replace', 'replace the beatmaps of a pack', packs),
  entry('edit', 'edit a pack in your editor', () => import('./edit.ts')),
  entry('delete', 'delete a pack', packs),
  entry('import', 'create packs from spreadsheets, brackets, collections or pack keys', importing),
  entry('export', 'write a pack in another format', () => import('./export.ts')),
  entry('key', 'encode, decode and find pack keys', () => import('./pack-keys.ts')),
  entry('sync', 'synchronize a folder with your packs', () => import('./sync/sync.ts')),
  entry('history', 'list the versions of a pack', history),
  entry('diff', 'show the differences between two versions', history),
  entry('restore', 'save an old version of a pack again', history),
  entry('watch', 'print the changes of a pack', () => import('./watch.ts')),
  entry('changes', 'print what happens to packs', () => import('./changes.ts')),
  {
    name: 'completion',
    summary: 'print a completion script for your shell',
    load: async () => (await import('./completion.ts')).completionOf(loadAll),
  },
]

export const loadAll = () =>
  Promise.all(entries.map(async ({ load, ...entry }) => ({ ...entry, ...(await load()) })))

export const userCommands = (machine: Machine): readonly CommandEntry[] =>
  entries.map((each) => ({ ...each, load: async () => asCommand(await each.load(), machine) }))

export const userAbout = `Moves pools between spreadsheets, the tournament client, chats and packs, for tournament hosts and bots.
Run "mapcrate login" first. Results are written to stdout, messages to stderr.

Exit status: 0 success, 1 failure, 2 usage error, 3 partial success (something was refused or skipped),
130 interrupted.`
