import { setTimeout as pause } from 'node:timers/promises'
import { ownerNameOf } from '../domain/packs.ts'
import { packWords } from '../domain/search.ts'
import type { Ports } from '../ports/ports.ts'
import { type Loop, startLoop, type WorkerLog } from './loop.ts'

/** What a portion may take of this thread, so that no request waits longer for it than for a large answer. */
const PORTION_CPU_MS = 8
/** And in all, while others wait for the database. */
const PORTION_MS = 60
const FIRST_PACKS = 4
const MOST_PACKS = 256
/** What other processes save is found this often. */
const POLL_INTERVAL_MS = 1_000
/**
 * Packs that are saved within this time share a portion, and each has its stats by then: most of what a portion
 * costs is its commit.
 */
const BATCH_MS = 500

/**
 * Keeps what packs are found by, and where beatmaps are used, as the packs are (D-66), until it is stopped. Any
 * number of processes may do this at once. `wake` reports that a pack has been saved.
 *
 * @param poolsOwnerName the name that is shown of the owner of tournament pools.
 */
export function startSearchLoop(
  { searchUpdates }: Pick<Ports, 'searchUpdates'>,
  poolsOwnerName: string,
  log: WorkerLog,
): Loop {
  const portions = new Portions()
  return startLoop({
    work: async (signal) => {
      while (!signal.aborted) {
        const begun = timesNow()
        const looked = await searchUpdates.update(portions.packs, (pack, beatmaps) =>
          packWords(pack, ownerNameOf(pack, poolsOwnerName), beatmaps),
        )
        if (looked === 0) break
        const resting = timesNow()
        await pause(portions.pauseAfter(looked, timesBetween(begun, resting)))
        portions.noteRest(timesBetween(resting, timesNow()))
      }
      return POLL_INTERVAL_MS
    },
    batchMs: BATCH_MS,
    backOff: { firstMs: 1_000, longestMs: 30_000 },
    log,
    failure: { message: 'the search cannot be updated' },
  })
}

/** CPU time of this thread and time on the clock, ms. */
type Times = { readonly cpuMs: number; readonly wallMs: number }

function timesNow(): Times {
  const { user, system } = process.threadCpuUsage()
  return { cpuMs: (user + system) / 1_000, wallMs: performance.now() }
}

const timesBetween = (from: Times, to: Times): Times => ({
  cpuMs: to.cpuMs - from.cpuMs,
  wallMs: to.wallMs - from.wallMs,
})

/** How many packs a portion has, and how long others have the thread after it: by what the last ones have taken. */
export class Portions {
  #packs = FIRST_PACKS
  /** What a pack takes, ms; some operating systems count CPU time in steps that are longer than a portion. */
  #cpuEach = PORTION_CPU_MS / FIRST_PACKS
  /** How much of the time between portions others have used this thread, from 0 to 1. */
  #busy = 0

  get packs(): number {
    return this.#packs
  }

  /** Takes note of what a portion has taken; returns the ms until the next. */
  pauseAfter(looked: number, { cpuMs, wallMs }: Times): number {
    this.#cpuEach += (cpuMs / looked - this.#cpuEach) / 4
    const fitting = Math.min(PORTION_CPU_MS / this.#cpuEach, (PORTION_MS * looked) / wallMs)
    this.#packs = Math.max(1, Math.min(Math.floor(fitting), 2 * this.#packs, MOST_PACKS))
    // Waiting for the database leaves the thread to others, but not the database.
    const took = Math.max(this.#cpuEach * looked, wallMs / 4)
    return Math.min(POLL_INTERVAL_MS, Math.max(1, took * (1 / 4 + 5 * this.#busy)))
  }

  /** Takes note of the time between two portions, which others had. */
  noteRest({ cpuMs, wallMs }: Times): void {
    if (wallMs <= 0) return
    this.#busy += (Math.min(1, cpuMs / wallMs) - this.#busy) / 4
  }
}
