import type { Cell as KeptCell, Sheet } from 'hucre'
import { fault, FormatError } from '../../format-error.ts'
import { textInArchive } from './archive.ts'
import { tagsOf, type XmlTag } from './xml-tags.ts'

/** A tab with what its cells and rows say in addition to their values. */
export type Tab = Pick<Sheet, 'name' | 'rows' | 'merges' | 'rowDefs'> & {
  readonly cells?: ReadonlyMap<string, Partial<KeptCell>>
  readonly isHidden: boolean
}

type Limits = { readonly tabs: number; readonly rows: number; readonly cells: number }

/**
 * The tabs of an .ods. Cells and rows that are repeated are read as often as they are shown, within the limits; rows of
 * groups and headers as all others.
 *
 * @throws FormatError for a file with a password, or one that cannot be read.
 */
export async function readOpenDocument(bytes: Uint8Array, most: Limits): Promise<Tab[]> {
  const [manifest, common, content] = [
    await textInArchive(bytes, 'META-INF/manifest.xml'),
    await textInArchive(bytes, 'styles.xml'),
    await textInArchive(bytes, 'content.xml'),
  ]
  if (manifest?.includes('encryption-data')) {
    throw new FormatError(fault('password'))
  }
  if (content === null) throw new Error('an .ods without content.xml')
  const reader = new Reader(most)
  // Most files with styles of their own say so in the content, too; pages and footers are no concern.
  for (const tag of tagsOf(common ?? '')) reader.readStyle(tag)
  for (const tag of tagsOf(content)) reader.read(tag)
  return reader.tabs
}

/** What is in these is not shown in the cells of a tab. */
const notShown = new Set(
  'office:annotation table:tracked-changes table:dde-links table:shapes office:forms draw:frame'.split(
    ' ',
  ),
)

type Style = { parent?: string | undefined; isStruck?: boolean; isHidden?: boolean }
type Cell = {
  readonly isCovered: boolean
  readonly attributes: XmlTag['attributes']
  text: string
  link: string | null
  /** Letters in parts of the text that are struck through, and in all of it. */
  struck: number
  letters: number
}
type Row = {
  readonly isHidden: boolean
  readonly style: string
  readonly cells: Cell[]
  readonly repeated: number
}
type MutableTab = {
  name: string
  rows: (string | number | boolean | null)[][]
  merges: NonNullable<Sheet['merges']>
  cells: Map<string, object>
  rowDefs: Map<number, { hidden: true }>
  isHidden: boolean
}

class Reader {
  readonly tabs: MutableTab[] = []
  readonly #most: Limits
  readonly #styles = new Map<string, Style>()
  #style: Style | null = null
  /** The element that is not shown, and how many of its name are open. */
  #skipped: { readonly name: string; depth: number } | null = null
  #tab: MutableTab | null = null
  /** The styles of the columns' cells that have none, by column. */
  #columns: string[] = []
  /** Cells of which more than their values may still be kept: few, repeated, are as many as a tab can show. */
  #left = MOST_KEPT
  /** Rows that came so far, the empty ones that nothing has followed yet included. */
  #at = 0
  #row: Row | null = null
  #cell: Cell | null = null
  /** Of the paragraph that is open: the spans in it, and whether each is struck through; null outside. */
  #spans: boolean[] | null = null

  constructor(most: Limits) {
    this.#most = most
  }

