import type { Pack } from '../../contract/packs.ts'
import type { IndexEntry } from '../../contract/search-index.ts'

const range = (low: number | null, high: number | null): [number, number] | undefined =>
  low === null || high === null ? undefined : [low, high]

/** A pack as the search index would tell it, so that it is shown in the same row. */
export const entryOf = ({ slug, name, ownerName, stats, ...pack }: Pack): IndexEntry => {
  const r = stats && range(stats.srMin, stats.srMax)
  const l = stats && range(stats.lenMin, stats.lenMax)
  const b = stats && range(stats.bpmMin, stats.bpmMax)
  return {
    s: slug,
    n: name,
    o: ownerName,
    c: pack.slots.length,
    d: pack.description ?? '',
    u: pack.updatedAt,
    t: pack.createdAt,
    ...(r && { r }),
    ...(stats && stats.srAvg !== null && { a: stats.srAvg }),
    ...(l && { l }),
    ...(b && { b }),
    ...(stats && { m: stats.mods.join(','), g: stats.modes.join(','), k: stats.complete }),
  }
}
