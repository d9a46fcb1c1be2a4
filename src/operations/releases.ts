import { AppError } from '../contract/errors.ts'
import type { ReleaseInput } from '../contract/rounds.ts'
import type { Precondition } from '../domain/reading/requests.ts'
import { timestamp } from '../domain/time.ts'
import * as changes from '../domain/tournament-changes.ts'
import {
  admitToRound,
  changeWithPacks,
  inTournament,
  type RoundInTournament,
  type TournamentPorts,
} from './tournaments.ts'

/**
 * Releases a round now, schedules its release, or withdraws: the schedule or, if there is none, the pack (D-63).
 * Throws `bad_request` for a time that is not to come; then as every change of a tournament.
 */
export async function releaseRound(
  ports: TournamentPorts,
  accountId: string,
  slug: string,
  roundId: string,
  { at }: ReleaseInput,
  check?: Precondition<RoundInTournament>,
): Promise<RoundInTournament> {
  const time = at === null || at === 'now' ? at : timeToCome(at, ports.clock.now())
  const result = await changeWithPacks(ports, accountId, slug, (saved, now, packSlug) => {
    const round = admitToRound(saved, roundId, accountId, 'release', check)
    if (time === null) return changes.withdraw(saved, round, now)
    if (time === 'now') return changes.release(saved, round, packSlug, now)
    return { content: changes.schedule(saved, round, time, now), packs: [] }
  })
  return inTournament(result === 'deleted' ? null : result, roundId, check)
}

/**
 * Releases a round if its time has come by the clock that all processes share; once, however often and by how many
 * processes it is called (D-63). Returns whether it did.
 */
export async function releaseDue(
  ports: TournamentPorts,
  { slug, roundId }: { readonly slug: string; readonly roundId: string },
): Promise<boolean> {
  let isReleased = false
  const result = await changeWithPacks(ports, null, slug, (saved, now, packSlug) => {
    const change = changes.releaseIfDue(saved, roundId, packSlug, now)
    isReleased = change !== null && change.packs.length > 0
    return change
  })
  return result !== null && isReleased
}

function timeToCome(at: string, now: number): number {
  const time = Date.parse(at)
  // A day that a month does not have is taken for one of the next month.
  if (Number.isNaN(time) || timestamp(time) !== at) {
    throw new AppError('bad_request', 'at must be a time that there is, in UTC')
  }
  if (time <= now) {
    throw new AppError(
      'bad_request',
      'at must be a time that is to come; send "now" to release at once',
    )
  }
  return time
}
