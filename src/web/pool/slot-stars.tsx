import type { JSX } from 'preact'
import { formatStars } from '../format.ts'
import { StarBadge } from '../parts/stars.tsx'
import type { SlotView } from './slot-view.ts'
import { shownStars } from './slot-words.ts'
import '../style/slot-table.css'

/**
 * A slot's stars with its mods. Where only the rating without mods is known, that one, marked as
 * such; a placeholder while nothing is known.
 */
export const SlotStars = ({ slot }: { readonly slot: SlotView }): JSX.Element => {
  const rating = shownStars(slot)
  if (rating === null) {
    return slot.beatmap.state === 'gone' ? (
      <span class="quiet-text">–</span>
    ) : (
      <span class="blank stars-blank" />
    )
  }
  if (!rating.isPlain) return <StarBadge stars={rating.stars} />
  const why = `Rating without mods. The rating with ${slot.forced.join('')} is not available yet.`
  return (
    <span class="plain-stars" title={why}>
      <span aria-hidden="true">★</span> {formatStars(rating.stars)}
      <span class="sr-only"> stars without mods</span>
    </span>
  )
}
