/** Where a text stops being JSON, and what to do about it. */
export type JsonFault = {
  /** In UTF-16 code units. */
  readonly at: number
  /** What is there and what should be; never text of the sender's beyond one visible character. */
  readonly what: string
}

/** Words that other languages write as values; each may follow a sign. */
const FOREIGN_WORD = /[+-]?(NaN|Infinity|undefined|None|True|False|TRUE|FALSE|NULL|Null|nil)\b/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const LOOKS_NUMERIC = /[+-]?(?:[0-9]|\.[0-9])/y
const LITERAL = /(?:true|false|null)/y
const SPACE = /[ \t\n\r]*/y
/** All but quotes, backslashes and controls. */
const PLAIN = /[ !#-[\]-\uffff]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y

const endOf = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

class Fault extends Error {
  readonly at: number
  readonly what: string
  constructor(at: number, what: string) {
    super(what)
    this.at = at
    this.what = what
  }
}

/**
 * The first place at which a text is not JSON (RFC 8259), for texts that `JSON.parse` refuses: its
 * own message names a place only sometimes (D-51). Not recursive: no nesting exhausts the stack.
 */
export const findJsonFault = (text: string): JsonFault => {
  try {
    walk(text)
  } catch (error) {
    if (error instanceof Fault) return { at: error.at, what: error.what }
    throw error
  }
  return { at: text.length, what: 'this is not a JSON value' }
}

function walk(text: string): void {
  const closers: ('}' | ']')[] = []
  let at = endOf(SPACE, text, 0)
  for (;;) {
    const opener = text[at]
    if (opener === '{' || opener === '[') {
      const closer = opener === '{' ? '}' : ']'
      at = endOf(SPACE, text, at + 1)
      if (text[at] !== closer) {
        closers.push(closer)
        if (closer === '}') at = afterName(text, at, false)
        continue
      }
      at += 1
    } else at = afterScalar(text, at)
    for (;;) {
      at = endOf(SPACE, text, at)
      const closer = closers.at(-1)
      if (closer === undefined) {
        if (at < text.length) throw new Fault(at, `${seen(text, at)} follows the end of the value`)
        return
      }
      if (text[at] === closer) {
        closers.pop()
        at += 1
        continue
      }
      if (text[at] !== ',') throw expected(text, at, `a comma or ${closer}`)
      const comma = at
      at = endOf(SPACE, text, at + 1)
      if (text[at] === closer) throw new Fault(comma, `remove the comma before ${closer}`)
      if (closer === '}') at = afterName(text, at, true)
      break
    }
  }
}

/** Where the value of the member begins whose name should begin here. */
function afterName(text: string, start: number, isLater: boolean): number {
  if (text[start] !== '"') {
    if (/[\w$]/.test(text[start] ?? '')) {
      throw new Fault(start, `${seen(text, start)} begins a name without double quotes; add them`)
    }
    throw expected(text, start, `a name in double quotes${isLater ? '' : ' or }'}`)
  }
  const colon = endOf(SPACE, text, afterString(text, start))
  if (text[colon] !== ':') throw expected(text, colon, 'a colon')
  return endOf(SPACE, text, colon + 1)
}

function afterScalar(text: string, start: number): number {
  if (text[start] === '"') return afterString(text, start)
  const literal = endOf(LITERAL, text, start)
  if (literal >= 0) return literal
  FOREIGN_WORD.lastIndex = start
  const foreign = FOREIGN_WORD.exec(text)?.[0]
  if (foreign !== undefined) {
    throw new Fault(start, `${foreign} is not a JSON value; leave the field out or send another`)
  }
  const number = endOf(NUMBER, text, start)
  if (number >= 0 && !/[\w.]/.test(text[number] ?? '')) return number
  if (endOf(LOOKS_NUMERIC, text, start) >= 0) {
    throw new Fault(start, 'a number must be plain decimal digits, as 1, -2 or 0.5')
  }
  throw expected(text, start, 'a value')
}

function afterString(text: string, start: number): number {
  for (let at = start + 1; ;) {
    at = endOf(PLAIN, text, at)
    if (text[at] === '"') return at + 1
    if (at >= text.length) {
      throw new Fault(start, 'the string that begins here is not closed; the body may be cut off')
    }
    if (text[at] !== '\\') {
      const name = { '\n': 'a line break', '\r': 'a line break', '\t': 'a tab' }[text[at] ?? '']
      const escape = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[text[at] ?? '']
      throw new Fault(
        at,
        name === undefined
          ? `${seen(text, at)} cannot be in a string; remove it`
          : `${name} in a string must be written ${escape}`,
      )
    }
    const escaped = endOf(ESCAPE, text, at)
    if (escaped < 0) throw new Fault(at, 'this escape does not exist; write \\\\ for a backslash')
    at = escaped
  }
}

function expected(text: string, at: number, what: string): Fault {
  const char = text[at]
  if (char === undefined) return new Fault(at, `the body ends where ${what} should be`)
  if (char === "'" || char === '`' || /[\u2018-\u201f]/.test(char)) {
    return new Fault(at, `${seen(text, at)} is no double quote; strings and names need those`)
  }
  if (char === '#' || text.startsWith('//', at) || text.startsWith('/*', at)) {
    return new Fault(at, 'a comment; JSON has none, remove it')
  }
  return new Fault(at, `${seen(text, at)} is where ${what} should be`)
}

/** One character, itself if it is visible ASCII: nothing else of the sender's is repeated. */
function seen(text: string, at: number): string {
  const point = text.codePointAt(at) ?? 0
  if (point > 0x20 && point < 0x7f) return String.fromCodePoint(point)
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}
