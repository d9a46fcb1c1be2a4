// The mutations of a source file: each is one small change that its tests should notice.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'

/** One change of one file: `text` in place of what stands between `start` and `end`. */
export type Mutation = {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly text: string
  /** Of the first line that changes, from 1. */
  readonly line: number
  /** The lines that change, joined, with each run of white space as one space. */
  readonly before: string
  readonly after: string
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>
type Edit = readonly [start: number, end: number, text: string]

/** A mutation that changes nothing that anybody could see, and why. Lines are as in `Mutation`. */
type Equivalent = Pick<Mutation, 'file' | 'before' | 'after'> & { readonly why: string }

export const readEquivalents = (): readonly Equivalent[] =>
  JSON.parse(
    readFileSync(new URL('mutations-equivalent.json', import.meta.url), 'utf8'),
  ) as Equivalent[]

export const isEquivalent = (mutation: Mutation, list: readonly Equivalent[]): boolean =>
  list.some(
    ({ file, before, after }) =>
      file === mutation.file && before === mutation.before && after === mutation.after,
  )

/** The mutations in an order that the seed decides: the same, whatever has changed in other lines. */
export const shuffled = (list: readonly Mutation[], seed: number): Mutation[] =>
  list
    .map((mutation) => {
      const { file, before, after } = mutation
      const text = JSON.stringify([seed, file, before, after])
      return { mutation, at: createHash('sha256').update(text).digest('hex') }
    })
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ mutation }) => mutation)

/** The source with the mutation in it. */
export const mutate = (source: string, { start, end, text }: Mutation): string =>
  source.slice(0, start) + text + source.slice(end)

/**
 * Every mutation of a file, in the order of the text. Some are no programs: `isProgram` says so, for those
 * that are drawn, since the parser keeps what it has parsed until the caller waits for something.
 */
export const mutationsOf = (file: string, source: string): Mutation[] => {
  const edits: Edit[] = []
  visit(parse(file, source), source, edits)
  return edits
    .map(([start, end, text]) => ({
      file,
      start,
      end,
      text,
      ...linesChanged(source, start, end, text),
    }))
    .filter(({ before, after }) => before !== after)
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
}

function parse(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source)
  if (errors[0] !== undefined) throw new SyntaxError(`${file}: ${errors[0].message}`)
  return program as unknown as Node
}

/** Whether the source with the mutation in it can be parsed. */
export const isProgram = (source: string, mutation: Mutation): boolean =>
  parseSync(mutation.file, mutate(source, mutation)).errors.length === 0

function linesChanged(source: string, start: number, end: number, text: string) {
  const from = source.lastIndexOf('\n', start - 1) + 1
  const lineEnd = source.indexOf('\n', end)
  const to = lineEnd < 0 ? source.length : lineEnd
  const collapse = (lines: string): string => lines.replaceAll(/\s+/g, ' ').trim()
  return {
    line: source.slice(0, from).split('\n').length,
    before: collapse(source.slice(from, to)),
    after: collapse(source.slice(from, start) + text + source.slice(end, to)),
  }
}

function visit(node: Node, source: string, edits: Edit[]): void {
  // Types are erased, and names of properties and modules are the compiler's to check.
  if (node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)Expression$/.test(node.type)) return
  if (/^(Import|ExportAll)Declaration$|^JSXText$|^Directive$/.test(node.type)) return
  edits.push(...editsOf(node, source))
  for (const [name, value] of Object.entries(node)) {
    if (name === 'key' && node['computed'] !== true) continue
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) visit(child, source, edits)
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

const operators: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': [],
  '+=': ['-='],
  '-=': ['+='],
}
const methods: ReadonlyMap<string, string> = new Map(
  Object.entries({
    min: 'max',
    max: 'min',
    some: 'every',
    every: 'some',
    floor: 'ceil',
    ceil: 'floor',
  }),
)
/** Calls whose receiver can stand in their place. */
const passing =
  /^(filter|slice|toSorted|toReversed|trim|trimEnd|toLowerCase|normalize|toWellFormed|flat)$/

function editsOf(node: Node, source: string): readonly Edit[] {
  const of = (name: string): Node => node[name] as Node
  const text = ({ start, end }: Node): string => source.slice(start, end)
  const become = (...texts: string[]): Edit[] => texts.map((each) => [node.start, node.end, each])
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      const operator = node['operator'] as string
      const [left, right] = [of('left'), of('right')]
      if (operator === '+' && /['"`]/.test(text(left) + text(right))) return []
      const at = source.indexOf(operator, left.end)
      const others = operators[operator] ?? []
      return [
        ...others.map((other): Edit => [at, at + operator.length, other]),
        ...(node.type === 'LogicalExpression' ? become(text(left), text(right)) : []),
      ]
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? become(text(of('argument'))) : []
    case 'UpdateExpression':
      return become(text(node).replace(/\+\+|--/, (sign) => (sign === '++' ? '--' : '++')))
    case 'AwaitExpression':
      return become(text(of('argument')))
    case 'ExpressionStatement':
      return 'directive' in node && node['directive'] !== null && node['directive'] !== undefined
        ? []
        : become(';')
    case 'IfStatement':
    case 'ConditionalExpression':
      return [...negated(of('test'), source), ...(leavesEarly(node) ? become(';') : [])]
    case 'CallExpression':
      return editsOfCall(node, source)
    case 'ArrayExpression':
      return removals(node['elements'] as (Node | null)[])
    case 'ObjectExpression':
      return removals(node['properties'] as Node[])
    case 'Literal':
      return become(...otherLiterals(node['value']))
    default:
      return []
  }
}

/** What has a mutation of its own that says the same is left to it. */
function negated(test: Node, source: string): readonly Edit[] {
  const operator = test['operator'] as string | undefined
  if (operator !== undefined && /^([!=]==|!|&&|\|\|)$/.test(operator)) return []
  return [[test.start, test.end, `!(${source.slice(test.start, test.end)})`]]
}

function leavesEarly(node: Node): boolean {
  if (node.type !== 'IfStatement' || isNode(node['alternate'])) return false
  const consequent = node['consequent'] as Node
  const last =
    consequent.type === 'BlockStatement' ? (consequent['body'] as Node[]).at(-1) : consequent
  return /^(Return|Throw|Continue|Break)Statement$/.test(last?.type ?? '')
}

function editsOfCall(node: Node, source: string): readonly Edit[] {
  const callee = node['callee'] as Node
  if (callee.type !== 'MemberExpression' || callee['computed'] === true) return []
  const [object, property] = [callee['object'] as Node, callee['property'] as Node]
  const name = source.slice(property.start, property.end)
  const other = methods.get(name)
  if (other !== undefined) return [[property.start, property.end, other]]
  return passing.test(name) ? [[node.start, node.end, source.slice(object.start, object.end)]] : []
}

/** Each element of a list left out, with the comma that belongs to it. */
function removals(list: readonly (Node | null)[]): readonly Edit[] {
  return list.flatMap((each, at): Edit[] => {
    if (each === null) return []
    const [previous, next] = [list[at - 1], list[at + 1]]
    if (next) return [[each.start, next.start, '']]
    return [[previous ? previous.end : each.start, each.end, '']]
  })
}

function otherLiterals(value: unknown): readonly string[] {
  if (typeof value === 'boolean') return [String(!value)]
  if (typeof value === 'number')
    return [String(value + 1), ...(value > 0 ? [String(value - 1)] : [])]
  // Words with spaces are for people: messages are free to change.
  return typeof value === 'string' && value !== '' && !value.includes(' ') ? ["''"] : []
}
