import type { TLocalizedValidationError } from 'typebox/error'
import { CODE_PATTERN } from '../../contract/bounds.ts'

type SchemaNode = {
  readonly type?: string | readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

/** `/slots/3/index` behind `buckets[0]` → `buckets[0].slots[3].index`. */
const placeOf = (pointer: string, prefix: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((place, step) => join(place, step), prefix)

const LONGEST_NAME = 64

/** A field too many has the name that the sender chose; the message must stay within its bound. */
const shown = (name: string): string =>
  name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name

const join = (place: string, step: string): string => {
  if (/^[0-9]+$/.test(step)) return `${place}[${shown(step)}]`
  return place === '' ? shown(step) : `${place}.${shown(step)}`
}

/** The part of a schema that a JSON pointer leads to. */
const nodeAt = (schema: object, pointer: string): SchemaNode => {
  let node: unknown = schema
  for (const step of pointer.split('/').slice(1)) node = (node as Record<string, unknown>)[step]
  return node ?? {}
}

const nouns: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

const typeRemedy = ({ type }: SchemaNode): string =>
  `must be ${[type ?? []]
    .flat()
    .map((name) => nouns[name] ?? name)
    .join(' or ')}`

const countRemedy = (least: number | undefined, most: number | undefined, what: string): string =>
  least === undefined
    ? `must have at most ${most} ${what}`
    : `must have ${least} to ${most} ${what}`

const choiceRemedy = (choices: readonly unknown[]): string =>
  choices.length === 1 ? `must be ${String(choices[0])}` : `must be one of ${choices.join(', ')}`

const remedies: Readonly<Record<string, (node: SchemaNode) => string>> = {
  type: typeRemedy,
  minimum: ({ minimum, maximum }) => `must be from ${minimum} to ${maximum}`,
  maximum: ({ minimum, maximum }) => `must be from ${minimum} to ${maximum}`,
  minLength: ({ minLength, maxLength }) => countRemedy(minLength, maxLength, 'characters'),
  maxLength: ({ minLength, maxLength }) => countRemedy(minLength, maxLength, 'characters'),
  minItems: ({ minItems, maxItems }) => countRemedy(minItems, maxItems, 'items'),
  maxItems: ({ minItems, maxItems }) => countRemedy(minItems, maxItems, 'items'),
  uniqueItems: () => 'must not hold the same item twice',
  enum: (node) => choiceRemedy(node.enum ?? []),
  const: (node) => choiceRemedy([node.const]),
}

const CODE_REMEDY = 'must be 1 to 12 letters or digits'

/**
 * What is wrong and what to do, as `slots[3].index must be from 1 to 99` (D-14).
 *
 * @param schema what the value was checked against.
 * @param error the first thing found.
 * @param prefix the place of the value itself; empty for the body.
 */
export const describeError = (
  schema: object,
  error: TLocalizedValidationError | undefined,
  prefix: string,
): string => {
  if (error === undefined) return `${prefix || 'the body'} is not valid`
  const { keyword, instancePath, schemaPath } = error
  const place = placeOf(instancePath, prefix) || 'the body'
  if (error.keyword === 'required') {
    return `${join(placeOf(instancePath, prefix), error.params.requiredProperties[0] ?? '')} is missing`
  }
  // A closed object's schema for any other field is `false`.
  if (keyword === 'boolean') return `${place} must be left out`
  const node = nodeAt(schema, schemaPath.replace(/^#/, ''))
  if ('pattern' in node && node.pattern === CODE_PATTERN && keyword !== 'type') {
    return `${place} ${CODE_REMEDY}`
  }
  return `${place} ${remedies[keyword]?.(node) ?? 'is not valid'}`
}
