import { unpinPack } from '../../operations/unpin-pack.ts'
import { moderationCommand } from '../moderation-command.ts'

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
