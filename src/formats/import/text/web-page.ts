const tag = /^<(\/?)([a-z][a-z0-9]*)\b/i
const address = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i
const lineTags = new Set(
  'p div section article details summary center br tr ul ol table dl dt dd blockquote pre'.split(
    ' ',
  ),
)
const strikes = new Set(['s', 'del', 'strike'])
const hidden = new Set(['script', 'style', 'head', 'template'])
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
}

/**
 * The source of a page as lines of text: rows with tabs between their cells, headings and lists as Markdown has them, and
 * links as `[text](address)`.
 *
 * @returns for each line, the line of the source that it begins on, from 1.
 */
export function linesOfPage(source: string): PageLines {
  return isWritten(source) ? linesOfParts(source) : new PageReader(source).read()
}

type PageLines = { text: string; lines: number[] }

/** Markdown may be in any other. */
const container = /<(\/?)(?:table|ul|ol|dl|html|body)\b[^<>]{0,500}>/gi
const partTag =
  /<\/?(?:table|tr|td|th|ul|ol|li|h[1-6]|html|body|div|p|section|details|summary|center|dl|dt|dd)\b/i

/** For each line whether it is in an element of a page. */
function partsOf(lines: readonly string[]): boolean[] {
  let depth = 0
  return lines.map((line) => {
    const isInside = depth > 0 || partTag.test(line)
    if (line.includes('<'))
      for (const [, slash] of line.matchAll(container))
        depth = Math.max(0, depth + (slash === '' ? 1 : -1))
    return isInside
  })
}

