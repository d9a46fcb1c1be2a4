import { between } from './dice.ts'
import type { Mode } from './facts.ts'

const common = ['EZ', 'NF', 'HT', 'DC', 'HR', 'SD', 'PF', 'DT', 'NC', 'HD', 'FL', 'CL', 'MU', 'NM']

/** What the platform takes for a ruleset; anything else is refused with 422. */
const accepted: Readonly<Record<Mode, ReadonlySet<string>>> = {
  osu: new Set([...common, 'SO', 'TD', 'BL', 'TC']),
  taiko: new Set([...common, 'SW', 'SG']),
  fruits: new Set([...common, 'MR', 'FF']),
  mania: new Set([...common, 'FI', 'CO', 'MR', '4K', '5K', '6K', '7K', '8K', '9K']),
}

type Span = readonly [low: number, high: number]

/** By how much a mod multiplies the rating; a mod that is missing here leaves it as it is. */
const factors: Readonly<Record<Mode, Readonly<Record<string, Span>>>> = {
  osu: {
    EZ: [0.9, 0.97],
    HD: [1.01, 1.03],
    HR: [1.03, 1.12],
    DT: [1.38, 1.46],
    HT: [0.74, 0.8],
    FL: [1.1, 1.3],
  },
  taiko: { EZ: [0.95, 0.99], HR: [1.01, 1.05], DT: [1.25, 1.35], HT: [0.78, 0.84] },
  fruits: { EZ: [0.82, 0.9], HR: [1.08, 1.2], DT: [1.32, 1.4], HT: [0.76, 0.82] },
  mania: { DT: [1.3, 1.4], HT: [0.78, 0.84] },
}

const order = ['EZ', 'HD', 'HR', 'DT', 'HT', 'FL']
const sameSpeedAs: Readonly<Record<string, string>> = { NC: 'DT', DC: 'HT' }

/** The first mod that the ruleset does not take; undefined when it takes all. */
export const refusedMod = (mode: Mode, mods: readonly string[]): string | undefined =>
  mods.find((mod) => !accepted[mode].has(mod))

/** The mods that move the rating in this ruleset, each once, in the order EZ HD HR DT HT FL. */
export const movingMods = (mode: Mode, mods: readonly string[]): string[] => {
  const asked = new Set(mods.map((mod) => sameSpeedAs[mod] ?? mod))
  return order.filter((mod) => asked.has(mod) && factors[mode][mod] !== undefined)
}

/** By how much these mods multiply the rating of one beatmap. */
export const modFactor = (id: number, mode: Mode, moving: readonly string[]): number =>
  moving.reduce((product, mod) => {
    const [low, high] = factors[mode][mod] ?? [1, 1]
    return product * between(id, `factor ${mode} ${mod}`, low, high, 3)
  }, 1)
