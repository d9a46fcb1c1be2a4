import {
  type CommandEntry,
  commandEntry as entry,
  type CommandGroup,
  type Program,
} from '../program.ts'
import { describeError } from './errors.ts'
import { asCommand, type Machine, type UserCommand } from './user-command.ts'

const history = () => import('./history.ts')
const importing = () => import('./import.ts')
const packs = () => import('./packs.ts')
const saving = () => import('./saving.ts')
const session = () => import('./session.ts')

const draftHistory = () => import('./tournament/draft-history.ts')
const releases = () => import('./tournament/releases.ts')
const tournaments = () => import('./tournament/tournaments.ts')

const tournament: CommandGroup<UserCommand> = {
  name: 'tournament',
  summary: 'draft, check and release the pools of a tournament',
  about: `Drafts the pools of a tournament, round by round, together with others and in secret, and releases them. Run
"mapcrate login --service pools" first: the tournament-pools service has an address and keys of its own.`,
  describe: (error) => describeError(error, 'pools'),
  commands: [
    entry('list', 'list tournaments', tournaments),
    entry('show', 'show a tournament with its rounds', tournaments),
    entry('new', 'make a tournament', tournaments),
    entry('set', 'change name, visibility and what else is set', tournaments),
    entry('staff', 'list the staff, give and take roles', () => import('./tournament/staff.ts')),
    entry('import', 'read rounds from a sheet', () => import('./tournament/import.ts')),
    entry('round', 'add, change or remove rounds', () => import('./tournament/rounds.ts')),
    entry('slot', 'change a slot of a round', () => import('./tournament/slots.ts')),
    entry('checks', 'find what is wrong with drafts', releases),
    entry('history', 'print what changed in a draft', draftHistory),
    entry('pull', 'write the drafts to a folder', () => import('./tournament/folder.ts')),
    entry('push', 'send what was changed in the folder', () => import('./tournament/push.ts')),
    entry('release', 'release a round, now or at a time', releases),
    entry('withdraw', 'withdraw a release', releases),
    entry('export', 'write rounds in another format', () => import('./tournament/export.ts')),
    entry(
      'watch',
      'print what is released, and keep a file up to date',
      () => import('./tournament/watch.ts'),
    ),
    entry('deleted', 'list deleted rounds', draftHistory),
    entry('restore', 'restore a deleted round', draftHistory),
    entry('delete', 'delete a tournament', tournaments),
  ],
}

const entries: readonly (CommandEntry<UserCommand> | CommandGroup<UserCommand>)[] = [
  entry('login', 'store the address of the site and your API key', session),
  entry('logout', 'delete the stored address and key', session),
  entry('me', 'show the owner of the API key', session),
  entry('list', 'list packs', packs),
  entry('get', 'show a pack', packs),
  entry('create', 'create a pack from a file', saving),
  entry('replace', 'replace the beatmaps of a pack', saving),
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
  entry('usage', 'show where beatmaps were pooled', () => import('./usage.ts')),
  tournament,
  {
    name: 'completion',
    summary: 'print a completion script for your shell',
    load: async () => (await import('./completion.ts')).completionOf(loadAll),
  },
]

/** All commands; those of a group are called `group command`. */
export const loadAll = () =>
  Promise.all(
    entries
      .flatMap((each) => ('commands' in each ? commandsOf(each) : [each]))
      .map(async ({ load, ...entry }) => ({ ...entry, ...(await load()) })),
  )

const commandsOf = ({ name, commands }: CommandGroup<UserCommand>) =>
  commands.map((command) => ({ ...command, name: `${name} ${command.name}` }))

export const userProgram = (machine: Machine): Program => {
  const ready = (each: CommandEntry<UserCommand>): CommandEntry => ({
    ...each,
    load: async () => asCommand(await each.load(), machine),
  })
  return {
    name: 'mapcrate',
    about: `Moves pools between spreadsheets, the tournament client, chats and packs, for tournament hosts and bots.
Run "mapcrate login" first. Results are written to stdout, messages to stderr.

Exit status: 0 success, 1 failure, 2 usage error, 3 partial success (something was refused or skipped)
or nothing saved because a file is not clear, 130 interrupted.`,
    commands: entries.map((each) =>
      'commands' in each ? { ...each, commands: each.commands.map(ready) } : ready(each),
    ),
    describe: describeError,
  }
}
