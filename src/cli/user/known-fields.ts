import type { Pack, PackInput } from '../../contract/packs.ts'
import type { Round, RoundInput } from '../../contract/rounds.ts'
import { decodeText } from '../../formats/file-content.ts'
import { likelyName } from '../../pool/near-words.ts'
import { packFieldNames } from '../../pool/pack-fields.ts'
import { detailNames, roundFields, slotFields, targetNames } from '../../pool/round-fields.ts'
import { CliError } from '../program.ts'
import { parseJson } from './files.ts'

/** The fields of an object by their names, each with those that are in it, or in each item of it; null: any. */
export type KnownFields = { readonly [name: string]: KnownFields | null }

export const anyOf = (names: readonly string[]): KnownFields =>
  Object.fromEntries(names.map((name) => [name, null]))

const all = (names: readonly string[], fields: KnownFields): KnownFields =>
  Object.fromEntries(names.map((name) => [name, fields]))

const bucketFields: KnownFields = { ...anyOf(['code', 'color']), mods: anyOf(['kind', 'set']) }
// Referee programs call it code.
const place = anyOf(['mod', 'code', 'index'])

/** What is only read of a pack: nothing is made of it. */
const answeredOfPack: Record<Exclude<keyof Pack, keyof PackInput>, null> = {
  slug: null,
  exports: null,
  hiddenAt: null,
  historyPublic: null,
  stats: null,
  createdAt: null,
  updatedAt: null,
  packKey: null,
  ownerName: null,
}

const answeredOfRound: Record<Exclude<keyof Round, keyof RoundInput>, null> = {
  id: null,
  releaseAt: null,
  incomplete: null,
  releasedAt: null,
  packSlug: null,
  createdAt: null,
  updatedAt: null,
}

export const fieldsOfPack: KnownFields = {
  ...anyOf(['name', ...packFieldNames]),
  ...answeredOfPack,
  slots: { ...place, beatmapId: null },
  buckets: bucketFields,
}

export const fieldsOfRound: KnownFields = {
  ...anyOf(['name', ...roundFields.names]),
  ...answeredOfRound,
  targets: all(targetNames, anyOf(['min', 'max'])),
  slots: { ...place, ...anyOf(slotFields.names), details: anyOf(detailNames) },
  buckets: bucketFields,
}

/** As the API answers it: with the pack or the round in a field of its own, or without. */
export const wrapped = (name: string, fields: KnownFields): KnownFields => ({
  ...fields,
  [name]: fields,
})

/**
 * Refuses fields that are misspelt in a file that replaces a whole: what was meant would be removed.
 *
 * @throws CliError with the places, and what was probably meant.
 */
export function refuseUnknown(value: unknown, known: KnownFields): void {
  const unknown = unknownIn(value, known, '')
  if (unknown.length > 0) throw new CliError(unknown.slice(0, MOST_NAMED).join('\n'))
}

/** As `refuseUnknown`, of the text of JSON. */
export const refuseUnknownIn = (json: string, known: KnownFields): void =>
  refuseUnknown(parseJson(withoutMark(json)), known)

const withoutMark = (text: string): string => text.replace(/^\ufeff/, '')

/** What is ignored in a pack or a round as the API has it, in sentences (D-49); none of other programs' JSON. */
export function ignoredNotes(bytes: Uint8Array): string[] {
  const body = objectIn(parseJson(withoutMark(decodeText(bytes))))
  const pool = objectIn(body?.['pack']) ?? objectIn(body?.['round']) ?? body
  const slots = pool?.['slots']
  const first = Array.isArray(slots) ? objectIn(slots[0]) : null
  if (!pool || !first || !('index' in first && 'beatmapId' in first)) return []
  // Those of referee programs have fields of their own, too.
  if ('code' in first && !('mod' in first)) return []
  const notes = unknownIn(pool, fieldsOfEither, '')
  return notes.slice(0, MOST_NAMED).map((note) => `ignored: ${note}`)
}

const fieldsOfEither: KnownFields = { ...fieldsOfPack, ...fieldsOfRound }

const objectIn = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null

const MOST_NAMED = 10

/** A sentence about each field that is not known. */
function unknownIn(value: unknown, known: KnownFields, within: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, at) => unknownIn(item, known, `${within}[${at}]`))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = within === '' ? name : `${within}.${name}`
    const fields = Object.hasOwn(known, name) ? known[name] : undefined
    if (fields === null) return []
    return fields === undefined ? [notKnown(place, name, known)] : unknownIn(inner, fields, place)
  })
}

function notKnown(place: string, name: string, known: KnownFields): string {
  const names = Object.keys(known)
  // Another name of one field may be that of another with a letter more.
  const likely = likelyName(name, names) ?? names.find((each) => likelyName(each, [name]))
  return `there is no field ${place}${likely === undefined ? '' : `; is it ${likely}?`}`
}
