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

export const replaceCommand: UserCommand = {
  name: 'replace',
  details: `Replaces the beatmaps of a pack of yours with those of FILE (- is stdin), which may have any format
that import reads. What such a file does not say stays as it is: the name, the description, who may see
the pack, and the buckets that its slots stand in. An empty "description" in JSON takes it away. A file
of which something cannot be understood changes nothing, nor does a pack that somebody saves meanwhile.`,
  options: [nameOption, visibilityOption, roundOption, jsonOption],
  words: ['SLUG', 'FILE'],
  example: 'replace q7Jm2_xT0a finals.csv',
  moreExamples: ['pbpaste | mapcrate replace q7Jm2_xT0a -'],
  async run(call, around) {
    const [word = '', file = ''] = call.words
    const bytes = await readInput(file, around)
    const { client, site, slugOf } = await connect(around)
    const slug = slugOf(word)
    const before = await client.getPack(slug)
    const pools = await readPools(bytes, file, { buckets: before.buckets })
    const pool = choosePool(pools, call.value('round'))
    insistOnAll(pool)
    const input = packInput(pool, wishesOf(call), before)
    const pack = await client.replacePack(slug, input, { ifMatch: before })
    if (call.has('json')) return around.screen.json(pack)
    around.screen.out(savedLine(site, pack))
  },
}
