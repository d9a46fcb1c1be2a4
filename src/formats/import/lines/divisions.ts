import { foldName } from '../../../pool/slots.ts'
import { fitName } from '../../draft-builder.ts'
import { type Finding, skipped } from '../readings.ts'
import { mapWord } from '../words/pool-words.ts'

type Part = { readonly at: number; readonly name: string; isEmpty: boolean; above: Part | null }

/**
 * A heading right above that of a round is the division of all rounds up to the next such, if a round of the same name is in
 * another one: `Division 1`, `Finals`, …, `Division 2`, `Finals`, …
 */
export function nameDivisions(read: readonly Finding[]): Finding[] {
  const findings = withMode(withoutPoolHeadings(read))
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

const ofPool = new RegExp(`^[^\\p{L}\\p{N}]*${mapWord}[^\\p{L}\\p{N}]*$`, 'iu')
/** The names of the headings above a pool, from the outermost, without one that says no more than that it follows. */
export function withoutPoolName(path: readonly string[]): readonly string[] {
  const [above, own = ''] = path.slice(-2)
  return path.length > 1 && ofPool.test(own) && !ofPool.test(above!) ? path.slice(0, -1) : path
}

const levelOf = (text: string): string => /^\s*(?:#+|\[heading\])/i.exec(text)?.[0].trim() ?? ''

/** Right below the heading of a round, one that says that the pool follows is no round: `Finals`, `[box=Mappool]`. */
function withoutPoolHeadings(findings: readonly Finding[]): Finding[] {
  let above: Finding | null = null
  return findings.map((finding) => {
    const { round, ...line } = finding
    const isBelow =
      above !== null &&
      round?.by === 'marked' &&
      ofPool.test(round.name) &&
      // Rounds that are called so have headings as the others have.
      (levelOf(finding.text) === '' || levelOf(finding.text) !== levelOf(above.text))
    if (isBelow) return { ...line, reading: skipped }
    if (round !== undefined) above = round.by === 'cell' || ofPool.test(round.name) ? null : finding
    else if (finding.reading.kind !== 'skipped') above = null
    return finding
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
