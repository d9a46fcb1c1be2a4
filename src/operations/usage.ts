import { PAGE_SIZE } from '../contract/bounds.ts'
import type { Use, UseTournament } from '../contract/usage.ts'
import { ownerNameOf } from '../domain/packs.ts'
import { timestamp } from '../domain/time.ts'
import type { Ports } from '../ports/ports.ts'
import type { SavedUse } from '../ports/search.ts'

type UsagePorts = Pick<Ports, 'usage'>

/** Where beatmaps were pooled: one page of all their uses, and how many each of them has. */
export type Usage = {
  readonly uses: readonly SavedUse[]
  /** In the order asked. */
  readonly totals: { readonly beatmapId: number; readonly total: number }[]
  /** Of all these beatmaps. */
  readonly total: number
}

/**
 * Where beatmaps were pooled, most recently saved packs first, for anybody: in packs that are public and not hidden
 * now; tournaments are named under the same condition (D-66, D-67).
 *
 * @param beatmapIds each once, at most 64.
 * @param page from 1.
 */
export async function readUsage(
  { usage }: UsagePorts,
  beatmapIds: readonly number[],
  page: number,
): Promise<Usage> {
  const { uses, totals: known } = await usage.list(beatmapIds, page, PAGE_SIZE)
  const totals = beatmapIds.map((beatmapId) => ({ beatmapId, total: known.get(beatmapId) ?? 0 }))
  return {
    uses,
    totals,
    total: totals.reduce((sum, { total }) => sum + total, 0),
  }
}

/** A use as everybody reads it. */
export function presentUse(use: SavedUse, poolsOwnerName: string): Use {
  const { slug, packName, mod, index, updatedAt, round } = use
  return {
    slug,
    packName,
    ownerName: ownerNameOf(use, poolsOwnerName),
    // Rows have an empty text in place of null.
    mod: mod === '' ? null : mod,
    index,
    updatedAt: timestamp(updatedAt),
    ...(round !== null && { tournament: presentTournament(round.tournament), round: round.name }),
  }
}

type UsedTournament = NonNullable<SavedUse['round']>['tournament']

const presentTournament = ({ slug, name, year }: UsedTournament): UseTournament => ({
  slug,
  name,
  ...(year !== null && { year }),
})
