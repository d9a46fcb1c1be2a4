import { DESCRIPTION_LENGTH } from '../contract/bounds.ts'
import type { Pack, PackInput } from '../contract/packs.ts'
import type { PoolDraft, PoolProblem } from './pool.ts'
import { plainSlot } from './slots.ts'
import { checkText } from './text.ts'

/** What the owner of a pack decides beside its pool. */
export type PackField = Exclude<keyof PackInput, keyof PoolDraft>

/** The fields as forms hold them. */
export type FieldValues = { readonly [F in PackField]-?: NonNullable<PackInput[F]> }

/** The fields as they are sent: those that are none are left out. */
export type SentFields = { readonly [F in PackField]?: FieldValues[F] }

/** The fields as they are stored: null is none, where a pack may have none. */
export type PackFields = {
  readonly [F in PackField]: undefined extends Pack[F] ? FieldValues[F] | null : FieldValues[F]
}

/** The fields of anything that may have them: null and undefined are none. */
export type AnyFields = { readonly [F in PackField]?: FieldValues[F] | null | undefined }

type Declaration<V, Stored> = {
  /** How people call it. */
  readonly label: string
  /** What a form shows when the pack has none. */
  readonly none: V
  /** What a value of any other type must be, to be read after `must be`; null for one of its type. */
  readonly typeRemedy: (this: void, value: unknown) => string | null
  /** What is wrong with a value of its type, to be read after its place; null when nothing is (D-19). */
  remedy(this: void, value: V): string | null
  /** As it is stored; what is left out takes its default (spec 2.8). */
  complete(this: void, value: V | undefined): Stored
  /** What people have typed in it, for the content rule (D-24): a text, or the texts of a list. */
  texts(this: void, value: V): string | readonly string[]
  /** On one line, for people. */
  words(this: void, value: V): string
}

export const visibilities: readonly FieldValues['visibility'][] = ['private', 'unlisted', 'public']

/**
 * The fields of a pack, in the order in which their differences are listed. Whatever reads, keeps, compares, prints
 * or sends packs goes by this table, so that a field that is declared here is lost nowhere.
 */
export const packFields: { readonly [F in PackField]: Declaration<FieldValues[F], PackFields[F]> } =
  {
    description: {
      label: 'Description',
      none: '',
      typeRemedy: (value) => (typeof value === 'string' ? null : 'a string'),
      remedy: (text) => checkText(text.trim(), DESCRIPTION_LENGTH, true),
      complete: (text) => text?.trim() || null,
      texts: (text) => text,
      words: (text) => text.replaceAll(/\r?\n/g, ' ↵ '),
    },
    visibility: {
      label: 'Visibility',
      none: 'unlisted',
      typeRemedy: (value) =>
        visibilities.some((each) => each === value) ? null : `one of ${visibilities.join(', ')}`,
      remedy: () => null,
      complete: (visibility) => visibility ?? 'unlisted',
      texts: () => [],
      words: (visibility) => visibility,
    },
  }

type AnyDeclaration = Declaration<unknown, unknown>

const declarations = Object.entries(packFields) as [PackField, AnyDeclaration][]

export const packFieldNames: readonly PackField[] = declarations.map(([field]) => field)

/** An object with what `make` returns for each field; undefined is left out. */
function eachField(make: (field: PackField, declared: AnyDeclaration) => unknown): object {
  const made: { [F in PackField]?: unknown } = {}
  for (const [field, declared] of declarations) {
    const value = make(field, declared)
    if (value !== undefined) made[field] = value
  }
  return made
}

/** As they are sent. */
export function sentFields(from: PackFields): Pick<Pack, PackField>
export function sentFields(from: AnyFields): SentFields
export function sentFields(from: AnyFields): SentFields {
  return eachField((field) => from[field] ?? undefined)
}

/** As they are stored. */
export const storedFields = (from: AnyFields): PackFields =>
  eachField((field, { complete }) => complete(from[field] ?? undefined)) as PackFields

/** As forms hold them. */
export const formFields = (from: AnyFields): FieldValues =>
  eachField((field, { none }) => from[field] ?? none) as FieldValues

/**
 * The fields of an object of which nothing is known, as they are there: not trimmed, within bounds or not.
 *
 * @param refuse throws for a field of another type.
 */
export function readFields(
  from: Readonly<Record<string, unknown>>,
  refuse: (field: PackField, remedy: string) => never,
): SentFields {
  return eachField((field, { typeRemedy }) => {
    const value = from[field] ?? undefined
    const remedy = value === undefined ? null : typeRemedy(value)
    return remedy === null ? value : refuse(field, remedy)
  })
}

/** One problem of each field at most. */
export const findFieldProblems = (from: AnyFields): PoolProblem[] =>
  declarations.flatMap(([place, declared]) => {
    const value = from[place] ?? null
    const remedy = value === null ? null : declared.remedy(value)
    return remedy === null ? [] : [{ place, remedy }]
  })

/** What people have typed, by place: `tags[2]` in a list. */
export const fieldTexts = (from: AnyFields): { readonly place: string; readonly text: string }[] =>
  declarations.flatMap(([place, { texts }]) => {
    const value = from[place] ?? null
    const found = value === null ? [] : texts(value)
    if (typeof found === 'string') return [{ place, text: found }]
    return found.map((text, at) => ({ place: `${place}[${at}]`, text }))
  })

/** As it is stored. */
export const storedField = (field: PackField, from: AnyFields): unknown =>
  (packFields[field] as AnyDeclaration).complete(from[field] ?? undefined)

/** A value of the field on one line; null for none. */
export const fieldWords = (field: PackField, value: unknown): string | null =>
  value === undefined ? null : (packFields[field] as AnyDeclaration).words(value)

/** Whether a save stores the same. */
export const isSameField = (field: PackField, a: AnyFields, b: AnyFields): boolean =>
  JSON.stringify(storedField(field, a)) === JSON.stringify(storedField(field, b))

export const hasSameFields = (a: AnyFields, b: AnyFields): boolean =>
  packFieldNames.every((field) => isSameField(field, a, b))

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
