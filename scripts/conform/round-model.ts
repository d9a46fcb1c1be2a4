import type { Chance } from '../fuzz/chance.ts'
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

const maybe = <T>(chance: Chance, make: () => T): T | undefined =>
  chance.below(2) === 0 ? undefined : make()

const defined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T

const anyLink = (chance: Chance) => `https://files.example/${chance.below(1_000_000)}.osz`

/** With or without a beatmap; empty, too. */
export const anyContent = (chance: Chance): Content =>
  defined({
    ...chance.oneOf<() => Content>([
      () => ({ beatmapId: 1 + chance.below(5_000_000) }),
      () => ({ placeholder: anyText(chance, 100) }),
      () => ({}),
    ])(),
    details: maybe(chance, () => ({ artist: anyText(chance, 128), title: anyText(chance, 128) })),
    link: maybe(chance, () => anyLink(chance)),
  }) as Content

let rounds = 0

/** A whole round as it is sent; its name is of no other. */
export const anyRound = (chance: Chance): RoundModel => {
  const buckets = maybe(chance, () => anyBuckets(chance))
  const slots = anyPlaces(chance, chance.below(9), buckets ?? [])
  return defined({
    name: `Round ${(rounds += 1)} ${anyText(chance, 40)}`,
    slots: slots.map((place) => ({ ...place, ...anyContent(chance) })),
    buckets,
    bestOf: maybe(chance, () => 1 + 2 * chance.below(12)),
    bans: maybe(chance, () => chance.below(6)),
    packName: maybe(chance, () => anyText(chance, 64)),
    targets: maybe(chance, () => ({
      stars: { min: 4, max: 5 + chance.below(3) },
      length: { max: 300 },
    })),
    mapPackUrl: maybe(chance, () => anyLink(chance)),
    showcaseUrl: maybe(chance, () => anyLink(chance)),
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
export const anyChanges = (chance: Chance, { slots, buckets }: RoundModel): Change[] => {
  const codes = (buckets ?? [{ code: 'NM' }, { code: 'TB' }]).map(({ code }) => code)
  const free = times(99, (at) => ({ mod: codes[0]!, index: 1 + at })).find(
    (place) => !slots.some(isAt(place)),
  )!
  const added = { ...free, from: 'none' as const, to: said(anyContent(chance)) }
  const others = slots
    .filter(() => chance.below(3) === 0)
    .map((slot) => ({
      mod: slot.mod,
      index: slot.index,
      from: said(contentOf(slot)),
      to: chance.below(5) === 0 ? ('none' as const) : said(anyContent(chance)),
    }))
  return chance.below(2) === 0 || others.length === 0 ? [...others, added] : others
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
export const staleChanges = (chance: Chance, round: RoundModel): Change[] => {
  const changes = anyChanges(chance, round)
  const at = chance.below(changes.length)
  return changes.map((change, place) =>
    place === at ? { ...change, from: { placeholder: 'never there' } } : change,
  )
}

export type TournamentModel = Record<string, string | number | boolean>

/** A merge patch, and what the tournament becomes by it. */
export const anyPatch = (chance: Chance, tag: string, before: TournamentModel) => {
  const fields: Record<string, () => string | number | boolean | null> = {
    name: () => `${tag} ${anyText(chance, 60 - tag.length)}`,
    shortName: () => chance.oneOf([null, 'AC', 'كأس 1']),
    description: () => chance.oneOf([null, anyText(chance, 500), 'two\nlines']),
    ruleset: () => chance.oneOf(['base', 'taiko', 'fruits', 'mania']),
    year: () => chance.oneOf([null, 2020 + chance.below(10)]),
    rankMin: () => chance.oneOf([null, 1 + chance.below(100)]),
    rankMax: () => chance.oneOf([null, 1000 + chance.below(100)]),
    link: () => chance.oneOf([null, anyLink(chance)]),
    announceRounds: () => chance.below(2) === 0,
  }
  const patch = Object.fromEntries(
    Object.entries(fields)
      .filter(() => chance.below(3) === 0)
      .map(([name, make]) => [name, make()]),
  )
  const after = Object.entries({ ...before, ...patch }).filter(([, value]) => value !== null)
  return { patch, after: Object.fromEntries(after) as TournamentModel }
}
