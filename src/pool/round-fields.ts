import { DETAIL_LENGTH, NAME_LENGTH, NO_SLOT, PLACEHOLDER_LENGTH } from '../contract/bounds.ts'
import type { Slot } from '../contract/pools.ts'
import type {
  RoundInput,
  RoundSlot,
  RoundTargets,
  SlotContent,
  SlotDetails,
} from '../contract/rounds.ts'
import { type FieldDeclaration, type FieldTable, fieldTable, type SentOf } from './checks.ts'
import type { Place, PoolDraft } from './pool.ts'
import { plainSlot } from './slots.ts'
import { detailsWords } from './slot-details.ts'
import { remedy } from './remedies.ts'
import { findInLink, findInName } from './text.ts'

/** What hosts draft of a round apart from its pool. */
export type RoundField = Exclude<keyof RoundInput, keyof PoolDraft>

type FieldValues = { readonly [F in RoundField]-?: NonNullable<RoundInput[F]> }

/** The fields as they are sent. */
export type SentRoundFields = SentOf<FieldValues>

/** The fields as they are stored; null is none. */
export type RoundFields = { readonly [F in RoundField]: FieldValues[F] | null }

type RoundDeclaration<V> = FieldDeclaration<V, V | null> & {
  /**
   * When others than the staff read it (D-60): never, as it was when the round was released, or, of what is no part of
   * the draft, as it is now of a released round (D-85).
   */
  readonly shown: 'never' | 'released' | 'now'
  /** On lines for people, by what they call it; null for none. */
  words(this: void, value: V | undefined): Readonly<Record<string, string | null>>
}

type Refuse = (remedy: string, within?: string) => never

const readNumber = (value: unknown, refuse: Refuse, within = ''): number =>
  typeof value === 'number' ? value : refuse('a number', within)

const readText = (value: unknown, refuse: Refuse): string =>
  typeof value === 'string' ? value : refuse('a string')

/** Numbers and their bounds are checked by the schema of the request. */
const wholeNumber = (label: string) => ({
  read: readNumber,
  find: () => null,
  complete: (value: number | undefined) => value ?? null,
  texts: () => [],
  words: (value: number | undefined) => ({ [label]: value === undefined ? null : String(value) }),
})

const nameText = (maxLength: number) => ({
  read: readText,
  find: (text: string) => findInName(text.trim(), maxLength),
  complete: (text: string | undefined) => text?.trim() ?? null,
  texts: (text: string) => text,
})

const linkText = {
  read: readText,
  find: (text: string) => findInLink(text.trim()),
  complete: (text: string | undefined) => text?.trim() ?? null,
  texts: (text: string) => text,
}

/**
 * The fields of a round, in the order in which they are printed and their differences are listed. Whatever reads,
 * keeps, compares, prints or sends rounds goes by this table, so that a field that is declared here is lost nowhere.
 */
const roundDeclarations = {
  bestOf: { ...wholeNumber('Best of'), shown: 'released' },
  bans: { ...wholeNumber('Bans'), shown: 'released' },
  packName: {
    ...nameText(NAME_LENGTH),
    shown: 'never',
    words: (name) => ({ 'Name of the pack': name ?? null }),
  },
  targets: {
    shown: 'never',
    read: readTargets,
    find: (targets) =>
      targetNames.flatMap((name) => {
        const { min, max } = targets[name] ?? {}
        return min === undefined || max === undefined || min <= max
          ? []
          : [{ place: `.${name}.max`, what: remedy('underMin', { least: min }) }]
      }),
    // Without empty ranges and fields that are not ours (D-17).
    complete: (targets = {}) => {
      const ranges = targetNames.flatMap((name) => {
        const { min, max } = targets[name] ?? {}
        const range = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
        return Object.keys(range).length === 0 ? [] : [[name, range] as const]
      })
      return ranges.length === 0 ? null : Object.fromEntries(ranges)
    },
    texts: () => [],
    words: ({ stars, length, bpm, keys } = {}) => ({
      Stars: rangeText(stars),
      Length: rangeText(length),
      BPM: rangeText(bpm),
      Keys: rangeText(keys),
    }),
  },
  mapPackUrl: {
    ...linkText,
    shown: 'now',
    words: (link) => ({ 'Map pack': link ?? null }),
  },
  showcaseUrl: {
    ...linkText,
    shown: 'now',
    words: (link) => ({ Showcase: link ?? null }),
  },
} as const satisfies { readonly [F in RoundField]: RoundDeclaration<FieldValues[F]> }

/** In the order in which they are printed. */
export const targetNames = [
  'stars',
  'length',
  'bpm',
  'keys',
] as const satisfies (keyof RoundTargets)[]

function readTargets(value: unknown, refuse: Refuse): RoundTargets {
  const targets = readObject(value, refuse)
  const ranges = targetNames.flatMap((name) => {
    if (targets[name] === undefined) return []
    const range = readObject(targets[name], refuse, `.${name}`)
    const ends = (['min', 'max'] as const).flatMap((end) =>
      range[end] === undefined ? [] : [[end, readNumber(range[end], refuse, `.${name}.${end}`)]],
    )
    return [[name, Object.fromEntries(ends) as Range] as const]
  })
  return Object.fromEntries(ranges)
}

function readObject(value: unknown, refuse: Refuse, within = ''): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : refuse('an object', within)
}

type Range = NonNullable<RoundTargets['stars']>

function rangeText({ min, max }: Range = {}): string | null {
  return min === undefined && max === undefined ? null : `${min ?? ''}–${max ?? ''}`
}

