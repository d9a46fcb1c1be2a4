import { NoData, parseFlow, plainScalar, quotedScalar } from './parse-flow.ts'
import type { Literal } from './parse-literal.ts'

type LiteralObject = Extract<Literal, { kind: 'object' }>

const sectionLine = /^\[(\[)?\s*([^[\]]{1,200}?)\s*\](\])?\s*(?:[#;].*)?$/
const LONGEST_LINE = 10_000

/**
 * The value of a text of TOML, or of an .ini file: sections `[a.b]`, lists of sections `[[a.b]]`, and `key = value`. Names
 * and values may be written without quotes. Takes time in proportion to the text.
 *
 * @throws NoData for a line that is none of these.
 */
export function parseToml(text: string): Literal {
  const root: LiteralObject = { kind: 'object', start: 0, end: text.length, members: [] }
  const members = new Map<LiteralObject, Map<string, Literal>>()
  const put = (object: LiteralObject, key: string, start: number, value: Literal): void => {
    object.members.push({ key, start, value })
    const own = members.get(object) ?? new Map<string, Literal>()
    members.set(object, own.set(key, value))
  }
  /** The part of an object by its name, its last one if that is a list; a new one if it has none. */
  const part = (object: LiteralObject, key: string, start: number): LiteralObject => {
    const known = members.get(object)?.get(key)
    const last = known?.kind === 'list' ? known.items.at(-1) : known
    if (last?.kind === 'object') return last
    if (last !== undefined) throw new NoData()
    const made: LiteralObject = { kind: 'object', start, end: start, members: [] }
    put(object, key, start, made)
    return made
  }
  let current = root
  for (let from = text.startsWith('\ufeff') ? 1 : 0; from < text.length;) {
    const at = text.indexOf('\n', from)
    let next = at < 0 ? text.length : at
    const line = text.slice(from, Math.min(next, from + LONGEST_LINE))
    const start = from + line.length - line.trimStart().length
    const content = line.trim()
    if (content !== '' && !/^[#;]/.test(content)) {
      const [, list, name, closed] = sectionLine.exec(content) ?? []
      if (name !== undefined && (list === undefined) === (closed === undefined)) {
        const path = keysOf(name)
        if (path.length === 0) throw new NoData()
        const above = path.slice(0, -1).reduce((object, key) => part(object, key, start), root)
        current =
          list === undefined ? part(above, path.at(-1)!, start) : added(above, path.at(-1)!, start)
      } else {
        const end = addMember(text, start, next)
        next = Math.max(next, end - 1)
        const after = text.indexOf('\n', next)
        next = after < 0 ? text.length : after
      }
      current.end = Math.max(current.end, start + content.length)
    }
    from = next + 1
  }
  return root

  /** A new section of a list of sections. */
  function added(object: LiteralObject, key: string, start: number): LiteralObject {
    const made: LiteralObject = { kind: 'object', start, end: start, members: [] }
    const known = members.get(object)?.get(key)
    if (known?.kind === 'list') known.items.push(made)
    else if (known === undefined)
      put(object, key, start, { kind: 'list', start, end: start, items: [made] })
    else throw new NoData()
    return made
  }

  function addMember(whole: string, start: number, end: number): number {
    const equals = whole.indexOf('=', start)
    if (equals < 0 || equals >= end) throw new NoData()
    const key = unquoted(whole.slice(start, equals).trim())
    if (key === '' || key.length > 100) throw new NoData()
    let from = equals + 1
    while (from < end && ' \t'.includes(whole[from]!)) from += 1
    const first = whole[from]
    const value =
      first === '"' || first === "'"
        ? quotedScalar(whole, from)
        : first === '[' || first === '{'
          ? parseFlow(whole, from)
          : plainScalar(whole, from, endOfPlain(whole, from, end))
    put(current, key, start, value)
    return value.end
  }
}

function endOfPlain(text: string, start: number, end: number): number {
  const value = text.slice(start, end)
  const comment = value.search(/\s[#;]/)
  return start + (comment < 0 ? value : value.slice(0, comment)).trimEnd().length
}

/** `rounds."Round of 16".maps` */
function keysOf(name: string): string[] {
  const keys = name.match(/"[^"]*"|'[^']*'|[^.]+/g) ?? []
  return keys.map((key) => unquoted(key.trim())).filter((key) => key !== '')
}

const unquoted = (key: string): string => key.replace(/^(["'])(.*)\1$/, '$2')
