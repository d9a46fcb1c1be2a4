import type { Stats } from '../../src/contract/packs.ts'
import type { NewPack } from '../../src/domain/packs.ts'
import { storedFields } from '../../src/pool/pack-fields.ts'

let made = 0

/** A fresh slug of ten characters. */
export const freshSlug = (): string => `s${String((made += 1)).padStart(9, '0')}`

/** Packs that were saved last at 2000: slug, when each was hidden, and whether that was before. */
export const oldPacks = [
  ['shown-0000', null, false],
  ['hidden-000', 1_500, true],
  ['hidden-now', 2_500, false],
] as const

/** Stats of two beatmaps. */
export const someStats = (computedAt = '2026-01-01T00:00:00.000Z'): Stats => ({
  srMin: 2.55,
  srMax: 7.81,
  srAvg: 5.18,
  lenMin: 142,
  lenMax: 258,
  bpmMin: 120,
  bpmMax: 222,
  mods: ['NM'],
  modes: ['base'],
  count: 2,
  complete: true,
  computedAt,
})

/** A public pack with a slug of its own; fields given replace its own. */
export const aNewPack = (changes: Partial<NewPack> = {}): NewPack => ({
  slug: freshSlug(),
  ownerId: 'owner',
  name: 'Grand Finals',
  ...storedFields({ visibility: 'public' }),
  slots: [
    { mod: 'NM', index: 1, beatmapId: 4392947 },
    { mod: null, index: 2, beatmapId: 2147483647 },
  ],
  buckets: null,
  packKey: 'pk1.AQFhAQICrAKFPA',
  exports: [],
  hiddenAt: null,
  hiddenReason: null,
  pinnedRank: null,
  stats: null,
  historyPublic: false,
  version: 1,
  versionAt: 1_000,
  versionHidden: false,
  createdAt: 1_000,
  updatedAt: 1_000,
  ...changes,
})
