import { inflateRawSync } from 'node:zlib'
import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import { bytesOf, readCorpus } from '../../test/formats/corpus-cases.ts'
import { zipOf } from '../../test/formats/ods-file.ts'
import type { SeededRandom } from '../seeded-random.ts'

/** The files in the archive that a spreadsheet file is, by their names. */
type Parts = Readonly<Record<string, string>>

/** What is in an archive; null for a file that is none, or whose directory cannot be read. */
export function partsOf(bytes: Uint8Array): Parts | null {
  try {
    return readParts(Buffer.from(bytes))
  } catch {
    return null
  }
}

function readParts(file: Buffer): Parts {
  const end = file.lastIndexOf('PK\u0005\u0006', file.length, 'latin1')
  const parts: Record<string, string> = {}
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [name, extra, comment] = [28, 30, 32].map((part) => file.readUInt16LE(at + part))
    const text = partAt(file, at)
    if (text !== null) parts[file.toString('utf8', at + 46, at + 46 + name!)] = text
    at += 46 + name! + extra! + comment!
  }
  return parts
}

/** The part of an entry of the directory; null for a damaged one, which a reader may have no need of. */
function partAt(file: Buffer, at: number): string | null {
  const [method, packed] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20)]
  const local = file.readUInt32LE(at + 42)
  try {
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const data = file.subarray(start, start + packed)
    return (method === 0 ? data : inflateRawSync(data)).toString('utf8')
  } catch {
    return null
  }
}

/** All that a workbook says: its parts as they are written, and as they are shown. */
export function contentOfWorkbook(parts: Parts): string {
  const written = Object.values(parts).join('\n')
  const shown = written.replaceAll(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi, (_, hex, decimal) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
  })
  const open = shown.replaceAll(/<!\[CDATA\[([^]*?)\]\]>/g, '$1')
  return [written, ...['', ' '].map((gap) => open.replaceAll(/<[^>]*>/g, gap))].join('\n')
}

const rows = [
  ['Semifinals', null, null, null],
  ['Mod', '#', 'Beatmap ID', 'Title'],
  ['Hidden', 1, 75, 'Nine Rivers - Harbour'],
  [null, 2, 76, 'Nine Rivers - Peridot'],
  ['Tiebreaker', 1, 129_891, 'Ada - Kettle'],
]
const sheets = [
  {
    name: 'Pool',
    rows,
    merges: [{ startRow: 2, endRow: 3, startCol: 0, endCol: 0 }],
    rowDefs: new Map([[3, { hidden: true }]]),
    cells: new Map([
      ['2,3', { hyperlink: { target: 'https://osu.ppy.sh/b/77' } }],
      ['4,2', { style: { font: { strikethrough: true } } }],
    ]),
  },
  {
    name: 'Teams',
    rows: [
      ['Team', 'Seed'],
      ['Kestrels', 1],
      ['Herons', new Date(0)],
    ],
  },
]

/** Spreadsheet files: those of the corpus, and two with all that a reader of tabs goes by. */
const workbookSamples: readonly Uint8Array[] = [
  ...readCorpus().flatMap(({ id, files }) =>
    [...files.keys()].flatMap((file) => (/\.(?:xlsx|ods)$/.test(file) ? [bytesOf(id, file)] : [])),
  ),
  await writeXlsx({ sheets }),
  await writeOds({ sheets }),
]

