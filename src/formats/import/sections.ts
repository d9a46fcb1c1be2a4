import { findTargets } from '../../pool/beatmap-links.ts'
import { bucketNamed } from './bucket-names.ts'
import { type BucketCodes, isFilled, readId } from './labels.ts'
import { readPlannedLine } from './plans.ts'
import { type Finding, skipped } from './readings.ts'
import { roundOfCell } from './round-names.ts'
import type { Shape } from './shapes.ts'

const sectionLine = /^\[([^[\]=]{1,100})\.([^[\].=]{1,40})\]$/

/**
 * Reads the template of osu!collector: sections `[round.bucket]`, and below each the ids or links of its beatmaps, one a
 * line. Lines that begin with # are comments.
 *
 * @returns null for a text that is not made so.
 */
export function readSections(
  text: string,
  codes: BucketCodes,
): { shape: Shape; findings: Finding[] } | null {
  if (!/^\s*\[[^[\]=\r\n]{1,100}\.[^[\].=\r\n]{1,40}\]\s*$/m.test(text)) return null
  const lines = text.split(/\r\n|\r|\n/)
  const content = lines
    .map((line) => line.trim())
    .filter((line) => isFilled(line) && !line.startsWith('#'))
  const others = content.filter((line) => !sectionLine.test(line))
  const beatmaps = others.filter((line) => readId(line) !== null || findTargets(line).length > 0)
  if (beatmaps.length === 0 || beatmaps.length * 2 < others.length) return null
  const findings = lines.map((each, at): Finding => {
    const finding = { line: at + 1, text: each }
    const line = each.trim()
    const [, round = '', bucket = ''] = sectionLine.exec(line) ?? []
    const label = bucketNamed(bucket, codes)
    const start = roundOfCell(round.trim())
    if (label !== null && start !== null) {
      return { ...finding, reading: { kind: 'heading', label, isSoft: true }, round: start }
    }
    return { ...finding, reading: line.startsWith('#') ? skipped : readPlannedLine(line, codes) }
  })
  const why = 'Its sections name a round and a bucket each.'
  return { shape: { id: 'sections', isCertain: true, why }, findings }
}
