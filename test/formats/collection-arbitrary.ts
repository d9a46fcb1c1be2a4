import * as fc from 'fast-check'
import type { OsdbCollection } from '../../src/formats/collection/osdb.ts'
import { rulesets } from '../../src/contract/mods.ts'

const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const anyName = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom('\ufeffmarked', 'a\nb', ''),
)

const anyHash: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(...Array.from('0123456789abcdefABCDEF')),
  minLength: 32,
  maxLength: 32,
})

export const anyCollections = fc.array(
  fc.record({ name: anyName, hashes: fc.array(anyHash, { maxLength: 8 }) }),
  { maxLength: 5 },
)

const anyBeatmap = fc.record({
  id: int32,
  setId: int32,
  artist: anyName,
  title: anyName,
  difficulty: anyName,
  // Collection Manager checks none.
  checksum: fc.oneof(anyHash, anyName),
  comment: anyName,
  ruleset: fc.constantFrom(...rulesets),
  stars: fc.double(),
})

export const anyOsdbCollections: fc.Arbitrary<OsdbCollection[]> = fc.array(
  fc.record({
    name: anyName,
    onlineId: int32,
    beatmaps: fc.array(anyBeatmap, { maxLength: 5 }),
    hashes: fc.array(fc.oneof(anyHash, anyName.filter(Boolean)), { maxLength: 3 }),
  }),
  { maxLength: 4 },
)
