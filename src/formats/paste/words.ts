/** A word of a line, without the punctuation around it. */
export type Word = {
  readonly text: string
  /** Whether a dash, a bracket, a comma or such sets it apart from what is before it. */
  readonly apart: boolean
  /** Whether what separates cells of a table stands before it. */
  readonly isCell: boolean
  /** Whether a colon or `>` stands before it, as behind the name of who speaks in a chat. */
  readonly afterColon: boolean
}

const wordPattern = /[^\s:=>|()[\]{}<"“”„'`*~#–—→•·,;]+/gu
const punctuationOnly = /^[^\p{L}\p{N}]+$/u

/** The words of a line of text, in time that grows with its length alone. */
export function readWords(line: string): Word[] {
  const words: Word[] = []
  let end = 0
  for (const match of line.matchAll(wordPattern)) {
    if (punctuationOnly.test(match[0])) continue
    const gap = line.slice(end, match.index)
    words.push({
      text: match[0].endsWith('.') ? match[0].slice(0, -1) : match[0],
      apart: /[-–—|,;([#]|\/\//.test(gap),
      isCell: /[\t,;|]/.test(gap),
      afterColon: /[:>]/.test(gap),
    })
    end = match.index + match[0].length
  }
  return words
}

// What chats and sheets put between letters without showing it.
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** A text without invisible characters and without white space around it. */
export function tidy(text: string): string {
  return text.replace(invisible, '').trim()
}

/** A whole number in ASCII digits, whatever its size; null for anything else. */
export function readWhole(text: string): number | null {
  return /^[0-9]+$/.test(text) ? Number(text) : null
}
