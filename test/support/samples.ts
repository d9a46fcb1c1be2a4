import type { PackInput } from '../../src/contract/packs.ts'

/** A small valid pack; fields given replace its own. */
export const aPack = (changes: Partial<PackInput> = {}): PackInput => ({
  name: 'Grand Finals',
  slots: [
    { mod: 'NM', index: 1, beatmapId: 4392947 },
    { mod: 'DT', index: 1, beatmapId: 4392966 },
    { mod: 'TB', index: 1, beatmapId: 4393066 },
  ],
  ...changes,
})

/** `count` slots NM1, HD1 … spread over the built-in buckets. */
export const slots = (count: number): PackInput['slots'] =>
  Array.from({ length: count }, (_, at) => ({
    mod: ['NM', 'HD', 'HR', 'DT', 'FM', 'TB'][at % 6] ?? 'NM',
    index: Math.floor(at / 6) + 1,
    beatmapId: 4_392_000 + at,
  }))
