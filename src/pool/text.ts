import { isHttpsLink, LINK_LENGTH } from '../contract/bounds.ts'
import { type Remedy, remedy } from './remedies.ts'

/** Directional embeddings, overrides and isolates, and the characters that end them (D-47). */
const directional = /[\u202a-\u202e\u2066-\u2069]/gu

/** White space, default-ignorable characters, combining marks, and characters whose glyph is blank (D-47). */
const unseen =
  /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Mn}\p{Me}\u115f\u1160\u2800\u3164\uffa0\ufff9-\ufffb\u{1d159}]/gu

/** Scripts that are written right to left, and the marks that belong to them. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * What is wrong with a trimmed text (D-18, D-19, D-47), to be read after its place; null when nothing is.
 *
 * @param longest in UTF-16 code units.
 * @param lines whether line breaks (`\n`, `\r\n`) are allowed.
 */
export function findInText(text: string, longest: number, lines: boolean): Remedy | null {
  if (text.length > longest) return remedy('tooLong', { most: longest })
  if (!text.isWellFormed()) return remedy('halfPair')
  if (!lines) return /\p{Cc}/u.test(text) ? remedy('severalLines') : findInLabel(text)
  return /(?!\n|\r\n)\p{Cc}/u.test(text) ? remedy('controls') : findDirection(text)
}

/** As `findInText`, for a name: one line with at least one visible character (D-47). */
export function findInName(text: string, longest: number): Remedy | null {
  if (text === '') return remedy('empty')
  return findInText(text, longest, false) ?? findUnseen(text)
}

/** As `findInText`, for a link that people may enter. */
export function findInLink(text: string): Remedy | null {
  return findInName(text, LINK_LENGTH) ?? (isHttpsLink(text) ? null : remedy('badLink'))
}

export function findUnseen(text: string): Remedy | null {
  return isVisible(text) ? null : remedy('invisible')
}

/** What is wrong with a one-line text that holds a character of D-47; null when it holds none. */
export function findInLabel(text: string): Remedy | null {
  return findDirection(text) ?? refuse(/[\u2028\u2029]/u, text, 'lineBreak')
}

function findDirection(text: string): Remedy | null {
  return refuse(directional, text, 'direction')
}

function refuse(characters: RegExp, text: string, why: 'lineBreak' | 'direction') {
  const found = text.match(characters)?.[0].codePointAt(0)?.toString(16).toUpperCase()
  return found ? remedy(why, { code: found.padStart(4, '0') }) : null
}

export function isVisible(text: string): boolean {
  return text.replace(unseen, '') !== ''
}

/**
 * A text as one line that is safe to show (D-47): without directional formatting, line breaks and
 * controls replaced by spaces, trimmed. What `findInText` accepts as one line is returned as it is.
 */
export function cleanLine(text: string): string {
  return withoutDirection(text)
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
}

/** The text without directional formatting, which texts stored before D-47 may hold. */
export function withoutDirection(text: string): string {
  return text.replace(directional, '')
}

/**
 * A text for places that only take plain text, such as titles and labels: isolated (U+2068, U+2069)
 * when it would change the order of the words around it, else as it is.
 */
export function isolate(text: string): string {
  const safe = withoutDirection(text)
  return rightToLeft.test(safe) ? `\u2068${safe}\u2069` : safe
}

/**
 * Texts in a row, the first at the left, whichever way each is written: marks (U+200E) around each that is written to
 * the left keep it from forming one run with its neighbours.
 */
export const inRow = (texts: readonly string[]): string =>
  texts.map((text) => (rightToLeft.test(text) ? `\u200e${text}\u200e` : text)).join(' ')

/** `a, b and c`; of more than `most`, how many more there are. */
export function listed(texts: readonly string[], most = Infinity): string {
  const shown = texts.length > most ? texts.slice(0, most) : texts.slice(0, -1)
  const last = texts.length > most ? `${texts.length - most} more` : texts.at(-1)
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} and ${last}`
}

/** A year to be read after a name: ` 2025`, or nothing where the name says it, as `World Cup 2025` does. */
export function yearAfter(name: string, year: number | null | undefined): string {
  const isSaid = year == null || new RegExp(`(?<!\\d)${year}(?!\\d)`).test(name)
  return isSaid ? '' : ` ${year}`
}

/** How many letters to insert, delete, replace or swap with the next one make one text the other. */
export function editDistance(
  one: string | readonly string[],
  other: string | readonly string[],
): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      next.push(
        Math.min(
          (last[at] ?? 0) + 1,
          (next[at - 1] ?? 0) + 1,
          (last[at - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[at - 2] ?? Infinity) + 1 : Infinity,
        ),
      )
    }
    before = last
    last = next
  }
  return last[other.length] ?? 0
}

/** What file systems refuse, or programs stumble over. */
const AWKWARD = /[\\/:*?"<>|\p{Cc}\p{Zl}\p{Zp}]+/gu

/** Names that mean devices on Windows, whatever follows a dot, which may have spaces before it. */
const DEVICE = /^(con|prn|aux|nul|con(?:in|out)\$|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i

/** A name for a file about a pool, without its ending, that every file system takes: `OWC 2023 Finals`. */
export const fileStem = (name: string): string =>
  withoutDirection(name.toWellFormed())
    .replaceAll(AWKWARD, '-')
    .replaceAll(/^[.\s-]+|[.\s-]+$/g, '')
    .replace(DEVICE, '_$1') || 'pack'

/** A text with its digits as 0 to 9, whichever keyboard wrote them. Unicode has those of a script in a row, from zero on. */
export const plainDigits = (text: string): string =>
  text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!
    let before = 0
    while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1
    return String(before % 10)
  })
