import { builtinCodes } from '../../contract/mods.ts'
import { CustomBucketInput } from '../../contract/bucket.ts'
import { Pack, PackInput } from '../../contract/pack.ts'
import { SlotInput } from '../../contract/slot.ts'
import { join } from './schema-error.ts'

const MOST_NAMES = 10
/** Proxies give all headers of an answer 4 KB by default; names are the sender's, and may be long. */
const LONGEST_HEADER = 1_024

/** A pack may be sent back as it was read (D-17). */
const ofPack = namesOf(Pack, PackInput)
const ofSlot = namesOf(SlotInput)
const ofBucket = namesOf(CustomBucketInput)

function namesOf(...schemas: readonly { readonly properties: object }[]): ReadonlySet<string> {
  return new Set(schemas.flatMap(({ properties }) => Object.keys(properties)))
}

type Fields = Readonly<Record<string, unknown>>

/**
 * The fields of a pack's input that nothing is made of (D-49), as places: `visiblity`,
 * `slots[0].modd`. Never a field of a pack as it is read; ten at most. The input is valid.
 */
export const ignoredFields = (input: unknown): readonly string[] => {
  const found: string[] = []
  const look = (value: Fields, known: ReadonlySet<string>, place: string): void => {
    for (const name of Object.keys(value)) {
      if (found.length === MOST_NAMES) return
      if (!known.has(name)) found.push(join(place, name))
    }
  }
  const { slots = [], buckets = [] } = input as { slots?: Fields[]; buckets?: Fields[] }
  look(input as Fields, ofPack, '')
  for (const [at, slot] of slots.entries()) look(slot, ofSlot, `slots[${at}]`)
  for (const [at, bucket] of buckets.entries()) {
    if (!builtinCodes.some((code) => code === bucket['code'])) {
      look(bucket, ofBucket, `buckets[${at}]`)
    }
  }
  return found
}

/** Those that a header can carry as they are; commas separate, and `%` begins an escape. */
const UNSAFE = /[^!-~]+|[%,]/gu

/**
 * The value of `X-Ignored-Fields`: names separated by commas, percent-encoded (UTF-8) where they
 * hold what a header cannot. null when nothing was ignored.
 */
export const ignoredFieldsHeader = (fields: readonly string[]): string | null => {
  let header: string | null = null
  for (const field of fields) {
    const name = field.replaceAll(UNSAFE, encodeURIComponent)
    const longer: string = header === null ? name : `${header}, ${name}`
    if (longer.length > LONGEST_HEADER) break
    header = longer
  }
  return header
}
