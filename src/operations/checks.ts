import type { Check } from '../contract/checks.ts'
import { chunksOf } from '../domain/loading.ts'
import { assertMay, draftsOf } from '../domain/tournament-access.ts'
import {
  type BeatmapFacts,
  beatmapsToCheck,
  checkRounds,
  type PooledBefore,
} from '../domain/tournament-checks.ts'
import type { SavedRound, SavedTournament } from '../domain/tournaments.ts'
import type { Ports } from '../ports/ports.ts'
import {
  type Asking,
  type PlayedBeatmap,
  isUnknown,
  type LookUpPorts,
  lookUpUses,
  readAfterAsking,
  readBeatmaps,
  starsOf,
  hasNoRating,
} from './beatmaps.ts'
import { askedWith, cacheFor, factOfPlay, tournamentAsker } from './known-beatmaps.ts'
import { getDraft } from './rounds.ts'
import { getTournament } from './tournaments.ts'

type CheckPorts = LookUpPorts & Pick<Ports, 'tournaments' | 'usage'>

type Checker = Asking & { readonly accountId: string }

/** Calls to the platform for one request: 200 beatmaps, and a part of an account's share of a minute. */
const CALLS = { beatmapCalls: 4, ratingCalls: 4 }

/**
 * What the checks find in the drafts of a tournament, for its staff; `not_found` and `forbidden` otherwise
 * (D-60, D-61). Beatmaps that the platform has not answered for within `CALLS` and the deadline are `unknown`; later answers
 * are cached for the next request.
 *
 * @param roundId of the only round to check; null checks all.
 */
export async function checkDrafts(
  allPorts: CheckPorts,
  { accountId, requester, deadline, failures, lookUps }: Checker,
  slug: string,
  roundId: string | null,
): Promise<Check[]> {
  const whole = await getTournament(allPorts, accountId, slug)
  assertMay(whole, accountId, 'readDrafts')
  // Rounds outside the limit of the member have no findings for them (D-81).
  const tournament = { ...whole, rounds: draftsOf(whole, accountId) }
  const asker = tournamentAsker(tournament, accountId)
  const asked = askedWith(allPorts.beatmapCache)
  const beatmapCache = cacheFor(allPorts.beatmapCache, {
    mayRead: (fact) => asked.has(asker, fact) || asked.has(requester, fact),
    onKept: (fact) => asked.note(asker, fact),
  })
  const ports = { ...allPorts, beatmapCache }
  const rounds =
    roundId === null ? tournament.rounds : [(await getDraft(ports, accountId, slug, roundId)).round]

  const checked = checkedOf(whole, tournament.rounds, rounds)
  const { uses } = checked
  const ask = async (before: Awaited<ReturnType<typeof readBeatmaps>>): Promise<number> => {
    const isOpen = (_: unknown, at: number) => before[at]?.beatmap === null
    const ordered = [...uses.filter(isOpen), ...uses]
    const ids = ordered.map(({ beatmapId }) => beatmapId)
    const rated = uses.filter(({ needsStars }) => needsStars)
    const { beatmaps, ratings } = await lookUpUses(ports, ids, rated, requester, {
      ...CALLS,
      failures: failures.of(asker),
      sharedBy: asker,
    })
    return beatmaps.answered + ratings.answered
  }
  const { known } = await readAfterAsking(
    () => readBeatmaps(ports, uses, ports.clock.now()),
    (use, at) => isUnknown(use) && (use.beatmap === null || uses[at]!.needsStars),
    (before) => {
      const texts = uses.map((use) => `${factOfPlay(use)} ${use.needsStars}`)
      return lookUps.run(`checks ${requester} ${texts.join()}`, () => ask(before))
    },
    deadline,
  )
  const facts = known.map((use): BeatmapFacts => {
    const beatmap = use.beatmap?.value ?? null
    return { beatmap, stars: starsOf(use), noRating: hasNoRating(use) }
  })
  const before = await readPooledBefore(ports, checked.ids, slug)
  const madeFrom = [
    ...facts.flatMap(({ beatmap, stars, noRating }) => [beatmap, stars, noRating]),
    ...before,
  ]
  const { last } = checked
  if (last !== null && areSame(last.madeFrom, madeFrom)) return last.checks
  const byPlay = new Map(facts.map((fact, at) => [factOfPlay(uses[at]!), fact]))
  const pooled = new Map(before.flatMap((some) => [...some]))
  const checks = checkRounds(tournament, rounds, (play) => byPlay.get(factOfPlay(play))!, pooled)
  if (checks.length <= MOST_KEPT) checked.last = { madeFrom, checks }
  return checks
}

/** Rounds of a tournament, as one member sees them, what they play, and what their checks found last. */
type Checked = {
  /** All that the member may see, among which duplicates are looked for. */
  readonly seen: readonly SavedRound[]
  readonly rounds: readonly SavedRound[]
  /** Each beatmap with its mods once. */
  readonly uses: readonly (PlayedBeatmap & { readonly needsStars: boolean })[]
  /** Of the beatmaps, each once. */
  readonly ids: readonly number[]
  last: { readonly madeFrom: readonly unknown[]; readonly checks: Check[] } | null
}

/** Findings of one tournament that are kept, some 100 KB with their JSON. */
const MOST_KEPT = 200

/** What was asked for last, by tournament as it is saved, which a change replaces. */
const checkedBefore = new WeakMap<SavedTournament, Checked>()

function checkedOf(
  tournament: SavedTournament,
  seen: readonly SavedRound[],
  rounds: readonly SavedRound[],
): Checked {
  const before = checkedBefore.get(tournament)
  if (before !== undefined && areSame(before.seen, seen) && areSame(before.rounds, rounds)) {
    return before
  }
  const byText = new Map<string, PlayedBeatmap & { needsStars: boolean }>()
  for (const use of beatmapsToCheck(rounds)) {
    const needsStars = use.needsStars || byText.get(factOfPlay(use))?.needsStars === true
    byText.set(factOfPlay(use), { ...use, needsStars })
  }
  const uses = [...byText.values()]
  const ids = [...new Set(uses.map(({ beatmapId }) => beatmapId))]
  const checked: Checked = { seen, rounds, uses, ids, last: null }
  checkedBefore.set(tournament, checked)
  return checked
}

/** What is read from memory is the same object until it changes. */
const areSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((value, at) => Object.is(value, others[at]))

/** As many beatmaps as the port takes at once. */
const BEATMAPS_AT_ONCE = 64

/** Where the beatmaps were pooled before, but in the packs of this tournament (D-67), for some of them at a time. */
async function readPooledBefore(
  { usage }: Pick<Ports, 'usage'>,
  ids: readonly number[],
  slug: string,
): Promise<ReadonlyMap<number, PooledBefore>[]> {
  const found: ReadonlyMap<number, PooledBefore>[] = []
  for (const some of chunksOf(ids, BEATMAPS_AT_ONCE)) found.push(await usage.last(some, slug))
  return found
}
