import type { JSX } from 'preact'
import { Button } from '../parts/button.tsx'
import { BucketChip } from '../parts/chip.tsx'
import { explain } from '../site-failure.ts'
import { BucketSection, SlotTableHead } from './bucket-section.tsx'
import { bucketId, type BucketView, bucketViews, type SlotView, slotRowId } from './slot-view.ts'
import { StarPlot } from './star-plot.tsx'
import type { Beatmaps } from './use-beatmaps.ts'
import '../style/pool-view.css'

const goTo = (id: string, block: ScrollLogicalPosition): void => {
  const target = document.getElementById(id)
  target?.focus({ preventScroll: true })
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  target?.scrollIntoView({ block, behavior: isCalm ? 'auto' : 'smooth' })
}

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

/** Leads to the buckets where they are far apart: on a phone. No links: the address can hold a key. */
const BucketNav = ({ buckets }: { readonly buckets: readonly BucketView[] }): JSX.Element => (
  <nav class="bucket-nav" aria-label="Buckets">
    {buckets.map(({ bucket }) => (
      <button
        key={bucket?.code ?? ''}
        type="button"
        onClick={() => goTo(bucketId(bucket), 'start')}
      >
        {bucket === null ? (
          <span class="chip">
            –<span class="sr-only">Without a bucket</span>
          </span>
        ) : (
          <BucketChip bucket={bucket} />
        )}
      </button>
    ))}
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
            ? 'Some beatmaps are not known yet; the rest of the pack is all here.'
            : `${explain(error)} The pack itself is all here.`}{' '}
          {phase === 'stalled' && <Button onClick={retry}>Look again</Button>}
        </p>
      ) : (
        phase === 'done' &&
        hasPlain && (
          <p>Hollow dots and dashed stars are without mods: those ratings are not known yet.</p>
        )
      )}
    </div>
  )
}
