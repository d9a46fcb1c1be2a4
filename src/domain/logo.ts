import { declarationsOf, elements, gradients, isAllowed, isHref, SVG } from './svg-rules.ts'
import { isDrawn } from './svg-visibility.ts'

/** Why a picture is refused; the message follows the name of its file in a sentence. */
export class LogoProblem extends Error {}

const MOST_ELEMENTS = 2_000
const MOST_DEPTH = 32
/** Of a width or a height. Programs that draw have numbers of 32 bits, in which less may be nothing. */
const LEAST_UNITS = 0.001
const MOST_UNITS = 100_000
const MOST_ASPECT = 4

/** Throws `LogoProblem`. */
export function checkAspect(width: number, height: number): void {
  if (Math.max(width / height, height / width) <= MOST_ASPECT) return
  throw new LogoProblem(`is more than ${MOST_ASPECT} times as wide as high, or as high as wide`)
}

/** A visitor would not notice that there is a logo. */
export const invisible = (): LogoProblem =>
  new LogoProblem('shows nothing: all of it is transparent')
/** Pixels of the longer side, unless a page says otherwise. */
const DRAWN = 512

type Element = {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly parent: Element | null
  readonly depth: number
}

/**
 * Reads an SVG picture, refuses it where it holds anything that this file does not name, and writes it anew, so that
 * browsers read what was checked here and nothing else (D-104).
 *
 * @param text of the whole file, decoded. Throws `LogoProblem`.
 */
export const readSvg = (text: string): string => new SvgReader(text).read()

