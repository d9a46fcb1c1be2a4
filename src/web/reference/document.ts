import { MAX_SAFE_INTEGER } from '../../contract/bounds.ts'
import { API_PREFIX } from '../../contract/endpoint.ts'
import type {
  Examples,
  Header,
  OpenapiDocument,
  Operation,
  Parameter,
  Reply,
} from '../../contract/openapi/types.ts'
import type { ServiceName } from '../../contract/services.ts'
import { pageData } from '../page-data.ts'

/** Where this site serves the document of a service: its own at the API, the other one as a file. */
export const documentPath = (service: ServiceName): string =>
  service === pageData().service ? `${API_PREFIX}/openapi.json` : `/docs/openapi/${service}.json`

/** A service as the reference shows it. */
export type Api = ReturnType<typeof readDocument>

export function readDocument({ info, servers, paths, components }: OpenapiDocument) {
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      callOf(path, method, expand(operation, components) as ExpandedOperation),
    ),
  )
  return {
    summary: info['summary'] as string,
    /** Paragraphs and headings in Markdown. */
    description: info['description'] as string,
    /** The address of the service with its version. */
    server: servers[0]?.['url'] as string,
    calls,
    commonHeaders: commonHeadersOf(calls),
  }
}

/** An operation without references. */
type ExpandedOperation = Omit<Operation, 'parameters' | 'requestBody' | 'responses'> & {
  readonly parameters?: readonly (Parameter & { readonly schema: Schema })[]
  readonly requestBody?: { readonly description: string; readonly content: Content }
  readonly responses: Readonly<Record<string, ExpandedReply>>
}

type ExpandedReply = Pick<Reply, 'description'> & {
  readonly headers: Readonly<Record<string, Header>>
  readonly content?: Content
}

type Content = {
  readonly 'application/json': { readonly schema: Schema; readonly examples: Examples }
}

/** The keywords of JSON Schema that the reference shows. */
export type Schema = {
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

/** Replaces references by what they refer to, with its name as `title`. */
function expand(part: unknown, components: OpenapiDocument['components']): unknown {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map((each) => expand(each, components))
  if ('$ref' in part) {
    const [section = '', title = ''] = String(part.$ref).split('/').slice(2)
    return { title, ...(expand(components[section]?.[title], components) as object) }
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, expand(value, components)]),
  )
}

/** An operation: a method of a path. */
export type Call = ReturnType<typeof callOf>
export type CallReply = Call['replies'][number]
export type CallHeaders = CallReply['headers']

const callOf = (path: string, method: string, operation: ExpandedOperation) => ({
  id: operation.operationId,
  method: method.toUpperCase(),
  /** Below the address of the service and its version: `/packs/{slug}`. */
  path,
  summary: operation.summary,
  description: operation.description,
  needsKey: operation.security?.length !== 0,
  parameters: operation.parameters ?? [],
  body: operation.requestBody
    ? {
        description: operation.requestBody.description,
        ...operation.requestBody.content['application/json'],
      }
    : null,
  replies: Object.entries(operation.responses).map(([status, reply]) => ({
    status,
    isError: Number(status) >= 400,
    description: reply.description,
    headers: Object.entries(reply.headers),
    schema: reply.content?.['application/json'].schema ?? null,
    examples: reply.content?.['application/json'].examples ?? {},
  })),
})

/** The headers of every reply. */
function commonHeadersOf(calls: readonly Call[]): CallHeaders {
  const [first = [], ...others] = calls.flatMap(({ replies }) =>
    replies.map((reply) => reply.headers),
  )
  return first.filter(([name]) =>
    others.every((headers) => headers.some(([other]) => other === name)),
  )
}

export type Field = {
  /** Unique but for alternatives: `slots[].mod`. */
  readonly path: string
  /** The last part of the path; null for an alternative, which has no name of its own. */
  readonly name: string | null
  readonly depth: number
  readonly isRequired: boolean
  /** `integer`, `array of strings`, `one of 2 shapes`. */
  readonly type: string
  /** `1 to 99`; empty where there are none. */
  readonly bounds: string
  /** All possible values, where there are few. */
  readonly values: readonly string[]
  readonly description: string
}

/** The fields of an object, each followed by those inside it. */
export function fieldsOf(schema: Schema, path = '', depth = 0): readonly Field[] {
  if (schema.items) return fieldsOf(schema.items, `${path}[]`, depth)
  const shapes = shapesOf(schema).flatMap((shape) => {
    const type = wordsOf(shape.title ?? 'Shape')
    const place = { path: `${path}: ${type}`, name: null, depth, isRequired: false }
    const { description = '' } = shape
    return [
      { ...place, type, bounds: '', values: [], description },
      ...fieldsOf(shape, path, depth + 1),
    ]
  })
  if (shapes.length > 0) return shapes
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const here = path === '' ? name : `${path}.${name}`
    const isRequired = schema.required?.includes(name) ?? false
    return [
      fieldOf(property, { path: here, name, depth, isRequired }),
      ...fieldsOf(property, here, depth + 1),
    ]
  })
}

/** The parameters of a call in the form of fields. */
export const parameterFields = ({ parameters }: Call): readonly Field[] =>
  parameters.map(({ name, in: place, required: isRequired, description, schema }) => {
    const field = fieldOf(schema, { path: name, name, depth: 0, isRequired })
    return { ...field, type: `${field.type} in the ${place}`, description }
  })

const fieldOf = (
  schema: Schema,
  place: Pick<Field, 'path' | 'name' | 'depth' | 'isRequired'>,
): Field => ({
  ...place,
  type: typeOf(schema),
  bounds: boundsOf(schema),
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
  const types = typesOf(schema).map((type) => {
    const { items } = schema
    if (type !== 'array' || !items) return type
    return `array of ${shapesOf(items).length > 0 ? 'object' : typesOf(items).join(' or ')}s`
  })
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
