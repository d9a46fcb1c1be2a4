import type { SeededRandom } from '../seeded-random.ts'

// What spec 2 and 4.1 and D-17 to D-27 say of a pack, written again without the service's own code.

type ModelSlot = { mod: string | null; index: number; beatmapId: number }
export type ModelBucket = {
  code: string
  color?: number
  mods?: { kind: 'free' } | { kind: 'forced'; set: string[] }
}
export type ModelInput = {
  name: string
  slots: ModelSlot[]
  buckets?: ModelBucket[]
  visibility?: string
  description?: string
}

const builtins = ['NM', 'HD', 'HR', 'DT', 'FM', 'TB']
const forced = ['EZ', 'HD', 'HR', 'DT', 'HT', 'FL']
const customs = ['RC', 'EX', 'Ω7', '일', 'Speed', 'Q', 'LN', 'alt2']
const words = [
  'Cup',
  'Наследие',
  'كأس',
  '夏の大会',
  '🏆',
  'e\u0301te',
  "d'or",
  '<b>',
  'Ⅳ',
  '100%',
  '\\',
]

export const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** Text of at most so many code units that neither begins nor ends with white space. */
export const anyText = (random: SeededRandom, length: number): string => {
  const text = times(1 + random.below(6), () => random.oneOf(words)).join(' ')
  return text.length > length ? 'x'.repeat(length) : text
}

const shuffled = <T>(random: SeededRandom, list: readonly T[]): T[] => {
  const rest = [...list]
  return times(rest.length, () => rest.splice(random.below(rest.length), 1)[0]!)
}

const anyMods = (random: SeededRandom): Pick<ModelBucket, 'mods'> => {
  const which = random.below(3)
  if (which === 0) return {}
  if (which === 1) return { mods: { kind: 'free' } }
  const choices = [['DT', 'HD'], ['EZ'], ['FL', 'HT', 'EZ'], ['HR', 'HD', 'DT'], ['HD']]
  return { mods: { kind: 'forced', set: shuffled(random, random.oneOf(choices)) } }
}

/** A bucket list that may be partial, in any order. */
export const anyBuckets = (random: SeededRandom): ModelBucket[] => {
  const some = shuffled(random, builtins).slice(0, random.below(7))
  const own = shuffled(random, customs)
    .slice(0, random.below(4))
    .map((code) => ({ code, color: random.below(10), ...anyMods(random) }))
  return shuffled<ModelBucket>(random, [...some.map((code) => ({ code })), ...own])
}

/** Places of slots, each once, some of them of buckets that are to be made. */
export const anyPlaces = (random: SeededRandom, count: number, buckets: readonly ModelBucket[]) => {
  const codes = [...builtins, ...buckets.map(({ code }) => code), ...customs.slice(0, 3)]
  const places = new Map<string, { mod: string; index: number }>()
  while (places.size < count) {
    const place = { mod: random.oneOf(codes), index: 1 + random.below(99) }
    places.set(`${place.mod} ${place.index}`, place)
  }
  return [...places.values()]
}

/** Begins with the tag, by which it is found and removed; never public, so that nobody else sees it. */
export const anyInput = (random: SeededRandom, tag: string): ModelInput => {
  const buckets = random.below(2) === 0 ? undefined : anyBuckets(random)
  const slots = anyPlaces(random, 1 + random.below(12), buckets ?? []).map(({ mod, index }) => ({
    // A slot without a bucket needs a number of its own.
    mod: index > 95 ? null : mod,
    index,
    beatmapId: random.oneOf([1, 2_147_483_647, 1 + random.below(5_000_000)]),
  }))
  const unique = new Map(slots.map((slot) => [`${slot.mod} ${slot.index}`, slot]))
  const space = random.oneOf(['', ' ', '\t'])
  const description = random.oneOf([
    null,
    null,
    '',
    ' ',
    anyText(random, 500),
    'x'.repeat(500),
    ' two\nlines ',
  ])
  const visibility = random.oneOf([null, 'private', 'unlisted'])
  return {
    name: `${tag} ${anyText(random, 63 - tag.length)}${space}`,
    slots: [...unique.values()],
    ...(buckets !== undefined && { buckets }),
    ...(visibility !== null && { visibility }),
    ...(description !== null && { description }),
  }
}

/** The whole table that a partial one becomes; undefined for the default one (D-22). */
export const completed = (
  sent: readonly ModelBucket[] | undefined,
  slots: readonly { readonly mod: string | null }[],
): ModelBucket[] | undefined => {
  const listed = (sent ?? []).map((bucket) =>
    bucket.mods?.kind === 'forced' ? { ...bucket, mods: inOrder(bucket.mods.set) } : bucket,
  )
  const has = (code: string) => listed.some((bucket) => bucket.code === code)
  const missing = builtins.filter((code) => !has(code)).map((code) => ({ code }))
  const table: ModelBucket[] = [
    ...missing.filter(({ code }) => code !== 'TB'),
    ...listed,
    ...missing.filter(({ code }) => code === 'TB'),
  ]
  for (const { mod } of slots) {
    if (mod === null || table.some(({ code }) => code === mod)) continue
    const used = new Set(table.map(({ color }) => color))
    const color = times(10, (at) => at).find((at) => !used.has(at))!
    table.splice(
      table.findIndex(({ code }) => code === 'TB'),
      0,
      { code: mod, color },
    )
  }
  const isDefault = table.map(({ code }) => code).join() === builtins.join()
  return isDefault ? undefined : table
}

