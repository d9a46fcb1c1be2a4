import { pageNumbers } from '../contract/bounds.ts'
import type { ForcedMod } from '../contract/mods.ts'
import type { BeatmapPage, PlayedMap, PooledWith } from '../contract/page-data.ts'
import { isListed, type SavedPack } from '../domain/packs.ts'
import { roundHalfUp } from '../pool/played-values.ts'
import { slotMods } from '../pool/slots.ts'
import type { Ports } from '../ports/ports.ts'
import { hasNoRating, type PlayedBeatmap, readBeatmaps, starsOf } from './beatmaps.ts'
import { type KnownBeatmaps, lookedUpSlots, openCache } from './known-beatmaps.ts'
import { presentUse, readUsage } from './usage.ts'

type MapPorts = Pick<Ports, 'usage' | 'packs' | 'clock'> & { readonly beatmapCache: KnownBeatmaps }

/** In so many of the newest packs that hold it, what is with it is counted. */
const COUNTED_PACKS = 50
const MOST_POOLED_WITH = 10
const MOST_PLAYED = 8

/**
 * A beatmap and where it was pooled, for anybody (D-66); the platform is not asked. null when no public pack holds it,
 * whatever is cached of it (D-74).
 *
 * @param page of the uses, from 1.
 */
export async function readBeatmapPage(
  allPorts: MapPorts,
  id: number,
  page: number,
  poolsOwnerName: string,
): Promise<BeatmapPage | null> {
  const { uses, total } = await readUsage(allPorts, [id], page)
  if (total === 0) return null
  const newest = page === 1 ? uses : (await readUsage(allPorts, [id], 1)).uses
  const packs = await readPublic(allPorts, [...new Set(newest.map(({ slug }) => slug))])
  const now = allPorts.clock.now()
  const beatmapCache = openCache(
    allPorts.beatmapCache,
    packs.flatMap((pack) => lookedUpSlots(pack, now)),
  )
  const ports = { ...allPorts, beatmapCache }
  const [cached, played, pooledWith] = await Promise.all([
    beatmapCache.readBeatmaps([id]),
    readPlayed(ports, id, packs),
    readPooledWith(ports, id),
  ])
  return {
    id,
    details: cached.get(id)?.beatmap ?? null,
    played,
    usage: {
      uses: uses.map((use) => presentUse(use, poolsOwnerName)),
      ...pageNumbers(page, total),
    },
    pooledWith,
  }
}

/** Those of these packs that are public now. */
async function readPublic({ packs }: MapPorts, slugs: readonly string[]): Promise<SavedPack[]> {
  const read = await Promise.all(slugs.map(async (slug) => packs.read(slug)))
  return read.filter((pack) => pack !== null).filter(isListed)
}

/** With the mods that the slots of these packs force, most often first after those without. */
async function readPlayed(
  ports: MapPorts,
  id: number,
  packs: readonly SavedPack[],
): Promise<PlayedMap[]> {
  const times = new Map<string, { forced: readonly ForcedMod[]; count: number }>()
  times.set('', { forced: [], count: Infinity })
  for (const pack of packs) {
    for (const { beatmapId, forced } of slotMods(pack)) {
      if (beatmapId !== id) continue
      const key = forced.join('')
      const before = times.get(key)
      times.set(key, { forced, count: (before?.count ?? 0) + 1 })
    }
  }
  const plays = [...times.values()].toSorted((a, b) => b.count - a.count).slice(0, MOST_PLAYED)
  const known = await readBeatmaps(
    ports,
    plays.map(({ forced }): PlayedBeatmap => ({ beatmapId: id, forced })),
    ports.clock.now(),
  )
  return plays.map(({ forced }, at) => {
    const use = known[at]!
    const stars = starsOf(use)
    return {
      mods: [...forced],
      stars: stars === null ? null : roundHalfUp(stars, 2),
      ...(hasNoRating(use) && { noRating: true }),
    }
  })
}

async function readPooledWith(
  { usage, beatmapCache }: MapPorts,
  id: number,
): Promise<PooledWith[]> {
  const found = await usage.pooledWith(id, COUNTED_PACKS, MOST_POOLED_WITH)
  const known = await beatmapCache.readBeatmaps(found.map(({ beatmapId }) => beatmapId))
  return found.map(({ beatmapId, packs }) => {
    const beatmap = known.get(beatmapId)?.beatmap ?? 'gone'
    const title = beatmap === 'gone' ? null : `${beatmap.artist} – ${beatmap.title}`
    return { id: beatmapId, packs, ...(title !== null && { title }) }
  })
}
