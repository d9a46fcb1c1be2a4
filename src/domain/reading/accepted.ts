import {
  CODE_PATTERN,
  FIRST_SEARCHED_YEAR,
  HTTPS_LINK_PATTERN,
  LAST_SEARCHED_YEAR,
  MAX_RANK,
  RANK_PATTERN,
  YEAR_PATTERN,
} from '../../contract/bounds.ts'
import { ofPrograms, type Wrong, wrong } from '../../pool/input-words.ts'

type Bound = 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems'
/** A part of a JSON schema. */
export type SchemaNode = Readonly<Partial<Record<Bound, number>>> & {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly required?: readonly string[]
}

/** What a value of a JSON type is called in messages. */
const nouns: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

/** `a, b or c`. */
export const listWords = (words: readonly string[], conjunction: 'and' | 'or'): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(` ${conjunction} `)

/** What a schema accepts, to be read after `must be`: `a whole number from 1 to 99`. */
export function acceptedBy(node: SchemaNode): string {
  const types = [node.type ?? []].flat()
  const bounds = types.map((type) => boundsOf(type, node))
  const words = types.map((type, at) => `${nouns[type] ?? 'a value'}${bounds[at]}`)
  return words.join(bounds.every((each) => each === '') ? ' or ' : ', or ') || 'a value'
}

function boundsOf(type: string, node: SchemaNode): string {
  const {
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    examples,
    required = [],
  } = node
  switch (type) {
    case 'integer':
    case 'number':
      return minimum === undefined || maximum === undefined ? '' : ` from ${minimum} to ${maximum}`
    case 'string':
      if (node.pattern === CODE_PATTERN) return ` of ${CODE_CHARACTERS}`
      if (node.pattern !== undefined) {
        return examples === undefined
          ? ` that matches ${node.pattern}`
          : ` of the form ${String(examples[0])}`
      }
      return countOf(minLength, maxLength, 'characters')
    case 'array':
      return countOf(minItems, maxItems, 'items')
    case 'object':
      return required.length === 0 ? '' : ` with ${required.join(' and ')}`
    default:
      return ''
  }
}

function countOf(least: number | undefined, most: number | undefined, what: string): string {
  if (most === undefined) return ''
  if (least === undefined) return ` of at most ${most} ${what}`
  return ` of ${least} to ${most} ${what}`
}

const CODE_CHARACTERS = '1 to 12 letters or digits'

const wrongType = (node: SchemaNode): Wrong =>
  numbersIn.has(node.pattern ?? '') ? wrongForm(node) : ofPrograms(`must be ${acceptedBy(node)}`)

const outOfBounds = ({ minimum: least, maximum: most }: SchemaNode): Wrong => ({
  what: wrong('bounds', { least: String(least), most: String(most) }),
})

function wrongLength(node: SchemaNode): Wrong {
  const { minLength: least, maxLength: most = Infinity } = node
  const isExact = least === most
  // A client that gets the length of such a value wrong does not know its form.
  if (node.pattern !== undefined && node.pattern !== HTTPS_LINK_PATTERN) return wrongForm(node)
  if (least === undefined) return { what: wrong('mostCharacters', { most }) }
  return {
    what: isExact ? wrong('exactCharacters', { most }) : wrong('characters', { least, most }),
  }
}

function wrongCount({ minItems: least, maxItems: most = Infinity }: SchemaNode): Wrong {
  if (least === undefined) return { what: wrong('mostItems', { most }) }
  return { what: least === most ? wrong('exactItems', { most }) : wrong('items', { least, most }) }
}

const noChoice = (choices: readonly unknown[]): Wrong =>
  ofPrograms(
    choices.length === 1 ? `must be ${String(choices[0])}` : `must be one of ${choices.join(', ')}`,
  )

/** The numbers that parameters of a query are, by their patterns. */
const numbersIn = new Map<string, readonly [least: number, most: number]>([
  [RANK_PATTERN, [1, MAX_RANK]],
  [YEAR_PATTERN, [FIRST_SEARCHED_YEAR, LAST_SEARCHED_YEAR]],
])

function wrongForm({ pattern = '', examples }: SchemaNode): Wrong {
  const bounds = numbersIn.get(pattern)
  if (bounds !== undefined) {
    const [least, most] = bounds
    return { what: wrong('wholeNumber', { least: String(least), most: String(most) }) }
  }
  if (examples === undefined) return ofPrograms(`must match ${pattern}`)
  return { what: wrong('form', { example: String(examples[0]) }) }
}

/** What is wrong with a value by a keyword of its schema, and what is accepted in its place (D-14). */
export function wrongWith(keyword: string, node: SchemaNode): Wrong {
  const choices = node.const === undefined ? node.enum : [node.const]
  if (choices !== undefined) return noChoice(choices)
  return findings[keyword]?.(node) ?? { what: wrong('notValid') }
}

const findings: Readonly<Record<string, (node: SchemaNode) => Wrong>> = {
  type: wrongType,
  minimum: outOfBounds,
  maximum: outOfBounds,
  minLength: wrongLength,
  maxLength: wrongLength,
  minItems: wrongCount,
  maxItems: wrongCount,
  pattern: wrongForm,
  format: wrongForm,
  uniqueItems: () => ({ what: wrong('itemTwice') }),
}
