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
import { onlyWord, readGameId, readSlug, refuseWords } from '../arguments.ts'
import type { Command } from '../program.ts'
import { withPorts } from './with-ports.ts'

/** A change of one pack by a moderator. */
type Moderation = {
  readonly name: string
  readonly details: string
  /** The report of a change: `pinned`. */
  readonly done: string
  /** The report if there was nothing to change: `was pinned already`. */
  readonly unchanged: string
  readonly isUnchanged: (before: Moderated['before']) => boolean
  readonly moderate: (ports: Ports, slug: string, by: Moderator) => Promise<Moderated>
}

export const hideCommand = moderationCommand({
  name: 'hide',
  details: `Hides an unlisted or public pack at once: only its owner can read it still. A pin that it has is
lost. Nobody but its owner sees a private pack, so that it cannot be hidden.`,
  done: 'hid',
  unchanged: 'was hidden already',
  isUnchanged: ({ hiddenAt }) => hiddenAt !== null,
  moderate: hidePack,
})

export const unhideCommand = moderationCommand({
  name: 'unhide',
  details: 'Gives a hidden pack back to those who could read it before. A pin does not come back.',
  done: 'unhid',
  unchanged: 'was not hidden',
  isUnchanged: ({ hiddenAt }) => hiddenAt === null,
  moderate: unhidePack,
})

export const pinCommand = moderationCommand({
  name: 'pin',
  details: `Pins a pack at the end of the row on the site, which holds six. Only public packs that are not
hidden can be pinned. The lists of the API neither mark pinned packs nor move them up.`,
  done: 'pinned',
  unchanged: 'was pinned already',
  isUnchanged: ({ pinnedRank }) => pinnedRank !== null,
  moderate: pinPack,
})

export const unpinCommand = moderationCommand({
  name: 'unpin',
  details: 'Takes a pack out of the pinned row on the site.',
  done: 'unpinned',
  unchanged: 'was not pinned',
  isUnchanged: ({ pinnedRank }) => pinnedRank === null,
  moderate: unpinPack,
})

function moderationCommand({ name, details, moderate, ...outcome }: Moderation): Command {
  return {
    takes: '[--reason TEXT] SLUG',
    details: `${details}
The moderation log records the change, with the reason if one is given. SLUG may also be the address of
the pack's page.`,
    options: [{ name: 'reason', takes: 'TEXT' }],
    examples: [`mapcrate-server ${name} --reason "asked for by its owner" q7Jm2_xT0a`],
    async run(call) {
      const slug = readSlug(onlyWord(call, 'SLUG'))
      const by = asOperator(call.options.get('reason'))
      const pack = await withPorts('refuse', (ports) => moderate(ports, slug, by))
      process.stdout.write(`${report(outcome, pack)}\n`)
    },
  }
}

function report(
  { done, unchanged, isUnchanged }: Pick<Moderation, 'done' | 'unchanged' | 'isUnchanged'>,
  { before, slug, name, ...pack }: Moderated,
): string {
  if (isUnchanged(before)) {
    const change = before.hiddenReason === pack.hiddenReason ? 'nothing' : 'only the reason'
    return `${slug} (${name}) ${unchanged}; ${change} was changed`
  }
  const isPinLost = before.pinnedRank !== null && pack.hiddenAt !== null
  return `${done} ${slug} (${name})${isPinLost ? ', which is no longer pinned' : ''}`
}

export const moderatorCommand: Command = {
  takes: '--game-id N [--remove]',
  details: `Names a player as a moderator of the site, who finds public and unlisted packs at /moderation, hides
and pins them; with --remove, takes that away. It holds at once where they are signed in. A player
who has never signed in has no account yet: then it holds from their first sign-in on. It ends when
they delete their account.`,
  options: [{ name: 'game-id', takes: 'N' }, { name: 'remove' }],
  examples: ['mapcrate-server moderator --game-id 4711'],
  async run(call) {
    refuseWords(call)
    const gameId = readGameId(call)
    const isModerator = !call.options.has('remove')
    const { changed, account } = await withPorts('make', (ports) =>
      nameModerator(ports, { gameId, isModerator }),
    )
    const player = `player ${gameId}${account?.username ? ` (${account.username})` : ''}`
    const [now, already] = isModerator
      ? ['is a moderator now', 'was a moderator already']
      : ['is no moderator any more', 'was no moderator']
    const note = account === null && isModerator ? ', from their first sign-in on' : ''
    process.stdout.write(`${player} ${changed ? now : already}${note}\n`)
  },
}
