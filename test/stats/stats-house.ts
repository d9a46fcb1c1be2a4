import { onTestFinished } from 'vitest'
import { createPlatform } from '../../src/adapters/platform/platform.ts'
import type { Stats } from '../../src/contract/packs.ts'
import type { NewPack, SavedPack } from '../../src/domain/packs.ts'
import { createStatsRun } from '../../src/worker/stats.ts'
import { callsOf, patienceFor } from '../ports/platform-house.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { addOwners, tempStore } from '../ports/temp-store.ts'
import { CLIENT, startStandin } from '../standin/running.ts'
import { pool } from '../support/a-beatmap.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

/**
 * Stats work over a real store and the platform's real wire, on one hand-set clock.
 *
 * @param fault that the platform will be told to have; left out: none that leaves a call without an answer.
 */
export const statsHouse = async (fault: { readonly fault?: unknown } = {}) => {
  const standin = await startStandin()
  const store = await tempStore()
  onTestFinished(() => store.remove())
  const stores = await store.open()
  await addOwners(stores)
  const clock = { now: () => standin.time.now }
  const said: string[] = []
  const hear = (_details: object, message: string) => void said.push(message)

  /** A process that computes stats; it shares the store with the others. */
  const startWorker = async () => {
    const own = await store.open()
    const platform = createPlatform({
      url: standin.url,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      budget: own.callBudget,
      clock,
      ...patienceFor(fault),
    })
    const ports = { ...own, clock, platform }
    return { ports, turn: createStatsRun(ports, { warn: hear, error: hear }) }
  }
  const worker = await startWorker()

  const save = async (
    slots: readonly string[],
    changes: Partial<NewPack> = {},
  ): Promise<string> => {
    const now = standin.time.now
    const pack = aNewPack({ ...pool(...slots), createdAt: now, updatedAt: now, ...changes })
    const { outcome } = await stores.packs.create(pack, null)
    if (outcome !== 'created') throw new Error(outcome)
    return pack.slug
  }

  const packOf = async (slug: string): Promise<SavedPack> => {
    const pack = await stores.packs.read(slug)
    if (pack === null) throw new Error(`there is no pack ${slug}`)
    return pack
  }

  /** Takes turns until nothing is due now. */
  const work = async ({ turn } = worker): Promise<void> => {
    while ((await turn()) > 0);
  }

  return {
    standin,
    stores,
    said,
    startWorker,
    save,
    packOf,
    work,
    statsOf: async (slug: string): Promise<Stats | null> => (await packOf(slug)).stats,
    /** Works, moving the clock from one due moment to the next, until so much time has passed. */
    workFor: async (ms: number, by = worker): Promise<void> => {
      const end = standin.time.now + ms
      for (;;) {
        await work(by)
        const next = await stores.statsWork.nextDueAt(standin.time.now)
        if (next === null || next > end) break
        standin.time.now = Math.max(standin.time.now, next)
      }
      standin.time.now = end
    },
    fail: (fault: Record<string, unknown>) => standin.order(fault),
    heal: async (): Promise<void> => {
      await fetch(`${standin.url}/standin/faults`, { method: 'DELETE' })
    },
    calls: () => callsOf(standin),
  }
}
