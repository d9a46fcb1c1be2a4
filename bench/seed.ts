import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { appendPacks } from '../scripts/seed/append-packs.ts'
import { openBulkStore, type StorePlace } from '../scripts/seed/open-bulk-store.ts'
import { createMemoryQuotaStore } from '../src/adapters/counters/memory.ts'
import { openPostgresStores } from '../src/adapters/storage/postgres/open.ts'
import { openSqliteStores } from '../src/adapters/storage/sqlite/open.ts'
import {
  systemClock,
  systemCompressor,
  systemHasher,
  systemRandom,
} from '../src/adapters/system.ts'
import type { PackInput, Stats } from '../src/contract/packs.ts'
import type { ServiceName } from '../src/contract/services.ts'
import { API_KEY_BYTES, makeApiKey, newAccountId, newSlug, shownPart } from '../src/domain/keys.ts'
import type { Beatmap } from '../src/domain/beatmaps.ts'
import { contentOf, firstSave, type PackContent } from '../src/domain/packs.ts'
import { dayOf } from '../src/domain/quotas.ts'

/** A store on the real system, in this folder or at this place. */
export const openStore = async (where: string | StorePlace) => {
  const place = typeof where === 'string' ? { dataDir: where, databaseUrl: null } : where
  const stores = await (place.databaseUrl === null
    ? openSqliteStores(join(place.dataDir, 'mapcrate.db'))
    : openPostgresStores(place.databaseUrl))
  return {
    ...stores,
    place,
    quotas: createMemoryQuotaStore(stores.apiKeys),
    clock: systemClock,
    random: systemRandom,
    hasher: systemHasher,
    compressor: systemCompressor,
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

const KNOWN_BEATMAPS = 5_000

/** A pack of beatmaps that `keepBeatmaps` caches. */
export const aKnownPack = (number: number): PackInput => {
  const { slots, ...rest } = aPack(number)
  const known = slots.map((slot) => ({ ...slot, beatmapId: 1 + (slot.beatmapId % KNOWN_BEATMAPS) }))
  return { ...rest, slots: known }
}

/** Caches every beatmap and rating that the packs of `aKnownPack` need, and that pages show of them (D-94), as reported now. */
export const keepBeatmaps = async ({
  beatmapCache,
  clock,
}: Pick<Store, 'beatmapCache' | 'clock'>): Promise<void> => {
  const ids = Array.from({ length: KNOWN_BEATMAPS }, (_, at) => at + 1)
  await beatmapCache.keepBeatmaps(ids.map(aBeatmap), [], clock.now())
  const ratings = ids.flatMap((beatmapId) =>
    ([['HD'], ['HR'], ['DT']] as const).map(
      (mods) => ({ beatmapId, ruleset: 'base', mods }) as const,
    ),
  )
  await Promise.all(ratings.map((key) => beatmapCache.keepRating(key, { stars: 6 }, clock.now())))
  // Otherwise it is looked up again for each pack that is not public (D-74).
  await beatmapCache.publish(ids, ratings)
}

/** Longer than a computation may take, shorter than what the platform could not answer waits for. */
const LATER_MS = 300_000

/**
 * Waits until no stats are to be computed.
 *
 * @throws Error when some wait for the platform, which no bench has: the seed lacks what they need.
 */
export const untilStatsAreDone = async ({
  statsWork,
  clock,
}: Pick<Store, 'statsWork' | 'clock'>): Promise<void> => {
  while ((await statsWork.backlog(clock.now())).total > 0) {
    const next = (await statsWork.nextDueAt(clock.now())) ?? 0
    if (next > clock.now() + LATER_MS) throw new Error('stats lack what the seed has not kept')
    await pause(50)
  }
}

/** Waits until the words of all packs are in the search, too: the worker begins with the server. */
export const untilWorkIsDone = async (
  store: Pick<Store, 'statsWork' | 'searchUpdates' | 'clock'>,
): Promise<void> => {
  await untilStatsAreDone(store)
  for (;;) {
    const { pending, isRebuilding } = await store.searchUpdates.progress()
    if (pending === 0 && !isRebuilding) return
    await pause(50)
  }
}

const aBeatmap = (id: number): Beatmap => ({
  id,
  setId: id,
  ruleset: 'base',
  difficulty: 'Insane',
  stars: 5 + (id % 300) / 100,
  length: 60 + (id % 240),
  bpm: 120 + (id % 120),
  circleSize: 4,
  approachRate: 9,
  overallDifficulty: 8,
  healthDrain: 5,
  maxCombo: 1_000,
  checksum: '0123456789abcdef0123456789abcdef',
  status: 'ranked',
  title: `Title ${id}`,
  titleUnicode: `Title ${id}`,
  artist: 'Artist',
  artistUnicode: 'Artist',
  mapper: 'mapper',
})

/** Engines bound how many values a query takes. */
const AT_ONCE = 500

const inPortions = async (
  count: number,
  work: (numbers: readonly number[]) => Promise<unknown>,
): Promise<void> => {
  for (let from = 0; from < count; from += AT_ONCE) {
    await work(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => from + at))
  }
}

type Placed = Pick<Store, 'place'>

/** The ids of the first `count` players, who are made when they are not there. */
const ensurePlayers = async ({ place }: Placed, count: number): Promise<string[]> => {
  const { engine, close } = await openBulkStore(place)
  await inPortions(count, (numbers) =>
    engine.write('packs', (tx) =>
      tx
        .insertInto('account')
        .values(
          numbers.map((at) => ({
            id: newAccountId(systemRandom),
            game_id: at + 1,
            username: `p${at}`,
            created_at: systemClock.now(),
          })),
        )
        .onConflict((conflict) => conflict.column('game_id').doNothing())
        .execute(),
    ),
  )
  const players = engine.db.selectFrom('account').select('id').where('game_id', '<=', count)
  const rows = await players.orderBy('game_id').execute()
  await close()
  return rows.map(({ id }) => id)
}

/** `count` players with a key each for this service, in place of the one before. */
export const seedKeys = async (
  store: Placed,
  count: number,
  service: ServiceName = 'packs',
): Promise<string[]> => {
  const players = await ensurePlayers(store, count)
  const keys = players.map(() => makeApiKey(service, systemRandom.bytes(API_KEY_BYTES)))
  const { engine, close } = await openBulkStore(store.place)
  await inPortions(count, (numbers) =>
    engine.write('keys', async (tx) => {
      const rows = numbers.map((at) => ({
        account_id: players[at] ?? '',
        service,
        hash: systemHasher.sha256(keys[at] ?? ''),
        shown: shownPart(service, keys[at] ?? ''),
        created_at: systemClock.now(),
        // Noting the first use of each would be in the figures.
        last_used_day: dayOf(systemClock.now()),
      }))
      const owners = rows.map(({ account_id: owner }) => owner)
      const before = tx.deleteFrom('api_key').where('service', '=', service)
      await before.where('account_id', 'in', owners).execute()
      await tx.insertInto('api_key').values(rows).execute()
    }),
  )
  await close()
  return keys
}

/** How packs are made when not as usual. */
type PackWish = {
  /** Packs that each of the first players has. */
  readonly each?: number
  /** Left out: stats are due. */
  readonly statsOf?: (content: PackContent, now: number) => Stats
}

/** `count` packs of the first players, public ones if `packOf` is left out. Their slugs. */
export const seedPacks = async (
  store: Placed,
  count: number,
  packOf: (number: number) => PackInput = aPack,
  { each = 200, statsOf }: PackWish = {},
): Promise<string[]> => {
  const owners = await ensurePlayers(store, Math.ceil(count / each))
  const slugs = Array.from({ length: count }, () => newSlug(systemRandom))
  const bulk = await openBulkStore(store.place)
  await inPortions(count, (numbers) => {
    const now = systemClock.now()
    const packs = numbers.map((at) => {
      const ownerId = owners[Math.floor(at / each)] ?? ''
      const content = contentOf(packOf(at))
      const pack = firstSave(content, { slug: slugs[at] ?? '', ownerId, now })
      return statsOf === undefined ? pack : { ...pack, stats: statsOf(content, now) }
    })
    return appendPacks(bulk, packs)
  })
  await bulk.close()
  return slugs
}
