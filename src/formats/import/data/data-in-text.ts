import { FormatError } from '../../format-error.ts'
import { type Literal, parseLiteralAt } from '../../json/parse-literal.ts'
import { type ReadData, readValues } from './json.ts'
import { countBelow } from './json-found.ts'
import { type BucketCodes, isFilled } from '../words/labels.ts'
import { type Finding, refused } from '../readings.ts'

import { roundOfFile } from '../lines/round-names.ts'
import { lineBreak } from '../text/markup.ts'
import { say } from '../import-message.ts'

/** Where data may begin: at the start of a line, as a member of an object, too, or after the colon of a sentence. */
const beginnings =
  /^[ \t>]{0,40}(?:["'][^"'\r\n]{1,100}["'][ \t]{0,9}:[ \t]{0,9})?[[{]|^[^{}[\]();=\r\n]{1,200}[:：][ \t]{0,9}[[{](?=[[{(\s]{0,20}["'])/gm
const hasQuotedKey = /^[[{(\s]{1,200}["'][^"'\r\n]{1,60}["']\s{0,20}:/
/** A member of an object that was copied without what is around it. */
const quotedKey = /^[ \t]*["']([^"'\r\n]{1,100})["'][ \t]*:/
/** After so many that are none, a text has no data in it. */
const MOST_TRIES = 20
const LONGEST_SHOWN = 200

type Part = { readonly start: number; end: number; readonly values: Literal[] }
type Found = { readonly parts: readonly Part[]; readonly damage: Damage | null }
type Damage = { readonly start: number; readonly error: FormatError }

/**
 * Reads a text of lines in which lists or objects of data stand: these as data, what is around them as it is by itself. Data
 * that is damaged is refused, for lines of it would lose their labels.
 *
 * @param readRest reads a text without data in it.
 * @returns null for a text that has no data in it.
 */
export function readDataInText(
  text: string,
  codes: BucketCodes,
  readRest: (rest: string) => ReadData,
): ReadData | null {
  // In a quotation, data goes on behind the mark of each line.
  const plain = text.replaceAll(/^[ \t]{0,3}>[> \t]{0,20}/gm, (marks) => ' '.repeat(marks.length))
  const { parts, damage } = findData(plain)
  if (parts.length === 0 && (damage === null || !isFilled(text.slice(0, damage.start)))) return null
  const spans = [...parts, ...(damage === null ? [] : [{ start: damage.start, end: text.length }])]
  const remains = blanked(text, spans)
  const left = remains.split(lineBreak).map((line) => line.trimEnd())
  const rest: ReadData | null = isFilled(remains) ? readRest(left.join('\n')) : null
  const lines = new LineNumbers(text)
  const written = text.split(lineBreak)
  const around = (rest?.findings ?? []).flatMap((finding) => {
    if (!spans.some((span) => lines.isIn(finding.line, span))) return [finding]
    return isFilled(finding.text) ? [{ ...finding, text: written[finding.line - 1]! }] : []
  })
  const isNamedBetween = (from: number, to: number): boolean =>
    around.some(({ line, round }) => round !== undefined && line >= from && line <= to)
  const findings: Finding[] = []
  const notes = [...(rest?.notes ?? [])]
  let before: Part | null = null
  for (const part of parts) {
    const read = readValues(text, part.values, codes)
    const line = lines.of(part.start)
    const [first, ...others] = read.findings
    const isNone = others.length === 0 && first?.reading.kind === 'refused' && first.line === 1
    const own = isNone ? { ...first, line, text: shownOf(text, part.start) } : first!
    // Each list is a file of its own, unless a heading says what it is.
    const mayFollow: boolean =
      before === null || isNamedBetween(lines.of(before.end), line) || isObject(before, part)
    const round = mayFollow || own.round !== undefined ? {} : { round: roundOfFile('') }
    findings.push({ ...own, ...round }, ...others)
    notes.push(...(read.notes ?? []))
    before = part
  }
  if (damage !== null) {
    const { place, problem } = damage.error
    const line = place !== null && 'line' in place ? place.line : lines.of(damage.start)
    const reason = say('badJson', { problem: { message: problem } })
    const shown = (written[line - 1] ?? '').slice(0, LONGEST_SHOWN).toWellFormed()
    findings.push({ line, text: shown, reading: refused(reason) })
  }
  // A heading in front of data on its line names what is in it: `Finals: [{ "slot": "NM1", "id": 75 }]`.
  const leads = new Set(
    spans
      .map(({ start }) => lines.of(start))
      .filter((line) => isFilled(left[line - 1]!.charAt(written[line - 1]!.search(/\S/)))),
  )
  const [ahead = [], behind = []] = [true, false].map((isLead) =>
    around.filter(({ line }) => leads.has(line) === isLead),
  )
  const all = [...ahead, ...findings, ...behind].toSorted((a, b) => a.line - b.line)
  return {
    shape: { id: 'json', isCertain: damage === null, why: say('isData') },
    findings: all,
    notes,
  }
}

const isObject = (...parts: readonly Part[]): boolean =>
  parts.every(({ values }) => values.every(({ kind }) => kind === 'object'))

function findData(text: string): Found {
  const parts: Part[] = []
  let tries = 0
  beginnings.lastIndex = 0
  for (let found = beginnings.exec(text); found !== null; found = beginnings.exec(text)) {
    const begin = found.index + found[0].length - 1
    // Behind a bracket that opens no data, a member is rather one of what is damaged.
    const key = tries > 0 ? null : (quotedKey.exec(found[0])?.[1] ?? null)
    const start = key === null ? begin : found.index
    const isQuoted = hasQuotedKey.test(text.slice(begin, begin + 400))
    try {
      const own = parseLiteralAt(text, begin)
      beginnings.lastIndex = own.end
      const value = key === null ? own : objectOf(key, own, start)
      if (!isData(value)) continue
      const last = parts.at(-1)
      const isNext = last !== undefined && /^[\s,;]*$/.test(text.slice(last.end, start))
      if (isNext) {
        last.values.push(value)
        last.end = value.end
      } else parts.push({ start, end: value.end, values: [value] })
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      if (isQuoted) return { parts, damage: { start, error } }
      tries += 1
      if (tries === MOST_TRIES) break
    }
  }
  return { parts, damage: null }
}

const objectOf = (key: string, value: Literal, start: number): Literal => ({
  kind: 'object',
  members: [{ key, start, value }],
  start,
  end: value.end,
})

/** Whether a value has parts with names, or lists: a flat list is as well read as a line. */
function isData(value: Literal): boolean {
  if (value.kind === 'object') return value.members.length > 0
  if (value.kind !== 'list') return false
  return value.items.some(({ kind }) => kind === 'object' || kind === 'list')
}

function blanked(text: string, spans: readonly Pick<Part, 'start' | 'end'>[]): string {
  let rest = ''
  let from = 0
  for (const { start, end } of spans) {
    rest += text.slice(from, start) + text.slice(start, end).replaceAll(/[^\r\n]/g, ' ')
    from = end
  }
  return rest + text.slice(from)
}

const shownOf = (text: string, start: number): string =>
  text
    .slice(start, start + LONGEST_SHOWN)
    .replaceAll(/\s+/g, ' ')
    .toWellFormed()

class LineNumbers {
  readonly #ends: readonly number[]

  constructor(text: string) {
    this.#ends = [...text.matchAll(/\r\n|\r|\n/g)].map(({ index }) => index)
  }

  /** Of the line in which a place is, from 1. */
  of(place: number): number {
    return countBelow(this.#ends, place) + 1
  }

  isIn(line: number, { start, end }: Pick<Part, 'start' | 'end'>): boolean {
    return line >= this.of(start) && line <= this.of(end)
  }
}
