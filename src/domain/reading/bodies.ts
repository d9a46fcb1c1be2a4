import { type TSchema, Type } from 'typebox'
import { AppError } from '../../contract/errors.ts'
import {
  Candidate,
  CandidateMove,
  CandidatesReply,
  ProposalInput,
  Remark,
  RemarkInput,
  RemarkPatch,
} from '../../contract/discussion.ts'
import { Round, RoundInput, RoundSlot, RoundsInput, SlotChanges } from '../../contract/rounds.ts'
import { RoleInput, StaffMember } from '../../contract/staff.ts'
import { Tournament, TournamentInput, TournamentPatch } from '../../contract/tournaments.ts'
import { type InputProblem, ofPrograms } from '../../pool/input-words.ts'
import { invalidInput } from '../invalid-input.ts'
import { acceptedBy, listWords } from './accepted.ts'
import {
  askLikely,
  entriesOf,
  isObject,
  join,
  type Node,
  problemFinder,
  trimmed,
} from './schema.ts'

/** How the bodies of an endpoint are read. */
export type BodyReader = {
  /** The body, its texts without white space around them; `bad_request` names the place and the remedy. */
  readonly read: (body: unknown) => unknown
  /** The fields of a body that nothing is made of, as places; ten at most (D-49). */
  readonly ignored: (body: unknown) => readonly string[]
}

/**
 * Reads bodies by their schema alone: bounds of texts hold after trimming (D-19), nothing is coerced (D-18),
 * unknown fields are left where they are (D-17), and a body may be sent as it was read. Of a choice, problems
 * are about what was meant. What fields mean together is for the domain to check.
 */
export function bodyReader(schema: TSchema): BodyReader {
  const find = choosingFinder(schema)
  const read = asRead.get(schema)
  return {
    read(body) {
      if (!isObject(body))
        throw new AppError('bad_request:not_an_object', 'the body must be a JSON object')
      const input = trimmed(schema, body, (branches, value) => meantIn(branches, value)[0])
      const problems = find(input, '')
      if (problems.length > 0) throw invalidInput(problems)
      return input
    },
    ignored: (body) => unknownFields(schema, read, body, ''),
  }
}

/** What a body may be a copy of. */
const asRead = new Map<TSchema, TSchema>([
  [TournamentInput, Tournament],
  [TournamentPatch, Tournament],
  [RoundInput, Round],
  [RoundsInput, Tournament],
  [
    SlotChanges,
    Type.Object({
      changes: Type.Array(Type.Object({ ...RoundSlot.properties, from: RoundSlot, to: RoundSlot })),
    }),
  ],
  [RoleInput, StaffMember],
  [ProposalInput, Type.Union([Candidate, CandidatesReply])],
  [CandidateMove, Candidate],
  [RemarkInput, Remark],
  [RemarkPatch, Remark],
])

function unknownFields(
  node: Node,
  read: Node | undefined,
  value: unknown,
  place: string,
): readonly string[] {
  if (node.anyOf) {
    const [branch] = meantIn(node.anyOf, value)
    const [other] = read?.anyOf ? meantIn(read.anyOf, value) : [read]
    if (branch !== undefined) return unknownFields(branch, other, value, place)
    return unknownToAll(node.anyOf, value).map((name) => join(place, name))
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, at) =>
      node.items ? unknownFields(node.items, read?.items, item, `${place}[${at}]`) : [],
    )
  }
  if (!isObject(value) || !node.properties) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const [field, known] = [fieldOf(node, name), fieldOf(read, name)]
    if (field !== undefined) return unknownFields(field, known, inner, join(place, name))
    return known === undefined ? [join(place, name)] : []
  })
}

const fieldOf = (node: Node | undefined, name: string): Node | undefined =>
  node?.properties && Object.hasOwn(node.properties, name) ? node.properties[name] : undefined

type Finder = (value: unknown, place: string) => readonly InputProblem[]

/** As `problemFinder`; each choice is looked at by itself. */
function choosingFinder(node: Node): Finder {
  const findOutside = problemFinder(withoutChoices(node))
  const findInChoices = choiceFinder(node)
  return (value, place) => [...findOutside(value, place), ...(findInChoices?.(value, place) ?? [])]
}

function withoutChoices(node: Node): Node {
  if (node.anyOf) return Type.Unknown()
  const { items } = node
  const properties = entriesOf(node).map(([name, field]) => [name, withoutChoices(field)])
  return {
    ...node,
    ...(items && { items: withoutChoices(items) }),
    ...(node.properties && { properties: Object.fromEntries(properties) }),
  }
}

