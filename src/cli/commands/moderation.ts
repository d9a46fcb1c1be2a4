import { asOperator, type Moderator } from '../../domain/moderation.ts'
import type { Ports } from '../../main/wire.ts'
import { nameModerator } from '../../operations/accounts.ts'
import {
  hidePack,
  type Moderated,
  pinPack,
  unhidePack,
  unpinPack,
} from '../../operations/moderation.ts'
import {
  onlyWord,
  readArguments,
  readGameId,
  readSlug,
  refuseWords,
  required,
} from '../arguments.ts'
import type { Command } from '../program.ts'
import { withPorts } from './with-ports.ts'

/** What a moderation command says of the pack that it was called for. */
type Outcome = {
  /** After a change: `pinned`. */
  readonly done: string
  /** When the pack already was so: `was pinned already`. */
  readonly unchanged: string
  /** Whether the pack was so before. */
  readonly wasSo: (before: Moderated['before']) => boolean
}

/** A command that changes one pack as a moderator and reports what it changed, or that it changed nothing. */
const moderationCommand = (
  words: Pick<Command, 'name' | 'details'> & Outcome,
  moderate: (ports: Ports, slug: string, by: Moderator) => Promise<Moderated>,
): Command => ({
  name: words.name,
  takes: '[--reason TEXT] SLUG',
  details: `${words.details}
The moderation log records the change, with the reason if one is given. SLUG may also be the address of
the pack's page.`,
  example: `${words.name} --reason "asked for by its owner" q7Jm2_xT0a`,
  async run(args) {
    const given = readArguments(args, [{ name: 'reason', takes: 'TEXT' }])
    const slug = readSlug(onlyWord(given, 'SLUG'))
    const by = asOperator(given.values.get('reason'))
    const pack = await withPorts('refuse', (ports) => moderate(ports, slug, by))
    process.stdout.write(`${report(words, pack)}\n`)
  },
})

function report({ done, unchanged, wasSo }: Outcome, pack: Moderated): string {
  const { before, slug, name } = pack
  if (!wasSo(before)) {
    const isPinLost = before.pinnedRank !== null && pack.hiddenAt !== null
    return `${done} ${slug} (${name})${isPinLost ? ', which is no longer pinned' : ''}`
  }
  const isReasonNew = before.hiddenReason !== pack.hiddenReason
  return `${slug} (${name}) ${unchanged}; ${isReasonNew ? 'only the reason was changed' : 'nothing was changed'}`
}

export const hideCommand = moderationCommand(
  {
    name: 'hide',
    details: `Hides an unlisted or public pack at once: only its owner can read it still. A pin that it has is
lost. Nobody but its owner sees a private pack, so that it cannot be hidden.`,
    done: 'hid',
    unchanged: 'was hidden already',
    wasSo: ({ hiddenAt }) => hiddenAt !== null,
  },
  hidePack,
)

export const unhideCommand = moderationCommand(
  {
    name: 'unhide',
    details:
      'Gives a hidden pack back to those who could read it before. A pin does not come back.',
    done: 'unhid',
    unchanged: 'was not hidden',
    wasSo: ({ hiddenAt }) => hiddenAt === null,
  },
  unhidePack,
)

export const pinCommand = moderationCommand(
  {
    name: 'pin',
    details: `Pins a pack at the end of the row on the site, which holds six. Only public packs that are not
hidden can be pinned. The lists of the API neither mark pinned packs nor move them up.`,
    done: 'pinned',
    unchanged: 'was pinned already',
    wasSo: ({ pinnedRank }) => pinnedRank !== null,
  },
  pinPack,
)

export const unpinCommand = moderationCommand(
  {
    name: 'unpin',
    details: 'Takes a pack out of the pinned row on the site.',
    done: 'unpinned',
    unchanged: 'was not pinned',
    wasSo: ({ pinnedRank }) => pinnedRank === null,
  },
  unpinPack,
)

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
    const given = readArguments(args, [{ name: 'remove' }, { name: 'game-id', takes: 'N' }])
    refuseWords(given)
    const gameId = readGameId(required(given, 'game-id'))
    const isModerator = !given.values.has('remove')
    const line = await withPorts('make', async (ports) => {
      const { changed, account } = await nameModerator(ports, { gameId, isModerator })
      const player = `player ${gameId}${account?.username ? ` (${account.username})` : ''}`
      const note = account === null && isModerator ? ', from their first sign-in on' : ''
      return `${sentence(player, isModerator, changed)}${note}\n`
    })
    process.stdout.write(line)
  },
}
