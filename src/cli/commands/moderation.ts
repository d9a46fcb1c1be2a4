import { AppError } from '../../contract/errors.ts'
import { asOperator, asOperatorFor, type Moderator } from '../../domain/moderation.ts'
import type { Ports } from '../../main/wire.ts'
import { nameModerator } from '../../operations/accounts.ts'
import {
  hidePack,
  pinPack,
  suspendPlayer,
  unhidePack,
  unpinPack,
  unsuspendPlayer,
} from '../../operations/moderation.ts'
import { moderateTournament } from '../../operations/tournaments.ts'
import {
  gameIdOption,
  onlyWord,
  readBy,
  readGameId,
  readSlug,
  readTournamentSlug,
  refuseWords,
  required,
} from '../arguments.ts'
import { type Arguments, CliError, type Command, type CommandOption } from '../program.ts'
import { withPorts } from './with-ports.ts'

/** What is moderated, as far as a command reports it. */
type Moderated = {
  readonly slug: string
  readonly name: string
  readonly hiddenAt: number | null
  readonly hiddenReason: string | null
  /** Of packs. */
  readonly pinnedRank?: number | null
}

type Moderation = {
  readonly name: string
  /** Left out: a pack. */
  readonly what?: 'tournament'
  readonly details: string
  readonly done: string
  readonly unchanged: string
  readonly isUnchanged: (before: Moderated) => boolean
  readonly moderate: (
    ports: Ports,
    slug: string,
    by: Moderator,
  ) => Promise<Moderated & { readonly before: Moderated }>
}

export const reasonOption = {
  name: 'reason',
  takes: 'TEXT',
  about: 'reason for the moderation log',
} as const satisfies CommandOption

/** The operator as moderator, for the reason that was given, if any. */
export const operatorOf = ({ options }: Arguments): Moderator =>
  readBy(() => asOperator(options.get('reason')))

export const hideCommand = moderationCommand({
  name: 'hide',
  details: `Hide an unlisted or public pack at once. Only its owner can still read it, and it is unpinned. A
private pack cannot be hidden.`,
  done: 'hid',
  unchanged: 'was hidden already',
  isUnchanged: ({ hiddenAt }) => hiddenAt !== null,
  moderate: hidePack,
})

export const unhideCommand = moderationCommand({
  name: 'unhide',
  details: 'Show a hidden pack again to those who could read it before. It is not pinned again.',
  done: 'unhid',
  unchanged: 'was not hidden',
  isUnchanged: ({ hiddenAt }) => hiddenAt === null,
  moderate: unhidePack,
})

export const pinCommand = moderationCommand({
  name: 'pin',
  details: `Pin a pack at the end of the pinned row of the site, which holds six packs. The pack must be public
and not hidden. Pins do not affect the lists of the API.`,
  done: 'pinned',
  unchanged: 'was pinned already',
  isUnchanged: ({ pinnedRank }) => typeof pinnedRank === 'number',
  moderate: pinPack,
})

export const unpinCommand = moderationCommand({
  name: 'unpin',
  details: 'Remove a pack from the pinned row of the site.',
  done: 'unpinned',
  unchanged: 'was not pinned',
  isUnchanged: ({ pinnedRank }) => pinnedRank === null,
  moderate: unpinPack,
})

export const hideTournamentCommand = moderationCommand({
  name: 'hide-tournament',
  what: 'tournament',
  details: `Hide a public tournament at once. Only its staff and moderators can still read it, and nothing is
released from it: a release is refused, and what is scheduled waits until it is shown again. The packs of
its released rounds stay; hide each by itself. A private tournament cannot be hidden.`,
  done: 'hid',
  unchanged: 'was hidden already',
  isUnchanged: ({ hiddenAt }) => hiddenAt !== null,
  moderate: (ports, slug, by) => moderateTournament(ports, slug, 'hide', by),
})

export const showTournamentCommand = moderationCommand({
  name: 'show-tournament',
  what: 'tournament',
  details: `Show a hidden tournament again. Rounds whose release time has passed meanwhile are released within
seconds.`,
  done: 'showed',
  unchanged: 'was not hidden',
  isUnchanged: ({ hiddenAt }) => hiddenAt === null,
  moderate: (ports, slug, by) => moderateTournament(ports, slug, 'unhide', by),
})