const breaks = /\r\n|\r|\n/
const item = /^[ \t>]{0,12}(?:[-*+•][ \t]|#{1,6}[ \t]|[0-9]{1,3}[.)][ \t])/
const beatmap = /ppy\.sh\/|[0-9]{5}/
const program =
  /<(?:!|html|head|body|script|style|template)\b|^\s*(?:import|export|const|let|var|function)\s/im

/** Whether a text has elements of a page among lists and lines of its own, as Markdown may. */
function isWritten(source: string): boolean {
  if (program.test(source)) return false
  const isPage = /^[\s\ufeff]*</.test(source) && source.search(container) >= 0
  const lines = source.split(breaks)
  const inside = partsOf(lines)
  const isOwn = (line: string): boolean => item.test(line) || (!isPage && beatmap.test(line))
  return lines.some((line, at) => !inside[at] && isOwn(line))
}

/** A text with its elements of a page as lines. */
function linesOfParts(source: string): PageLines {
  const all = source.split(breaks)
  const inside = partsOf(all)
  const text: string[] = []
  const lines: number[] = []
  for (let at = 0; at < all.length;) {
    const first = at
    while (at < all.length && inside[at] === inside[first]) at += 1
    const own = all.slice(first, at)
    const read = inside[first] === true ? new PageReader(own.join('\n')).read() : null
    const inner = read === null || read.lines.length === 0 ? [] : read.text.split('\n')
    text.push(...(read === null ? own : ['', ...inner, '']))
    lines.push(
      ...(read === null
        ? own.map((_, n) => first + n + 1)
        : [first + 1, ...read.lines.map((line) => first + line), at]),
    )
  }
  return { text: text.join('\n'), lines }
}

/** Deeper lists are indented no further. */
const DEEPEST = 10

class PageReader {
  readonly #source: string
  readonly #out: string[] = []
  readonly #lines: number[] = []
  #line = 1
  #counted = 0
  #current = ''
  #begins = 1
  #isCell = false
  #mark = ''
  /** The lists that are open, each with the number of its next item, null for bullets. */
  readonly #lists: (number | null)[] = []
  #link: { readonly url: string; text: string } | null = null
  #isBlank = true

  constructor(source: string) {
    this.#source = source
  }

  read(): { text: string; lines: number[] } {
    const source = this.#source
    for (let at = 0; at < source.length;) {
      const open = source.indexOf('<', at)
      const end = open < 0 ? source.length : open
      if (end > at) this.#addText(source.slice(at, end), at)
      if (open < 0) break
      at = source.startsWith('<!', open) ? this.#afterComment(open) : this.#readTag(open)
    }
    this.#endLine()
    return { text: this.#out.join('\n'), lines: this.#lines }
  }

  #afterComment(open: number): number {
    const isLong = this.#source.startsWith('<!--', open)
    const end = this.#source.indexOf(isLong ? '-->' : '>', open)
    return end < 0 ? this.#source.length : end + (isLong ? 3 : 1)
  }

  /** Returns where the text after the tag begins. */
  #readTag(open: number): number {
    const source = this.#source
    const [whole, slash = '', written = ''] = tag.exec(source.slice(open, open + 40)) ?? []
    const close = source.indexOf('>', open)
    if (whole === undefined || close < 0) {
      // Without another > there is no tag any more.
      const end = close < 0 ? source.length : open + 1
      this.#addText(source.slice(open, end), open)
      return end
    }
    const name = written.toLowerCase()
    const isEnd = slash !== ''
    if (hidden.has(name) && !isEnd) {
      const end = source.indexOf(`</${written}`, close)
      return end < 0 ? source.length : end
    }
    this.#count(open)
    if (isEnd) this.#end(name)
    else this.#begin(name, source.slice(open, close))
    return close + 1
  }

  #begin(name: string, written: string): void {
    if (strikes.has(name)) this.#append('~~')
    if (name === 'td' || name === 'th') {
      this.#endLink()
      if (this.#isCell) this.#current += '\t'
      this.#isCell = true
    } else if (/^h[1-6]$/.test(name)) {
      this.#endLine()
      this.#mark = `${'#'.repeat(Math.max(2, Number(name[1])))} `
    } else if (name === 'li') {
      this.#endLine()
      const number = this.#lists.at(-1) ?? null
      if (number !== null) this.#lists[this.#lists.length - 1] = number + 1
      const indent = '  '.repeat(Math.min(DEEPEST, Math.max(0, this.#lists.length - 1)))
      this.#mark = `${indent}${number === null ? '-' : `${number}.`} `
    } else if (name === 'a') {
      const [, double, single, bare] = address.exec(written) ?? []
      const url = decoded(double ?? single ?? bare ?? '')
      this.#endLink()
      if (/^https?:\/\//i.test(url)) this.#link = { url, text: '' }
    } else if (lineTags.has(name)) {
      if (!this.#isCell || name === 'tr') this.#endLine()
      else this.#append(' ')
      if (name === 'ul') this.#lists.push(null)
      if (name === 'ol') this.#lists.push(1)
    }
  }

  #end(name: string): void {
    if (strikes.has(name)) this.#append('~~')
    if (name === 'a') this.#endLink()
    else if (name === 'ul' || name === 'ol') {
      this.#endLine()
      this.#lists.pop()
    } else if (name === 'tr' || name === 'li' || /^h[1-6]$/.test(name)) this.#endLine()
    else if (lineTags.has(name) && !this.#isCell) this.#endLine()
  }

  #addText(text: string, at: number): void {
    const plain = decoded(text).replaceAll(/[\s]+/g, ' ')
    if (this.#isBlank && plain.trim() !== '') {
      this.#count(at + text.length - text.trimStart().length)
      this.#begins = this.#line
      this.#isBlank = false
    }
    this.#append(plain)
  }

  #append(text: string): void {
    if (this.#link === null) this.#current += text
    else this.#link.text += text
  }

  #endLink(): void {
    if (this.#link === null) return
    const { url, text } = this.#link
    this.#current += `[${text.trim()}](${url})`
    this.#link = null
  }

  #endLine(): void {
    this.#endLink()
    if (!this.#isBlank) {
      const cells = this.#isCell
        ? this.#current.split('\t').map((cell) => cell.trim())
        : [this.#current.trim()]
      this.#out.push(this.#mark + cells.join('\t'))
      this.#lines.push(this.#begins)
    }
    this.#current = ''
    this.#mark = ''
    this.#isCell = false
    this.#isBlank = true
  }

  /** Counts the lines of the source up to an offset. */
  #count(until: number): void {
    for (let at = this.#source.indexOf('\n', this.#counted); at >= 0 && at < until;) {
      this.#line += 1
      this.#counted = at + 1
      at = this.#source.indexOf('\n', this.#counted)
    }
  }
}

function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, digits, hex, name) => {
      const code = digits === undefined ? Number.parseInt(hex ?? '', 16) : Number(digits)
      if (name !== undefined) return named[String(name).toLowerCase()] ?? whole
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
    },
  )
}
