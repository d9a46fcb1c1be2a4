import * as texts from '#texts/download-maps'
import { announce } from '../parts/toasts.tsx'
import type { SlotView } from '../pool/slots.ts'

/** The game misses what comes while it still opens another. */
const BETWEEN_MS = 1_000

/**
 * Hands each set to the game, which asks once whether the site may; says so where there is none.
 *
 * @param isBusy whether beatmaps are still looked up.
 */
export async function openSets(slots: readonly SlotView[], isBusy: boolean): Promise<void> {
  const known = slots.flatMap(({ beatmap }) =>
    beatmap.state === 'known' ? beatmap.details.setId : [],
  )
  const sets = new Set(known.filter((id) => id > 0))
  if (sets.size === 0) announce(isBusy ? texts.noneToOpenYet : texts.noneToOpen, 'danger')
  for (const set of sets) {
    location.assign(`osu://s/${set}`)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  }
}