  read(tag: XmlTag): void {
    const { name, kind } = tag
    if (this.#skipped !== null) {
      if (name !== this.#skipped.name || kind === 'empty') return
      this.#skipped.depth += kind === 'open' ? 1 : -1
      if (this.#skipped.depth === 0) this.#skipped = null
      return
    }
    if (notShown.has(name)) {
      if (kind === 'open') this.#skipped = { name, depth: 1 }
      return
    }
    this.readStyle(tag)
    if (kind === 'close') this.#close(name)
    else if (kind === 'text') this.#write(tag.text)
    else {
      this.#open(tag)
      if (kind === 'empty') this.#close(name)
    }
  }

  readStyle({ name, kind, attributes }: XmlTag): void {
    if (name === 'style:style' && kind !== 'close') {
      this.#style = { parent: attributes['style:parent-style-name'] }
      const key = `${attributes['style:family']} ${attributes['style:name']}`
      this.#styles.set(key, this.#style)
    } else if (name === 'style:text-properties' && this.#style !== null) {
      const lines = [
        attributes['style:text-line-through-style'],
        attributes['style:text-line-through-type'],
      ].filter((line) => line !== undefined)
      if (lines.length > 0) this.#style.isStruck = !lines.includes('none')
    } else if (name === 'style:table-properties' && this.#style !== null) {
      this.#style.isHidden = attributes['table:display'] === 'false'
    }
    if (name === 'style:style' && kind !== 'open') this.#style = null
  }

  #open({ name, attributes }: XmlTag): void {
    const repeated = countOf(attributes['table:number-columns-repeated'])
    switch (name) {
      case 'table:table':
        if (this.#cell !== null) return
        this.#tab = {
          name: attributes['table:name'] ?? `Sheet${this.tabs.length + 1}`,
          rows: [],
          merges: [],
          cells: new Map(),
          rowDefs: new Map(),
          isHidden: this.#styleOf('table', attributes['table:style-name']).isHidden === true,
        }
        ;[this.#columns, this.#at] = [[], 0]
        break
      case 'table:table-column':
        for (
          let count = 0;
          count < repeated && this.#columns.length < this.#most.cells;
          count += 1
        ) {
          this.#columns.push(attributes['table:default-cell-style-name'] ?? '')
        }
        break
      case 'table:table-row':
        this.#row = {
          isHidden: ['collapse', 'filter'].includes(attributes['table:visibility'] ?? ''),
          style: attributes['table:default-cell-style-name'] ?? '',
          cells: [],
          repeated: countOf(attributes['table:number-rows-repeated']),
        }
        break
      case 'table:table-cell':
      case 'table:covered-table-cell':
        this.#cell = {
          isCovered: name !== 'table:table-cell',
          attributes,
          text: '',
          link: null,
          struck: 0,
          letters: 0,
        }
        break
      case 'text:p':
        if (this.#cell === null) return
        if (this.#cell.text !== '') this.#cell.text += '\n'
        this.#spans = []
        break
      case 'text:span':
        this.#spans?.push(
          this.#spans.at(-1) === true ||
            this.#styleOf('text', attributes['text:style-name']).isStruck === true,
        )
        break
      case 'text:a':
        if (this.#cell !== null) this.#cell.link ??= attributes['xlink:href'] ?? null
        break
      case 'text:s':
      case 'text:tab':
      case 'text:line-break':
        // How many spaces makes no difference.
        this.#write(' ')
        break
    }
  }

  #close(name: string): void {
    switch (name) {
      case 'table:table':
        if (this.#tab !== null && this.tabs.length < this.#most.tabs) this.tabs.push(this.#tab)
        this.#tab = null
        break
      case 'table:table-row':
        if (this.#row !== null && this.#tab !== null) this.#addRow(this.#row, this.#tab)
        this.#row = null
        break
      case 'table:table-cell':
      case 'table:covered-table-cell':
        if (this.#cell !== null) this.#addCell(this.#cell)
        this.#cell = null
        break
      case 'text:p':
        this.#spans = null
        break
      case 'text:span':
        this.#spans?.pop()
        break
    }
  }

  #write(text: string): void {
    if (this.#cell === null || this.#spans === null) return
    this.#cell.text += text
    const letters = text.trim().length
    this.#cell.letters += letters
    if (this.#spans.at(-1) === true) this.#cell.struck += letters
  }

  #addCell(cell: Cell): void {
    const cells = this.#row?.cells ?? []
    const repeated = countOf(cell.attributes['table:number-columns-repeated'])
    for (let count = 0; count < repeated && cells.length < this.#most.cells; count += 1) {
      cells.push(cell)
    }
  }

  #addRow({ cells, style, isHidden, repeated }: Row, tab: MutableTab): void {
    const first = this.#at
    this.#at += repeated
    const last = cells.findLastIndex((cell) => !cell.isCovered && valueOf(cell) !== null)
    if (last < 0) return
    const filled = cells.slice(0, last + 1)
    const values = filled.map((cell) => (cell.isCovered ? null : valueOf(cell)))
    for (let at = first; at < Math.min(this.#at, this.#most.rows); at += 1) {
      while (tab.rows.length < at) tab.rows.push([])
      tab.rows.push(values)
      if (isHidden) tab.rowDefs.set(at, { hidden: true })
      for (const [column, cell] of filled.entries()) {
        const { attributes, link } = cell
        const name = attributes['table:style-name'] || style || this.#columns[column]
        const isStruck =
          cell.struck > 0
            ? cell.struck * 2 > cell.letters
            : this.#styleOf('table-cell', name).isStruck === true
        const formula = attributes['table:formula']
        if ((!isStruck && link === null && formula === undefined) || this.#left === 0) continue
        this.#left -= 1
        tab.cells.set(`${at},${column}`, {
          ...(link !== null && { hyperlink: { target: link } }),
          ...(formula !== undefined && { formula }),
          ...(isStruck && { style: { font: { strikethrough: true } } }),
        })
      }
    }
    for (const [column, { attributes }] of filled.entries()) {
      const endRow = first + countOf(attributes['table:number-rows-spanned']) - 1
      const endCol = column + countOf(attributes['table:number-columns-spanned']) - 1
      if (endRow === first && endCol === column) continue
      tab.merges.push({ startRow: first, endRow, startCol: column, endCol })
    }
  }

  /** What a style says, or the one that it is made from. */
  #styleOf(family: string, name = ''): Style {
    let style = this.#styles.get(`${family} ${name}`)
    for (let depth = 0; depth < DEEPEST && style !== undefined; depth += 1) {
      if (style.isStruck !== undefined || style.isHidden !== undefined) return style
      style = this.#styles.get(`${family} ${style.parent}`)
    }
    return {}
  }
}

const DEEPEST = 10
const MOST_KEPT = 100_000

function countOf(text = '1'): number {
  const count = Math.trunc(Number(text))
  return count >= 1 ? count : 1
}

/** What a cell holds; of times what it shows. */
function valueOf({ attributes, text }: Cell): string | number | boolean | null {
  const kind = attributes['office:value-type'] ?? attributes['calcext:value-type']
  const number = attributes['office:value']
  const isNumber = kind === 'float' || kind === 'currency' || kind === 'percentage'
  if (isNumber && number !== undefined && Number.isFinite(Number(number))) return Number(number)
  if (kind === 'boolean') return attributes['office:boolean-value'] === 'true'
  const date = kind === 'date' ? attributes['office:date-value'] : undefined
  return date?.slice(0, 10) || text || attributes['office:string-value'] || null
}
