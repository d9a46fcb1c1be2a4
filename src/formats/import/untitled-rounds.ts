import { foldCode } from '../../pool/slots.ts'
import { fitName } from '../draft-builder.ts'
import { tidy } from './labels.ts'
import { type Finding, skipped } from './readings.ts'

const TIEBREAKER = 'TB'
/** A longer line is no title. */
const LONGEST_TITLE = 64
/** Fewer slots below a line do not make a pool of them. */
const LEAST_SLOTS = 2

/**
 * Rounds that no usual name and no markup shows: lines of text after which the same labels begin anew, with other
 * beatmaps, are the titles of pools. A text with rounds of its own is left as it is.
 */
export function findTitles(findings: readonly Finding[]): Finding[] {
  if (findings.some(({ round }) => round !== undefined)) return [...findings]
  const titles = new Set<number>()
  const known = new Set<string>()
  let own = new Set<string>()
  let title: number | null = null
  let isOver = false
  const close = (): void => {
    const again = [...own].filter((label) => known.has(label)).length
    const isPool = own.size >= LEAST_SLOTS && (known.size === 0 || again * 2 >= own.size)
    if (isPool && title !== null) titles.add(title)
    isOver ||= !isPool && own.size > 0
    for (const label of own) known.add(label)
    own = new Set()
  }
  for (const [at, finding] of findings.entries()) {
    if (isTitle(findings, at)) {
      close()
      title = at
    }
    const label = labelOf(finding)
    isOver ||= label !== null && own.has(label)
    if (label !== null) own.add(label)
  }
  close()
  const isSplit = !isOver && titles.size > 0 && (titles.size > 1 || isBelowSlots(findings, titles))
  return isSplit
    ? findings.map((finding, at) => {
        const name = fitName(tidy(finding.text), '')
        return titles.has(at)
          ? { ...finding, reading: skipped, round: { name, by: 'marked' as const } }
          : finding
      })
    : [...findings]
}

const isBelowSlots = (findings: readonly Finding[], titles: ReadonlySet<number>): boolean =>
  findings.some((each, at) => labelOf(each) !== null && [...titles].every((title) => at < title))

/** Whether a line of words alone is directly above a slot with a label. */
function isTitle(findings: readonly Finding[], at: number): boolean {
  const { reading, text } = findings[at]!
  if (reading.kind !== 'refused' || reading.plan !== undefined) return false
  const isPlain = reading.isProse === true && text.length <= LONGEST_TITLE && !/\d{4}/.test(text)
  const next = findings.slice(at + 1, at + 3).find(({ text: below }) => tidy(below) !== '')
  return isPlain && next !== undefined && labelOf(next) !== null
}

function labelOf({ reading }: Finding): string | null {
  if (reading.kind !== 'slot' || reading.label?.code == null) return null
  return `${foldCode(reading.label.code)}${reading.label.index ?? ''}`
}

/**
 * Where each slot has its label alone on a line, `NM1`, the tiebreaker is one of them that needs no number: below a
 * heading of a bucket, its title would be the end of that.
 */
export function numberTiebreakers(findings: readonly Finding[]): Finding[] {
  const headings = findings.flatMap(({ reading }, at) =>
    reading.kind === 'heading' ? [{ at, reading }] : [],
  )
  const isBlocks = headings.filter(({ reading }) => reading.label.index !== null).length > 1
  if (!isBlocks) return [...findings]
  const alone = new Set(
    headings.flatMap(({ at, reading }, place) => {
      const { code, index } = reading.label
      const below = findings.slice(at + 1, headings[place + 1]?.at)
      const end = below.findIndex(({ round }) => round !== undefined)
      const slots = (end < 0 ? below : below.slice(0, end)).filter(
        (each) => each.reading.kind === 'slot',
      )
      const isOne = slots.length === 1 && labelOf(slots[0]!) === null
      return code !== null && foldCode(code) === TIEBREAKER && index === null && isOne ? [at] : []
    }),
  )
  return findings.map((finding, at) => {
    const { reading } = finding
    return reading.kind === 'heading' && alone.has(at)
      ? { ...finding, reading: { ...reading, label: { ...reading.label, index: 1 } } }
      : finding
  })
}
