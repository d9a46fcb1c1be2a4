import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import { CODE_PATTERN, HTTPS_LINK_PATTERN, MAX_BEATMAP_ID } from '../../contract/bounds.ts'
import { findTargets } from '../../pool/beatmap-links.ts'
import {
  type InputProblem,
  inputEnglish,
  ofPrograms,
  type Wrong,
  wrong,
} from '../../pool/input-words.ts'
import { invalidInput } from '../invalid-input.ts'
import { type SchemaNode, wrongWith } from './accepted.ts'
import { likelyName } from '../../pool/near-words.ts'

// Enough for ten places with several faults each.
Settings.Set({ maxErrors: 40 })

/**
 * Returns a function that finds the problems of a value, each with its place and the remedy (D-14).
 * Nothing is coerced (D-18). `place` is where the value itself is, empty for the body.
 */
export function problemFinder(
  schema: TSchema,
): (value: unknown, place: string) => readonly InputProblem[] {
  const compiled = Compile(schema)
  return (value, place) =>
    compiled.Check(value) ? [] : describeErrors(schema, value, compiled.Errors(value), place)
}

/** As `problemFinder`, throwing a `bad_request` that names the problems. */
export function shapeChecker(
  schema: TSchema,
  reason: 'invalid_field' | 'invalid_query' = 'invalid_field',
): (value: unknown, place: string) => void {
  const find = problemFinder(schema)
  return (value, place) => {
    const problems = find(value, place)
    if (problems.length === 0) return
    throw invalidInput(reason === 'invalid_query' ? problems.map(onceIn(value)) : problems, reason)
  }
}

/** A parameter that a query has twice is read as a list. */
const onceIn =
  (query: unknown) =>
  (problem: InputProblem): InputProblem =>
    Array.isArray(valueAt(query, `/${problem.place}`))
      ? { place: problem.place, ...ofPrograms('must be sent once') }
      : problem

/** `slots[3].index must be from 1 to 99` (D-14): a line for each place, in the order found. */
function describeErrors(
  schema: object,
  value: unknown,
  errors: readonly TLocalizedValidationError[],
  prefix: string,
): InputProblem[] {
  const problems = new Map<string, InputProblem>()
  const say = (place: string, problem: Wrong): void => {
    if (!problems.has(place)) problems.set(place, { place, ...problem })
  }
  for (const error of errors) {
    // Each field too many has an error of its own.
    if (error.keyword === 'additionalProperties') continue
    const place = placeOf(error.instancePath, prefix)
    if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties) {
        const missing = join(place, name)
        const holder = valueAt(value, error.instancePath) as object
        const question = askLikely([name], unknownIn(schema, value, error), holder)
        say(missing, ofPrograms(`is missing${question}`))
      }
    } else say(place, describe(schema, value, error))
  }
  return problems.size === 0 ? [{ place: prefix, what: wrong('notValid') }] : [...problems.values()]
}

/**
 * `; is it beatmap_id?` about a name that is much like one of those that are missing, or `; is it inside round?` about an
 * object that has one of them (D-88); empty where none is. Of the unknown names, some are compared, because a sender may
 * send many.
 *
 * @param holder what the unknown names are in; left out: it is not looked into.
 */
export function askLikely(
  missing: readonly string[],
  unknown: readonly string[],
  holder: object = {},
): string {
  const compared = comparedOf(unknown)
  const wrapper = compared.find((name) => {
    const inner = comparedOf(namesIn((holder as Record<string, unknown>)[name]))
    return missing.some((each) => likelyName(each, inner) !== undefined)
  })
  if (wrapper !== undefined) return `; is it inside ${shown(wrapper)}?`
  const [likely] = missing.flatMap((name) => likelyName(name, compared) ?? [])
  return likely === undefined ? '' : `; is it ${shown(likely)}?`
}

const comparedOf = (names: readonly string[]): readonly string[] =>
  names.filter((name) => name.length <= LONGEST_NAME).slice(0, MOST_COMPARED)

const namesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []

const MOST_COMPARED = 16

