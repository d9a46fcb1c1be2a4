import type { TSchema } from 'typebox'
import {
  Bucket,
  BucketInput,
  BucketMods,
  BuiltinBucket,
  CustomBucket,
  CustomBucketInput,
  ForcedMods,
  FreeMods,
} from '../bucket.ts'
import { ErrorReply } from '../error-reply.ts'
import { MagnetExport } from '../magnet-export.ts'
import { OpenapiReply } from '../openapi-reply.ts'
import { Pack, PackInput, PackPage, PackReply } from '../pack.ts'
import { Code, Slug, Timestamp } from '../primitives.ts'
import { Slot, SlotInput } from '../slot.ts'
import { Stats } from '../stats.ts'
import { User, UserReply } from '../user.ts'
import type { Makers, Refer } from './shelf.ts'
import type { Json, JsonObject, Reference } from './types.ts'

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
  ErrorReply,
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

const writeIn = (value: unknown, refer: Refer): Json => {
  if (Array.isArray(value)) return value.map((item) => write(item, refer))
  if (typeof value !== 'object' || value === null) return value as Json
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [
    key,
    dataKeywords.has(key) ? (inner as Json) : write(inner, refer),
  ])
  const isStringEnum = 'enum' in value && !('type' in value)
  return Object.fromEntries(isStringEnum ? [['type', 'string'], ...entries] : entries)
}

const write = (value: unknown, refer: Refer): Json => {
  const name = typeof value === 'object' ? nameByText.get(JSON.stringify(value)) : undefined
  return name === undefined ? writeIn(value, refer) : refer('schemas', name)
}

/** Each named resource, with references in place of the other named ones. */
export const schemaMakers: Makers<JsonObject> = Object.fromEntries(
  Object.entries(named).map(([name, schema]) => [
    name,
    (refer) => writeIn(schema, refer) as JsonObject,
  ]),
)
