import { isFilled } from '../words/labels.ts'
import type { Finding } from '../readings.ts'

const quote = /^[ \t]{0,3}>[ ]?/
const INDENT = 4
const DEEPEST = 4

/** What a text says that is quoted or indented as a whole, read without that; null for any other. */
export function readQuoted<Read extends { readonly findings: readonly Finding[] }>(
  text: string,
  read: (text: string) => Read,
): (Read & { readonly findings: Finding[] }) | null {
  const lines = text.split(/\r\n|\r|\n/)
  let inner: readonly string[] = lines
  // Answers to answers quote what is quoted.
  for (let depth = 0; depth < DEEPEST; depth += 1) inner = unquoted(inner) ?? inner
  if (inner === lines) return null
  const found = read(inner.join('\n'))
  const findings = found.findings.map((finding) =>
    /[\r\n]/.test(finding.text) ? finding : { ...finding, text: lines[finding.line - 1] ?? '' },
  )
  return { ...found, findings }
}

function unquoted(lines: readonly string[]): string[] | null {
  const filled = lines.filter(isFilled)
  if (filled.length < 2) return null
  if (filled.every((line) => quote.test(line))) return lines.map((line) => line.replace(quote, ''))
  const indents = filled.map((line) => /^ */.exec(line)![0].length)
  const least = indents.reduce((all, each) => Math.min(all, each), Infinity)
  return least < INDENT ? null : lines.map((line) => line.slice(least))
}
