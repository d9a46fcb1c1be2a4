import { setTimeout as pause } from 'node:timers/promises'
import { timestamp } from '../../domain/quotas.ts'
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
Shows the progress of both; if interrupted, the server continues.
When the server notices that the platform has changed its ratings, it recomputes all packs by itself, the newest
first; --status shows the last change and how far that is,
and how far a rebuild of the search is.`,
  options: [
    { name: 'all', about: 'recompute all packs' },
    { name: 'status', about: 'show how far the recomputation after a change of ratings is' },
  ],
  words: ['[SLUG]'],
  examples: ['mapcrate-server recompute --all', 'mapcrate-server recompute --status'],
  async run(call, { env, stdout, stderr }) {
    if (call.options.has('status')) {
      if (call.options.has('all')) throw usageError('give --all or --status, not both')
      refuseWords(call)
      stdout.write(await withPorts(env, 'refuse', statusText))
      return
    }
    const isAll = call.options.has('all')
    if (isAll) refuseWords(call)
    else if (call.words.length === 0) throw usageError('give --all, or the SLUG of one pack')
    const slug = isAll ? null : readSlug(onlyWord(call, 'SLUG'))
    await withPorts(env, 'refuse', async (ports) => {
      const read = await backlogReader(ports, slug)
      if (isAll) await ports.searchUpdates.rebuild()
      const packs = await recomputeStats(ports, slug)
      const line = progressLine(stderr)
      const readRebuild = async () =>
        isAll ? (await ports.searchUpdates.progress()).rebuild : null
      const second = () => pause(1_000)
      const end = await watchBacklog({ read, readRebuild, packs, show: line.show, second })
      line.end()
      const noun = packs === 1 ? 'pack' : 'packs'
      stdout.write(`${packs} ${noun} to compute: ${outcomes[end]}\n`)
    })
  },
}

/** The last change of ratings (D-95), and the packs that are still to be recomputed. */
async function statusText({
  ratingWatch,
  searchUpdates,
  statsWork,
  clock,
}: Ports): Promise<string> {
  const last = await ratingWatch.lastChange()
  const left = await statsWork.leftToMark()
  const { total } = await statsWork.backlog(clock.now())
  const changes = last?.changes.map(({ key, before, after }) => {
    const mods = key.mods.join('')
    return `  beatmap ${key.beatmapId} (${key.ruleset}) with ${mods}: ${before.toFixed(2)} → ${after.toFixed(2)}\n`
  })
  const noticed =
    last === null
      ? 'no change of ratings was noticed\n'
      : `ratings changed, noticed ${timestamp(last.at)}:\n${changes?.join('')}`
  const { rebuild } = await searchUpdates.progress()
  const isLong = rebuild !== null && rebuild.of > 0
  const search = isLong ? `the search is rebuilt: ${rebuild.done} of ${rebuild.of} packs\n` : ''
  return `${noticed}packs left to recompute: ${left}; packs in work or waiting: ${total}\n${search}`
}

/** Of one pack, nothing is left as soon as it has new stats. */
async function backlogReader(ports: Ports, slug: string | null): Promise<Watch['read']> {
  const backlog = () => ports.statsWork.backlog(ports.clock.now())
  if (slug === null) return backlog
  const computedAt = async () => (await ports.packs.read(slug))?.stats?.computedAt
  const before = await computedAt()
  return async () => ({ ...(await backlog()), total: (await computedAt()) === before ? 1 : 0 })
}

type Rebuild = { readonly done: number; readonly of: number }

type Watch = {
  readonly read: () => Promise<StatsBacklog>
  /** How far the search is rebuilt; null when it is. Left out: it is not. */
  readonly readRebuild?: () => Promise<Rebuild | null>
  /** How many there were at first. */
  readonly packs: number
  readonly show: (line: string) => void
  readonly second: () => Promise<void>
}

/** A running server takes something due more often than this, even if the platform hangs. */
const IDLE_SERVER_SECONDS = 45
/** Calls are available again each minute; if nothing is computed for so long, waiting makes no sense. */
const WAITING_SECONDS = 300

/** Shows the progress until nothing is left, or nothing has changed for too long. */
export async function watchBacklog(watch: Watch): Promise<keyof typeof outcomes> {
  let last = { total: Infinity, length: Infinity, left: Infinity }
  const rebuilt: number[] = []
  let sameTotal = 0
  let sameDue = 0
  for (;;) {
    const { total, length } = await watch.read()
    const rebuild = (await watch.readRebuild?.()) ?? null
    if (rebuild !== null) rebuilt.push(rebuild.done)
    const search = rebuild === null || rebuild.of === 0 ? '' : rebuildText(rebuild, rebuilt)
    watch.show(`${Math.max(0, watch.packs - total)} of ${watch.packs} packs computed${search}`)
    if (total === 0 && rebuild === null) return 'done'
    const left = rebuild === null ? 0 : Math.max(1, rebuild.of - rebuild.done)
    const isNoLess = length >= last.length && total >= last.total && left >= last.left
    sameTotal = total === last.total && left === last.left ? sameTotal + 1 : 0
    sameDue = isNoLess && (length > 0 || total === 0) ? sameDue + 1 : 0
    if (sameDue >= IDLE_SERVER_SECONDS) return 'nobody'
    if (sameTotal >= WAITING_SECONDS) return 'waiting'
    last = { total, length, left }
    await watch.second()
  }
}

/** @param seconds how many packs had been done, second by second. */
function rebuildText({ done, of }: Rebuild, seconds: readonly number[]): string {
  const each = (done - (seconds[0] ?? 0)) / (seconds.length - 1)
  const minutes = Math.ceil((of - done) / each / 60)
  const estimate = each > 0 ? `, about ${minutes} min left` : ''
  return `; search: ${done} of ${of} packs rebuilt${estimate}`
}