function moderationCommand(moderation: Moderation): Command {
  const { what = 'pack' } = moderation
  return {
    details: `${moderation.details}

The change is recorded in the moderation log. SLUG may also be the address of the ${what}'s page.`,
    options: [reasonOption],
    words: ['SLUG'],
    examples: [`mapcrate-server ${moderation.name} --reason "asked for by its owner" q7Jm2_xT0a`],
    async run(call, { env, stdout }) {
      const word = onlyWord(call, 'SLUG')
      const slug = what === 'pack' ? readSlug(word) : readTournamentSlug(word)
      const by = operatorOf(call)
      const moderated = await withPorts(env, 'refuse', (ports) =>
        moderation.moderate(ports, slug, by).catch((error: unknown) => {
          const isMissing = error instanceof AppError && error.code === 'not_found'
          if (!isMissing || what === 'pack') throw error
          // That of the API is about its path.
          throw new CliError('there is no public tournament with this slug', 'failed')
        }),
      )
      stdout.write(`${report(moderation, moderated)}\n`)
    },
  }
}

function report(
  { done, unchanged, isUnchanged }: Moderation,
  { before, slug, name, ...now }: Moderated & { readonly before: Moderated },
): string {
  const stays =
    now.hiddenAt !== null && (done === 'unhid' || done === 'showed')
      ? '; it stays hidden as long as those are suspended whose it is'
      : ''
  if (isUnchanged(before)) {
    const change = before.hiddenReason === now.hiddenReason ? 'nothing' : 'only the reason'
    return `${slug} (${name}) ${unchanged}; ${change} was changed${stays}`
  }
  const isPinLost = typeof before.pinnedRank === 'number' && now.hiddenAt !== null
  return `${done} ${slug} (${name})${isPinLost ? ', which is no longer pinned' : ''}${stays}`
}

export const suspendCommand: Command = {
  details: `Suspend a player at once, until unsuspend lifts it. Their sessions end, they cannot sign in and are shown the
reason, their API keys of both services are answered as revoked ones, and others see nothing that they made
public: their packs, and the tournaments of which they are the only host, with the packs of their rounds.
Nothing is deleted, and nothing of theirs is released. A player without an account is stopped at the first
sign-in. Pins, sessions and open invitations do not return when the suspension is lifted. Moderators, who
can suspend other players on the site, can be suspended by this command alone.`,
  options: [
    gameIdOption,
    { ...reasonOption, isRequired: true, about: 'reason for the player and the moderation log' },
  ],
  examples: ['mapcrate-server suspend --game-id 4711 --reason "200 packs of advertising"'],
  async run(call, { env, stdout }) {
    refuseWords(call)
    const [gameId, by] = [readGameId(call), readBy(() => asOperatorFor(required(call, 'reason')))]
    await withPorts(env, 'make', async (ports) => {
      const isChanged = await suspendPlayer(ports, gameId, by)
      const player = await nameOf(ports, gameId)
      stdout.write(
        isChanged
          ? `suspended ${player}\n`
          : `${player} was suspended already; nothing was changed\n`,
      )
    })
  },
}

export const unsuspendCommand: Command = {
  details: `Lift the suspension of a player. Keys work again, and others see what was public, except what a moderator
has hidden by itself.`,
  options: [gameIdOption, reasonOption],
  examples: ['mapcrate-server unsuspend --game-id 4711'],
  async run(call, { env, stdout }) {
    refuseWords(call)
    const [gameId, by] = [readGameId(call), operatorOf(call)]
    await withPorts(env, 'refuse', async (ports) => {
      const isChanged = await unsuspendPlayer(ports, gameId, by)
      const player = await nameOf(ports, gameId)
      stdout.write(
        isChanged
          ? `lifted the suspension of ${player}\n`
          : `${player} was not suspended; nothing was changed\n`,
      )
    })
  },
}

async function nameOf({ accounts }: Pick<Ports, 'accounts'>, gameId: number): Promise<string> {
  return playerText(gameId, await accounts.findByGameId(gameId))
}

const playerText = (gameId: number, account: { readonly username: string | null } | null) =>
  `player ${gameId}${account?.username ? ` (${account.username})` : ''}`

export const moderatorCommand: Command = {
  details: `Make a player a moderator of the site. Moderators list public and unlisted packs at /moderation, and
hide and pin them. The change takes effect at once, or at the first sign-in of a player without an
account. The role ends if the player deletes the account. The change is recorded in the moderation log.`,
  options: [gameIdOption, { name: 'remove', about: 'end the role' }, reasonOption],
  examples: ['mapcrate-server moderator --game-id 4711'],
  async run(call, { env, stdout }) {
    refuseWords(call)
    const gameId = readGameId(call)
    const isModerator = !call.options.has('remove')
    const by = operatorOf(call)
    const { changed, account } = await withPorts(env, 'make', (ports) =>
      nameModerator(ports, { gameId, isModerator, by }),
    )
    const player = playerText(gameId, account)
    const [now, already] = isModerator
      ? ['is a moderator now', 'was a moderator already']
      : ['is no moderator any more', 'was no moderator']
    const note = account === null && isModerator ? ', from their first sign-in on' : ''
    stdout.write(`${player} ${changed ? now : already}${note}\n`)
  },
}
