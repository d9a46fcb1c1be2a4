import * as words from '#texts/common'
import * as poolTexts from '#texts/pool'
import * as texts from '#texts/pool-page'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Stats } from '../../contract/packs.ts'
import type { Pool } from '../../pool/pool.ts'
import {
  formatBpm,
  formatLength,
  formatList,
  formatRange,
  formatRuleset,
  formatStars,
  rangeOf,
} from '../format.ts'
import { MapsCard } from '../maps/maps-card.tsx'
import { pageData } from '../page-data.ts'
import { Icon } from '../parts/icons.tsx'
import { ModChip } from '../parts/labels.tsx'
import { StarBar, StarRange } from '../parts/stars.tsx'
import { useBeatmaps } from './beatmaps.ts'
import { Downloads } from './downloads.tsx'
import { LookNote } from './look-note.tsx'
import { goTo, PackKeyCard, SIDE_ID } from './pool-side.tsx'
import { hiddenNote, type PoolStats, shownStats } from './pool-stats.ts'
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
import { PlotFold, StarPlot } from './star-plot.tsx'
import '../style/pool-view.css'
import '../style/glance.css'

type PoolViewProps = {
  /** The same object until the pool changes. */
  readonly pool: Pool
  readonly packKey: string
  /** The pack that shows the pool; visitors then learn the ratings of its slots, too. */
  readonly slug?: string
  /** From the server; undefined while it has none, and for a pool that is no pack. */
  readonly stats?: Stats | undefined
  /** Stats may still come. */
  readonly isWaiting?: boolean
  /** As in `Downloads`. */
  readonly picture?: string | undefined
  readonly children?: ComponentChildren
}

/** A pool: its numbers, its plot and its tables, and at the side its key and its downloads. */
export function PoolView(props: PoolViewProps) {
  const { pool, packKey, slug, isWaiting = false, picture, children } = props
  const uses = useMemo(() => usesOf(pool), [pool])
  const beatmaps = useBeatmaps(uses, slug)
  const slots = useMemo(() => slotViews(pool, beatmaps.views), [pool, beatmaps.views])
  const stats = shownStats(props.stats, slots)
  const buckets = bucketViews(slots)
  const isBusy = beatmaps.phase === 'asking'
  return (
    <>
      <Glance stats={stats} isBusy={isWaiting || isBusy} slots={slots} />
      <div class="pack-columns">
        <div class={beatmaps.phase === 'stalled' ? 'pool pool-stalled' : 'pool'}>
          <h2 class="sr-only">{words.stars}</h2>
          <PlotFold>
            <PoolPlot slots={slots} stats={stats} />
          </PlotFold>
          <LookNote slots={slots} beatmaps={beatmaps} />
          <h2 class="sr-only">{texts.beatmaps}</h2>
          <BucketNav buckets={buckets} />
          <PoolTables buckets={buckets} />
        </div>
        <div id={SIDE_ID} class="pack-side" tabIndex={-1}>
          <MapsCard name={pool.name} slots={slots} isBusy={isBusy} round={pageData().round} />
          <PackKeyCard packKey={packKey} />
          <Downloads pool={pool} slots={slots} isBusy={isBusy} picture={picture} />
          {children}
        </div>
      </div>
    </>
  )
}

type PlotProps = {
  readonly slots: readonly SlotView[]
  readonly stats: PoolStats
  /** As in `BucketSection`. */
  readonly part?: string
}

/** The plot of a pool, whose dots lead to their rows. */
export const PoolPlot = ({ slots, stats, part = '' }: PlotProps) => (
  <StarPlot
    slots={slots}
    expected={rangeOf(stats.srMin, stats.srMax) ?? []}
    onPick={(slot) => goTo(part + slotRowId(slot), 'center')}
  />
)

type TablesProps = { readonly buckets: readonly BucketView[]; readonly part?: string }

export const PoolTables = ({ buckets, part }: TablesProps) => (
  <>
    <SlotTableHead />
    {buckets.map((view) => (
      <BucketSection key={view.bucket?.code ?? ''} part={part} {...view} />
    ))}
  </>
)

type GlanceProps = {
  readonly stats: PoolStats
  readonly isBusy: boolean
  /** Whose stars in the game are compared with the stats. */
  readonly slots: readonly SlotView[]
  /** Where a page shows several pools. */
  readonly label?: string
}

/** A pool in a few numbers. What is not known yet keeps its place; `isBusy`: it may still come. */
export function Glance({ stats, isBusy, slots, label = texts.atAGlance }: GlanceProps) {
  const { srMin, srMax, srAvg, lenMin, lenMax, bpmMin, bpmMax, mods, modes } = stats
  const stars = rangeOf(srMin, srMax)
  const length = rangeOf(lenMin, lenMax)
  const bpm = rangeOf(bpmMin, bpmMax)
  return (
    <section class="glance-frame" aria-label={label}>
      <dl class="glance">
        <Fact name={words.stars} isBusy={isBusy}>
          {stars && (
            <>
              <StarRange range={stars} />
              {srAvg !== null && srMin !== srMax && (
                <span class="glance-more"> {texts.onAverage({ stars: formatStars(srAvg) })}</span>
              )}
              <StarBar range={stars} average={srAvg ?? undefined} />
            </>
          )}
        </Fact>
        <Fact name={words.length} isBusy={isBusy}>
          {length && formatRange(length, formatLength)}
        </Fact>
        <Fact name={words.bpm} isBusy={isBusy}>
          {bpm && formatRange(bpm, formatBpm)}
        </Fact>
        <Fact name={words.maps}>
          {stats.count}
          {modes.some((ruleset) => ruleset !== 'base') && (
            <span class="glance-rulesets"> {formatList(modes.map(formatRuleset))}</span>
          )}
        </Fact>
        <Fact name={texts.mods}>
          {mods.length > 0 && (
            <span class="glance-mods">
              {mods.map((code) => (
                <ModChip key={code} code={code} />
              ))}
            </span>
          )}
        </Fact>
      </dl>
      <p class="glance-note" role="status">
        {noteOf(stats, isBusy) || hiddenNote(stats, slots)}
      </p>
    </section>
  )
}

type FactProps = { name: string; isBusy?: boolean; children: ComponentChildren }

const Fact = ({ name, isBusy = false, children }: FactProps) => (
  <div class="glance-fact">
    <dt>{name}</dt>
    <dd>{children || (isBusy ? <span class="blank" /> : '–')}</dd>
  </div>
)

function noteOf(stats: PoolStats, isBusy: boolean): string {
  if (stats.complete || stats.count === 0) return ''
  if (!isBusy) return texts.notLookedUp
  return stats.srMin === null ? texts.loadingBeatmaps : texts.loadingNumbers({ n: stats.count })
}

/** Jumps within the page, on phones. Not by links: the address can hold a key. */
const BucketNav = ({ buckets }: { buckets: readonly BucketView[] }) => (
  <nav class="bucket-nav" aria-label={texts.onThisPage}>
    <div class="bucket-nav-strip">
      {buckets.map(({ bucket }) => (
        <button
          key={bucket?.code ?? ''}
          type="button"
          onClick={() => goTo(bucketId(bucket), 'start')}
        >
          {bucket === null ? (
            <span class="chip">
              –<span class="sr-only">{poolTexts.noBucket}</span>
            </span>
          ) : (
            <BucketChip bucket={bucket} />
          )}
        </button>
      ))}
    </div>
    <button type="button" class="bucket-nav-side" onClick={() => goTo(SIDE_ID, 'start')}>
      <Icon name="download" />
      <span class="sr-only">{texts.mapsAndDownloads}</span>
    </button>
  </nav>
)
