import { DESCRIPTION_LENGTH } from '../contract/bounds.ts'
import type { Pack, PackInput } from '../contract/packs.ts'
import {
  type AnyOf,
  type FieldDeclaration,
  type FieldTable,
  fieldTable,
  type SentOf,
} from './checks.ts'
import type { PoolDraft } from './pool.ts'
import { plainSlot } from './slots.ts'
import { findInText } from './text.ts'

/** What the owner of a pack decides apart from its pool. */
export type PackField = Exclude<keyof PackInput, keyof PoolDraft>

/** The fields as forms hold them. */
export type FieldValues = { readonly [F in PackField]-?: NonNullable<PackInput[F]> }

/** The fields as they are sent: those that are none are left out. */
export type SentFields = SentOf<FieldValues>

/** The fields as they are stored: null is none, where a pack may have none. */
export type PackFields = {
  readonly [F in PackField]: undefined extends Pack[F] ? FieldValues[F] | null : FieldValues[F]
}

/** The fields of anything that may have them: null and undefined are none. */
export type AnyFields = AnyOf<FieldValues>

type PackDeclaration<V, Stored> = FieldDeclaration<V, Stored> & {
  /** How people call it. */
  readonly label: string
  /** What a form shows when the pack has none. */
  readonly none: V
  /** On one line, for people. */
  words(this: void, value: V): string
}

export const visibilities: readonly FieldValues['visibility'][] = ['private', 'unlisted', 'public']

/**
 * The fields of a pack, in the order in which their differences are listed. Whatever reads, keeps, compares, prints
 * or sends packs goes by this table, so that a field that is declared here is lost nowhere.
 */
export const packFields: {
  readonly [F in PackField]: PackDeclaration<FieldValues[F], PackFields[F]>
} = {
  description: {
    label: 'Description',
    none: '',
    read: (value, refuse) => (typeof value === 'string' ? value : refuse('a string')),
    find: (text) => findInText(text.trim(), DESCRIPTION_LENGTH, true),
    complete: (text) => text?.trim() || null,
    texts: (text) => text,
    words: (text) => text.replaceAll(/\r?\n/g, ' ↵ '),
  },
  visibility: {
    label: 'Visibility',
    none: 'unlisted',
    read: (value, refuse) =>
      visibilities.find((each) => each === value) ?? refuse(`one of ${visibilities.join(', ')}`),
    find: () => null,
    complete: (visibility) => visibility ?? 'unlisted',
    texts: () => [],
    words: (visibility) => visibility,
  },
}

const table = fieldTable<FieldValues, PackFields>(packFields)

// Types that are inferred would name source files in the declarations of the client package.
type Table = FieldTable<FieldValues, PackFields>
export const packFieldNames: Table['names'] = table.names
/** In English. */
export const packFieldLabels = Object.fromEntries(
  packFieldNames.map((field) => [field, packFields[field].label]),
) as Readonly<Record<PackField, string>>
export const storedFields: Table['stored'] = table.stored
export const storedField: Table['storedOne'] = table.storedOne
export const findInFields: Table['find'] = table.find
export const fieldTexts: Table['texts'] = table.texts
export const fieldDifferences: Table['differences'] = table.differences
export const hasSameFields: Table['isSame'] = table.isSame

/** As they are sent. */
export function sentFields(from: PackFields): Pick<Pack, PackField>
export function sentFields(from: AnyFields): SentFields
export function sentFields(from: AnyFields): SentFields {
  return table.sent(from)
}

/** As `fieldTable` reads them, but null is none. */
export const readFields: Table['read'] = (from, refuse) =>
  table.read(Object.fromEntries(Object.entries(from).filter(([, value]) => value !== null)), refuse)

/** As forms hold them. */
export const formFields = (from: AnyFields): FieldValues =>
  Object.fromEntries(
    packFieldNames.map((field) => [field, from[field] ?? packFields[field].none]),
  ) as FieldValues

/** A value of the field on one line; null for none. */
export const fieldWords = (field: PackField, value: unknown): string | null =>
  value === undefined ? null : (packFields[field] as PackDeclaration<unknown, unknown>).words(value)

/** What the owner decides, of anything that holds it: a pack, a version, an edit (spec 2.8). */
export const packInputOf = (pack: PoolDraft & AnyFields): PackInput => ({
  name: pack.name,
  ...sentFields(pack),
  slots: pack.slots.map(plainSlot),
  ...(pack.buckets && { buckets: [...pack.buckets] }),
})

/** Equal for inputs of which a save makes the same pack, if they write their bucket tables alike. */
export const inputText = (pack: PoolDraft & AnyFields): string =>
  JSON.stringify([
    pack.name.trim(),
    pack.slots.map(plainSlot),
    pack.buckets ?? null,
    storedFields(pack),
  ])