const DECLARATION =
  /^\uFEFF?(?:<\?xml\s+version\s*=\s*(["'])1\.[01]\1(?:\s+encoding\s*=\s*(["'])utf-8\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\3)?\s*\?>)?/i
const COMMENT = /<!--(?:(?!--)[^])*-->/y
const SPACE = /[ \t\r\n]+/y
const NAME = /[A-Za-z_][\w.:-]*/y
const EQUALS = /[ \t\r\n]*=[ \t\r\n]*/y
const VALUE = /"[^"<]*"|'[^'<]*'/y
const TEXT = /[^<]+/y
const CONTROL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

class SvgReader {
  readonly #text: string
  #at = 0
  #count = 0
  readonly #all: Element[] = []

  constructor(text: string) {
    this.#text = text
  }

  read(): string {
    if (CONTROL.test(this.#text)) this.#fail('holds a character that XML does not have')
    this.#at = DECLARATION.exec(this.#text)?.[0].length ?? 0
    this.#skip()
    const written = this.#element(null)
    this.#skip()
    if (this.#at < this.#text.length) this.#fail('holds something after its picture')
    checkReferences(this.#all)
    if (!this.#all.some(isDrawn)) throw invisible()
    return `${written}\n`
  }

  #fail(problem: string): never {
    const line = this.#text.slice(0, this.#at).split('\n').length
    throw new LogoProblem(`${problem} (line ${line})`)
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found === undefined) return null
    this.#at += found.length
    return found
  }

  #skip(): void {
    while (this.#take(SPACE) !== null || this.#take(COMMENT) !== null);
  }

  #isAt(text: string): boolean {
    return this.#text.startsWith(text, this.#at)
  }

  #element(parent: Element | null): string {
    if (this.#isAt('<!') || this.#isAt('<?')) {
      this.#fail('holds a DOCTYPE, CDATA or instruction; remove it')
    }
    if (!this.#isAt('<')) this.#fail('is no SVG picture')
    this.#at += 1
    const name = this.#take(NAME) ?? this.#fail('holds a "<" that begins nothing')
    const allowed = parent === null ? ['svg'] : elements[parent.name]
    if (!allowed?.includes(name)) this.#refuseElement(name, parent)
    const depth = (parent?.depth ?? 0) + 1
    this.#count += 1
    if (this.#count > MOST_ELEMENTS) this.#fail(`has more than ${MOST_ELEMENTS} elements`)
    if (depth > MOST_DEPTH) this.#fail(`has elements more than ${MOST_DEPTH} deep`)
    const given = this.#attributes(name)
    const element = {
      name,
      attributes: parent === null ? this.#rootOf(given) : given,
      parent,
      depth,
    }
    this.#all.push(element)
    const start = [
      name,
      ...Array.from(element.attributes, ([key, value]) => `${key}="${escaped(value)}"`),
    ]
    if (this.#isAt('/>')) {
      this.#at += 2
      return `<${start.join(' ')}/>`
    }
    if (!this.#isAt('>')) this.#fail(`has an attribute of <${name}> that cannot be read`)
    this.#at += 1
    return `<${start.join(' ')}>${this.#content(element)}</${name}>`
  }

  #refuseElement(name: string, parent: Element | null): never {
    if (parent === null) this.#fail(`is no SVG picture: it begins with <${name}>`)
    if (Object.hasOwn(elements, name)) this.#fail(`holds <${name}> in <${parent.name}>`)
    this.#fail(`holds <${name}>, which a logo may not; save it as a plain SVG without that`)
  }

  #attributes(element: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>()
    for (;;) {
      const hasSpace = this.#take(SPACE) !== null
      const name = this.#take(NAME)
      if (name === null) return found
      if (!hasSpace || this.#take(EQUALS) === null) this.#fail(`has no value for ${name}`)
      const quoted = this.#take(VALUE) ?? this.#fail(`has no value for ${name}`)
      if (found.has(name)) this.#fail(`has ${name} twice in <${element}>`)
      const value = this.#decoded(quoted.slice(1, -1))
        .replaceAll(/[\t\r\n]/g, ' ')
        .trim()
      if (!isAllowed(element, name, value)) {
        this.#fail(`has ${name}="${value.slice(0, 40)}" in <${element}>, which a logo may not`)
      }
      found.set(name, value)
    }
  }

  #content(element: Element): string {
    const { name } = element
    const isWords = name === 'title' || name === 'desc'
    let written = ''
    for (;;) {
      while (this.#take(COMMENT) !== null);
      if (this.#isAt('</')) {
        this.#at += 2
        if (this.#take(NAME) !== name) this.#fail(`has an end that is not of <${name}>`)
        this.#take(SPACE)
        if (!this.#isAt('>')) this.#fail(`has an end of <${name}> that cannot be read`)
        this.#at += 1
        return written
      }
      const text = this.#take(TEXT)
      if (text === null) {
        if (this.#at >= this.#text.length) this.#fail(`ends within <${name}>`)
        written += this.#element(element)
      } else if (isWords) written += escaped(this.#decoded(text))
      else if (text.trim() !== '') this.#fail(`holds text in <${name}>; make paths of letters`)
    }
  }

  /** With the five entities that XML itself has; others may stand for anything. */
  #decoded(text: string): string {
    if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(text)) this.#fail('holds an entity; remove it')
    return text.replaceAll(/&(\w+);/g, (_, name: string) => entities[name] ?? '')
  }

  /** Its own size is replaced: programs that draw it take as much memory as it says. */
  #rootOf(given: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
    if (given.get('xmlns') !== SVG) this.#fail(`has no xmlns="${SVG}"`)
    const parts = (given.get('viewBox') ?? '').trim().split(/\s*,\s*|\s+/)
    const box = parts.map((part) => (part === '' ? NaN : Number(part)))
    const [left = NaN, top = NaN, width = NaN, height = NaN] = box
    const isGood =
      box.length === 4 &&
      Math.max(Math.abs(left), Math.abs(top), width, height) <= MOST_UNITS &&
      Math.min(width, height) >= LEAST_UNITS
    if (!isGood) {
      this.#fail(`has no viewBox with a width and a height of ${LEAST_UNITS} to ${MOST_UNITS}`)
    }
    checkAspect(width, height)
    const scale = DRAWN / Math.max(width, height)
    return new Map([
      ...given,
      ['viewBox', box.join(' ')],
      ['width', String(Math.round(width * scale))],
      ['height', String(Math.round(height * scale))],
    ])
  }
}

/** No picture refers to what is not in it, or to anything in a circle. */
function checkReferences(all: readonly Element[]): void {
  const byId = new Map<string, Element>()
  for (const element of all) {
    const id = element.attributes.get('id')
    if (id !== undefined && byId.has(id)) throw new LogoProblem(`has the id "${id}" twice`)
    if (id !== undefined) byId.set(id, element)
  }
  const hasXlink = all[0]?.attributes.has('xmlns:xlink')
  for (const element of all) {
    for (const { property, id } of referencesOf(element)) {
      const target = byId.get(id)
      const isThere = target && (targets.get(property) ?? gradients).includes(target.name)
      const where = `refers to "#${id}" by ${property}`
      if (!isThere) throw new LogoProblem(`${where}, which is not there`)
      if (property === 'xlink:href' && !hasXlink) throw new LogoProblem('has no xmlns:xlink')
      const isChain = isHref(property)
        ? [...target.attributes.keys()].some(isHref)
        : targets.has(property) && isWithin(element, ['clipPath', 'mask'])
      if (isChain) throw new LogoProblem(`${where}, which refers to another`)
    }
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

const targets: ReadonlyMap<string, readonly string[]> = new Map([
  ['clip-path', ['clipPath']],
  ['mask', ['mask']],
])

function referencesOf({ attributes: given }: Element) {
  const styled = declarationsOf(given.get('style') ?? '') ?? []
  const plain = [...given].filter(([name]) => name !== 'style')
  return [...plain, ...styled].flatMap(([property, value]) => {
    const id = isHref(property) ? value.slice(1) : /url\(\s*#([\w.-]+)/i.exec(value)?.[1]
    return id === undefined ? [] : [{ property, id }]
  })
}

function isWithin(element: Element, names: readonly string[]): boolean {
  for (let at: Element | null = element; at !== null; at = at.parent) {
    if (names.includes(at.name)) return true
  }
  return false
}

function escaped(text: string): string {
  const signs: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  }
  return text.replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? '')
}
