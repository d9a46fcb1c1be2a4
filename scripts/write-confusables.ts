import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Unicode publishes which characters look alike as confusables.txt (UTS 39). Node holds the same table,
// compiled into the ICU data of its binary: the newest version comes with the newest Node, and nothing
// has to be fetched. The layout is that of ICU's SpoofDataHeader (uspoof_impl.h).

const FILE = fileURLToPath(new URL('../src/domain/slurs/confusables.json', import.meta.url))
/** Of the data inside ICU's common header. */
const FORMAT = 'Cfu '
const FORMAT_AT = 12
const MAGIC = 0x3845fdef

/** Each character that Unicode has a look-alike for, and the text that stands for all of its kind. */
export function readConfusables(binary: Buffer): Map<string, string> {
  const format = binary.indexOf(FORMAT, 0, 'latin1')
  if (format < 0) throw new Error('this Node has no table of confusables: its ICU is not its own')
  const header = format - FORMAT_AT
  const start = header + binary.readUInt16LE(header)
  const field = (at: number): number => binary.readInt32LE(start + at * 4)
  if (field(0) !== MAGIC) throw new Error('the table of confusables has another layout')
  const [keys, keyCount, values, , strings] = [3, 4, 5, 6, 7].map(field) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const found = new Map<string, string>()
  for (let at = 0; at < keyCount; at += 1) {
    const key = binary.readUInt32LE(start + keys + at * 4)
    const value = binary.readUInt16LE(start + values + at * 2)
    const length = (key >>> 24) + 1
    // A single unit is written in place of its position.
    const text =
      length === 1
        ? String.fromCharCode(value)
        : binary.toString(
            'utf16le',
            start + strings + value * 2,
            start + strings + (value + length) * 2,
          )
    found.set(String.fromCodePoint(key & 0xff_ffff), text)
  }
  return found
}

const bare = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()

/**
 * The table as JSON: each text with the characters that look like it. What decomposition and lower
 * case give anyway is left out, and ASCII, punctuation and spaces are never replaced.
 */
export function confusablesJson(table: ReadonlyMap<string, string>, unicode: string): string {
  const kinds = new Map<string, string>()
  for (const [character, text] of [...table].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (/[\0-\x7f\p{P}\p{Z}\p{M}\p{Cf}]/u.test(character)) continue
    if (bare(text) === '' || bare(text) === bare(character)) continue
    kinds.set(text, (kinds.get(text) ?? '') + character)
  }
  const lookAlikes = Object.fromEntries([...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return `${JSON.stringify({ unicode, lookAlikes }, null, 2)}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { unicode = 'unknown' } = process.versions as { unicode?: string }
  const table = readConfusables(readFileSync(process.execPath))
  writeFileSync(FILE, confusablesJson(table, unicode))
  console.log(`${FILE}: ${table.size} confusables of Unicode ${unicode}`)
}
