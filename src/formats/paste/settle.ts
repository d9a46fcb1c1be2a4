import type { PoolDraft } from '../../pool/pool.ts'
import type { PastedLine } from '../pasted.ts'
import type { KnownCodes } from './known-codes.ts'
import type { Label } from './label.ts'
import { placeSlot } from './place-slot.ts'
import type { Finding } from './read-lines.ts'
import { reasons, type SlotReading } from './reading.ts'

/** Where lines stand that name no place themselves. */
type Heading = Label & {
  /** Whether it is a cell over empty ones, and no line of its own. */
  readonly isCell: boolean
}

const nowhere: Heading = { code: null, index: null, isCell: false }

/** Puts what was read into the draft, line after line, headings taking effect on what is below. */
export function settle(
  findings: readonly Finding[],
  into: PoolDraft,
  codes: KnownCodes,
): { lines: PastedLine[]; draft: PoolDraft } {
  let draft = into
  let heading: Heading = nowhere
  /** The heading of a single slot that has got no beatmap yet. */
  let open: number | null = null
  const lines: PastedLine[] = []
  const close = (): void => {
    const at = open ?? lines.length
    const line = lines[at]
    if (line !== undefined) lines[at] = refusal(line, reasons.noBeatmap)
    open = null
  }
  for (const { line, text, reading } of findings) {
    if (reading.kind === 'refused') {
      if (reading.endsHeading === true) heading = nowhere
      lines.push(refusal({ line, text }, reading.reason))
    } else if (reading.kind === 'slot') {
      const label = labelUnder(heading, reading)
      if (reading.label === null) open = null
      heading = headingAfter(reading, heading, codes)
      const placed = placeSlot(draft, label, reading.beatmapId, codes)
      draft = placed.draft ?? draft
      lines.push(
        placed.draft === null
          ? refusal({ line, text }, placed.reason)
          : { line, text, outcome: 'slot', ...placed.slot },
      )
    } else {
      if (reading.kind === 'heading') {
        close()
        heading = { ...reading.label, isCell: false }
        if (heading.index !== null) open = lines.length
      }
      lines.push({ line, text, outcome: 'skipped' })
    }
  }
  close()
  return { lines, draft }
}

const refusal = ({ line, text }: { line: number; text: string }, reason: string): PastedLine => ({
  line,
  text,
  outcome: 'refused',
  reason,
})

/** A line that names no bucket stands in the heading's; one that names no number takes its number. */
function labelUnder(heading: Heading, { label }: SlotReading): Label {
  if (label === null) return heading
  return label.code === null && !heading.isCell ? { ...heading, index: label.index } : label
}

/** `NM1:` is over after one beatmap, `NM` when a line names another bucket. */
function headingAfter(
  { label, isCell = false }: SlotReading,
  heading: Heading,
  codes: KnownCodes,
): Heading {
  if (label === null) return heading.index === null ? heading : nowhere
  if (isCell && label.code !== null && label.index === null) return { ...label, isCell }
  const isOther = label.code !== null && !isSame(label.code, heading.code, codes)
  return isOther || heading.isCell || heading.index !== null ? nowhere : heading
}

const isSame = (code: string, other: string | null, codes: KnownCodes): boolean =>
  other !== null && (codes.find(code) ?? code) === (codes.find(other) ?? other)
