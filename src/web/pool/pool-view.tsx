import type { JSX } from 'preact'
import { Button } from '../parts/button.tsx'
import { BucketChip } from '../parts/chip.tsx'
import { Icon } from '../parts/icon.tsx'
import { explain } from '../site-failure.ts'
import { BucketSection, SlotTableHead } from './bucket-section.tsx'
import { bucketId, type BucketView, bucketViews, type SlotView, slotRowId } from './slot-view.ts'
import { goTo, SIDE_ID } from './side-jump.tsx'
import { StarPlot } from './star-plot.tsx'
import type { Beatmaps } from './use-beatmaps.ts'
import '../style/pool-view.css'

type Props = {
  readonly slots: readonly SlotView[]
  readonly beatmaps: Beatmaps
  /** Ratings that are known before the beatmaps are. */
  readonly expected?: readonly number[]
}

/** The plot of a pool, and under it its buckets as tables. */
export const PoolView = ({ slots, beatmaps, expected = [] }: Props): JSX.Element => {
  const buckets = bucketViews(slots)
  return (
    <div class={beatmaps.phase === 'stalled' ? 'pool pool-stalled' : 'pool'}>
      <h2 class="sr-only">Stars</h2>
      <StarPlot
        slots={slots}
        expected={expected}
        onPick={(slot) => goTo(slotRowId(slot), 'center')}
      />
      <LookNote slots={slots} beatmaps={beatmaps} />
      <h2 class="sr-only">Beatmaps</h2>
      <BucketNav buckets={buckets} />
      <SlotTableHead />
      {buckets.map((view) => (
        <BucketSection key={view.bucket?.code ?? ''} {...view} />
      ))}
    </div>
  )
}

/**
 * Leads to the buckets, the pack key and the downloads where they are far apart: on a phone. No
 * links: the address can hold a key.
 */
const BucketNav = ({ buckets }: { readonly buckets: readonly BucketView[] }): JSX.Element => (
  <nav class="bucket-nav" aria-label="On this page">
    {buckets.map(({ bucket }) => (
      <button
        key={bucket?.code ?? ''}
        type="button"
        onClick={() => goTo(bucketId(bucket), 'start')}
      >
        {bucket === null ? (
          <span class="chip">
            –<span class="sr-only">No bucket</span>
          </span>
        ) : (
          <BucketChip bucket={bucket} />
        )}
      </button>
    ))}
    <button type="button" class="bucket-nav-side" onClick={() => goTo(SIDE_ID, 'start')}>
      <Icon name="download" />
      <span class="sr-only">Key and downloads</span>
    </button>
  </nav>
)

/** Says what does not come, and what one can do. */
const LookNote = ({ slots, beatmaps }: Omit<Props, 'expected'>): JSX.Element => {
  const { phase, error, retry } = beatmaps
  const hasPlain = slots.some(({ beatmap }) => beatmap.state === 'known' && beatmap.stars === null)
  return (
    <div class="look-note" role="status">
      {phase === 'stalled' || error !== null ? (
        <p>
          {error === null
            ? 'Some beatmaps could not be looked up.'
            : `${explain(error)} The pack itself is not affected.`}{' '}
          {phase === 'stalled' && <Button onClick={retry}>Try again</Button>}
        </p>
      ) : (
        phase === 'done' &&
        hasPlain && (
          <p>
            Hollow dots and dashed stars show ratings without mods. Ratings with mods are not
            available yet.
          </p>
        )
      )}
    </div>
  )
}
