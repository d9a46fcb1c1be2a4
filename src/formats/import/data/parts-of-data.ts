import { FormatError } from '../../format-error.ts'
import { type Literal, parseLiterals } from '../../json/parse-literal.ts'
import type { Finding } from '../readings.ts'
import { isPart } from './json-kinds.ts'

// Data that was copied in part, without what opens it, and perhaps without what closes it.

/** In so many lists and objects, at most. */
const MOST_AROUND = 6
const LONGEST_END = 500

/**
 * The whole of a text that begins with members of an object: with the brackets that it lacks, and on the same lines. null
 * for any other text.
 */
export const wholeOfMembers = (text: string): string | null =>
  isData(`{${text}}`) ? `{${text}}` : openedFor(text, '}')

/** The same for items of a list, of which the first is whole, if the text closes the list. */
export const wholeOfItems = (text: string): string | null => openedFor(text, ']')

/** What was read of the whole, with its lines as they were copied. */
export function asCopied<R extends { readonly findings: Finding[] }>(
  read: R,
  text: string,
  whole: string,
): R {
  const openers = whole.slice(0, whole.indexOf(text))
  const start = text.trimStart().slice(0, 10)
  const plain = (each: string): string => each.replaceAll(/\s/g, '')
  const findings = read.findings.map((finding) => {
    const own = finding.text.startsWith(openers)
      ? finding.text.slice(openers.length).trimStart()
      : ''
    if (!own.startsWith(start)) return finding
    const isClosed = plain(own) === `${plain(text)}}`
    return { ...finding, text: isClosed ? own.slice(0, -1).trimEnd() : own }
  })
  return { ...read, findings }
}

/** @param closer of what the beginning of the text is in. */
function openedFor(text: string, closer: '}' | ']'): string | null {
  const [end = ''] = /[\s,;}\]]*$/.exec(text.slice(-LONGEST_END)) ?? []
  const closers = (end.match(/[}\]]/g) ?? []).slice(-MOST_AROUND)
  for (let from = closers.length - 1; from >= 0; from -= 1) {
    if (closers[from] !== closer) continue
    const openers = closers.slice(from).map((each) => (each === '}' ? '{' : '['))
    const whole = openers.toReversed().join('') + text
    if (isData(whole)) return whole
  }
  return null
}

/** Whether a text is one list, or one object of several members or of one that has parts; with each key in quotes. */
function isData(text: string): boolean {
  const [value, ...others] = literalsIn(text)
  if (value === undefined || others.length > 0) return false
  if (value.kind !== 'object') return value.kind === 'list'
  const [only, ...more] = value.members
  // `"Title": 1234567, NM2: 33` are lines of a list.
  const isQuoted = value.members.every(({ start }) => /["']/.test(text.charAt(start)))
  return isQuoted && (more.length > 0 || (only !== undefined && isPart(only.value)))
}

function literalsIn(text: string): readonly Literal[] {
  try {
    return parseLiterals(text)
  } catch (error) {
    if (error instanceof FormatError) return []
    throw error
  }
}
