import { setTimeout as pause } from 'node:timers/promises'
import type { Ports } from '../../main/wire.ts'
import { recomputeStats } from '../../operations/stats.ts'
import type { StatsBacklog } from '../../ports/stats.ts'
import { onlyWord, readArguments, readSlug, refuseWords } from '../arguments.ts'
import { CliError, type Command } from '../program.ts'
import { progressLine } from '../progress-line.ts'
import { withPorts } from './with-ports.ts'

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
    if (args.length === 0) throw new CliError('give --all, or the SLUG of one pack', 'misuse')
    const given = readArguments(args, [{ name: 'all' }])
    const isAll = given.values.has('all')
    if (isAll) refuseWords(given)
    process.stdout.write(await recompute(isAll ? null : readSlug(onlyWord(given, 'SLUG'))))
  },
}

/** How watching ended: nothing is left; what is left waits for the platform; nobody works. */
type WatchEnd = 'done' | 'waiting' | 'nobody'

type Watch = {
  readonly read: () => Promise<StatsBacklog>
  /** How many packs there were at first. */
  readonly packs: number
  /** Takes the line to show now. */
  readonly show: (line: string) => void
  /** Waits a second. */
  readonly second: () => Promise<void>
}

/** A server at work takes something due at least so often, even if the platform hangs. */
const NOBODY_SECONDS = 45
/** With so much patience for calls that come again each minute, the rest is not worth waiting for. */
const WAITING_SECONDS = 300

/** Shows how the work on many packs goes on, until it is done or does not go on. */
export const watchBacklog = async ({ read, packs, show, second }: Watch): Promise<WatchEnd> => {
  let lastTotal = Infinity
  let lastDue = Infinity
  let sameTotal = 0
  let sameDue = 0
  for (;;) {
    const { total, length } = await read()
    show(`${Math.max(0, packs - total)} of ${packs} packs computed`)
    if (total === 0) return 'done'
    sameTotal = total === lastTotal ? sameTotal + 1 : 0
    sameDue = length > 0 && length >= lastDue && total >= lastTotal ? sameDue + 1 : 0
    if (sameDue >= NOBODY_SECONDS) return 'nobody'
    if (sameTotal >= WAITING_SECONDS) return 'waiting'
    lastTotal = total
    lastDue = length
    await second()
  }
}
