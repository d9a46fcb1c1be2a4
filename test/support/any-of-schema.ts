import * as fc from 'fast-check'
import type { TSchema } from 'typebox'

/** A JSON schema, as far as those of the contract go. */
export type Schema = {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly uniqueItems?: boolean
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly examples?: readonly unknown[]
}

/**
 * Values that a schema of the contract allows, with every field of an object that may be left out. Texts are short
 * and have nothing around them that is trimmed.
 *
 * @throws for a kind of schema that it does not know, so that no new field is left out of a test.
 */
export const anyOf = (schema: TSchema): fc.Arbitrary<unknown> => arbitraryOf(schema)

function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(arbitraryOf))
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: string) => arbitraryOf({ ...schema, type })))
  }
  const { minimum: min = 0, maximum: max = 1_000_000 } = schema
  switch (schema.type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return fc.integer({ min, max })
    case 'number':
      return fc.integer({ min: min * 4, max: max * 4 }).map((quarters) => quarters / 4)
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.uniqueArray(arbitraryOf(schema.items!), {
        minLength: schema.minItems ?? 1,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties!).map(([name, of]) => [name, arbitraryOf(of)]),
        ),
      )
    default:
      throw new Error(`no values are known for ${JSON.stringify(schema)}`)
  }
}

function textOf({ pattern, minLength = 1, maxLength = 20 }: Schema): fc.Arbitrary<string> {
  // Of letters of any script, some codes.
  if (pattern?.includes('\\p{')) return fc.constantFrom('NM', 'HD', 'TB', 'RC', 'x1', '決勝')
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return fc
    .string({
      unit: fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyz0123456789 äé日本')),
      minLength: Math.max(minLength, 1),
      maxLength: Math.min(maxLength, 20),
    })
    .map((text) => text.trim().padEnd(Math.max(minLength, 1), 'x'))
}
