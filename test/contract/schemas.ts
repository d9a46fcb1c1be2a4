import type { OpenapiDocument } from '../../src/contract/openapi/types.ts'

export type Schema = Readonly<Record<string, unknown>>

/** Keywords that hold no schema inside. */
const plain: ReadonlySet<string> = new Set([
  '$ref',
  'type',
  'description',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'required',
  'enum',
  'const',
  'default',
  'discriminator',
  // Of these, the properties that a document has are listed elsewhere in it.
  'dependentRequired',
  'not',
  'examples',
])

const childrenOf = (schema: Schema, place: string): [string, Schema][] =>
  Object.entries(schema).flatMap(([keyword, value]): [string, Schema][] => {
    if (plain.has(keyword) || typeof value === 'boolean') return []
    // A tuple has one schema for each place.
    const isOne = keyword === 'items' && !Array.isArray(value)
    if (isOne) return [[`${place}/items`, value as Schema]]
    if (['items', 'properties', 'patternProperties', 'anyOf'].includes(keyword)) {
      return Object.entries(value as object).map(([name, inner]) => [
        `${place}/${keyword}/${name}`,
        inner as Schema,
      ])
    }
    throw new Error(`this walk does not know ${keyword} at ${place}`)
  })

/** A schema and all within it, each with its place; references are not followed. */
export const schemasIn = (schema: Schema, place: string): [string, Schema][] => [
  [place, schema],
  ...childrenOf(schema, place).flatMap(([inner, child]) => schemasIn(child, inner)),
]

/** Every schema that a document writes out: the named ones, and those of parameters and headers. */
export const schemasOf = ({ components }: OpenapiDocument): [string, Schema][] => [
  ...Object.entries(components['schemas'] ?? {}).flatMap(([name, schema]) =>
    schemasIn(schema as Schema, `#/components/schemas/${name}`),
  ),
  ...(['parameters', 'headers'] as const).flatMap((section) =>
    Object.entries(components[section] ?? {}).flatMap(([name, part]) =>
      schemasIn((part as { schema: Schema }).schema, `#/components/${section}/${name}/schema`),
    ),
  ),
]

/** The names of the schemas that one leads to, itself included. */
export const reachable = (
  { components }: OpenapiDocument,
  names: Iterable<string>,
): ReadonlySet<string> => {
  const seen = new Set(names)
  for (const name of seen) {
    const schema = components['schemas']?.[name] as Schema
    for (const [, inner] of schemasIn(schema, name)) {
      if (typeof inner['$ref'] === 'string') seen.add(inner['$ref'].split('/').at(-1)!)
    }
  }
  return seen
}
