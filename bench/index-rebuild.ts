import { PublishedIndexCache } from '../src/operations/search-index.ts'
import { type IndexLoop, startIndexLoop } from '../src/worker/search-index.ts'
import { atMost, report } from './report.ts'
import type { Store } from './seed.ts'

const ROUNDS = 9

/** What a round took of the main thread and of the whole process, ms on average; the longest stretch. */
type Cost = Readonly<Record<'thread' | 'process' | 'longest', number>>

/** The index loop over a store. */
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
  const change = async (): Promise<void> => {
    built = Promise.withResolvers()
    await store.packs.replace(pack.slug, pack.ownerId, (before) => ({
      ...before,
      updatedAt: before.updatedAt + 1,
    }))
    await built.promise
  }
  return { loop, indexCache, change }
}

const sum = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

/** What this thread has worked so far, ms; waiting for a core is not work. */
const worked = (): number => sum(process.threadCpuUsage())

const measure = async (work: () => Promise<void>): Promise<Cost> => {
  const begun = { thread: worked(), process: process.cpuUsage() }
  // The kernel counts in steps of some milliseconds: only the sum of all rounds says something.
  for (let round = 0; round < ROUNDS; round++) await work()
  const thread = (worked() - begun.thread) / ROUNDS
  const all = sum(process.cpuUsage(begun.process)) / ROUNDS
  let longest = 0
  for (let round = 0; round < ROUNDS; round++) {
    longest = Math.max(longest, await longestDuring(work))
  }
  return { thread, process: all, longest }
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

const reportCost = (what: string, detail: string, cost: Cost, wanted: Cost): void => {
  atMost(`${what}: process, all threads (ms)`, cost.process, wanted.process, detail)
  atMost(`${what}: main thread (ms)`, cost.thread, wanted.thread, detail)
  atMost(`${what}: longest stretch (ms)`, cost.longest, wanted.longest, `${detail}, worst`)
}

/** What a change of one pack and building the whole index take, reading the packs included. */
export const benchRebuild = async (store: Store): Promise<void> => {
  const { loop, indexCache, change } = await openLoop(store)
  const detail = `${indexCache.current()?.packs} entries, ${ROUNDS} rounds`
  await change()
  const changed = await measure(change)
  reportCost('index, one change', detail, changed, { process: 15, thread: 10, longest: 20 })
  await benchSizes(indexCache)
  await loop.stop()
  const rebuilt = await measure(async () => (await openLoop(store)).loop.stop())
  reportCost('index, built whole', detail, rebuilt, { process: 100, thread: 60, longest: 20 })
}

const benchSizes = async (indexCache: PublishedIndexCache): Promise<void> => {
  const { files } = indexCache.current()!
  const hard = Promise.withResolvers<number>()
  const put = indexCache.put.bind(indexCache)
  indexCache.put = (index) => {
    put(index)
    hard.resolve(index.files.br().then(({ bytes }) => bytes.length))
  }
  const { identity, br } = files
  const sizes = {
    identity: identity.bytes.length,
    gzip: (await files.gzip()).bytes.length,
    'br at once': (await br()).bytes.length,
    'br when quiet': await hard.promise,
  }
  for (const [coding, bytes] of Object.entries(sizes)) {
    report(`index in ${coding}`, `${Math.round(bytes / 1024)} KB`, '', true)
  }
}
