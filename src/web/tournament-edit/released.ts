import { useCallback } from 'preact/hooks'
import type { Round } from '../../contract/rounds.ts'
import type { DraftContent } from '../../pool/draft-comparison.ts'
import { releasedFields } from '../../pool/round-fields.ts'
import { useLoad } from '../load.ts'
import { poolsCall } from '../pools-api.ts'
import type { RoundModel } from './round-model.ts'

/** What everybody sees of the round; null while it is not released. */
export function useReleased({ path }: RoundModel, { packSlug, releasedAt }: Round): Round | null {
  const load = useCallback(
    async (signal: AbortSignal) =>
      packSlug === undefined ? null : (await poolsCall('getReleased', { ...path, signal })).round,
    [packSlug, releasedAt],
  )
  const { value, error } = useLoad(load)
  return packSlug === undefined || error !== null ? null : value
}

/** What of a round a release shows to everybody. */
export const shownPart = (round: Round): DraftContent => {
  const { name, slots, buckets } = round
  return { name, slots, buckets, ...releasedFields(round) }
}
