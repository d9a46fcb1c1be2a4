import { foldName } from '../../../pool/slots.ts'
import { fitName } from '../../draft-builder.ts'
import { type Finding, skipped } from '../readings.ts'

type Part = { readonly at: number; readonly name: string; isEmpty: boolean; above: Part | null }

/**
 * A heading right above that of a round is the division of all rounds up to the next such, if a round of the same name is in
 * another one: `Division 1`, `Finals`, …, `Division 2`, `Finals`, …
 */
export function nameDivisions(read: readonly Finding[]): Finding[] {
  const findings = withMode(read)
  const parts: Part[] = []
  for (const [at, { reading, round }] of findings.entries()) {
    if (round?.by === 'usual' || round?.by === 'marked')
      parts.push({ at, name: round.name, isEmpty: true, above: null })
    else if (reading.kind !== 'skipped' && parts.length > 0) parts.at(-1)!.isEmpty = false
  }
  let above: Part | null = null
  for (const [place, part] of parts.entries()) {
    if (part.isEmpty && place < parts.length - 1) above = part
    else part.above = above
  }
  const below = parts.filter((part) => part.above !== null)
  const first = new Map(below.toReversed().map(({ name, above: own }) => [foldName(name), own]))
  const isShared = below.some(({ name, above: own }) => first.get(foldName(name)) !== own)
  const isWhole = parts.every((part) => part.above !== null || part.isEmpty)
  if (!isShared || !isWhole) return [...findings]
  const named = new Map(
    below.map((part) => [part.at, fitName(`${part.above!.name} ${part.name}`, part.name)]),
  )
  const divisions = new Set(below.map((part) => part.above!.at))
  return findings.map((finding, at) => {
    const { round, ...line } = finding
    const name = named.get(at)
    if (divisions.has(at)) return { ...line, reading: skipped }
    return name === undefined || round === undefined
      ? finding
      : { ...finding, round: { ...round, name } }
  })
}

const otherMode = /^osu!? ?\p{L}/iu
const mode = /^[^\p{L}\p{N}]*osu!?[^\p{L}\p{N}]*$/iu

/** The game's own mode is a round where the others are: `osu!`, …, `osu!taiko`, … */
function withMode(findings: readonly Finding[]): readonly Finding[] {
  if (!findings.some(({ round }) => round !== undefined && otherMode.test(round.name)))
    return findings
  return findings.map((finding) =>
    finding.round === undefined && mode.test(finding.text)
      ? { ...finding, reading: skipped, round: { name: 'osu!', by: 'marked' as const } }
      : finding,
  )
}
