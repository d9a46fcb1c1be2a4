import { residentMb, startService, stop } from './processes.ts'
import { atMost, median } from './report.ts'
import { openStore, seedPacks } from './seed.ts'

const PACKS = 200_000
const LAST_PAGE = PACKS / 50
const PAGES = 100

/** What 200,000 public packs cost: the last page against the first, memory at rest, the start. */
export const benchManyPacks = async (folder: string): Promise<void> => {
  const seeding = await openStore(folder)
  await seedPacks(seeding, PACKS)
  await seeding.care.close()

  const store = await openStore(folder)
  const readPage = async (page: number): Promise<number> => {
    const begun = performance.now()
    await store.packs.listPublic(page, 50)
    return performance.now() - begun
  }
  const first: number[] = []
  const last: number[] = []
  // Each page once: none comes out of the read cache.
  for (let at = 0; at < PAGES; at++) {
    first.push(await readPage(1 + at))
    last.push(await readPage(LAST_PAGE - at))
  }
  await store.care.close()
  const [one, end] = [median(first), median(last)]
  const detail = `${one.toFixed(2)} ms and ${end.toFixed(2)} ms, uncached, with total`
  atMost('page 4,000 of 200,000 packs ÷ page 1', end / one, 2, detail)

  const starts: number[] = []
  const memory: number[] = []
  for (let round = 0; round < 3; round++) {
    const service = await startService(folder)
    starts.push(service.startMs / 1000)
    await new Promise((resolve) => setTimeout(resolve, 2000))
    memory.push(residentMb(service.child))
    await stop(service.child)
  }
  atMost('start to first answer, 200,000 packs (s)', median(starts), 1, 'median of 3')
  atMost('memory at rest, 200,000 packs (MB RSS)', median(memory), 150, 'median of 3')
}
