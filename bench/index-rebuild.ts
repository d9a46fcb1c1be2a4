import { PublishedIndexCache } from '../src/operations/search-index.ts'
import { type IndexLoop, startIndexLoop } from '../src/worker/search-index.ts'
import { atMost, median } from './report.ts'
import type { Store } from './seed.ts'

const ROUNDS = 9

/** What two builds, one for each figure, took of the main thread, ms. */
type Cost = { readonly all: number; readonly longest: number }

/** The index loop over a store, built anew whenever it is asked. */
const openLoop = async (store: Store) => {
  let built = Promise.withResolvers<void>()
  const indexCache = new PublishedIndexCache()
  const complain = (details: object, message: string) => {
    throw new Error(message, { cause: details })
  }
  const loop: IndexLoop = startIndexLoop(
    store,
    { indexCache, poolsOwnerName: 'Tournament pools', onBuilt: () => built.resolve() },
    { warn: complain, error: complain },
  )
  await loop.ready
  const [pack] = await store.publicIndex.readPortion(null, 1)
  if (pack === undefined) throw new Error('there are no packs')
  const rebuild = async (): Promise<void> => {
    built = Promise.withResolvers()
    await store.packs.replace(pack.slug, pack.ownerId, (before) => ({
      ...before,
      updatedAt: before.updatedAt + 1,
    }))
    await built.promise
  }
  return { loop, indexCache, rebuild }
}

/** What this thread has worked so far, ms; waiting for a core is not work. */
const worked = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const measure = async (work: () => Promise<void>): Promise<Cost> => {
  const begun = worked()
  await work()
  return { all: worked() - begun, longest: await longestDuring(work) }
}

/** The longest that the thread works at a stretch: so long nobody else gets to it. */
const longestDuring = async (work: () => Promise<void>): Promise<number> => {
  let longest = 0
  let last = worked()
  let isOver = false
  const beat = (): void => {
    const now = worked()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(beat)
  }
  setImmediate(beat)
  await work()
  isOver = true
  return longest
}

/** What building the index anew takes of the main thread, reading the packs included. */
export const benchRebuild = async (store: Store): Promise<void> => {
  const { loop, indexCache, rebuild } = await openLoop(store)
  const costs: Cost[] = []
  await rebuild()
  for (let round = 0; round < ROUNDS; round++) costs.push(await measure(rebuild))
  const packs = indexCache.current()?.packs
  await loop.stop()
  const detail = `${packs} entries, ${ROUNDS} rebuilds`
  const all = median(costs.map((cost) => cost.all))
  const longest = Math.max(...costs.map((cost) => cost.longest))
  atMost('index rebuild: main thread in all (ms)', all, 60, `${detail}, median`)
  atMost('index rebuild: longest stretch (ms)', longest, 20, `${detail}, worst`)
}
