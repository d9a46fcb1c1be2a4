import { pinPack } from '../../operations/pin-pack.ts'
import { moderationCommand } from '../moderation-command.ts'

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
