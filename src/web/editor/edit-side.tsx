import type { JSX } from 'preact'
import { PackKeyCard } from '../pool/pack-key-card.tsx'
import type { SlotView } from '../pool/slot-view.ts'
import { StarPlot } from '../pool/star-plot.tsx'
import type { Beatmaps } from '../pool/use-beatmaps.ts'
import { Button } from '../parts/button.tsx'
import { explain } from '../site-failure.ts'
import '../style/side-card.css'

type Props = {
  readonly slots: readonly SlotView[]
  readonly beatmaps: Beatmaps
  /** null while the edit is no pool. */
  readonly packKey: string | null
  /** Why there is no key yet. */
  readonly keyWords: string
  readonly onPick: (slot: SlotView) => void
}

/** What the pack comes to, while it is being edited: its stars, and its key. */
export const EditSide = ({ slots, beatmaps, packKey, keyWords, onPick }: Props): JSX.Element => (
  <>
    {slots.length > 0 && (
      <section class="edit-plot" aria-label="Stars">
        <StarPlot slots={slots} onPick={onPick} />
        <LookNote beatmaps={beatmaps} />
      </section>
    )}
    {packKey === null ? (
      <section class="side-card" aria-labelledby="pack-key-title">
        <h2 id="pack-key-title">Pack key</h2>
        <p class="side-note">{keyWords}</p>
      </section>
    ) : (
      <PackKeyCard packKey={packKey} />
    )}
  </>
)

const LookNote = ({ beatmaps: { phase, error, retry } }: Pick<Props, 'beatmaps'>) =>
  phase === 'stalled' || error !== null ? (
    <p class="side-note" role="status">
      {error === null ? 'Some beatmaps could not be looked up.' : explain(error)}{' '}
      {phase === 'stalled' && <Button onClick={retry}>Try again</Button>}
    </p>
  ) : null
