/** Letters of two columns: East Asian ones, and pictures. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uFF01-\uFF60]|\p{Emoji_Presentation}/u
const MARKS = /^[\p{M}\p{Cf}]+$/u
const segments = new Intl.Segmenter()

const widthOfLetter = (letter: string): number => {
  if (MARKS.test(letter)) return 0
  return WIDE.test(letter) ? 2 : 1
}

/** The columns that a terminal needs for a text. */
export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of segments.segment(text)) width += widthOfLetter(segment)
  return width
}

/** The start of a text that fits into so many columns, with `…` if that is not all of it. */
export function cutToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let left = width - 1
  let end = 0
  for (const { segment, index } of segments.segment(text)) {
    left -= widthOfLetter(segment)
    if (left < 0) break
    end = index + segment.length
  }
  return `${text.slice(0, end)}…`
}
