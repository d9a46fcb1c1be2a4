import { setTimeout as pause } from 'node:timers/promises'
import type { Ports } from '../../main/wire.ts'
import { recomputeStats } from '../../operations/stats.ts'
import type { StatsBacklog } from '../../ports/stats.ts'
import { onlyWord, readSlug, refuseWords } from '../arguments.ts'
import { type Command, usageError } from '../program.ts'
import { progressLine } from '../progress-line.ts'
import { withPorts } from './with-ports.ts'

const outcomes = {
  done: 'all are computed',
  waiting: 'the rest waits for the game platform; the server continues',
  nobody: 'no server computes now; the next one that is started does',
}

export const recomputeCommand: Command = {
  details: `Let the server recompute the stats of one pack or of all packs from current data of the game platform,
after a change of its star ratings for example. Packs keep their stats until new ones are available.
With --all, what packs are found by and where beatmaps are used is rebuilt, too.
Shows the progress; if interrupted, the server continues.`,
  options: [{ name: 'all', about: 'recompute all packs' }],
  words: ['[SLUG]'],
  examples: ['mapcrate-server recompute --all'],
  async run(call, { env, stdout, stderr }) {
    const isAll = call.options.has('all')
    if (isAll) refuseWords(call)
    else if (call.words.length === 0) throw usageError('give --all, or the SLUG of one pack')
    const slug = isAll ? null : readSlug(onlyWord(call, 'SLUG'))
    await withPorts(env, 'refuse', async (ports) => {
      const read = await backlogReader(ports, slug)
      if (isAll) await ports.searchUpdates.rebuild()
      const packs = await recomputeStats(ports, slug)
      const line = progressLine(stderr)
      const end = await watchBacklog({ read, packs, show: line.show, second: () => pause(1_000) })
      line.end()
      const noun = packs === 1 ? 'pack' : 'packs'
      stdout.write(`${packs} ${noun} to compute: ${outcomes[end]}\n`)
    })
  },
}

/** Of one pack, nothing is left as soon as it has new stats. */
async function backlogReader(ports: Ports, slug: string | null): Promise<Watch['read']> {
  const backlog = () => ports.statsWork.backlog(ports.clock.now())
  if (slug === null) return backlog
  const computedAt = async () => (await ports.packs.read(slug))?.stats?.computedAt
  const before = await computedAt()
  return async () => ({ ...(await backlog()), total: (await computedAt()) === before ? 1 : 0 })
}

type Watch = {
  readonly read: () => Promise<StatsBacklog>
  /** How many there were at first. */
  readonly packs: number
  readonly show: (line: string) => void
  readonly second: () => Promise<void>
}

/** A running server takes something due more often than this, even if the platform hangs. */
const NOBODY_SECONDS = 45
/** Calls are available again each minute; if nothing is computed for so long, waiting makes no sense. */
const WAITING_SECONDS = 300

/** Shows the progress until nothing is left, or nothing has changed for too long. */
export async function watchBacklog(watch: Watch): Promise<keyof typeof outcomes> {
  let last = { total: Infinity, length: Infinity }
  let sameTotal = 0
  let sameDue = 0
  for (;;) {
    const { total, length } = await watch.read()
    watch.show(`${Math.max(0, watch.packs - total)} of ${watch.packs} packs computed`)
    if (total === 0) return 'done'
    sameTotal = total === last.total ? sameTotal + 1 : 0
    sameDue = length > 0 && length >= last.length && total >= last.total ? sameDue + 1 : 0
    if (sameDue >= NOBODY_SECONDS) return 'nobody'
    if (sameTotal >= WAITING_SECONDS) return 'waiting'
    last = { total, length }
    await watch.second()
  }
}