/** The names in the object of an error that its schema does not have. */
function unknownIn(
  schema: object,
  value: unknown,
  { instancePath, schemaPath }: TLocalizedValidationError,
): readonly string[] {
  const node = nodeAt(schema, schemaPath.replace(/^#/, '')) as { readonly properties?: object }
  const known = node.properties ?? {}
  const names = Object.keys(valueAt(value, instancePath) as object)
  return names.filter((name) => !Object.hasOwn(known, name))
}

/** `/slots/3/index` after `buckets[0]` → `buckets[0].slots[3].index`. */
const placeOf = (pointer: string, prefix: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((place, step) => join(place, step), prefix)

/** `slots[3]` and `index` → `slots[3].index`; a place that is nested too deep to be shown ends in …. */
export function join(place: string, step: string): string {
  if (place.length > LONGEST_PLACE) return place.endsWith(CUT) ? place : `${place}${CUT}`
  if (/^[0-9]+$/.test(step)) return `${place}[${shown(step)}]`
  return place === '' ? shown(step) : `${place}.${shown(step)}`
}

const LONGEST_NAME = 64
const LONGEST_PLACE = 160
const CUT = '…'

/** A name that the sender chose: bounded, and without characters that are not seen as such. */
export function shown(name: string): string {
  const cut =
    name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}${CUT}` : name
  return cut.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
}

function describe(
  schema: object,
  value: unknown,
  { keyword, instancePath, schemaPath }: TLocalizedValidationError,
): Wrong {
  // A closed object's schema for any other field is `false`.
  if (keyword === 'boolean') return ofPrograms('must be left out')
  const path = schemaPath.replace(/^#/, '')
  const node = nodeAt(schema, path)
  const actual = valueAt(value, instancePath)
  if (actual === null && isOptional(schema, path)) return ofPrograms(LEAVE_OUT)
  if (node.pattern === CODE_PATTERN && keyword !== 'type') return { what: wrong('badCode') }
  const isLink = node.pattern === HTTPS_LINK_PATTERN
  if (isLink && (keyword === 'pattern' || keyword === 'minLength')) {
    return { what: wrong('badLink') }
  }
  const found = wrongWith(keyword, node)
  const hint = path.endsWith('/beatmapId') ? linkHint(actual) : ''
  return hint === '' ? found : { ...found, inApi: inputEnglish(found) + hint }
}

/** The part of a schema that a JSON pointer leads to. */
function nodeAt(schema: object, pointer: string): SchemaNode {
  let node: unknown = schema
  for (const step of pointer.split('/').slice(1)) node = (node as Record<string, unknown>)[step]
  return node ?? {}
}

export const LEAVE_OUT = 'must not be null: leave it out'

/** The value that a JSON pointer leads to. */
function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const step of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown>)[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return value
}

function isOptional(schema: object, schemaPath: string): boolean {
  const [, parent, name] = /^(.*)\/properties\/([^/]+)$/.exec(schemaPath) ?? []
  if (parent === undefined || name === undefined) return false
  const { required = [] } = nodeAt(schema, parent) as { required?: readonly string[] }
  return !required.includes(name)
}

/** The number that a link to a beatmap names: people paste what the browser shows. */
function linkHint(value: unknown): string {
  if (typeof value !== 'string') return ''
  const [target] = findTargets(value.slice(0, 500))
  if (target === undefined) return ''
  const { beatmapId } = target
  if (beatmapId === null) {
    return ': this link leads to a whole set; open one of its beatmaps and take the last number of that link'
  }
  return beatmapId >= 1 && beatmapId <= MAX_BEATMAP_ID ? `: take ${beatmapId} from this link` : ''
}

/** A JSON schema, as far as bodies are read by it. */
export type Node = TSchema &
  SchemaNode & {
    readonly properties?: Readonly<Record<string, Node>>
    readonly items?: Node
    readonly anyOf?: readonly Node[]
  }

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const entriesOf = ({ properties = {} }: Node): [string, Node][] => Object.entries(properties)

/**
 * The value without white space around the texts of people (D-19): those without a pattern or a choice. What is not as
 * the schema has it stays as it is.
 *
 * @param meant the branch of a choice that a value is meant as; of undefined, nothing is trimmed.
 */
export function trimmed(
  node: Node,
  value: unknown,
  meant: (branches: readonly Node[], value: unknown) => Node | undefined,
): unknown {
  if (node.anyOf) {
    const branch = meant(node.anyOf, value)
    return branch === undefined ? value : trimmed(branch, value, meant)
  }
  if (typeof value === 'string') {
    const isText = [node.type].flat().includes('string') && node.pattern === undefined
    return isText && node.enum === undefined ? value.trim() : value
  }
  const { items } = node
  if (Array.isArray(value) && items) return value.map((item) => trimmed(items, item, meant))
  if (!isObject(value)) return value
  const texts = entriesOf(node)
    .filter(([name]) => Object.hasOwn(value, name))
    .map(([name, field]) => [name, trimmed(field, value[name], meant)])
  return { ...value, ...Object.fromEntries(texts) }
}

/** Ignored fields that are named at most (D-49). */
const MOST_IGNORED = 10

/** Proxies give all headers of an answer 4 KB by default; names are the sender's, and may be long. */
const LONGEST_HEADER = 1_024

/** `X-Ignored-Fields`: names separated by commas, percent-encoded where needed; null for none. */
export function ignoredFieldsHeader(fields: readonly string[]): string | null {
  let header: string | null = null
  for (const field of fields.slice(0, MOST_IGNORED)) {
    // An item of a list that is empty is none (RFC 9110, 5.6.1).
    if (field === '') continue
    const name = field.replaceAll(UNSAFE, encodeURIComponent)
    const longer: string = header === null ? name : `${header}, ${name}`
    if (longer.length > LONGEST_HEADER) break
    header = longer
  }
  return header
}

/** Those that a header can carry as they are; commas separate, and `%` begins an escape. */
const UNSAFE = /[^!-~]+|[%,]/gu
