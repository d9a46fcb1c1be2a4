import type { ComponentChildren, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Stats } from '../../contract/stats.ts'
import type { Pool } from '../../pool/pool.ts'
import { Button } from '../parts/buttons.tsx'
import { Icon } from '../parts/icons.tsx'
import { explain } from '../site-failure.ts'
import { type Beatmaps, useBeatmaps } from './beatmaps.ts'
import { Downloads } from './downloads.tsx'
import { Glance, glanceOf, glanceOfStats } from './glance.tsx'
import { goTo, PackKeyCard, SIDE_ID } from './pool-side.tsx'
import { BucketChip } from './slot-parts.tsx'
import { BucketSection, SlotTableHead } from './slot-table.tsx'
import {
  bucketId,
  type BucketView,
  bucketViews,
  slotRowId,
  type SlotView,
  slotViews,
  usesOf,
} from './slots.ts'
import { StarPlot } from './star-plot.tsx'
import '../style/pool-view.css'

type PoolViewProps = {
  /** The same object until the pool changes. */
  readonly pool: Pool
  readonly packKey: string
  /** The pack that shows the pool; visitors then learn the ratings of its slots, too. */
  readonly slug?: string
  /** What the server has computed; undefined while it has not, and for a pool that is no pack. */
  readonly stats?: Stats | undefined
  /** Stats may still come. */
  readonly isWaiting?: boolean
  /** More cards for the side. */
  readonly children?: ComponentChildren
}

/** A pool: its numbers, its plot and its tables, and at the side its key and its downloads. */
export function PoolView(props: PoolViewProps): JSX.Element {
  const { pool, packKey, slug, stats, isWaiting = false, children } = props
  const uses = useMemo(() => usesOf(pool), [pool])
  const beatmaps = useBeatmaps(uses, slug)
  const slots = useMemo(() => slotViews(pool, beatmaps.views), [pool, beatmaps.views])
  const glance = stats === undefined ? glanceOf(slots) : glanceOfStats(stats)
  const isBusy = beatmaps.phase === 'asking'
  return (
    <>
      <Glance glance={glance} isBusy={isWaiting || isBusy} />
      <div class="pack-columns">
        <Slots slots={slots} beatmaps={beatmaps} expected={glance.stars ?? []} />
        <div id={SIDE_ID} class="pack-side" tabIndex={-1}>
          <PackKeyCard packKey={packKey} />
          <Downloads pool={pool} packKey={packKey} slots={slots} isBusy={isBusy} />
          {children}
        </div>
      </div>
    </>
  )
}

type SlotsProps = {
  readonly slots: readonly SlotView[]
  readonly beatmaps: Beatmaps
  /** Ratings that are known before the beatmaps are. */
  readonly expected: readonly number[]
}

function Slots({ slots, beatmaps, expected }: SlotsProps): JSX.Element {
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

/** What does not come, and what one can do about it. */
function LookNote({ slots, beatmaps }: Omit<SlotsProps, 'expected'>): JSX.Element {
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
