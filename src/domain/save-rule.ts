import type { Bucket } from '../contract/bucket.ts'
import type { NewPack, PackContent, PackState, SavedPack } from './saved-pack.ts'

/** A pack at its first save (spec 3): no exports, no stats, neither hidden nor pinned. */
export const firstSave = (
  content: PackContent,
  { slug, ownerId, now }: { slug: string; ownerId: string; now: number },
): NewPack => ({
  ...content,
  slug,
  ownerId,
  exports: [],
  hiddenAt: null,
  hiddenReason: null,
  pinnedRank: null,
  stats: null,
  createdAt: now,
  updatedAt: now,
})

const slotsText = ({ slots }: PackContent): string =>
  slots
    .map(({ mod, index, beatmapId }) => `${mod} ${index} ${beatmapId}`)
    .toSorted()
    .join()

const modsOf = (bucket: Bucket): string[] =>
  'mods' in bucket && bucket.mods ? [`${bucket.code} ${JSON.stringify(bucket.mods)}`] : []

const modsText = ({ buckets }: PackContent): string =>
  (buckets ?? []).flatMap(modsOf).toSorted().join()

/** Do both hold the same maps in the same slots under the same mods, in whatever order? */
const sameMaps = (a: PackContent, b: PackContent): boolean =>
  slotsText(a) === slotsText(b) && modsText(a) === modsText(b)

/**
 * What a PUT makes of a pack (spec 3): another pack key clears the exports (D-27), other maps or
 * slots clear the stats (spec 2.6), a pack that is not public loses its pin, a hidden one stays
 * hidden, and `updatedAt` always moves on (D-26).
 */
export const laterSave = (saved: SavedPack, content: PackContent, now: number): PackState => ({
  ...content,
  exports: content.packKey === saved.packKey ? saved.exports : [],
  hiddenAt: saved.hiddenAt,
  hiddenReason: saved.hiddenReason,
  pinnedRank: content.visibility === 'public' ? saved.pinnedRank : null,
  stats: sameMaps(saved, content) ? saved.stats : null,
  updatedAt: Math.max(now, saved.updatedAt + 1),
})
