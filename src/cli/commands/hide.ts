import { hidePack } from '../../operations/hide-pack.ts'
import { moderationCommand } from '../moderation-command.ts'

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
