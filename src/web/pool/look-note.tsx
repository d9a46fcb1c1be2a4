import { Button } from '../parts/buttons.tsx'
import { explain } from '../site-failure.ts'
import type { Beatmaps } from './beatmaps.ts'
import type { SlotView } from './slots.ts'
import '../style/look-note.css'

type LookNoteProps = { slots: readonly SlotView[]; beatmaps: Beatmaps }

/** How looking beatmaps up goes, and what to do where it does not; empty while all is well. */
export function LookNote({ slots, beatmaps: { phase, error, retry } }: LookNoteProps) {
  const hasPlain = slots.some(({ beatmap }) => beatmap.state === 'known' && beatmap.stars === null)
  const hasNone = slots.some(({ beatmap }) => beatmap.state === 'known' && beatmap.noRating)
  return (
    <div class="look-note" role="status">
      {phase === 'stalled' || error !== null ? (
        <p>
          {error === null
            ? 'Some beatmaps could not be looked up.'
            : `${explain(error)} The pack itself is not affected.`}{' '}
          {phase === 'stalled' && <Button label="Try again" onClick={retry} />}
        </p>
      ) : (
        phase === 'done' &&
        (hasPlain || hasNone) && (
          <p>
            Hollow dots and dashed stars show ratings without mods.{' '}
            {hasPlain
              ? 'Ratings with mods are not available yet.'
              : 'The platform has no ratings with mods for these slots.'}
          </p>
        )
      )}
    </div>
  )
}
