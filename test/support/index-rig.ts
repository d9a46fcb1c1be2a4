import type { SearchIndex } from '../../src/contract/search-index.ts'
import type { SavedPack } from '../../src/domain/packs.ts'
import { PublishedIndexCache } from '../../src/operations/search-index.ts'
import type { SharedIndex } from '../../src/ports/search.ts'
import { type IndexBuild, startIndexLoop } from '../../src/worker/search-index.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { HandClock } from './hand-clock.ts'
import { MemoryPublicIndex } from './memory-public-index.ts'

/** Lets everything happen that waits for no timer, until `check` holds. */
export const eventually = async (check: () => boolean): Promise<void> => {
  const end = performance.now() + 30_000
  while (!check()) {
    if (performance.now() > end) throw new Error('it did not happen')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Everything that keeps a search index, with a hand-set clock and packs in memory. */
export const indexRig = () => {
  const clock = new HandClock()
  const store = new MemoryPublicIndex()
  const indexCache = new PublishedIndexCache()
  const said: string[] = []
  const say = (level: string) => (details: object, message: string) =>
    said.push(`${level} ${message} ${JSON.stringify(details)}`)
  const log = { warn: say('warn'), error: say('error') }
  const builds: IndexBuild[] = []

  const start = (directory: string | null = null, sharedIndex: SharedIndex | null = null) =>
    startIndexLoop(
      { publicIndex: store, sharedIndex, clock },
      {
        indexCache,
        poolsOwnerName: 'Tournament pools',
        directory,
        onBuilt: (build) => builds.push(build),
      },
      log,
    )

  /** Saves a new public pack and gives its slug. */
  const save = (changes: Partial<SavedPack> = {}): string => {
    const now = clock.now()
    const pack = aNewPack({ createdAt: now, updatedAt: now, ...changes })
    store.save({ ...pack, ownerUsername: 'Ada' })
    return pack.slug
  }

  const served = (): SearchIndex => {
    const { bytes } = indexCache.current()!.files.identity
    return JSON.parse(Buffer.from(bytes).toString()) as SearchIndex
  }
  const slugs = (): string[] => served().packs.map(({ s }) => s)

  return { clock, store, indexCache, said, log, builds, start, save, served, slugs }
}

export type IndexRig = ReturnType<typeof indexRig>