const inOrder = (set: readonly string[]) => ({
  kind: 'forced' as const,
  set: forced.filter((mod) => set.includes(mod)),
})

/** What a pack is after it was sent, but for what the service itself says of it. */
export const expectedOf = (input: ModelInput) => {
  const { name, slots, visibility = 'unlisted' } = input
  const description = input.description?.trim() ?? ''
  const buckets = completed(input.buckets, slots)
  return {
    name: name.trim(),
    visibility,
    ...(description !== '' && { description }),
    slots,
    ...(buckets !== undefined && { buckets }),
  }
}

/** What the pack key holds: it changes with this and with nothing else (D-27). */
export const poolOf = ({ name, slots, buckets }: ReturnType<typeof expectedOf>): string => {
  const sorted = slots.map(({ mod, index, beatmapId }) => `${mod} ${index} ${beatmapId}`).toSorted()
  const table = (buckets ?? []).map(({ code, color, mods }) => [code, color, mods])
  return JSON.stringify([name, sorted, table])
}

const first = ({ slots }: ModelInput) => slots[0]!
const slot = (input: ModelInput, changes: object) => ({
  ...input,
  slots: [{ ...first(input), ...changes }, ...input.slots.slice(1)],
})
const custom = (changes: object) => (input: ModelInput) => ({
  ...input,
  buckets: [{ code: 'ZZ', color: 1, ...changes }],
})

/** Each makes a valid pack invalid. */
export const spoilers: Readonly<Record<string, (input: ModelInput) => unknown>> = {
  'no name': ({ slots }) => ({ slots }),
  'an empty name': (input) => ({ ...input, name: ' ' }),
  'a name of 65': (input) => ({ ...input, name: 'x'.repeat(65) }),
  'a name of two lines': (input) => ({ ...input, name: 'a\nb' }),
  'a name with U+202E': (input) => ({ ...input, name: 'a\u202eb' }),
  'a name that is null': (input) => ({ ...input, name: null }),
  'a description of 501': (input) => ({ ...input, description: 'x'.repeat(501) }),
  'a description with a bell': (input) => ({ ...input, description: 'a\u0007' }),
  'another visibility': (input) => ({ ...input, visibility: 'hidden' }),
  'no slots': ({ name }) => ({ name }),
  'zero slots': (input) => ({ ...input, slots: [] }),
  '65 slots': (input) => ({
    ...input,
    slots: times(65, (at) => ({ mod: 'NM', index: 1 + at, beatmapId: 1 })),
  }),
  'a slot twice': (input) => ({ ...input, slots: [...input.slots, first(input)] }),
  'an index of 0': (input) => slot(input, { index: 0 }),
  'an index of 100': (input) => slot(input, { index: 100 }),
  'an index of 1.5': (input) => slot(input, { index: 1.5 }),
  'an index that is text': (input) => slot(input, { index: '1' }),
  'a beatmap of 0': (input) => slot(input, { beatmapId: 0 }),
  'a beatmap of 2147483648': (input) => slot(input, { beatmapId: 2_147_483_648 }),
  'no beatmap': (input) => slot(input, { beatmapId: undefined }),
  'a mod of 13': (input) => slot(input, { mod: 'x'.repeat(13) }),
  'a mod with a hyphen': (input) => slot(input, { mod: 'N-M' }),
  'no mod': (input) => slot(input, { mod: undefined }),
  'a colour of 10': custom({ color: 10 }),
  'no colour': custom({ color: undefined }),
  'EZ with HR': custom({ mods: { kind: 'forced', set: ['EZ', 'HR'] } }),
  'DT with HT': custom({ mods: { kind: 'forced', set: ['DT', 'HT'] } }),
  'no forced mods': custom({ mods: { kind: 'forced', set: [] } }),
  'another field in mods': custom({ mods: { kind: 'free', set: [] } }),
  'a built-in with a colour': (input) => ({ ...input, buckets: [{ code: 'NM', color: 1 }] }),
  'nine custom buckets': (input) => ({
    ...input,
    buckets: times(9, (at) => ({ code: `Z${at}`, color: at })),
  }),
  'codes that differ by case': (input) => ({
    ...input,
    buckets: ['zz', 'ZZ'].map((code) => ({ code, color: 1 })),
  }),
  'a list': () => [],
  'no JSON': () => '{ "name": ',
}
