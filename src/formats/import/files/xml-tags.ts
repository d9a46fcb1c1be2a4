/** A tag of a document in XML, or the text between two. */
export type XmlTag = {
  readonly kind: 'open' | 'close' | 'empty' | 'text'
  /** With its prefix; empty for texts. */
  readonly name: string
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/**
 * The tags and texts of a document in XML, in order. It is read once from the start to the end and nothing is looked up
 * elsewhere, so what it declares itself has no effect.
 *
 * @throws Error where it ends within a tag.
 */
export function* tagsOf(xml: string): Generator<XmlTag, undefined, undefined> {
  let at = 0
  for (;;) {
    const start = xml.indexOf('<', at)
    const text = xml.slice(at, start < 0 ? undefined : start)
    if (text !== '') yield { ...nothing, text: unescaped(text) }
    if (start < 0) return undefined
    const [opening, closing] = unlike.find(([mark]) => xml.startsWith(mark, start)) ?? ['<', '>']
    const end = opening === '<' ? endOfTag(xml, start) : xml.indexOf(closing, start)
    if (end < 0) throw new Error('a document that ends within a tag')
    at = end + closing.length
    if (opening === '<![CDATA[') yield { ...nothing, text: xml.slice(start + opening.length, end) }
    else if (opening === '<') yield tagOf(xml.slice(start + 1, end))
  }
}

const nothing = { kind: 'text', name: '', attributes: {} } as const

/** What begins like a tag and is none. */
const unlike: readonly (readonly [opening: string, closing: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]

/** Quoted values may hold a `>`. */
function endOfTag(xml: string, start: number): number {
  const mark = /["'>]/g
  mark.lastIndex = start
  for (let found = mark.exec(xml); found !== null; found = mark.exec(xml)) {
    if (found[0] === '>') return found.index
    const end = xml.indexOf(found[0], found.index + 1)
    if (end < 0) return -1
    mark.lastIndex = end + 1
  }
  return -1
}

const attribute = /(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

function tagOf(inner: string): XmlTag {
  const kind = inner.startsWith('/') ? 'close' : inner.endsWith('/') ? 'empty' : 'open'
  const [name = ''] = /[^\s/]+/.exec(inner) ?? []
  const pairs = kind === 'close' ? [] : [...inner.matchAll(attribute)]
  const attributes = Object.fromEntries(
    pairs.map(([, key = '', double, single = '']) => [key, unescaped(double ?? single)]),
  )
  return { kind, name, attributes, text: '' }
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
}

function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(\w{2,4}));/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return entities[name] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
    },
  )
}
