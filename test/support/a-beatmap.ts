import type { Bucket, Slot } from '../../src/contract/pools.ts'
import type { Beatmap } from '../../src/domain/beatmaps.ts'
import type { BeatmapCache } from '../../src/ports/beatmaps.ts'

/** A beatmap of this id; fields given replace its own. */
export const aBeatmap = (id: number, changes: Partial<Beatmap> = {}): Beatmap => ({
  id,
  setId: 100_000 + id,
  ruleset: 'base',
  difficulty: 'Insane',
  stars: 5,
  length: 120,
  bpm: 180,
  circleSize: 4,
  approachRate: 9,
  overallDifficulty: 8,
  healthDrain: 5,
  maxCombo: 500,
  checksum: '0123456789abcdef0123456789abcdef',
  status: 'ranked',
  title: 'Harbour',
  titleUnicode: 'Harbour',
  artist: 'Nine Rivers',
  artistUnicode: 'Nine Rivers',
  mapper: 'arbor',
  ...changes,
})

/** `NM1 129891` as a slot; `- 7` is a slot without a bucket. */
const aSlot = (text: string, at: number): Slot => {
  const [label = '', id] = text.split(' ')
  const match = /^(.*?)(\d+)$/.exec(label)
  return { mod: match?.[1] ?? null, index: Number(match?.[2] ?? at + 1), beatmapId: Number(id) }
}

/** A pool of slots as people write them: `pool('NM1 129891', 'DT1 75')`. */
export const pool = (...slots: readonly string[]): { slots: Slot[]; buckets: Bucket[] | null } => ({
  slots: slots.map(aSlot),
  buckets: null,
})

/** The same pool with custom buckets before TB. */
export const withBuckets = (
  { slots }: { slots: readonly Slot[] },
  ...custom: readonly Bucket[]
): { slots: Slot[]; buckets: Bucket[] } => ({
  slots: [...slots],
  buckets: [
    ...['NM', 'HD', 'HR', 'DT', 'FM'].map((code) => ({ code }) as Bucket),
    ...custom,
    { code: 'TB' },
  ],
})

/** Caches these as looked up for a public pack. */
export const keepPublic = async (
  cache: BeatmapCache,
  beatmaps: readonly Beatmap[],
  at: number,
): Promise<void> => {
  await cache.keepBeatmaps(beatmaps, [], at)
  await cache.publish(
    beatmaps.map(({ id }) => id),
    [],
  )
}
