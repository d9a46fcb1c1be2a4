import type { Brush } from './brush.ts'
import type { Typeface, Weight } from './typeface.ts'

/** Text that is to be drawn, and how. */
export type TextStyle = {
  readonly weight: Weight
  readonly size: number
  readonly color: string
}

const ELLIPSIS = '…'

/** The longest beginning of the text that is narrow enough. */
const cutTo = (
  typeface: Typeface,
  text: string,
  { weight, size }: TextStyle,
  width: number,
): string => {
  const fits = (candidate: string) => (typeface.measure(candidate, weight, size) ?? 0) <= width
  if (fits(text)) return text
  const characters = Array.from(text)
  while (characters.length > 1 && !fits(characters.join('') + ELLIPSIS)) characters.pop()
  return characters.join('').trimEnd() + ELLIPSIS
}

/** Draws a line of text, cut short where it is too wide. The width that it took; 0: it has no letters here. */
export const drawLine = (
  brush: Brush,
  typeface: Typeface,
  text: string,
  [x, y]: readonly [x: number, y: number],
  style: TextStyle,
  maxWidth = Infinity,
): number => {
  if (typeface.runsOf(text, style.weight, style.size) === null) return 0
  const shown = cutTo(typeface, text, style, maxWidth)
  const runs = typeface.runsOf(shown, style.weight, style.size) ?? []
  brush.text(runs, x, y, style.size, style.color)
  return runs.reduce((sum, { width }) => sum + width, 0)
}

/** Breaks text between words into lines that are narrow enough; the last one takes the rest. */
export const breakLines = (
  typeface: Typeface,
  text: string,
  { weight, size }: TextStyle,
  width: number,
  most: number,
): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    const isFull = (typeface.measure(longer, weight, size) ?? 0) > width
    if (last === undefined || (isFull && lines.length < most)) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}
