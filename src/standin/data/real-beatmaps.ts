import type { KnownBeatmap } from '../beatmaps/facts.ts'
import { poolRows } from './pool-rows.ts'

const titles = poolRows.map(
  ([id, set, artist, title, creator, version]): [number, KnownBeatmap] => [
    id,
    { set, artist, title, creator, version, mode: 'osu' },
  ],
)

/** Measured on the real platform; where a field is missing here, it was not noted. */
const measured: ReadonlyArray<[number, KnownBeatmap]> = [
  [
    2069833,
    {
      set: 989460,
      artist: 'made-up artist',
      title: 'Hollow',
      creator: 'vrnl',
      version: 'Endless Days',
      mode: 'osu',
      stars: 8.77437,
      seconds: 306,
      bpm: 260,
    },
  ],
  [3631491, { mode: 'osu', stars: 3.73, seconds: 212, bpm: 240 }],
  [3658033, { mode: 'osu', stars: 2.37, seconds: 199, bpm: 184 }],
  [3666654, { mode: 'osu', stars: 1.98, seconds: 88, bpm: 180 }],
  [3716286, { mode: 'osu', stars: 2.29, seconds: 125, bpm: 180.55 }],
  [129891, { mode: 'osu', stars: 7.8058, seconds: 258, bpm: 222.22 }],
  [75, { mode: 'osu', stars: 2.55, seconds: 142, bpm: 119.999, ratings: { DT: 3.61 } }],
  [5590715, { mode: 'mania', stars: 7.62, seconds: 396, bpm: 220 }],
  [5602450, { mode: 'mania', stars: 3.62, seconds: 282 }],
  [3871759, { mode: 'mania', stars: 4.88, seconds: 379 }],
  [5606802, { mode: 'mania', stars: 5.82, seconds: 296 }],
  [5140134, { mode: 'mania', stars: 5.57, seconds: 263 }],
  [5176402, { mode: 'osu', ratings: { DT: 7.35 } }],
  [5486311, { mode: 'osu', ratings: { DT: 7.39 } }],
  [5394208, { mode: 'osu', ratings: { DT: 8.33 } }],
  [915210, { mode: 'osu', stars: 7.84 }],
  [412288, { mode: 'osu', stars: 7.53 }],
  [2348869, { mode: 'osu', stars: 7.15 }],
]

/** Beatmap id → what is known of it. */
export const realBeatmaps: ReadonlyMap<number, KnownBeatmap> = measured.reduce(
  (known, [id, facts]) => known.set(id, { ...known.get(id), ...facts }),
  new Map<number, KnownBeatmap>(titles),
)
