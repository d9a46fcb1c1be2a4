import { asOperator, type Moderator } from '../../domain/moderation.ts'
import type { Ports } from '../../main/wire.ts'
import { nameModerator } from '../../operations/accounts.ts'
import type { Moderated } from '../../operations/moderation.ts'
import { hidePack, pinPack, unhidePack, unpinPack } from '../../operations/moderation.ts'
import { gameIdOption, onlyWord, readGameId, readSlug, refuseWords } from '../arguments.ts'
import type { Command } from '../program.ts'
import { withPorts } from './with-ports.ts'

type Moderation = {
  readonly name: string
  readonly details: string
  readonly done: string
  readonly unchanged: string
  readonly isUnchanged: (before: Moderated['before']) => boolean
  readonly moderate: (ports: Ports, slug: string, by: Moderator) => Promise<Moderated>
}

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
  isUnchanged: ({ pinnedRank }) => pinnedRank !== null,
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

function moderationCommand(moderation: Moderation): Command {
  return {
    details: `${moderation.details}

The change is recorded in the moderation log. SLUG may also be the address of the pack's page.`,
    options: [{ name: 'reason', takes: 'TEXT', about: 'reason for the moderation log' }],
    words: ['SLUG'],
    examples: [`mapcrate-server ${moderation.name} --reason "asked for by its owner" q7Jm2_xT0a`],
    async run(call) {
      const slug = readSlug(onlyWord(call, 'SLUG'))
      const by = asOperator(call.options.get('reason'))
      const pack = await withPorts('refuse', (ports) => moderation.moderate(ports, slug, by))
      process.stdout.write(`${report(moderation, pack)}\n`)
    },
  }
}

function report(
  { done, unchanged, isUnchanged }: Moderation,
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
  details: `Make a player a moderator of the site. Moderators list public and unlisted packs at /moderation, and
hide and pin them. The change takes effect at once, or at the first sign-in of a player without an
account. The role ends if the player deletes the account.`,
  options: [gameIdOption, { name: 'remove', about: 'end the role' }],
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
