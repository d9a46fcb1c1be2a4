import type { Literal } from './parse-literal.ts'

/** What cannot be read as data; the text is something else then. */
export class NoData extends Error {}

const MAX_DEPTH = 32
const number = /^[-+]?[0-9][0-9_]*(?:\.[0-9]+)?$/
const word = /^(?:null|~|true|false|yes|no|on|off)$/i

/** A value that is written without quotes. */
export function plainScalar(text: string, start: number, end: number): Literal {
  const value = text.slice(start, end)
  if (number.test(value)) {
    return { kind: 'number', start, end, value: Number(value.replaceAll('_', '')) }
  }
  if (value === '' || word.test(value)) {
    const isNothing = value === '' || value === '~'
    return { kind: 'word', start, end, value: isNothing ? 'null' : value.toLowerCase() }
  }
  return { kind: 'text', start, end, value }
}

/** A text in quotes on one line: with escapes in double ones, and doubled single ones. */
export function quotedScalar(text: string, start: number): Literal {
  const quote = text[start]!
  let value = ''
  for (let at = start + 1; at < text.length; at += 1) {
    const letter = text[at]!
    if (letter === '\n' || letter === '\r') break
    if (letter === '\\' && quote === '"') {
      at += 1
      value += text[at] ?? ''
    } else if (letter !== quote) value += letter
    else if (quote === "'" && text[at + 1] === "'") {
      at += 1
      value += "'"
    } else return { kind: 'text', start, end: at + 1, value }
  }
  throw new NoData()
}

/** Where white space, line breaks and comments end. */
function skip(text: string, start: number): number {
  let at = start
  for (;;) {
    while (at < text.length && ' \t\r\n'.includes(text[at]!)) at += 1
    if (text[at] !== '#') return at
    while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1
  }
}

/**
 * A value in brackets, `{ slot: NM1, id: 75 }` or `[75, 76]`, of several lines or one, whose texts may have no quotes.
 *
 * @throws NoData for anything else, or nested more than 32 deep.
 */
export function parseFlow(text: string, start: number, depth = 0): Literal {
  const open = text[start]
  if (open === '"' || open === "'") return quotedScalar(text, start)
  if (open !== '{' && open !== '[') return flowScalar(text, start)
  if (depth === MAX_DEPTH) throw new NoData()
  const value: Literal =
    open === '{'
      ? { kind: 'object', start, end: start, members: [] }
      : { kind: 'list', start, end: start, items: [] }
  const close = open === '{' ? '}' : ']'
  let at = skip(text, start + 1)
  while (text[at] !== close) {
    if (at >= text.length) throw new NoData()
    const from = at
    const first = parseFlow(text, at, depth + 1)
    at = skip(text, first.end)
    if (value.kind === 'object') {
      if (text[at] !== ':' && text[at] !== '=') throw new NoData()
      const each = parseFlow(text, skip(text, at + 1), depth + 1)
      value.members.push({
        key: text.slice(from, first.end).replace(/^(["'])(.*)\1$/, '$2'),
        start: from,
        value: each,
      })
      at = skip(text, each.end)
    } else value.items.push(first)
    if (text[at] === ',') at = skip(text, at + 1)
    else if (text[at] !== close) throw new NoData()
  }
  value.end = at + 1
  return value
}

/** Up to a comma, a bracket, or what separates a key from its value. */
function flowScalar(text: string, start: number): Literal {
  let end = start
  for (; end < text.length; end += 1) {
    const letter = text[end]!
    if (',]}[{\r\n'.includes(letter)) break
    if ((letter === ':' || letter === '=') && /[\s,]/.test(text[end + 1] ?? ' ')) break
    if (letter === '#' && text[end - 1] === ' ') break
  }
  const last = start + text.slice(start, end).trimEnd().length
  if (last === start) throw new NoData()
  return plainScalar(text, start, last)
}
