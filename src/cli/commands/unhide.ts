import { unhidePack } from '../../operations/unhide-pack.ts'
import { moderationCommand } from '../moderation-command.ts'

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
