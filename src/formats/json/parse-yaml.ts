import { NoData, parseFlow, plainScalar, quotedScalar } from './parse-flow.ts'
import type { Literal } from './parse-literal.ts'

type Line = { indent: number; start: number; readonly end: number }

const MAX_DEPTH = 32

/**
 * The values of a text of YAML, as far as people write it for data: maps and lists by indentation, values in brackets,
 * quotes, comments and several documents. Anchors, tags and texts of several lines are not read. Takes time in
 * proportion to the text; a library that reads all of YAML took seven seconds for 1 MB.
 *
 * @throws NoData for anything else.
 */
export function parseYaml(text: string): Literal[] {
  const parser = new YamlParser(text)
  return parser.documents()
}

class YamlParser {
  readonly #text: string
  readonly #lines: Line[]
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#lines = contentLines(text)
  }

  documents(): Literal[] {
    const found: Literal[] = []
    while (this.#at < this.#lines.length) {
      if (this.#isMark()) this.#at += 1
      else found.push(this.#block(this.#lines[this.#at]!.indent, 0))
    }
    return found
  }

  #isMark(): boolean {
    const { start, end } = this.#lines[this.#at]!
    return /^(?:---|\.\.\.)$/.test(this.#text.slice(start, end))
  }

  /** A list or a map whose lines begin at a column. */
  #block(indent: number, depth: number): Literal {
    if (depth === MAX_DEPTH) throw new NoData()
    const { start } = this.#lines[this.#at]!
    return this.#isItem(start) ? this.#list(indent, depth) : this.#map(indent, depth)
  }

  #isItem(start: number): boolean {
    return this.#text[start] === '-' && /[\s]|^$/.test(this.#text[start + 1] ?? '')
  }

  #next(indent: number): Line | null {
    const line = this.#lines[this.#at]
    if (line === undefined || line.indent < indent || this.#isMark()) return null
    if (line.indent > indent) throw new NoData()
    return line
  }

  #list(indent: number, depth: number): Literal {
    const first = this.#lines[this.#at]!
    const items: Literal[] = []
    const list: Literal = { kind: 'list', start: first.start, end: first.end, items }
    for (let line = this.#next(indent); line !== null; line = this.#next(indent)) {
      if (!this.#isItem(line.start)) break
      const gap = /^-\s*/.exec(this.#text.slice(line.start, line.end))![0].length
      if (line.start + gap >= line.end) {
        this.#at += 1
        items.push(this.#nested(indent + 1, line.end, depth))
      } else {
        // What follows is a block of its own, further to the right.
        line.indent += gap
        line.start += gap
        items.push(this.#valueAt(line, depth))
      }
      list.end = items.at(-1)!.end
    }
    return list
  }

  /** The value that a line begins with: a block, or a scalar. */
  #valueAt(line: Line, depth: number): Literal {
    if (this.#isItem(line.start) || this.#keyEnd(line) !== null) {
      return this.#block(line.indent, depth + 1)
    }
    this.#at += 1
    return this.#scalar(line.start, line.end)
  }

  #map(indent: number, depth: number): Literal {
    const first = this.#lines[this.#at]!
    const map: Literal = { kind: 'object', start: first.start, end: first.end, members: [] }
    for (let line = this.#next(indent); line !== null; line = this.#next(indent)) {
      const key = this.#keyEnd(line)
      if (key === null) throw new NoData()
      const { start, end } = line
      const name = this.#text.slice(start, key.end).replace(/^(["'])(.*)\1$/, '$2')
      const from = key.value
      this.#at += 1
      const value = from < end ? this.#scalar(from, end) : this.#nested(indent, end, depth, true)
      map.members.push({ key: name.trim(), start, value })
      map.end = value.end
    }
    return map
  }

  /** What is below a key or a hyphen that has nothing beside it; lists may begin at the column of their key. */
  #nested(indent: number, end: number, depth: number, isKey = false): Literal {
    const line = this.#lines[this.#at]
    const isBelow =
      line !== undefined &&
      !this.#isMark() &&
      (isKey
        ? line.indent > indent || (line.indent === indent && this.#isItem(line.start))
        : line.indent >= indent)
    return isBelow ? this.#valueAt(line, depth) : { kind: 'word', start: end, end, value: 'null' }
  }

  /** Where the key of a line ends, and where its value begins; null if it has none. */
  #keyEnd({ start, end }: Line): { end: number; value: number } | null {
    const text = this.#text
    const quote = text[start]
    if (quote === '"' || quote === "'") {
      const key = quotedScalar(text, start)
      const rest = /^\s*:(?:\s+|$)/.exec(text.slice(key.end, end))
      return rest === null ? null : { end: key.end, value: key.end + rest[0].length }
    }
    if ('{[&*!|>%@`'.includes(quote ?? ' ')) return null
    for (let at = text.indexOf(':', start); at >= 0 && at < end; at = text.indexOf(':', at + 1)) {
      if (at + 1 < end && !/\s/.test(text[at + 1]!)) continue
      const gap = /^:\s*/.exec(text.slice(at, end))![0].length
      return at === start ? null : { end: at, value: at + gap }
    }
    return null
  }

  #scalar(start: number, end: number): Literal {
    const first = this.#text[start]!
    if ('&*!|>%@`'.includes(first)) throw new NoData()
    if (first === '{' || first === '[') return this.#flow(start)
    if (first === '"' || first === "'") {
      const value = quotedScalar(this.#text, start)
      if (value.end !== end) throw new NoData()
      return value
    }
    if (/:\s/.test(this.#text.slice(start, end))) throw new NoData()
    return plainScalar(this.#text, start, end)
  }

  /** A value in brackets may end on a later line. */
  #flow(start: number): Literal {
    const value = parseFlow(this.#text, start)
    while ((this.#lines[this.#at]?.start ?? Infinity) < value.end) this.#at += 1
    const before = this.#lines[this.#at - 1]
    if (before !== undefined && before.end > value.end) throw new NoData()
    return value
  }
}

/** The lines that hold something, without their comments and the white space around them. */
function contentLines(text: string): Line[] {
  const lines: Line[] = []
  for (let from = text.startsWith('\ufeff') ? 1 : 0; from < text.length;) {
    const at = text.indexOf('\n', from)
    const next = at < 0 ? text.length : at
    const line = text.slice(from, next)
    const indent = line.length - line.trimStart().length
    const end = endOfContent(line)
    if (end > indent) {
      if (line.slice(0, indent).includes('\t')) throw new NoData()
      lines.push({ indent, start: from + indent, end: from + end })
    }
    from = next + 1
  }
  return lines
}

function endOfContent(line: string): number {
  if (!line.includes('#')) return line.trimEnd().length
  let quote = ''
  for (const [at, letter] of Array.from(line, (each) => each).entries()) {
    if (letter.length > 1) return line.trimEnd().length
    if (quote !== '') {
      if (letter === quote && line[at - 1] !== '\\') quote = ''
    } else if ((letter === '"' || letter === "'") && /^$|[\s:,[{-]/.test(line[at - 1] ?? ''))
      quote = letter
    else if (letter === '#' && (at === 0 || /\s/.test(line[at - 1]!)))
      return line.slice(0, at).trimEnd().length
  }
  return line.trimEnd().length
}
