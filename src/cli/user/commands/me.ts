import { connect } from '../connect.ts'
import { plain } from '../plain.ts'
import { jsonOption, type UserCommand } from '../user-command.ts'

export const meCommand: UserCommand = {
  name: 'me',
  details: 'Says who owns the key, and where.',
  options: [jsonOption],
  words: [],
  example: 'me',
  moreExamples: ['mapcrate me --json'],
  async run(call, around) {
    const { client, site } = await connect(around)
    const user = await client.getMe()
    if (call.has('json')) return around.screen.json(user)
    around.screen.out(`${plain(user.username)}, player ${user.gameId}, at ${site}\n`)
  },
}
