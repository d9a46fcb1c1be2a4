import { join } from 'node:path'
import { createMemoryQuotaStore } from '../src/adapters/counters/memory-quota-store.ts'
import { openSqliteStores } from '../src/adapters/storage/open-sqlite.ts'
import { systemClock, systemHasher, systemRandom } from '../src/adapters/system.ts'
import type { PackInput } from '../src/contract/pack.ts'
import { newSlug } from '../src/domain/identifier.ts'
import { contentOf } from '../src/domain/pack-content.ts'
import { firstSave } from '../src/domain/save-rule.ts'
import { issueKey } from '../src/operations/issue-key.ts'

/** A store on the real system in this folder. */
export const openStore = async (dataDir: string) => {
  const stores = await openSqliteStores(join(dataDir, 'mapcrate.db'))
  return {
    ...stores,
    quotas: createMemoryQuotaStore((service, hash) => stores.apiKeys.findOwner(service, hash)),
    clock: systemClock,
    random: systemRandom,
    hasher: systemHasher,
  }
}

export type Store = Awaited<ReturnType<typeof openStore>>

const codes = ['NM', 'HD', 'HR', 'DT']

/** A pack of 24 slots. */
export const aPack = (number: number): PackInput => ({
  name: `Pack ${number}`,
  visibility: 'public',
  slots: Array.from({ length: 24 }, (_, at) => ({
    mod: codes[at % 4] ?? 'NM',
    index: Math.floor(at / 4) + 1,
    beatmapId: 1 + ((number * 97 + at * 13) % 5_000_000),
  })),
})

const AT_ONCE = 256

const inChunks = async <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> => {
  const done: T[] = []
  for (let from = 0; from < count; from += AT_ONCE) {
    const chunk = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) =>
      work(from + at),
    )
    done.push(...(await Promise.all(chunk)))
  }
  return done
}

/** `count` players with a packs key each. */
export const seedKeys = (store: Store, count: number): Promise<string[]> =>
  inChunks(count, (at) =>
    issueKey(store, { service: 'packs', keyPrefix: 'packs', gameId: at + 1, username: `p${at}` }),
  )

/** `count` public packs, up to 200 for each of the players that are there already. Their slugs. */
export const seedPacks = async (
  store: Store,
  count: number,
  packOf: (number: number) => PackInput = aPack,
): Promise<string[]> => {
  const owners = await inChunks(Math.ceil(count / 200), async (at) => {
    const account = await store.accounts.ensurePlayer(
      { gameId: at + 1, username: `p${at}` },
      `owner-${at}`,
      store.clock.now(),
    )
    return account.id
  })
  return inChunks(count, async (at) => {
    const slug = newSlug(store.random)
    const ownerId = owners[Math.floor(at / 200)] ?? ''
    const pack = firstSave(contentOf(packOf(at)), { slug, ownerId, now: store.clock.now() })
    const { outcome } = await store.packs.create(pack, null)
    if (outcome !== 'created') throw new Error(outcome)
    return slug
  })
}
