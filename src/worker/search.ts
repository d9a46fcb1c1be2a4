import { setTimeout as pause } from 'node:timers/promises'
import { ownerNameOf } from '../domain/packs.ts'
import { packWords } from '../domain/search.ts'
import type { Ports } from '../ports/ports.ts'
import { type Loop, startLoop, type WorkerLog } from './loop.ts'

/** So few that no request waits longer for them than for a large answer: each takes some milliseconds. */
const PACKS = 4
/** What other processes save is found this often. */
const LOOK_EACH_MS = 1_000
/**
 * Packs that are saved within this time share a portion, and each has its stats by then: most of what a portion
 * costs is its commit.
 */
const GATHER_MS = 500

/**
 * Keeps what packs are found by, and where beatmaps are used, as the packs are (D-66), until it is stopped. Any
 * number of processes may do this at once. `wake` reports that a pack has been saved.
 *
 * @param poolsOwnerName the name that is shown of the owner of tournament pools.
 */
export function startSearchLoop(
  { searchUpdates, clock }: Pick<Ports, 'searchUpdates' | 'clock'>,
  poolsOwnerName: string,
  log: WorkerLog,
): Loop {
  return startLoop({
    work: async (signal) => {
      while (!signal.aborted) {
        const begun = clock.now()
        const looked = await searchUpdates.update(PACKS, (pack, beatmaps) =>
          packWords(pack, ownerNameOf(pack, poolsOwnerName), beatmaps),
        )
        if (looked === 0) break
        // A rebuild leaves others half of the time.
        await pause(Math.min(LOOK_EACH_MS, Math.max(1, clock.now() - begun)))
      }
      return LOOK_EACH_MS
    },
    gatherMs: GATHER_MS,
    backOff: { firstMs: 1_000, longestMs: 30_000 },
    log,
    failure: { message: 'the search cannot be updated' },
  })
}
