import type { PoolDraft } from '../../pool/pool.ts'
import type { PastedLine } from '../pasted.ts'
import type { KnownCodes } from './known-codes.ts'
import type { Label } from './label.ts'
import { placeSlot } from './place-slot.ts'
import type { Reading } from './reading.ts'

/** A line and what it says. */
export type Finding = { readonly line: number; readonly text: string; readonly reading: Reading }

const nowhere: Label = { code: null, index: null }

/** Puts what was read into the draft, line after line, headings taking effect on what is below. */
export function settle(
  findings: readonly Finding[],
  into: PoolDraft,
  codes: KnownCodes,
): { lines: PastedLine[]; draft: PoolDraft } {
  let draft = into
  let heading = nowhere
  const lines = findings.map(({ line, text, reading }): PastedLine => {
    if (reading.kind === 'refused')
      return { line, text, outcome: 'refused', reason: reading.reason }
    if (reading.kind === 'heading') heading = reading.label
    if (reading.kind !== 'slot') return { line, text, outcome: 'skipped' }
    const label = underHeading(reading.label, heading)
    heading = headingAfter(reading.label, heading, codes)
    const placed = placeSlot(draft, label, reading.beatmapId, codes)
    if (placed.draft === null) return { line, text, outcome: 'refused', reason: placed.reason }
    draft = placed.draft
    return { line, text, outcome: 'slot', ...placed.slot }
  })
  return { lines, draft }
}

/** A line that names no bucket stands in the heading's; one that names no number either takes its number. */
function underHeading(label: Label | null, heading: Label): Label {
  if (label === null) return heading
  return label.code === null ? { code: heading.code, index: label.index } : label
}

/** `NM1:` is over after one beatmap, `NM` when a line names another bucket. */
function headingAfter(label: Label | null, heading: Label, codes: KnownCodes): Label {
  if (label === null) return heading.index === null ? heading : nowhere
  const isSame =
    label.code === null || heading.code === null || same(label.code, heading.code, codes)
  return isSame && heading.index === null ? heading : nowhere
}

const same = (a: string, b: string, codes: KnownCodes): boolean =>
  (codes.find(a) ?? a) === (codes.find(b) ?? b)
