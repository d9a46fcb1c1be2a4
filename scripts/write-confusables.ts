import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Unicode publishes which characters look alike as confusables.txt (UTS 39). Node holds the same table,
// compiled into the ICU data of its binary: the newest version comes with the newest Node, and nothing
// has to be fetched. The layout is that of ICU's SpoofDataHeader (uspoof_impl.h).

const FILE = fileURLToPath(new URL('../src/domain/slurs/confusables.ts', import.meta.url))
/** Of the data inside ICU's common header. */
const FORMAT = 'Cfu '
const FORMAT_AT = 12
/** Of a line of the file that is written. */
const LINE = 96
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
 * The table as a module: for each text the characters that look like it. What decomposition and
 * lower case give anyway is left out, and ASCII, punctuation and spaces are never replaced.
 */
export function confusablesModule(table: ReadonlyMap<string, string>, unicode: string): string {
  const kinds = new Map<string, string[]>()
  for (const [character, text] of [...table].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (/[\0-\x7f\p{P}\p{Z}\p{M}\p{Cf}]/u.test(character)) continue
    if (bare(text) === '' || bare(text) === bare(character)) continue
    kinds.set(text, [...(kinds.get(text) ?? []), character])
  }
  const entries = [...kinds]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([text, characters]) =>
      `${text} ${characters.join('')}`.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&'),
    )
  const lines = ['']
  for (const entry of entries) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + entry.length > LINE) lines.push(entry)
    else lines[lines.length - 1] = line === '' ? entry : `${line}\t${entry}`
  }
  return `// Made by scripts/write-confusables.ts from the confusables of Unicode ${unicode} (UTS 39). Do not edit.

/** The version of Unicode that the table is from. */
export const CONFUSABLES_UNICODE = '${unicode}'

/** Kinds of look-alikes with tabs between: the text that they look like, a space, the characters. */
export const confusables = \`
${lines.join('\n')}
\`
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { unicode = 'unknown' } = process.versions as { unicode?: string }
  const table = readConfusables(readFileSync(process.execPath))
  writeFileSync(FILE, confusablesModule(table, unicode))
  console.log(`${FILE}: ${table.size} confusables of Unicode ${unicode}`)
}