export const roundFields: FieldTable<FieldValues, RoundFields> = fieldTable<
  FieldValues,
  RoundFields
>(roundDeclarations)

type FieldShown<When> = {
  [F in RoundField]: (typeof roundDeclarations)[F]['shown'] extends When ? F : never
}[RoundField]

const storedWhere = (from: Partial<RoundFields>, isWanted: (field: RoundField) => boolean) =>
  Object.fromEntries(
    Object.entries(roundFields.stored(from)).filter(([field]) => isWanted(field as RoundField)),
  )

/** What a release shows to everybody, as it is stored. */
export type ReleasedFields = Pick<RoundFields, FieldShown<'released'>>

export const releasedFields = (from: Partial<RoundFields>): ReleasedFields =>
  storedWhere(from, (field) => roundDeclarations[field].shown === 'released') as ReleasedFields

/** What is drafted, as it is stored. */
export type DraftFields = Omit<RoundFields, FieldShown<'now'>>

export const draftFields = (from: Partial<RoundFields>): DraftFields =>
  storedWhere(from, (field) => roundDeclarations[field].shown !== 'now') as DraftFields

/** What is no part of the draft, as it is stored (D-85). */
export type RoundLinks = Pick<RoundFields, FieldShown<'now'>>

export const roundLinks = (from: Partial<RoundFields>): RoundLinks =>
  storedWhere(from, (field) => roundDeclarations[field].shown === 'now') as RoundLinks

/** Whether a field is a part of the draft: of others, everybody reads a change at once, and hosts alone make it (D-85). */
export const isDrafted = (field: RoundField): boolean => roundDeclarations[field].shown !== 'now'

/** What is set of a round, for people, by what they call it; null for none. */
export const roundFieldWords = (from: Partial<FieldValues>): Map<string, string | null> =>
  new Map(
    roundFields.names.flatMap((field) => {
      const { words } = roundDeclarations[field] as RoundDeclaration<unknown>
      return Object.entries(words(from[field]))
    }),
  )

/** What a slot of a round holds: a beatmap, a placeholder or neither, with its details and link. */
export type SlotFilling = Omit<RoundSlot, keyof Place>

type FillingValues = { readonly [F in keyof SlotFilling]-?: NonNullable<SlotFilling[F]> }

type StoredFilling = { readonly [F in keyof FillingValues]: FillingValues[F] | null }

type SlotDeclaration<V> = FieldDeclaration<V, V | null> & {
  /** For people. */
  words(this: void, value: V): string
}

const slotDeclarations: { readonly [F in keyof FillingValues]: SlotDeclaration<FillingValues[F]> } =
  {
    beatmapId: {
      read: readNumber,
      // Checked with the place, as in packs.
      find: () => null,
      complete: (id) => id ?? null,
      texts: () => [],
      words: String,
    },
    placeholder: { ...nameText(PLACEHOLDER_LENGTH), words: (text) => `“${text}”` },
    details: {
      read: readDetails,
      find: (details) =>
        detailNames.flatMap((name) => {
          const what = findInName(details[name]?.trim() ?? name, DETAIL_LENGTH)
          return what === null ? [] : [{ place: `.${name}`, what }]
        }),
      // Without fields that are not ours (D-17).
      complete: (details = {}) => {
        const known = detailNames.flatMap((name) => {
          const text = details[name]?.trim()
          return text === undefined ? [] : [[name, text] as const]
        })
        return known.length === 0 ? null : Object.fromEntries(known)
      },
      texts: (details) =>
        detailNames.flatMap((name) => {
          const text = details[name]
          return text === undefined ? [] : [{ place: `.${name}`, text }]
        }),
      words: detailsWords,
    },
    link: { ...linkText, words: String },
  }

/** In the order in which they are printed. */
export const detailNames = ['artist', 'title', 'difficulty', 'mapper'] as const

function readDetails(value: unknown, refuse: Refuse): SlotDetails {
  const details = readObject(value, refuse)
  const known = detailNames.flatMap((name) => {
    const text = details[name]
    if (text === undefined) return []
    return [[name, typeof text === 'string' ? text : refuse('a string', `.${name}`)] as const]
  })
  return Object.fromEntries(known)
}

/** The fields of a slot apart from its place. That it has not both a beatmap and a placeholder is checked apart. */
export const slotFields: FieldTable<FillingValues, StoredFilling> = fieldTable<
  FillingValues,
  StoredFilling
>(slotDeclarations)

/** What is in a slot, for people. */
export const slotWords = (slot: SlotFilling): string =>
  slotFields.names
    .flatMap((field) => {
      const value = slot[field]
      return value === undefined
        ? []
        : (slotDeclarations[field] as SlotDeclaration<unknown>).words(value)
    })
    .join(', ') || 'empty'

/** As a change of slots has it: null for an empty slot, `none` for one that is not there (D-79). */
export function slotContent(slot: SlotFilling | undefined): SlotContent {
  if (slot === undefined) return NO_SLOT
  const content = slotFields.sent(slot)
  return Object.keys(content).length === 0 ? null : content
}

/** A slot with its own fields alone (D-17). */
export const plainRoundSlot = (slot: RoundSlot): RoundSlot => ({
  mod: slot.mod,
  index: slot.index,
  ...slotFields.sent(slot),
})

/** The slots that have a beatmap, as a pack has them. */
export const filledSlots = (slots: readonly RoundSlot[]): Slot[] =>
  slots.flatMap(({ beatmapId, ...slot }) =>
    beatmapId === undefined ? [] : [plainSlot({ ...slot, beatmapId })],
  )
