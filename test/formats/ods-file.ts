import { crc32, deflateRawSync } from 'node:zlib'

/** An archive as spreadsheet programs write it: the type first, not compressed, the other files compressed. */
export function zipOf(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const plain = Buffer.from(text)
    const isPlain = name === 'mimetype'
    const data = isPlain ? plain : deflateRawSync(plain)
    const facts = Buffer.alloc(22)
    facts.writeUInt16LE(isPlain ? 0 : 8, 4)
    facts.writeUInt32LE(crc32(plain), 10)
    facts.writeUInt32LE(data.length, 14)
    facts.writeUInt32LE(plain.length, 18)
    const lengths = Buffer.alloc(4)
    lengths.writeUInt16LE(Buffer.byteLength(name), 0)
    const local = [Buffer.from('PK\u0003\u0004'), facts, lengths, Buffer.from(name), data]
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    const head = [Buffer.from('PK\u0001\u0002'), Buffer.alloc(2), facts, lengths, place]
    directory.push(...head, Buffer.from(name))
    parts.push(...local)
    at += Buffer.concat(local).length
  }
  const length = Buffer.concat(directory).length
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(at, 16)
  return new Uint8Array(Buffer.concat([...parts, ...directory, end]))
}

const type = 'application/vnd.oasis.opendocument.spreadsheet'

type Ods = {
  readonly tables: string
  /** Styles of the content, and those that have names of their own. */
  readonly styles?: string
  readonly named?: string
  readonly manifest?: string
}

/** An .ods with tables as they stand in its content. */
export function odsOf({ tables, styles = '', named = '', manifest = '' }: Ods) {
  return zipOf({
    mimetype: type,
    'META-INF/manifest.xml': `<manifest:manifest>${manifest}</manifest:manifest>`,
    'styles.xml': `<?xml version="1.0"?><office:document-styles><office:styles>${named}</office:styles></office:document-styles>`,
    'content.xml': `<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand --><office:document-content><office:automatic-styles>${styles}</office:automatic-styles>
<office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
  })
}

type CellOptions = { readonly style?: string; readonly attributes?: string }

const styled = ({ style, attributes = '' }: CellOptions): string =>
  `${style === undefined ? '' : ` table:style-name="${style}"`} ${attributes}`

/** A cell of a text, which may hold elements, or of a number. */
export function odsCell(value: string | number, options: CellOptions = {}): string {
  const kind =
    typeof value === 'number'
      ? `office:value-type="float" office:value="${value}"`
      : 'office:value-type="string"'
  return `<table:table-cell ${kind}${styled(options)}><text:p>${value}</text:p></table:table-cell>`
}

export function odsRow(cells: readonly (string | number)[], options: CellOptions = {}): string {
  const { attributes = '', ...own } = options
  const all = cells.map((each) =>
    typeof each === 'string' && each.startsWith('<table:') ? each : odsCell(each, own),
  )
  return `<table:table-row ${attributes}>${all.join('')}</table:table-row>`
}

export function odsTable(name: string, rows: readonly string[], attributes = ''): string {
  return `<table:table table:name="${name}" ${attributes}>${rows.join('')}</table:table>`
}

/** A style of a family, with what it says of its texts. */
export function odsStyle(name: string, family: string, properties: string, parent = ''): string {
  const from = parent === '' ? '' : ` style:parent-style-name="${parent}"`
  return `<style:style style:name="${name}" style:family="${family}"${from}>${properties}</style:style>`
}

export const struckText = (line = 'style:text-line-through-style="solid"'): string =>
  `<style:text-properties fo:color="#999999" ${line}/>`
