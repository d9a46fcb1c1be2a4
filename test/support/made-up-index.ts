import { type Ruleset, rulesets, type StatsMod, statsMods } from '../../src/contract/mods.ts'
import type { IndexEntry, SearchIndex } from '../../src/contract/search-index.ts'

const cups = 'Autumn Winter Spring Summer Lantern Harbour Comet Orchid Granite Café Nebula Tiny'
const kinds = 'Cup|Open|Invitational|Showdown|League|World Cup Warm-up|Scrims|Rumble'
const rounds =
  'Qualifiers|Round of 32|Round of 16|Quarterfinals|Semifinals|Finals|Grand Finals|Week 2'
const owners = 'Ada Peridot pool_host Mira kestrel_ Zoë Tomasz Okapi Juniper quietstorm Ülo Beryl'
const remarks = [
  '',
  'Best of 13, two bans each.',
  'Speed and stamina first, reading later.',
  'For players around rank 5,000; tiebreaker is long.',
  'Übungspool für die nächste Woche.',
]

/** Numbers from 0 to 1 that come the same way each time. */
const createChance = (seed: number) => (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

const two = (value: number): number => Math.round(value * 100) / 100
const HOUR = 3_600_000

/** An index of so many made-up packs; about one in forty has no stats yet. */
export const madeUpIndex = (packs: number, now = Date.UTC(2026, 9, 20)): SearchIndex => {
  const chance = createChance(7)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T
  const mods = (): readonly StatsMod[] =>
    statsMods.filter((_, at) => chance() < (at < 4 ? 0.95 : at < 6 ? 0.8 : 0.08))
  const modes = (): readonly Ruleset[] => (chance() < 0.75 ? ['base'] : [pick(rulesets)])

  const entry = (at: number): IndexEntry => {
    const created = now - at * HOUR * 3
    const low = 1.5 + chance() * 5
    const high = low + 0.4 + chance() * 2.4
    const [short, slow] = [60 + chance() * 90, 110 + chance() * 80]
    return {
      s: `pack-${String(at).padStart(5, '0')}`,
      n: `${pick(cups.split(' '))} ${pick(kinds.split('|'))} ${pick(rounds.split('|'))}`,
      o: pick(owners.split(' ')),
      c: 4 + Math.floor(chance() * 24),
      d: pick(remarks),
      u: new Date(Math.min(created + chance() * HOUR * 72, now)).toISOString(),
      t: new Date(created).toISOString(),
      ...(chance() > 0.025 && {
        r: [two(low), two(high)],
        a: two(low + (high - low) * (0.3 + chance() * 0.4)),
        l: [Math.round(short), Math.round(short + 60 + chance() * 260)],
        b: [Math.round(slow), Math.round(slow + 40 + chance() * 140)],
        m: mods().join(','),
        g: modes().join(','),
        k: chance() > 0.02,
      }),
    }
  }
  return { v: 1, packs: Array.from({ length: packs }, (_, at) => entry(at)) }
}
