import { type TSchema, Type } from 'typebox'
import { User, UserReply } from '../accounts.ts'
import { type ErrorCode, errorCodes } from '../errors.ts'
import { builtinCodes } from '../mods.ts'
import { MagnetExport, Pack, PackInput, PackPage, PackReply, Stats } from '../packs.ts'
import {
  Bucket,
  BucketInput,
  BucketMods,
  BuiltinBucket,
  CustomBucket,
  CustomBucketInput,
  ForcedMods,
  FreeMods,
  Slot,
  SlotInput,
} from '../pools.ts'
import { Code, Slug, Timestamp } from '../primitives.ts'
import {
  type Json,
  type JsonObject,
  type Makers,
  OpenapiReply,
  type Refer,
  type Reference,
} from './types.ts'

const codes = Object.keys(errorCodes) as ErrorCode[]

/** Every answer that is not a success (spec 2.9). */
export const ErrorBody = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Enum(codes, { description: 'Stable; check this.' }),
        message: Type.String({
          description:
            'For people; may change. Names up to ten problems of a body, separated by `; `.',
          minLength: 1,
          maxLength: 1024,
        }),
      },
      { additionalProperties: false },
    ),
  },
  {
    additionalProperties: false,
    description: 'Why a request was refused.',
    examples: [{ error: { code: 'bad_request', message: 'slots[3].index must be from 1 to 99' } }],
  },
)

/** The resources that have a name of their own in the documents. */
const named: Readonly<Record<string, TSchema>> = {
  UserReply,
  User,
  PackReply,
  PackPage,
  Pack,
  PackInput,
  Slug,
  Slot,
  SlotInput,
  Bucket,
  BucketInput,
  BuiltinBucket,
  CustomBucket,
  CustomBucketInput,
  BucketMods,
  ForcedMods,
  FreeMods,
  Code,
  MagnetExport,
  Stats,
  Timestamp,
  ErrorReply: ErrorBody,
  OpenapiReply,
}

/** A schema is known by its text, because an optional one is a copy of the one that was named. */
const nameByText = new Map(
  Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name]),
)

/** Points at the schema's name. */
export const referTo = (schema: TSchema, refer: Refer): Reference => {
  const name = nameByText.get(JSON.stringify(schema))
  if (name === undefined) throw new Error('a schema of an endpoint has no name')
  return refer('schemas', name)
}

/** These hold data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples'])

/** `int64` where a reader needs more than 32 bits for what the bounds allow. */
const integerFormat = (maximum: number): 'int32' | 'int64' =>
  maximum > 2 ** 31 - 1 ? 'int64' : 'int32'

const formatOf = ({ type, maximum }: { type?: unknown; maximum?: unknown }): Json[] =>
  [type].flat().includes('integer') ? [integerFormat(Number(maximum))] : []

type Tagged = { readonly properties?: { readonly kind?: { readonly const?: string } } }

/** For a choice between named shapes of which each says its `kind`: which kind is which. */
const discriminatorOf = (value: object): JsonObject[] => {
  const shapes = 'anyOf' in value ? (value.anyOf as readonly Tagged[]) : []
  const mapping = shapes.flatMap((shape): [string, string][] => {
    const kind = shape.properties?.kind?.const
    const name = nameByText.get(JSON.stringify(shape))
    return kind === undefined || name === undefined ? [] : [[kind, `#/components/schemas/${name}`]]
  })
  if (mapping.length === 0 || mapping.length < shapes.length) return []
  return [{ propertyName: 'kind', mapping: Object.fromEntries(mapping) }]
}

const writeIn = (value: unknown, refer: Refer): Json => {
  if (Array.isArray(value)) return value.map((item) => write(item, refer))
  if (typeof value !== 'object' || value === null) return value as Json
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [
    key,
    dataKeywords.has(key) ? (inner as Json) : write(inner, refer),
  ])
  for (const format of formatOf(value)) entries.push(['format', format])
  for (const discriminator of discriminatorOf(value)) entries.push(['discriminator', discriminator])
  const isStringEnum = 'enum' in value && !('type' in value)
  return Object.fromEntries(isStringEnum ? [['type', 'string'], ...entries] : entries)
}

const write = (value: unknown, refer: Refer): Json => {
  const name = typeof value === 'object' ? nameByText.get(JSON.stringify(value)) : undefined
  return name === undefined ? writeIn(value, refer) : refer('schemas', name)
}

/** Controls, line separators, and what turns the direction of text, as ranges of a character class. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f'
const DIRECTIONS = '\\u202a-\\u202e\\u2066-\\u2069'
const ONE_LINE = `^\\s*[^\\s${CONTROLS}${DIRECTIONS}][^${CONTROLS}\\u2028\\u2029${DIRECTIONS}]*\\s*$`
const LINES = `^\\s*(?:[^${CONTROLS}${DIRECTIONS}]|\\r?\\n)*\\s*$`
const NO_BUILTIN = `^(?!(?:${builtinCodes
  .map((code) => Array.from(code, (letter) => `[${letter}${letter.toLowerCase()}]`).join(''))
  .join('|')})$)`

/**
 * What a field of an input must be besides, as far as JSON Schema can say it. In the document alone:
 * the service finds these faults with messages of its own (D-19, D-21, D-47).
 */
const refinements: Readonly<Record<string, Readonly<Record<string, JsonObject>>>> = {
  PackInput: { name: { pattern: ONE_LINE }, description: { pattern: LINES } },
  CustomBucketInput: { code: { pattern: NO_BUILTIN } },
}

const refine = (name: string, schema: JsonObject): JsonObject => {
  const fields = refinements[name]
  if (fields === undefined) return schema
  const properties = { ...(schema['properties'] as JsonObject) }
  for (const [field, more] of Object.entries(fields)) {
    properties[field] = { ...(properties[field] as JsonObject), ...more }
  }
  return { ...schema, properties }
}

/** Each named resource, with references in place of the other named ones. */
export const schemaMakers: Makers<JsonObject> = Object.fromEntries(
  Object.entries(named).map(([name, schema]) => [
    name,
    (refer) => refine(name, writeIn(schema, refer) as JsonObject),
  ]),
)
