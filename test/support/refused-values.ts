import type { TSchema } from 'typebox'
import type { Schema } from './any-of-schema.ts'

/** One field of a body or a query, and how the whole looks with another value there. */
export type Field = {
  /** `rounds[0].name`. */
  readonly place: string
  readonly schema: Schema
  readonly filled: (value: unknown) => unknown
}

/** Every field of a schema, those of each branch of a choice as well; all others hold what is allowed. */
export const fieldsOf = (schema: TSchema): Field[] =>
  fieldsIn({ place: '', schema, filled: (value) => value })

function fieldsIn({ place, schema, filled }: Field): Field[] {
  if (schema.anyOf !== undefined) {
    return schema.anyOf.flatMap((branch) => fieldsIn({ place, schema: branch, filled }))
  }
  if (schema.properties !== undefined) {
    const whole = sampleOf(schema) as object
    return Object.entries(schema.properties).flatMap(([name, field]) =>
      fieldsIn({
        place: place === '' ? name : `${place}.${name}`,
        schema: field,
        filled: (value) => filled({ ...whole, [name]: value }),
      }),
    )
  }
  const within =
    schema.items === undefined
      ? []
      : fieldsIn({
          place: `${place}[0]`,
          schema: schema.items,
          filled: (value) => filled([value]),
        })
  return [{ place, schema, filled }, ...within]
}

const typeOf = ({ type = '' }: Schema): string => [type].flat()[0] ?? ''

/** Something that the schema allows, with every field. */
function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0]!)
  const { minLength = 0, maxLength = Infinity, examples = ['Cup'] } = schema
  switch (typeOf(schema)) {
    case 'string': {
      const example = String(examples[0])
      const isFitting = example.length >= minLength && example.length <= maxLength
      return isFitting ? example : 'A'.repeat(minLength)
    }
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return [sampleOf(schema.items!)]
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sampleOf(field)]),
      )
  }
}

/** Values that are out of its bounds, each by one of them. */
export function outsideBounds(schema: Schema): unknown[] {
  const { minLength = 0, maxLength, pattern, minimum, maximum, minItems = 0, maxItems } = schema
  const item = schema.items && sampleOf(schema.items)
  const known = (value: unknown, isBound: boolean): unknown[] => (isBound ? [value] : [])
  return [
    ...known('x'.repeat((maxLength ?? 0) + 1), maxLength !== undefined),
    ...known('x'.repeat(minLength - 1 < 0 ? 0 : minLength - 1), minLength > 0),
    ...known('!'.repeat(Math.max(minLength, 1)), pattern !== undefined),
    ...known((minimum ?? 0) - 1, minimum !== undefined && schema.enum === undefined),
    ...known((maximum ?? 0) + 1, maximum !== undefined && schema.enum === undefined),
    ...known(
      Array.from({ length: minItems - 1 }, () => item),
      minItems > 0,
    ),
    ...known(
      Array.from({ length: (maxItems ?? 0) + 1 }, () => item),
      maxItems !== undefined,
    ),
    ...known([item, item], schema.uniqueItems === true),
  ]
}

/** Whether people write what is in it. */
export const isFreeText = (schema: Schema): boolean =>
  schema.const === undefined &&
  typeOf(schema) === 'string' &&
  schema.pattern === undefined &&
  schema.enum === undefined
