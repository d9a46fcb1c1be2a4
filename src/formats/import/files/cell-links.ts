import { columnId } from '../lines/plausible-ids.ts'
import { asked, type Finding } from '../readings.ts'
import { isHeader } from '../tables/block-columns.ts'
import { holdsSets, roleOf, topicOf } from '../tables/column-names.ts'
import type { BucketCodes } from '../words/labels.ts'
import { say } from '../import-message.ts'

/** By row, the links to beatmaps of cells that show something else, by column. */
export type Links = ReadonlyMap<number, ReadonlyMap<number, string>>

/** Whether a column of this name is about the beatmap of its row, and not about one that it replaced. */
function isOfBeatmap(title: string): boolean {
  const [role, topic] = [roleOf(title), topicOf(title)]
  return (role === undefined || role === 'vague' || topic === 'detail') && !holdsSets(title)
}

/** Asks which beatmap is meant where the link behind a title leads to another one than the id beside it. */
export function askLinks(
  findings: readonly Finding[],
  rows: readonly (readonly string[])[],
  links: Links,
  codes: BucketCodes,
): Finding[] {
  const headers =
    links.size === 0 ? [] : [...rows.keys()].filter((at) => isHeader(rows[at]!, codes))
  return findings.map((finding) => {
    const { reading, line } = finding
    const own = links.get(line - 1)
    if (reading.kind !== 'slot' || own === undefined) return finding
    const above = headers.filter((at) => at < line - 1)
    const titleOf = (column: number): string =>
      rows[above.findLast((at) => (rows[at]![column] ?? '') !== '') ?? -1]?.[column] ?? ''
    const linked = [...own].flatMap(([column, link]) =>
      isOfBeatmap(titleOf(column)) ? (columnId(link) ?? []) : [],
    )
    const [id] = linked
    if (id === undefined || linked.includes(reading.beatmapId)) return finding
    const choices = [
      [say('theLink', { id }), { ...reading, beatmapId: id }],
      [say('theId', { id: reading.beatmapId }), reading],
    ] as const
    return { ...finding, reading: asked(say('idOrLink'), choices) }
  })
}
