/** A JSON schema, as far as the contract's have it. */
export type Schema = { readonly [keyword: string]: unknown }

/** The name of a schema that has a type of its own; undefined where it is to be written out. */
type NameOf = (schema: Schema) => string | undefined

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

const literals = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(' | ')

const grouped = (text: string): string => (text.includes(' | ') ? `(${text})` : text)

const indent = (text: string): string => text.replaceAll('\n', '\n  ')

/** The description as a comment in front of what it describes. */
export const comment = ({ description }: Schema): string =>
  typeof description === 'string' ? `/** ${description.replaceAll('*/', '*\\/')} */\n` : ''

const typeOrName = (schema: Schema, nameOf: NameOf): string =>
  nameOf(schema) ?? schemaType(schema, nameOf)

const objectType = (schema: Schema, nameOf: NameOf): string => {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Schema>
    required?: readonly string[]
  }
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?'
    return indent(`\n${comment(field)}${name}${mark}: ${typeOrName(field, nameOf)}`)
  })
  return fields.length === 0 ? 'object' : `{${fields.join('')}\n}`
}

const plainType = (type: unknown, schema: Schema, nameOf: NameOf): string => {
  if (type === 'object') return objectType(schema, nameOf)
  if (type === 'array') {
    const { items } = schema
    if (isSchema(items)) return `${grouped(typeOrName(items, nameOf))}[]`
  }
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  throw new Error(`no type is known for the schema ${JSON.stringify(schema)}`)
}

/**
 * A schema as a TypeScript type that needs no library, its descriptions as comments.
 *
 * @throws Error for a schema that it does not know how to write.
 */
export const schemaType = (schema: Schema, nameOf: NameOf): string => {
  if ('const' in schema) return literals([schema['const']])
  if (Array.isArray(schema['enum'])) return literals(schema['enum'])
  if (Array.isArray(schema['anyOf'])) {
    return (schema['anyOf'] as Schema[]).map((part) => typeOrName(part, nameOf)).join(' | ')
  }
  const { type } = schema
  const types = Array.isArray(type) ? type : [type]
  return types.map((each) => plainType(each, schema, nameOf)).join(' | ')
}
