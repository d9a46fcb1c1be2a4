import type { Check } from '../contract/checks.ts'
import { chunksOf } from '../domain/loading.ts'
import { assertMay, draftsOf } from '../domain/tournament-access.ts'
import {
  type BeatmapFacts,
  beatmapsToCheck,
  checkRounds,
  type PooledBefore,
} from '../domain/tournament-checks.ts'
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

/** Of one request: 200 beatmaps, and a part of what an account may have in a minute. */
const CALLS = { beatmapCalls: 4, ratingCalls: 4 }

/**
 * What the checks find in the drafts of a tournament, for its staff; `not_found` and `forbidden` otherwise
 * (D-60, D-61). What the platform did not answer within these calls and the deadline is `unknown`: it is asked
 * for the next time, and what comes later is cached until then.
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
  // Nothing is said of rounds that the member is not limited to (D-81).
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

  const byText = new Map<string, PlayedBeatmap & { needsStars: boolean }>()
  for (const use of beatmapsToCheck(rounds)) {
    const needsStars = use.needsStars || byText.get(factOfPlay(use))?.needsStars === true
    byText.set(factOfPlay(use), { ...use, needsStars })
  }
  const uses = [...byText.values()]
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
  const key = `checks ${requester} ${[...byText].map(([text, { needsStars }]) => `${text} ${needsStars}`).join()}`
  const { known } = await readAfterAsking(
    () => readBeatmaps(ports, uses, ports.clock.now()),
    (use, at) => isUnknown(use) && (use.beatmap === null || uses[at]!.needsStars),
    (before) => lookUps.run(key, () => ask(before)),
    deadline,
  )
  const facts = new Map<string, BeatmapFacts>()
  for (const [at, use] of known.entries()) {
    const beatmap = use.beatmap?.value ?? null
    facts.set(factOfPlay(uses[at]!), { beatmap, stars: starsOf(use), noRating: hasNoRating(use) })
  }
  const pooled = await readPooledBefore(ports, uses, slug)
  return checkRounds(tournament, rounds, (play) => facts.get(factOfPlay(play))!, pooled)
}

/** As many beatmaps as the port takes at once. */
const BEATMAPS_AT_ONCE = 64

/** Where the beatmaps were pooled before, but in the packs of this tournament (D-67). */
async function readPooledBefore(
  { usage }: Pick<Ports, 'usage'>,
  uses: readonly PlayedBeatmap[],
  slug: string,
): Promise<ReadonlyMap<number, PooledBefore>> {
  const ids = [...new Set(uses.map(({ beatmapId }) => beatmapId))]
  const found = new Map<number, PooledBefore>()
  for (const some of chunksOf(ids, BEATMAPS_AT_ONCE)) {
    for (const [id, pooled] of await usage.last(some, slug)) found.set(id, pooled)
  }
  return found
}