/** What attributes and cells should not be. */
const values = [
  '',
  '0',
  '-1',
  '1e400',
  'NaN',
  '99999999999',
  '4294967296',
  '2000000000',
  '0.1',
  '1.29891E5',
  'A1:XFD1048576',
  'XFD1048576',
  'A0',
  'ZZZZZ1',
  'B2:A1',
  'A1:A999999999',
  '$A$1',
  '1',
  '75',
  's',
  'str',
  'inlineStr',
  'b',
  'e',
  'd',
  'n',
  'float',
  'date',
  'true',
  'false',
  'rId1',
  'rId99',
  '&#xD800;',
  '&#x110000;',
  '&amp;',
  '&nope;',
  'NM1',
  'TB',
  '=HYPERLINK("https://osu.ppy.sh/b/75","x")',
  '../../etc',
  'worksheets/sheet1.xml',
  '/xl/worksheets/sheet2.xml',
  'https://osu.ppy.sh/b/76',
]
/** What a document may have more of. */
const elements = [
  '<mergeCell ref="A1:XFD1048576"/>',
  '<dimension ref="A1:XFD1048576"/>',
  '<row r="1048576"><c r="A1048576" t="s"><v>0</v></c></row>',
  '<row r="1"><c r="XFD1"><v>75</v></c></row>',
  '<c r="A1" t="inlineStr"><is><t>NM1</t></is></c>',
  '<c t="s"><v>99999</v></c>',
  '<c><f>HYPERLINK("https://osu.ppy.sh/b/75")</f><v>1</v></c>',
  '<hyperlink ref="A1:B1000000" r:id="rId1"/>',
  '<si><r><t>NM</t></r><r><t>1</t></r></si>',
  '<table:table-row table:number-rows-repeated="2000000000"><table:table-cell office:value-type="float" office:value="75"/></table:table-row>',
  '<table:table-cell table:number-columns-repeated="2000000000" table:number-rows-spanned="1000000"><text:p>NM1</text:p></table:table-cell>',
  '<style:style style:name="a" style:family="table-cell" style:parent-style-name="a">',
  '<text:span><text:p>',
  '<!--',
  '<![CDATA[75]]>',
  '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;&b;">]>',
]

type Damage = (xml: string, random: SeededRandom) => string

const tag = /<[^!?][^>]*>/g
const element = /<([\w:]+)(?: [^>]*)?(?:\/>|>(?:(?!<\1[ >])[^])*?<\/\1>)/g
const attribute = /(?<= [\w:-]+=")[^"]*(?=")/g
const shownText = /(?<=>)[^<]+(?=<)/g

/** Whatever one part of a document can be in place of another one. */
const kinds: readonly Damage[] = [
  replacing(attribute, (_, random) => random.oneOf(values)),
  replacing(attribute, (_, random, all) => random.oneOf(all)),
  replacing(shownText, (_, random) => random.oneOf(values)),
  replacing(shownText, (_, random, all) => random.oneOf(all)),
  replacing(element, () => ''),
  replacing(element, (own) => own + own),
  replacing(element, (_, random, all) => random.oneOf(all)),
  replacing(tag, () => ''),
  replacing(tag, (own, random) => own + random.oneOf(elements)),
  replacing(tag, (own, random) => random.oneOf(elements) + own),
  replacing(tag, (own, random) => own.repeat(1 + random.below(random.below(60) === 0 ? 5000 : 4))),
  replacing(/(?<= )[\w:-]+="[^"]*"/g, () => ''),
  (xml, random) => xml.slice(0, random.below(xml.length + 1)),
]

/** So many places are chosen from. */
const MOST_PLACES = 3000

function replacing(
  what: RegExp,
  by: (own: string, random: SeededRandom, all: readonly string[]) => string,
): Damage {
  return (xml, random) => {
    const found = [...xml.matchAll(what)].slice(0, MOST_PLACES)
    if (found.length === 0) return xml
    const { 0: own, index } = random.oneOf(found)
    const all = found.map(([each]) => each)
    return xml.slice(0, index) + by(own, random, all) + xml.slice(index + own.length)
  }
}

/** A spreadsheet file that can be unpacked, with a little of what is in it changed. */
export function damagedWorkbook(random: SeededRandom): Uint8Array {
  const sample = random.oneOf(workbookSamples)
  const parts: Record<string, string> = { ...readParts(Buffer.from(sample)) }
  for (let left = 1 + random.below(1 + random.below(6)); left > 0; left -= 1) {
    const names = Object.keys(parts)
    const name = random.oneOf(names)
    switch (random.below(20)) {
      case 0:
        if (names.length > 1) delete parts[name]
        break
      case 1:
        parts[name] = parts[random.oneOf(names)]!
        break
      case 2:
        parts[`${name.slice(0, -5)}9.xml`] = parts[name]!
        break
      default: {
        // Most of what is read is in few parts.
        const own = names.filter((each) => /sheet|sharedStrings|styles|content|rels/.test(each))
        const target = own.length > 0 && random.below(10) > 0 ? random.oneOf(own) : name
        parts[target] = random.oneOf(kinds)(parts[target]!, random)
      }
    }
  }
  return zipOf(parts)
}
