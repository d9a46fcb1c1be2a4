import type { SeededRandom } from '../seeded-random.ts'
import { anyBuckets, anyPlaces, anyText, completed, type ModelBucket, times } from './pack-model.ts'

// Tournaments and rounds as D-62 and D-77 to D-79 have them, written again without the service's own code.

export type Content = {
  beatmapId?: number
  placeholder?: string
  details?: Record<string, string>
  link?: string
}
export type RoundSlot = { mod: string | null; index: number } & Content
export type RoundModel = {
  name: string
  slots: RoundSlot[]
  buckets?: ModelBucket[]
  bestOf?: number
  bans?: number
  packName?: string
  targets?: Record<string, { min?: number; max?: number }>
  mapPackUrl?: string
  showcaseUrl?: string
}

const maybe = <T>(random: SeededRandom, make: () => T): T | undefined =>
  random.below(2) === 0 ? undefined : make()

const defined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T

const anyLink = (random: SeededRandom) => `https://files.example/${random.below(1_000_000)}.osz`

/** With or without a beatmap; empty, too. */
export const anyContent = (random: SeededRandom): Content =>
  defined({
    ...random.oneOf<() => Content>([
      () => ({ beatmapId: 1 + random.below(5_000_000) }),
      () => ({ placeholder: anyText(random, 100) }),
      () => ({}),
    ])(),
    details: maybe(random, () => ({ artist: anyText(random, 128), title: anyText(random, 128) })),
    link: maybe(random, () => anyLink(random)),
  }) as Content

let rounds = 0

/** A whole round as it is sent; its name is of no other. */
export const anyRound = (random: SeededRandom): RoundModel => {
  const buckets = maybe(random, () => anyBuckets(random))
  const slots = anyPlaces(random, random.below(9), buckets ?? [])
  return defined({
    name: `Round ${(rounds += 1)} ${anyText(random, 40)}`,
    slots: slots.map((place) => ({ ...place, ...anyContent(random) })),
    buckets,
    bestOf: maybe(random, () => 1 + 2 * random.below(12)),
    bans: maybe(random, () => random.below(6)),
    packName: maybe(random, () => anyText(random, 64)),
    targets: maybe(random, () => ({
      stars: { min: 4, max: 5 + random.below(3) },
      length: { max: 300 },
    })),
    mapPackUrl: maybe(random, () => anyLink(random)),
    showcaseUrl: maybe(random, () => anyLink(random)),
  }) as RoundModel
}

/** A round after it was sent, but for its id and times. */
export const expectedRound = (input: RoundModel): RoundModel => {
  const { buckets: sent, ...rest } = input
  const buckets = completed(sent, input.slots)
  return { ...rest, ...(buckets !== undefined && { buckets }) }
}

export type Change = {
  mod: string | null
  index: number
  from: Content | null | 'none'
  to: Content | null | 'none'
}

/** What a change says of a slot: null is one that is there and empty (D-79). */
const said = (content: Content): Content | null =>
  Object.keys(content).length === 0 ? null : content
const contentOf = ({ mod: _mod, index: _index, ...content }: RoundSlot): Content => content

const isAt = (place: { mod: string | null; index: number }) => (slot: RoundSlot) =>
  slot.mod === place.mod && slot.index === place.index

/** Changes of several slots that are as `from` says; of one at least. */
export const anyChanges = (random: SeededRandom, { slots, buckets }: RoundModel): Change[] => {
  const codes = (buckets ?? [{ code: 'NM' }, { code: 'TB' }]).map(({ code }) => code)
  const free = times(99, (at) => ({ mod: codes[0]!, index: 1 + at })).find(
    (place) => !slots.some(isAt(place)),
  )!
  const added = { ...free, from: 'none' as const, to: said(anyContent(random)) }
  const others = slots
    .filter(() => random.below(3) === 0)
    .map((slot) => ({
      mod: slot.mod,
      index: slot.index,
      from: said(contentOf(slot)),
      to: random.below(5) === 0 ? ('none' as const) : said(anyContent(random)),
    }))
  return random.below(2) === 0 || others.length === 0 ? [...others, added] : others
}

/** The slots after changes that were made. */
export const changedSlots = (
  slots: readonly RoundSlot[],
  changes: readonly Change[],
): RoundSlot[] => {
  const all = [...slots]
  for (const { mod, index, to } of changes) {
    const at = all.findIndex(isAt({ mod, index }))
    if (to === 'none') all.splice(at, 1)
    else if (at < 0) all.push({ mod, index, ...to })
    else all[at] = { mod, index, ...to }
  }
  return all
}

/** Changes that cannot be made, with one slot that is not as `from` says. */
export const staleChanges = (random: SeededRandom, round: RoundModel): Change[] => {
  const changes = anyChanges(random, round)
  const at = random.below(changes.length)
  return changes.map((change, place) =>
    place === at ? { ...change, from: { placeholder: 'never there' } } : change,
  )
}

export type TournamentModel = Record<string, string | number | boolean>

/** A merge patch, and what the tournament becomes by it. */
export const anyPatch = (random: SeededRandom, tag: string, before: TournamentModel) => {
  const fields: Record<string, () => string | number | boolean | null> = {
    name: () => `${tag} ${anyText(random, 60 - tag.length)}`,
    shortName: () => random.oneOf([null, 'AC', 'كأس 1']),
    description: () => random.oneOf([null, anyText(random, 500), 'two\nlines']),
    ruleset: () => random.oneOf(['base', 'taiko', 'fruits', 'mania']),
    year: () => random.oneOf([null, 2020 + random.below(10)]),
    rankMin: () => random.oneOf([null, 1 + random.below(100)]),
    rankMax: () => random.oneOf([null, 1000 + random.below(100)]),
    link: () => random.oneOf([null, anyLink(random)]),
    announceRounds: () => random.below(2) === 0,
  }
  const patch = Object.fromEntries(
    Object.entries(fields)
      .filter(() => random.below(3) === 0)
      .map(([name, make]) => [name, make()]),
  )
  const after = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null)
  return { patch, after: Object.fromEntries(after) as TournamentModel }
}
