import type { Round } from '../../../contract/rounds.ts'
import type { Tournament } from '../../../contract/tournaments.ts'
import type { PoolsService } from '../service.ts'
import { roundNamed } from './round-text.ts'

type ReadRound = { readonly slug: string; readonly round: Round; readonly etag: string }

/** A round by name or id, with the ETag of what was read. @param known the tournament, if it was read before. */
export async function readRound(
  { client, slug }: PoolsService,
  word: string,
  known?: Tournament,
): Promise<ReadRound> {
  const { id } = roundNamed(known ?? (await client.getTournament(slug())), word)
  const { data: round, etag } = await client.getRound(slug(), id).withResponse()
  return { slug: slug(), round, etag: etag ?? '' }
}

/**
 * The tournament with the rounds alone whose drafts the caller reads, and the others: who is limited to rounds gets of
 * these what was released, which is no draft to work on (D-81).
 */
export function draftedPart(tournament: Tournament): {
  readonly own: Tournament
  readonly others: readonly Round[]
} {
  const { rounds, limitedTo } = tournament
  if (limitedTo === undefined) return { own: tournament, others: [] }
  const isOwn = ({ id }: Round): boolean => limitedTo.includes(id)
  const own = { ...tournament, rounds: rounds.filter(isOwn) }
  return { own, others: rounds.filter((round) => !isOwn(round)) }
}

export const isLimited = ({ limitedTo }: Tournament): boolean => limitedTo !== undefined

/** Of a round that is in a folder or a sheet, and not on the service. */
export const ADDS_NONE = 'you are limited to some rounds, and cannot add one'
