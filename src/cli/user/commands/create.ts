import { connect } from '../connect.ts'
import {
  choosePool,
  insistOnAll,
  nameOption,
  packInput,
  roundOption,
  visibilityOption,
  wishesOf,
} from '../pack-input.ts'
import { savedLine } from '../pack-words.ts'
import { readPools } from '../pool-file.ts'
import { readInput } from '../read-input.ts'
import { jsonOption, type UserCommand } from '../user-command.ts'

export const createCommand: UserCommand = {
  name: 'create',
  details: `Saves one new pack and prints its slug. FILE (- is stdin) holds what the API takes as JSON, or
anything that import reads; a file of which something cannot be understood saves nothing.`,
  options: [nameOption, visibilityOption, roundOption, jsonOption],
  words: ['FILE'],
  example: 'create finals.json --visibility public',
  moreExamples: ['mapcrate get q7Jm2_xT0a --json | mapcrate create - --name "Finals, a copy"'],
  async run(call, around) {
    const [file = ''] = call.words
    const pools = await readPools(await readInput(file, around), file)
    const pool = choosePool(pools, call.value('round'))
    insistOnAll(pool)
    const { client, site } = await connect(around)
    const pack = await client.createPack(packInput(pool, wishesOf(call)))
    if (call.has('json')) return around.screen.json(pack)
    around.screen.out(savedLine(site, pack))
  },
}
