/** A name stands on one line, so the two Unicode line breaks count as controls in it. */
const controlInLine = /[\p{Cc}\u2028\u2029]/u
const controlInParagraphs = /(?!\n|\r\n)\p{Cc}/u

/**
 * What is wrong with a text that was already trimmed (D-18, D-19), to be read after its place;
 * null when nothing is.
 *
 * @param longest in UTF-16 code units.
 * @param lines whether line breaks (`\n`, `\r\n`) are allowed.
 */
export function checkText(text: string, longest: number, lines: boolean): string | null {
  if (text.length > longest) return `must be at most ${longest} characters long`
  if (!text.isWellFormed()) return 'must be valid Unicode: it holds half a surrogate pair'
  if (!lines) return controlInLine.test(text) ? 'must be one line without control characters' : null
  return controlInParagraphs.test(text)
    ? 'must hold no control characters other than line breaks'
    : null
}
