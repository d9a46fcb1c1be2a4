import { linksIn } from '../words/links.ts'
import type { Label } from '../words/labels.ts'
import { type Reading, reasons, refused, type RefusedReading, skipped } from '../readings.ts'

/** An item of a list without a bucket, at its number. */
export function inNone(reading: Reading, index: number): Reading {
  const label: Label = { code: null, index }
  if (reading.kind === 'slot') return { ...reading, label }
  if (reading.kind !== 'refused' || reading.plan === undefined) return reading
  return { ...reading, plan: { ...reading.plan, label, isInNone: true } }
}

/** Of the rest of an article only the links matter: some lead to map packs and showcases. */
export function proseOf(body: string): Reading {
  const links = linksIn(body).filter(({ kind }) => kind === 'mapPack' || kind === 'showcase')
  const reading: RefusedReading = { ...refused(reasons.otherLink), isProse: true, links }
  return links.length === 0 ? skipped : reading
}
