import { API_PREFIX } from '../../contract/endpoint.ts'
import { localUrl } from '../../main/local-url.ts'
import { publishPool } from '../../operations/publish-pool.ts'
import type { Command } from '../command.ts'
import { readOnly } from '../read-arguments.ts'
import { readPoolFile } from '../read-pool-file.ts'
import { withPorts } from '../with-ports.ts'

export const publishCommand: Command = {
  name: 'publish',
  takes: 'FILE',
  details: `Publishes the pool in FILE (- is stdin) as a public pack of the tournament-pools account and prints
its slug and its address. FILE holds what POST /packs takes, as JSON; the pool is public whatever
it says of visibility. A pool that was published under the same name is replaced and keeps its slug.`,
  example: 'publish grand-finals.json',
  async run(args) {
    const file = readOnly(args, 'FILE')
    const input = readPoolFile(file)
    const lines = await withPorts('make', async (ports, config) => {
      const { slug } = await publishPool(ports, input)
      const url = config.publicUrls.packs ?? localUrl(config, config.ports.packs)
      return `${slug}\n${url}${API_PREFIX}/packs/${slug}\n`
    })
    process.stdout.write(lines)
  },
}
