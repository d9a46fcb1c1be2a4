import { decodeText } from '../../src/formats/file-content.ts'
import type { SeededRandom } from '../seeded-random.ts'

type Damage = (text: string, random: SeededRandom) => string

const lineEnd = /\r\n|\r|\n/g

/** Moves, cuts and doubles what people move, cut and double: lines, cells, brackets, quotes, digits. */
const kinds: readonly Damage[] = [
  (text, random) => withLines(text, (lines) => swapped(lines, random)),
  (text, random) => withLines(text, (lines) => lines.toSpliced(random.below(lines.length), 1)),
  (text, random) =>
    withLines(text, (lines) => lines.toSpliced(random.below(lines.length), 0, random.oneOf(lines))),
  (text, random) =>
    withLines(text, (lines) => {
      const at = random.below(lines.length)
      return lines.toSpliced(at, 2, `${lines[at]} ${lines[at + 1] ?? ''}`)
    }),
  (text, random) =>
    withLines(text, (lines) => {
      const at = random.below(lines.length)
      const line = lines[at] ?? ''
      const cut = random.below(line.length + 1)
      return lines.toSpliced(at, 1, line.slice(0, cut), line.slice(cut))
    }),
  (text, random) => {
    const mark = random.oneOf(['\t', ',', ';', '|', ' '])
    return withLines(text, (lines) => {
      const at = random.below(lines.length)
      return lines.with(at, swapped((lines[at] ?? '').split(mark), random).join(mark))
    })
  },
  (text, random) => {
    const mark = random.oneOf(['\t', ',', ';', '|', ' '])
    return withLines(text, (lines) => {
      const at = random.below(lines.length)
      const cells = (lines[at] ?? '').split(mark)
      return lines.with(at, cells.toSpliced(random.below(cells.length), 1).join(mark))
    })
  },
  (text, random) => without(text, /[[\](){}"'<>*#:|\\]/g, random),
  (text, random) => without(text, /\d/g, random),
  (text, random) => text.replaceAll(random.oneOf([',', '\t', '"', ':', ' ']), random.oneOf(marks)),
  (text, random) => text.replaceAll(lineEnd, random.oneOf(['\r\n', '\r', '\n', '\n\n', ' '])),
  (text) => text.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
]

const marks = [',', '\t', ';', '|', ' ', "'", '"', '：', '\u00a0', '\u200b', '']

function withLines(text: string, change: (lines: string[]) => string[]): string {
  const end = text.match(lineEnd)?.[0] ?? '\n'
  return change(text.split(lineEnd)).join(end)
}

function swapped(parts: readonly string[], random: SeededRandom): string[] {
  const [one, other] = [random.below(parts.length), random.below(parts.length)]
  return parts.with(one, parts[other] ?? '').with(other, parts[one] ?? '')
}

function without(text: string, sign: RegExp, random: SeededRandom): string {
  const found = [...text.matchAll(sign)]
  if (found.length === 0) return text
  const { index } = random.oneOf(found)
  return text.slice(0, index) + text.slice(index + 1)
}

/** A text file with some of it moved, and at times in another encoding. Other files stay as they are. */
export function rearranged(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  let text = textOf(bytes)
  if (text === null) return bytes
  for (let left = 1 + random.below(3); left > 0; left -= 1) text = random.oneOf(kinds)(text, random)
  return random.oneOf(encodings)(text)
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return decodeText(bytes)
  } catch {
    return null
  }
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le')

const encodings: readonly ((text: string) => Uint8Array)[] = [
  utf8,
  utf8,
  utf8,
  utf16,
  (text) => utf8(`\ufeff${text}`),
  (text) => Buffer.from(text, 'latin1'),
  (text) => Buffer.concat([utf16(text.slice(0, text.length >> 1)), utf8(text)]),
]
