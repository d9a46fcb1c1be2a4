import { connect } from '../connect.ts'
import { pageOf, slotTable, statsLine } from '../pack-words.ts'
import { plain } from '../plain.ts'
import { jsonOption, type UserCommand } from '../user-command.ts'

export const getCommand: UserCommand = {
  name: 'get',
  details: `Shows a pack: its beatmaps in pool order, its stats, its page and its pack key. A pack is named
by its slug or by the address of its page. With --json the pack as the API has it, which create and replace take.`,
  options: [jsonOption],
  words: ['SLUG'],
  example: 'get q7Jm2_xT0a',
  moreExamples: ['mapcrate get q7Jm2_xT0a --json > finals.json'],
  async run({ words: [word = ''], has }, around) {
    const { screen } = around
    const { client, site, slugOf } = await connect(around)
    const pack = await client.getPack(slugOf(word))
    if (has('json')) return screen.json(pack)
    const { bold, dim } = screen.paint
    const lines = [
      `${bold(plain(pack.name))}  ${pack.visibility}, by ${plain(pack.ownerName)}`,
      plain(pack.description ?? '', '\n'),
      statsLine(pack),
      pack.hiddenAt === undefined ? '' : 'A moderator has hidden it: nobody else can see it.',
      dim(pageOf(site, pack)),
    ]
    screen.out(`${lines.filter((line) => line !== '').join('\n')}\n\n`)
    screen.out(`${slotTable(pack, screen.paint)}\n${pack.packKey}\n`)
  },
}
