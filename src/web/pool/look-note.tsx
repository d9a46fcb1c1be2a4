import * as words from '#texts/common'
import * as texts from '#texts/pool'
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
          {error === null ? texts.someNotLookedUp : texts.lookFailed({ reason: explain(error) })}{' '}
          {phase === 'stalled' && <Button label={words.retry} onClick={retry} />}
        </p>
      ) : (
        phase === 'done' &&
        (hasPlain || hasNone) && <p>{hasPlain ? texts.plainRatings : texts.noRatings}</p>
      )}
    </div>
  )
}
