import type { Round } from '../../../contract/rounds.ts'
import type { Tournament, TournamentField } from '../../../contract/tournaments.ts'
import { foldName } from '../../../pool/slots.ts'
import type { PoolsService } from '../service.ts'
import type { CliContext } from '../user-command.ts'
import { factConflict, newBase, REMOVED_OR_NOT_YOURS } from './folder.ts'
import { factNames } from './facts.ts'
import { type Index, INDEX, type PulledRound } from './folder-index.ts'
import { mergeRound } from './merge-rounds.ts'
import { ADDS_NONE, draftedPart, isLimited } from './read-round.ts'
import { compareRounds, draftOf, insistOnStaff, type RoundDraft } from './round-text.ts'
import { changesAnything, planRound, type RoundPlan, type SheetPlan } from './save-rounds.ts'

export type RoundFile = { readonly name: string; readonly draft: RoundDraft }

export type Push = {
  readonly plan: SheetPlan
  readonly patch: ReadonlyMap<TournamentField, { readonly from: unknown; readonly to: unknown }>
  /** What the user has to decide. */
  readonly open: readonly string[]
  /** What was changed on the service alone. */
  readonly news: readonly string[]
}

export const isWork = ({ plan, patch }: Push): boolean => patch.size > 0 || changesAnything(plan)

export async function readPush(
  { client }: PoolsService,
  index: Index,
  files: readonly RoundFile[],
  { options }: CliContext,
): Promise<Push> {
  const { data, etag } = await client.getTournament(index.pulled.slug).withResponse()
  insistOnStaff(data)
  const rules = { deletes: options.has('delete'), isForced: options.has('force') }
  return planPush(index, files, draftedPart(data).own, etag ?? '', rules)
}

type Rules = { readonly deletes: boolean; readonly isForced: boolean }

function planPush(
  index: Index,
  files: readonly RoundFile[],
  tournament: Tournament,
  etag: string,
  { deletes, isForced }: Rules,
): Push {
  const [open, news]: [string[], string[]] = [[], []]
  const left = new Map(tournament.rounds.map((round) => [round.id, round]))
  const pulledAs = new Map(index.pulled.rounds.map((each) => [each.file, each]))
  const local = files.flatMap(({ name, draft }): RoundPlan[] => {
    const known = pulledAs.get(name)
    const round = roundOf(draft, known, index, tournament)
    if (round === undefined) {
      if (known === undefined && !isLimited(tournament)) return [planRound(null, draft)]
      const gone = isLimited(tournament) ? REMOVED_OR_NOT_YOURS : 'was removed on the service'
      open.push(`${name}: ${known ? `its round ${gone}; take it out of ${INDEX}` : ADDS_NONE}`)
      return []
    }
    left.delete(round.id)
    const merged = mergeRound(baseOf(known, round), draft, round)
    if (compareRounds(draft, merged.kept).length > 0) news.push(name)
    if (isForced) return [planRound(round, merged.kept)]
    open.push(...merged.conflicts.map((words) => `${name}: ${words}`))
    return [planRound(round, merged.sent)]
  })
  const known = new Map(index.pulled.rounds.map((each) => [each.id, each]))
  const removed: Round[] = []
  for (const round of left.values()) {
    const pulled = known.get(round.id)
    if (pulled === undefined) news.push(round.name)
    else if (!deletes)
      open.push(`${pulled.file}: it is not in ${INDEX}; --delete removes its round`)
    else if (!pulled.draft || compareRounds(pulled.draft, round).length > 0) {
      open.push(`${pulled.file}: its round has changed; pull before you delete it`)
    } else removed.push(round)
  }
  const gone = new Set(removed)
  const others = [...left.values()].filter((round) => !gone.has(round))
  const isArranged = isOrderChanged(index)
  if (isArranged && isLimited(tournament)) {
    open.push(`${INDEX}: you are limited to some rounds, and cannot change their order`)
  }
  const rounds =
    isArranged && !isLimited(tournament)
      ? [...local, ...others.map(asItIs)]
      : inOrderOf(tournament, [...local, ...others.map(asItIs)])
  const patch = planPatch(index, tournament, isForced, open)
  return { plan: { tournament, etag, rounds, removed }, patch, open, news }
}

/** The round of a file; a new file may have the name of a round that somebody else has added. */
export function roundOf(
  draft: RoundDraft,
  known: PulledRound | undefined,
  { pulled }: Index,
  { rounds }: Tournament,
): Round | undefined {
  if (known !== undefined) return rounds.find(({ id }) => id === known.id)
  const fold = foldName(draft.name)
  const paired = new Set(pulled.rounds.map(({ id }) => id))
  return rounds.find(({ id, name }) => !paired.has(id) && foldName(name) === fold)
}

export const baseOf = (known: PulledRound | undefined, round: Round): RoundDraft | null =>
  known === undefined ? newBase(round) : (known.draft ?? null)

const asItIs = (round: Round): RoundPlan => planRound(round, draftOf(round))

/** Whether the folder has an order of its own. */
function isOrderChanged({ rounds: order, pulled }: Index): boolean {
  const known = pulled.rounds.map(({ file }) => file)
  const kept = known.filter((name) => order.includes(name))
  return order.slice(0, kept.length).join('\n') !== kept.join('\n')
}

/** In the order of the service, then those that are new. */
function inOrderOf(tournament: Tournament, rounds: readonly RoundPlan[]): RoundPlan[] {
  const rankOf = ({ before }: RoundPlan): number => {
    const at = tournament.rounds.findIndex(({ id }) => id === before?.id)
    return at < 0 ? tournament.rounds.length : at
  }
  return rounds.toSorted((a, b) => rankOf(a) - rankOf(b))
}

function planPatch(
  index: Index,
  tournament: Tournament,
  isForced: boolean,
  open: string[],
): Push['patch'] {
  const patch = new Map<TournamentField, { readonly from: unknown; readonly to: unknown }>()
  for (const name of factNames) {
    const [own, base, theirs] = [index[name], index.pulled.facts[name], tournament[name]]
    if (own === base || own === theirs) continue
    if (base === theirs || isForced) patch.set(name, { from: theirs, to: own })
    else open.push(factConflict(name, index, tournament))
  }
  return patch
}
