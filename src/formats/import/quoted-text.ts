import { isFilled } from './labels.ts'

const quote = /^[ \t]{0,3}>[ ]?/
const INDENT = 4

/** A text that is quoted or indented as a whole, without that: null for any other. Lines keep their numbers. */
export function unquoted(text: string): string | null {
  const lines = text.split(/\r\n|\r|\n/)
  const filled = lines.filter(isFilled)
  if (filled.length < 2) return null
  if (filled.every((line) => quote.test(line)))
    return lines.map((line) => line.replace(quote, '')).join('\n')
  const indents = filled.map((line) => /^ */.exec(line)![0].length)
  const least = indents.reduce((all, each) => Math.min(all, each), Infinity)
  return least < INDENT ? null : lines.map((line) => line.slice(least)).join('\n')
}
