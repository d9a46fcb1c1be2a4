import { forgetCredentials } from '../credentials.ts'
import type { UserCommand } from '../user-command.ts'

export const logoutCommand: UserCommand = {
  name: 'logout',
  details: `Deletes the address and the key that login has kept on this machine. The key itself stays valid:
to end it everywhere, revoke it on the /account page of the site.`,
  options: [],
  words: [],
  example: 'logout',
  async run(_call, around) {
    const file = await forgetCredentials(around)
    around.screen.out(file === null ? 'You were not logged in.\n' : `Logged out; deleted ${file}\n`)
    if (around.env['MAPCRATE_KEY']) {
      around.screen.note('MAPCRATE_KEY is set, and other commands go on using it.')
    }
  },
}
