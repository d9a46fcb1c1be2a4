import * as fc from 'fast-check'

/** A beatmap in its slot, with what texts say of it besides. */
export type Pick = {
  readonly code: string
  readonly index: number
  readonly beatmapId: number
  readonly artist: string
  readonly title: string
}
/** `name`: null when the text names no round. */
export type Round = { readonly name: string | null; readonly picks: readonly Pick[] }

/** How hosts and programs write pools, and what of them that can carry. */
export type PoolShape = {
  readonly id: string
  /** Whether it can hold several rounds, which are named. */
  readonly hasRounds?: boolean
  /** Whether it can hold buckets other than the built-in ones. */
  readonly hasCustom?: boolean
  /** `turn`: a whole number from 0 on, for what may be written one way or another. */
  readonly write: (rounds: readonly Round[], turn: number) => string
}

const roundNames = [
  'Qualifiers',
  'Round of 32',
  'RO16',
  'Quarterfinals',
  'Semifinals',
  'Finals',
].concat(['Grand Finals', 'Week 3', 'Group Stage'])
const builtin = ['NM', 'HD', 'HR', 'DT', 'FM', 'TB']
const custom = ['EZ', 'HDHR', 'RC', 'LN', 'FL']

/** Names that look like slots, ids, rounds, markup and data. */
const hostile = [
  'NM2',
  'HD 3',
  'TB',
  '129891',
  '727 (feat. 75)',
  'Week 2',
  'Finals',
  'Hidden',
  'Hard Rock',
  'Slot',
  'Beatmap ID',
  'a | b',
  'x, y; z',
  'a\tb',
  '"quoted"',
  "it's 5",
  '[Extra]',
  'a] b',
  '(v2)',
  'b) c',
  '{1}',
  '*stars*',
  '_low_',
  '# 1',
  '=1+1',
  '春の雨',
  'ＮＭ２',
  '1.',
  'a: NM4',
  'pk1.',
  '\\',
  '#4',
  '2116202 HD1',
  '[b]',
  '<i>',
  '- 1',
  '1872396,75',
  '雨 [NM3]',
  '🌸',
  'null',
  'mod',
]
const anyName = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'Paper Zeppelin',
      'Moths in the Attic',
      'Lament',
      '夜の駅',
      'Nine Rivers',
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(...hostile) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...hostile), fc.constantFrom(...hostile))
      .map((both) => both.join(' ')),
  },
)
const anyId = fc.oneof(
  fc.integer({ min: 1_000_000, max: 5_000_000 }),
  fc.constantFrom(129_891, 131_564, 725_198, 5_999_999),
)

/** Pools as tournaments have them: each bucket numbered from 1, each beatmap once. */
export function anyRounds({
  hasRounds = false,
  hasCustom = false,
}: PoolShape): fc.Arbitrary<Round[]> {
  const codes = hasCustom ? [...builtin, ...custom] : builtin
  const picks = fc
    .tuple(
      fc.subarray(codes, { minLength: 2 }),
      fc.uniqueArray(anyId, { minLength: 48, maxLength: 48 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), anyName, anyName), {
        minLength: 48,
        maxLength: 48,
      }),
    )
    .map(([used, ids, facts]) => {
      const counts = used.flatMap((code, at) =>
        Array.from({ length: code === 'TB' ? 1 : facts[at]![0] }, (_, index) => ({
          code,
          index: index + 1,
        })),
      )
      return counts.map((place, at): Pick => ({
        ...place,
        beatmapId: ids[at]!,
        artist: facts[at]![1],
        title: facts[at]![2],
      }))
    })
  const unnamed = picks.map((own): Round[] => [{ name: null, picks: own }])
  if (!hasRounds) return unnamed
  const named = fc
    .tuple(
      fc.shuffledSubarray(roundNames, { minLength: 2, maxLength: 3 }),
      fc.array(picks, { minLength: 3, maxLength: 3 }),
    )
    .map(([names, own]) => names.map((name, at): Round => ({ name, picks: own[at]! })))
  return fc.oneof(unnamed, named)
}

export const link = (id: number): string =>
  `https://osu.ppy.sh/beatmapsets/${(id % 900_000) + 1}#osu/${id}`
export const slot = ({ code, index }: Pick): string => (code === 'TB' ? 'TB' : `${code}${index}`)
export const plain = (text: string): string => text.replaceAll(/\s/g, ' ')

/** The buckets of a round in their order, each with its beatmaps. */
export function buckets({ picks }: Round): [string, Pick[]][] {
  const codes = [...new Set(picks.map(({ code }) => code))]
  return codes.map((code) => [code, picks.filter((pick) => pick.code === code)])
}
