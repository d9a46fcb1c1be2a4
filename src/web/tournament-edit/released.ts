import { useCallback, useEffect, useRef } from 'preact/hooks'
import type { Round } from '../../contract/rounds.ts'
import type { DraftContent } from '../../pool/draft-comparison.ts'
import { filledSlots, releasedFields } from '../../pool/round-fields.ts'
import { slotLabel } from '../../pool/slots.ts'
import { later } from '../browser.ts'
import { useLoad } from '../load.ts'
import { waitAfter } from '../lost-answers.ts'
import { poolsCall } from '../pools-api.ts'
import { CallFailure } from '../site-failure.ts'
import type { RoundModel } from './round-model.ts'

/** What everybody sees of the round; null while it is not released. */
export function useReleased({ path }: RoundModel, saved: Round): Round | null {
  const { packSlug, releasedAt, updatedAt } = saved
  const load = useCallback(
    async (signal: AbortSignal) =>
      packSlug === undefined ? null : (await poolsCall('getReleased', { ...path, signal })).round,
    [packSlug, releasedAt],
  )
  const { value, error, reload } = useLoad(load)
  useRetry(error, reload)
  // A slot goes out by itself without another release (D-78), but with another time of the round.
  const isFilled = value !== null && hasFilled(value, saved)
  useEffect(() => {
    if (isFilled) reload()
  }, [isFilled, updatedAt])
  return packSlug === undefined || error !== null ? null : value
}

/** Loads again after a failure that may pass, later each time: there is no button for it. */
function useRetry(error: unknown, reload: () => void): void {
  const failures = useRef(0)
  useEffect(() => {
    if (!(error instanceof CallFailure) || !error.mayPass) return undefined
    return later(waitAfter(error, failures.current++), reload)
  }, [error])
}

/** Whether a slot that went out as planned has a beatmap by now. */
function hasFilled(released: Round, { slots }: Round): boolean {
  const filled = new Set(filledSlots(slots).map(slotLabel))
  return released.slots.some((slot) => slot.beatmapId === undefined && filled.has(slotLabel(slot)))
}

/** What of a round a release shows to everybody. */
export const shownPart = (round: Round): DraftContent => {
  const { name, slots, buckets } = round
  return { name, slots, buckets, ...releasedFields(round) }
}
