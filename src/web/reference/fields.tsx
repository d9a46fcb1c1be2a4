import type { JSX } from 'preact'
import { MAX_SAFE_INTEGER } from '../../contract/bounds.ts'
import { type Call, type Resolve, type Schema, schemaName } from './document.ts'
import { Prose } from './text.tsx'

/** A line of what an object holds. */
export type Field = {
  /** Where it stands: `slots[].mod`. No two are the same but for shapes. */
  readonly path: string
  /** Its last part; null for one of several shapes, which has no name of its own. */
  readonly name: string | null
  readonly depth: number
  readonly isRequired: boolean
  /** `integer`, `array of strings`, `one of two shapes`. */
  readonly type: string
  /** `1 to 99`; empty where there are none. */
  readonly bounds: string
  /** The values that it can have, where those are few. */
  readonly values: readonly string[]
  readonly description: string
}

/** What an object of this schema holds, line by line, what stands inside something below it. */
export const fieldsOf = (schema: Schema, resolve: Resolve): readonly Field[] =>
  within(schema, '', 0, resolve)

function within(schema: Schema, path: string, depth: number, resolve: Resolve): readonly Field[] {
  const items = itemsOf(schema, resolve)
  if (items !== null) return within(items, `${path}[]`, depth, resolve)
  const shapes = shapesOf(schema).flatMap((shape) => {
    const resolved = resolve(shape as Schema)
    const name = wordsOf(schemaName(shape) ?? 'Shape')
    const head: Field = {
      path: `${path}: ${name}`,
      name: null,
      depth,
      isRequired: false,
      type: name,
      bounds: '',
      values: [],
      description: textOf(resolved),
    }
    return [head, ...within(resolved, path, depth + 1, resolve)]
  })
  if (shapes.length > 0) return shapes
  const required = new Set([schema['required'] ?? []].flat())
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>
  return Object.entries(properties).flatMap(([name, property]) => {
    const resolved = resolve(property)
    const here = path === '' ? name : `${path}.${name}`
    const field = fieldOf(
      resolved,
      { path: here, name, depth, isRequired: required.has(name) },
      resolve,
    )
    return [field, ...within(resolved, here, depth + 1, resolve)]
  })
}

function itemsOf(schema: Schema, resolve: Resolve): Schema | null {
  const items = schema['items']
  return items === undefined ? null : resolve(items as Schema)
}

function shapesOf(schema: Schema): readonly unknown[] {
  const shapes = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(shapes) ? shapes : []
}

/** `BuiltinBucket` → `Builtin bucket`. */
const wordsOf = (name: string): string =>
  name.replace(/Input$/, '').replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function textOf(schema: Schema): string {
  const { description } = schema
  return typeof description === 'string' ? description : ''
}

type Place = Pick<Field, 'path' | 'name' | 'depth' | 'isRequired'>

const fieldOf = (schema: Schema, place: Place, resolve: Resolve): Field => ({
  ...place,
  type: typeOf(schema, resolve),
  bounds: boundsOf(schema),
  values: valuesOf(itemsOf(schema, resolve) ?? schema),
  description: textOf(schema),
})

function typeOf(schema: Schema, resolve: Resolve): string {
  const shapes = shapesOf(schema)
  if (shapes.length > 0) return `one of ${shapes.length} shapes`
  const items = itemsOf(schema, resolve)
  const types = typesOf(schema).map((type) => {
    if (type !== 'array' || items === null) return type
    const inner = shapesOf(items).length > 0 ? ['object'] : typesOf(items)
    return `array of ${inner.join(' or ')}s`
  })
  return types.join(' or ')
}

const typesOf = ({ type }: Schema): string[] => [type ?? []].flat().map(String)

function boundsOf(schema: Schema): string {
  const types = typesOf(schema)
  const format = schema['format']
  if (types.includes('string')) {
    if (format === 'date-time') return 'a timestamp'
    return rangeOf(numberOf(schema, 'minLength'), numberOf(schema, 'maxLength'), ' characters')
  }
  if (types.includes('array')) {
    return rangeOf(numberOf(schema, 'minItems'), numberOf(schema, 'maxItems'), ' items')
  }
  return rangeOf(numberOf(schema, 'minimum'), numberOf(schema, 'maximum'), '')
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  const top = most === undefined || most >= MAX_SAFE_INTEGER ? undefined : most
  if (least === undefined && top === undefined) return ''
  if (top === undefined) return least === 0 ? '' : `at least ${least}${unit}`
  if (least === undefined || least === 0)
    return unit === '' ? `0 to ${top}` : `at most ${top}${unit}`
  return least === top ? `${least}${unit}` : `${least} to ${top}${unit}`
}

function numberOf(schema: Schema, key: string): number | undefined {
  const value = schema[key]
  return typeof value === 'number' ? value : undefined
}

function valuesOf(schema: Schema): readonly string[] {
  const values = schema['enum'] ?? (schema['const'] === undefined ? [] : [schema['const']])
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : []
}

/** What a call takes beside its body, as lines of the same kind. */
export const parameterFields = ({ parameters }: Call, resolve: Resolve): readonly Field[] =>
  parameters.map(({ name, in: place, required, description, schema }) => {
    const resolved = resolve(schema)
    const field = fieldOf(resolved, { path: name, name, depth: 0, isRequired: required }, resolve)
    return { ...field, type: `${field.type} in the ${place}`, description }
  })

type FieldTableProps = { readonly fields: readonly Field[]; readonly label: string }

/** What an object holds, or what a call takes. */
export const FieldTable = ({ fields, label }: FieldTableProps): JSX.Element => (
  <table class="field-table" aria-label={label}>
    <tbody>
      {fields.map((field) => (
        <Row key={field.path} field={field} />
      ))}
    </tbody>
  </table>
)

function Row({ field }: { readonly field: Field }): JSX.Element {
  const depth = `depth-${Math.min(field.depth, 4)}`
  if (field.name === null) {
    return (
      <tr class="field-shape">
        <th scope="row" class={depth}>
          {field.type}
        </th>
        <td>
          <Prose text={field.description} />
        </td>
      </tr>
    )
  }
  return (
    <tr>
      <th scope="row" class={depth}>
        <code>{field.name}</code>
        {!field.isRequired && <span class="field-optional">optional</span>}
      </th>
      <td>
        <Kind {...field} />
        {field.description !== '' && (
          <span class="field-text">
            <Prose text={field.description} />
          </span>
        )}
      </td>
    </tr>
  )
}

/** `integer, 1 to 99`; the values themselves where they are few. */
const Kind = ({ type, bounds, values }: Field): JSX.Element => (
  <span class="field-kind">
    {[type, bounds].filter((part) => part !== '').join(', ')}
    {values.length > 0 && ': '}
    {values.map((value, at) => (
      <>
        {at > 0 && ' '}
        <code key={value}>{value}</code>
      </>
    ))}
  </span>
)
