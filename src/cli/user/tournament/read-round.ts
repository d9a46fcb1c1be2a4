import type { Round } from '../../../contract/rounds.ts'
import type { Tournament } from '../../../contract/tournaments.ts'
import type { PoolsService } from '../service.ts'
import { roundNamed } from './round-text.ts'

export type ReadRound = { readonly slug: string; readonly round: Round; readonly etag: string }

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
