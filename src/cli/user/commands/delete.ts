import { confirm } from '../ask.ts'
import { connect } from '../connect.ts'
import { count } from '../pack-words.ts'
import { plain } from '../plain.ts'
import { Trouble } from '../trouble.ts'
import { type UserCommand, yesOption } from '../user-command.ts'

export const deleteCommand: UserCommand = {
  name: 'delete',
  details: 'Deletes a pack of yours for good. Asks first, unless told not to.',
  options: [yesOption],
  words: ['SLUG'],
  example: 'delete q7Jm2_xT0a',
  moreExamples: ['mapcrate delete q7Jm2_xT0a --yes'],
  async run({ words: [word = ''], has }, around) {
    const { client, slugOf } = await connect(around)
    const slug = slugOf(word)
    const pack = await client.getPack(slug)
    const { name, slots } = pack
    const what = `${plain(name)} (${count(slots.length, 'beatmap')})`
    if (!has('yes') && !(await confirm(`Delete ${what} for good?`, around))) {
      throw new Trouble('nothing was deleted')
    }
    await client.deletePack(slug, { ifMatch: pack })
    around.screen.out(`deleted ${slug}, ${what}\n`)
  },
}
