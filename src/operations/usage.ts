import { PAGE_SIZE } from '../contract/bounds.ts'
import type { Use, UseTournament } from '../contract/usage.ts'
import { ownerNameOf } from '../domain/packs.ts'
import { mayDo, mayDoInRound } from '../domain/tournament-access.ts'
import type { SavedRound, SavedTournament } from '../domain/tournaments.ts'
import { timestamp } from '../domain/quotas.ts'
import type { Ports } from '../ports/ports.ts'
import type { SavedUse } from '../ports/search.ts'

type UsagePorts = Pick<Ports, 'usage'>

/** Where beatmaps were pooled: one page of all their uses, and how many each of them has. */
type Usage = {
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
    mod,
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

/** A use in a draft. */
export type SavedDraftUse = Pick<SlotOfDraft, 'mod' | 'index'> & {
  readonly tournament: Pick<SavedTournament, 'slug' | 'name'>
  readonly round: string
}

type SlotOfDraft = SavedRound['slots'][number]

/** Where a beatmap was pooled, in short. */
type BeatmapNote = {
  readonly beatmapId: number
  readonly total: number
  readonly last: SavedUse | null
  readonly drafts: readonly SavedDraftUse[]
}

type LookPorts = UsagePorts & Pick<Ports, 'tournaments'>

/**
 * How often beatmaps were pooled in public packs, and where last (D-66, D-67).
 *
 * @param beatmapIds each once, at most 64.
 * @param accountId the viewer; null without a session.
 * @param except slug of a tournament whose packs and drafts are left out; ignored unless the viewer may read it, so
 *   that it reveals nothing of private ones.
 * @param withDrafts whether to look into the drafts that the viewer may read.
 */
export async function lookUpUsage(
  ports: LookPorts,
  beatmapIds: readonly number[],
  accountId: string | null,
  except: string | null,
  withDrafts: boolean,
): Promise<BeatmapNote[]> {
  const own = except === null ? null : await ports.tournaments.read(except)
  const isReadable = own !== null && mayDo(own, accountId ?? '', 'read')
  const left = isReadable ? own.slug : null
  const [known, drafts] = await Promise.all([
    ports.usage.last(beatmapIds, left),
    withDrafts && accountId !== null ? findInDrafts(ports, beatmapIds, accountId, left) : null,
  ])
  return beatmapIds.map((beatmapId) => {
    const { total = 0, last = null } = known.get(beatmapId) ?? {}
    return { beatmapId, total, last, drafts: drafts?.get(beatmapId) ?? [] }
  })
}

/** Tournaments whose drafts are looked into: those that were changed last. */
const MOST_TOURNAMENTS = 50

/** Slots of rounds that were not released yet, of tournaments whose drafts the account may read (D-60, D-61). */
async function findInDrafts(
  { tournaments }: LookPorts,
  beatmapIds: readonly number[],
  accountId: string,
  except: string | null,
): Promise<ReadonlyMap<number, readonly SavedDraftUse[]>> {
  const wanted = new Set(beatmapIds)
  const { rows: mine } = await tournaments.listOfMember(accountId, 1, MOST_TOURNAMENTS)
  const others = mine.filter(({ slug }) => slug !== except)
  const read = await Promise.all(others.map(async ({ slug }) => tournaments.read(slug)))
  const found = read.flatMap((tournament) => {
    if (tournament === null) return []
    const { slug, name, rounds } = tournament
    const drafts = rounds.filter(
      (round) => round.released === null && mayDoInRound(tournament, round, accountId, 'readDraft'),
    )
    return drafts.flatMap(({ name: round, slots }) =>
      slots.flatMap(({ beatmapId = 0, mod, index }) =>
        wanted.has(beatmapId) ? [{ beatmapId, tournament: { slug, name }, round, mod, index }] : [],
      ),
    )
  })
  return Map.groupBy(found, ({ beatmapId }) => beatmapId)
}
