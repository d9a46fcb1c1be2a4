import { setTimeout as pause } from 'node:timers/promises'
import type { Ports } from '../../main/wire.ts'
import { recomputeStats } from '../../operations/recompute-stats.ts'
import { type Command, Misuse } from '../command.ts'
import { progressLine } from '../progress-line.ts'
import { readSlug } from '../read-arguments.ts'
import { watchBacklog, type WatchEnd } from '../watch-backlog.ts'
import { withPorts } from '../with-ports.ts'

const SECOND_MS = 1_000

const outcomes: Readonly<Record<WatchEnd, string>> = {
  done: 'all are computed',
  waiting: 'the rest waits for the game platform; the server goes on with it',
  nobody: 'no server computes now; the next one that is started does',
}

/** How much of it is left; of one pack, none as soon as it has new stats. */
const backlogReader = async (ports: Ports, slug: string | null) => {
  const computedAt = async () => slug && (await ports.packs.read(slug))?.stats?.computedAt
  const before = await computedAt()
  return async () => {
    const backlog = await ports.statsWork.backlog(ports.clock.now())
    if (slug === null) return backlog
    return { ...backlog, total: (await computedAt()) === before ? 1 : 0 }
  }
}

const recompute = (slug: string | null): Promise<string> =>
  withPorts('refuse', async (ports) => {
    const read = await backlogReader(ports, slug)
    const packs = await recomputeStats(ports, slug)
    const line = progressLine(process.stderr)
    const second = () => pause(SECOND_MS)
    const end = await watchBacklog({ read, packs, show: line.show, second })
    line.end()
    return `${packs} ${packs === 1 ? 'pack' : 'packs'} to compute: ${outcomes[end]}\n`
  })

export const recomputeCommand: Command = {
  name: 'recompute',
  takes: '--all|SLUG',
  details: `Has the stats of one pack, or of all packs, computed anew by the server, from what the game platform
says now: after a change of its star ratings for example. Shows how far it has come. Packs keep the
stats that they have until better ones are there. It may be ended at any time: the server goes on.`,
  example: 'recompute --all',
  async run(args) {
    if (args.length === 0) throw new Misuse('give --all, or the SLUG of one pack')
    const isAll = args.length === 1 && args[0] === '--all'
    process.stdout.write(await recompute(isAll ? null : readSlug(args)))
  },
}
