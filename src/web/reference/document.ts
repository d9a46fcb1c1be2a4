import { MAX_SAFE_INTEGER } from '../../contract/bounds.ts'
import { API_PREFIX } from '../../contract/endpoint.ts'
import type {
  Examples,
  Header,
  OpenapiDocument,
  Operation,
  Parameter,
} from '../../contract/openapi/types.ts'
import type { ServiceName } from '../../contract/services.ts'
import { pageData } from '../page-data.ts'

/** Where this site serves the document of a service: its own at the API, the other one as a file. */
export const documentPath = (service: ServiceName): string =>
  service === pageData().service ? `${API_PREFIX}/openapi.json` : `/docs/openapi/${service}.json`

export type Api = ReturnType<typeof readDocument>

export function readDocument({ info, servers, paths, components }: OpenapiDocument) {
  const expand = expander(components)
  const endpoints = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      endpointOf(path, method, expand(operation) as ExpandedOperation),
    ),
  )
  return {
    summary: info['summary'] as string,
    /** Paragraphs and headings in Markdown. */
    description: info['description'] as string,
    /** The address of the service with its version. */
    server: servers[0]?.['url'] as string,
    endpoints,
    commonHeaders: commonHeadersOf(endpoints),
  }
}

type ExpandedOperation = Omit<Operation, 'parameters' | 'requestBody' | 'responses'> & {
  readonly parameters?: readonly (Parameter & { readonly schema: Schema })[]
  readonly requestBody?: Message
  readonly responses: Readonly<Record<string, Message>>
}

type Message = {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: {
    readonly 'application/json': { readonly schema: Schema; readonly examples: Examples }
  }
}

/** The keywords of JSON Schema that the reference shows. */
type Schema = {
  /** The name of the schema, where it has one. */
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
} & {
  readonly [keyword in `${'min' | 'max'}${'imum' | 'Length' | 'Items'}`]?: number
}

/** Replaces references by what they refer to, with its name as `title`; the same one by the same object. */
function expander(components: OpenapiDocument['components']): (part: unknown) => unknown {
  const known = new Map<string, unknown>()
  const expand = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(expand)
    if ('$ref' in part) return refer(String(part.$ref))
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, expand(value)]))
  }
  const refer = (reference: string): unknown => {
    if (!known.has(reference)) {
      const [section = '', title = ''] = reference.split('/').slice(2)
      known.set(reference, { title, ...(expand(components[section]?.[title]) as object) })
    }
    return known.get(reference)
  }
  return expand
}

/** A method of a path. */
export type Endpoint = ReturnType<typeof endpointOf>
export type EndpointReply = Endpoint['replies'][number]
export type EndpointHeaders = EndpointReply['headers']

function endpointOf(path: string, method: string, operation: ExpandedOperation) {
  const { operationId: id, summary, description, parameters = [], requestBody } = operation
  return {
    id,
    method: method.toUpperCase(),
    /** Below the address of the service and its version: `/packs/{slug}`. */
    path,
    summary,
    description,
    needsKey: operation.security?.length !== 0,
    parameters,
    body: requestBody && messageOf(requestBody),
    replies: Object.entries(operation.responses).map(([status, response]) => ({
      ...messageOf(response),
      status,
      isError: Number(status) >= 400,
    })),
  }
}

const messageOf = ({ description, headers = {}, content }: Message) => ({
  description,
  headers: Object.entries(headers),
  schema: content?.['application/json'].schema,
  examples: content?.['application/json'].examples ?? {},
})

function commonHeadersOf(endpoints: readonly Endpoint[]): EndpointHeaders {
  const [first, ...others] = endpoints.flatMap(({ replies }) => replies)
  const isCommon = (name: string): boolean =>
    others.every(({ headers }) => headers.some(([other]) => other === name))
  return first?.headers.filter(([name]) => isCommon(name)) ?? []
}

/** The fields of an object, each followed by those inside it; none without a schema. */
export function fieldsOf(schema: Schema = {}, path = '', depth = 0): readonly Field[] {
  if (schema.items) return fieldsOf(schema.items, `${path}[]`, depth)
  const shapes = shapesOf(schema).flatMap((shape) => {
    const type = wordsOf(shape.title ?? 'Shape')
    const place = { path: `${path}: ${type}`, name: null, depth, isRequired: false }
    return [{ ...fieldOf(shape, place), type }, ...fieldsOf(shape, path, depth + 1)]
  })
  if (shapes.length > 0) return shapes
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const here = path === '' ? name : `${path}.${name}`
    const isRequired = schema.required?.includes(name) ?? false
    const field = fieldOf(property, { path: here, name, depth, isRequired })
    return [field, ...fieldsOf(property, here, depth + 1)]
  })
}

export const parameterFields = ({ parameters }: Endpoint): readonly Field[] =>
  parameters.map(({ name, in: place, required, description, schema }) => {
    const field = fieldOf(schema, { path: name, name, depth: 0, isRequired: required })
    return { ...field, type: `${field.type} in the ${place}`, description }
  })

export type Field = ReturnType<typeof fieldOf>

/** Where a field is. `name`: the last part of `path` (`slots[].mod`); null for an alternative. */
type FieldPlace = { path: string; name: string | null; depth: number; isRequired: boolean }

const fieldOf = (schema: Schema, place: FieldPlace) => ({
  ...place,
  /** `integer`, `array of strings`, `one of 2 shapes`. */
  type: typeOf(schema),
  /** `1 to 99`; empty where there are none. */
  bounds: boundsOf(schema),
  /** All possible values, where there are few. */
  values: valuesOf(schema.items ?? schema),
  description: schema.description ?? '',
})

const shapesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? []

/** `BuiltinBucket` → `Builtin bucket`. */
const wordsOf = (name: string): string =>
  name.replace(/Input$/, '').replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

function typeOf(schema: Schema): string {
  const shapes = shapesOf(schema)
  if (shapes.length > 0) return `one of ${shapes.length} shapes`
  const { items } = schema
  const inner = items && (shapesOf(items).length > 0 ? 'object' : typesOf(items).join(' or '))
  const types = typesOf(schema).map((type) => (type === 'array' ? `array of ${inner}s` : type))
  return types.join(' or ')
}

const typesOf = ({ type = [] }: Schema): readonly string[] => [type].flat()

function boundsOf(schema: Schema): string {
  if (schema.format === 'date-time') return 'a timestamp'
  const types = typesOf(schema)
  if (types.includes('string')) return rangeOf(schema.minLength, schema.maxLength, ' characters')
  if (types.includes('array')) return rangeOf(schema.minItems, schema.maxItems, ' items')
  return rangeOf(schema.minimum, schema.maximum, '')
}

function rangeOf(least = 0, most = MAX_SAFE_INTEGER, unit: string): string {
  if (most >= MAX_SAFE_INTEGER) return least === 0 ? '' : `at least ${least}${unit}`
  if (least === 0 && unit !== '') return `at most ${most}${unit}`
  return least === most ? `${least}${unit}` : `${least} to ${most}${unit}`
}

const valuesOf = ({ enum: values, const: only }: Schema): string[] =>
  (values ?? (only === undefined ? [] : [only])).map((value) => JSON.stringify(value))
