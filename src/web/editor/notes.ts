import type { SitePack } from '../../contract/site-pack.ts'
import { slotLabel } from '../../pool/slots.ts'
import { count } from '../format.ts'
import type { Edit } from './edit.ts'

/**
 * What saving does beside saving, said before: a new pack key clears the magnet links (D-27), and a
 * pack that is not public loses its pin (D-30).
 *
 * @param packKey what the edit's would be; null while it has none.
 */
export const sideEffects = (
  saved: SitePack | null,
  edit: Edit,
  packKey: string | null,
): { readonly magnets: string | null; readonly pin: string | null } => {
  if (saved === null) return { magnets: null, pin: null }
  const { exports, isPinned } = saved
  const clears = exports.length > 0 && packKey !== null && packKey !== saved.packKey
  return {
    magnets: clears
      ? `Saving removes ${count(exports.length, 'magnet link')}, because the beatmaps have changed.`
      : null,
    pin:
      isPinned && edit.visibility !== 'public'
        ? 'Saving unpins this pack, because only public packs can be pinned.'
        : null,
  }
}

/** Where else each slot's beatmap stands, by the slot's key: `HD2, FM1`. Hosts seldom mean it. */
export const doubles = ({ slots }: Edit): ReadonlyMap<number, string> => {
  const byBeatmap = Map.groupBy(slots, ({ beatmapId }) => beatmapId)
  return new Map(
    [...byBeatmap.values()].flatMap((same) =>
      same.length < 2
        ? []
        : same.map((slot) => {
            const others = same.filter((other) => other !== slot)
            return [slot.key, others.map(slotLabel).join(', ')] as const
          }),
    ),
  )
}
