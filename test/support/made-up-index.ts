import { SeededRandom } from '../../scripts/seeded-random.ts'
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

const two = (value: number): number => Math.round(value * 100) / 100
const HOUR = 3_600_000

/** An index of so many made-up packs; about one in forty has no stats yet. */
export const madeUpIndex = (packs: number, now = Date.UTC(2026, 9, 20)): SearchIndex => {
  const random = new SeededRandom(7)
  const pick = <T>(from: readonly T[]): T => random.oneOf(from)
  const mods = (): readonly StatsMod[] =>
    statsMods.filter((_, at) => random.next() < (at < 4 ? 0.95 : at < 6 ? 0.8 : 0.08))
  const modes = (): readonly Ruleset[] => (random.next() < 0.75 ? ['base'] : [pick(rulesets)])

  const entry = (at: number): IndexEntry => {
    const created = now - at * HOUR * 3
    const low = 1.5 + random.next() * 5
    const high = low + 0.4 + random.next() * 2.4
    const [short, slow] = [60 + random.next() * 90, 110 + random.next() * 80]
    return {
      s: `pack-${String(at).padStart(5, '0')}`,
      n: `${pick(cups.split(' '))} ${pick(kinds.split('|'))} ${pick(rounds.split('|'))}`,
      o: pick(owners.split(' ')),
      c: 4 + random.below(24),
      d: pick(remarks),
      u: new Date(Math.min(created + random.next() * HOUR * 72, now)).toISOString(),
      t: new Date(created).toISOString(),
      ...(random.next() > 0.025 && {
        r: [two(low), two(high)],
        a: two(low + (high - low) * (0.3 + random.next() * 0.4)),
        l: [Math.round(short), Math.round(short + 60 + random.next() * 260)],
        b: [Math.round(slow), Math.round(slow + 40 + random.next() * 140)],
        m: mods().join(','),
        g: modes().join(','),
        k: random.next() > 0.02,
      }),
    }
  }
  return { v: 1, packs: Array.from({ length: packs }, (_, at) => entry(at)) }
}