/** null when there is no choice in it. */
function choiceFinder(node: Node): Finder | null {
  if (node.anyOf) return branchFinder(node.anyOf)
  if (node.items) {
    const find = choiceFinder(node.items)
    if (find === null) return null
    return (value, place) =>
      Array.isArray(value) ? value.flatMap((item, at) => find(item, `${place}[${at}]`)) : []
  }
  const fields = entriesOf(node).flatMap(([name, field]) => {
    const find = choiceFinder(field)
    return find === null ? [] : [{ name, find }]
  })
  if (fields.length === 0) return null
  return (value, place) =>
    isObject(value)
      ? fields.flatMap(({ name, find }) =>
          value[name] === undefined ? [] : find(value[name], join(place, name)),
        )
      : []
}

function branchFinder(branches: readonly Node[]): Finder {
  const finders = new Map(branches.map((branch) => [branch, choosingFinder(branch)]))
  const isOfTexts = branches.filter((branch) => kindOf(branch) === 'string').length > 1
  return (value, place) => {
    const [meant, ...others] = meantIn(branches, value)
    const refused = (more = ''): readonly InputProblem[] => [
      { place, ...ofPrograms(oneOf(branches) + more) },
    ]
    if (meant === undefined) return refused(questionOf(branches, value))
    if (others.length > 0) return refused(isObject(value) ? '; send the fields of one alone' : '')
    const problems = finders.get(meant)?.(value, place) ?? []
    return problems.length > 0 && isOfTexts && typeof value === 'string' ? refused() : problems
  }
}

/** The names in an object that none of the branches has. */
const unknownToAll = (branches: readonly Node[], value: unknown): readonly string[] =>
  isObject(value)
    ? Object.keys(value).filter((name) => !branches.some((branch) => fieldOf(branch, name)))
    : []

/** Asks about a name that is much like one that a branch needs (D-88). */
function questionOf(branches: readonly Node[], value: unknown): string {
  const needed = branches.flatMap(({ required = [] }) => required)
  return askLikely(needed, unknownToAll(branches, value), Object(value) as object)
}

/** The branches that a value can be meant as: one, unless it is like none of them or like several. */
function meantIn(branches: readonly Node[], value: unknown): readonly Node[] {
  const alike = branches.filter((branch) => kindOf(branch) === kindOfValue(value))
  const exact = alike.find((branch) => branch.const !== undefined && branch.const === value)
  if (exact !== undefined) return [exact]
  if (!isObject(value)) return alike.filter((branch) => branch.const === undefined)
  const named = alike.find((branch) => {
    const [name = '', choices = []] = nameOf(branch) ?? []
    return choices.includes(value[name])
  })
  if (named !== undefined) return [named]
  const nameless = alike.filter((branch) => nameOf(branch) === undefined)
  if (nameless.length < 2) return nameless
  const has = (name: string) => Object.hasOwn(value, name)
  const whole = nameless.filter(({ required = [] }) => required.every(has))
  return whole.length > 0 ? whole : nameless.filter(({ required = [] }) => required.some(has))
}

/** The field by which a shape is known: `kind`, or the code of a built-in bucket; and what it can be. */
const nameOf = (node: Node): readonly [string, readonly unknown[]] | undefined =>
  entriesOf(node).flatMap(
    ([name, { const: only, enum: choices }]): [string, readonly unknown[]][] => {
      if (only !== undefined) return [[name, [only]]]
      return choices === undefined ? [] : [[name, choices]]
    },
  )[0]

const kindOf = (node: Node): string => {
  if (node.type !== undefined) return String(node.type === 'integer' ? 'number' : node.type)
  return typeof (node.const ?? node.enum?.[0])
}

function kindOfValue(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function wordsFor(node: Node): string {
  if (node.const !== undefined) return JSON.stringify(node.const)
  if (node.enum !== undefined) return `one of ${node.enum.join(', ')}`
  const name = nameOf(node)
  if (name !== undefined) return `an object with ${name[0]} ${name[1].join(' or ')}`
  return acceptedBy(node)
}

/** What is said of a value that is meant as none of these, or as several. */
export const oneOf = (branches: readonly Node[]): string =>
  `must be ${listWords(branches.map(wordsFor), 'or')}`
