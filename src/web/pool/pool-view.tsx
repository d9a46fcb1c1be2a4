import type { ComponentChildren, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { type Ruleset, rulesets, type StatsMod } from '../../contract/mods.ts'
import type { Stats } from '../../contract/packs.ts'
import { playedBpm, playedLength } from '../../pool/played-values.ts'
import type { Pool } from '../../pool/pool.ts'
import { listedMods } from '../../pool/slots.ts'
import {
  count,
  formatBpm,
  formatLength,
  formatRange,
  formatRuleset,
  formatStars,
} from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { Icon } from '../parts/icons.tsx'
import { ModChip } from '../parts/labels.tsx'
import { StarBar, StarRange } from '../parts/stars.tsx'
import { explain } from '../site-failure.ts'
import { type Beatmaps, useBeatmaps } from './beatmaps.ts'
import { Downloads } from './downloads.tsx'
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
import '../style/glance.css'

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

type Range = readonly [number, number]

type PoolGlance = {
  readonly stars: Range | null
  readonly average: number | null
  /** Whole seconds. */
  readonly length: Range | null
  readonly bpm: Range | null
  readonly mods: readonly StatsMod[]
  readonly rulesets: readonly Ruleset[]
  readonly count: number
  /** Everything is known that the numbers are made of. */
  readonly isComplete: boolean
}

/** The same from what the page knows by itself (spec 2.6, D-32 to D-36), for pools that are saved nowhere. */
export function glanceOf(slots: readonly SlotView[]): PoolGlance {
  const known = slots.flatMap(({ beatmap, forced }) =>
    beatmap.state === 'known' ? { ...beatmap, forced } : [],
  )
  const stars = known.flatMap((slot) => slot.stars ?? [])
  const modes = new Set(known.map(({ details }) => details.ruleset))
  return {
    stars: rangeOf(stars),
    average: averageOf(stars),
    length: rangeOf(known.map(({ details, forced }) => playedLength(details, forced))),
    bpm: rangeOf(known.flatMap(({ details, forced }) => playedBpm(details, forced) ?? [])),
    mods: listedMods(slots),
    rulesets: rulesets.filter((ruleset) => modes.has(ruleset)),
    count: slots.length,
    isComplete:
      stars.length === known.length && slots.every(({ beatmap }) => beatmap.state !== 'pending'),
  }
}

const rangeOf = (values: readonly number[]): Range | null =>
  values.length === 0 ? null : [Math.min(...values), Math.max(...values)]

const averageOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** What the server worked out. */
export const glanceOfStats = (stats: Stats): PoolGlance => ({
  stars: pair(stats.srMin, stats.srMax),
  average: stats.srAvg,
  length: pair(stats.lenMin, stats.lenMax),
  bpm: pair(stats.bpmMin, stats.bpmMax),
  mods: stats.mods,
  rulesets: stats.modes,
  count: stats.count,
  isComplete: stats.complete,
})

const pair = (low: number | null, high: number | null): Range | null =>
  low === null || high === null ? null : [low, high]

type GlanceProps = {
  readonly glance: PoolGlance
  /** Numbers are still on their way. */
  readonly isBusy: boolean
}

/** A pool in a few numbers. What is not known yet keeps its place. */
function Glance({ glance, isBusy }: GlanceProps): JSX.Element {
  const { stars, average, length, bpm, mods, rulesets } = glance
  return (
    <section class="glance-frame" aria-label="At a glance">
      <dl class="glance">
        <Fact name="Stars" isWide isBusy={isBusy}>
          {stars && (
            <>
              <StarRange range={stars} />
              {average !== null && (
                <span class="glance-more"> {formatStars(average)} on average</span>
              )}
              <StarBar range={stars} average={average ?? undefined} />
            </>
          )}
        </Fact>
        <Fact name="Length" isBusy={isBusy}>
          {length && formatRange(length, formatLength)}
        </Fact>
        <Fact name="BPM" isBusy={isBusy}>
          {bpm && formatRange(bpm, formatBpm)}
        </Fact>
        <Fact name="Maps">
          {glance.count}
          {rulesets.some((ruleset) => ruleset !== 'base') && (
            <span class="glance-rulesets"> {rulesets.map(formatRuleset).join(', ')}</span>
          )}
        </Fact>
        <Fact name="Mods">
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
        {glance.isComplete ? null : noteOf(glance, isBusy)}
      </p>
    </section>
  )
}

type FactProps = {
  readonly name: string
  readonly isWide?: boolean
  readonly isBusy?: boolean
  readonly children: ComponentChildren
}

const Fact = ({ name, isWide = false, isBusy = false, children }: FactProps): JSX.Element => (
  <div class={isWide ? 'glance-fact wide' : 'glance-fact'}>
    <dt>{name}</dt>
    <dd>{children || (isBusy ? <span class="blank" /> : '–')}</dd>
  </div>
)

function noteOf({ stars, count: slots }: PoolGlance, isBusy: boolean): string {
  if (slots === 0) return ''
  if (!isBusy)
    return 'Some beatmaps could not be looked up yet and are not included in these numbers.'
  return stars === null
    ? 'Loading beatmaps …'
    : `Loading beatmaps. These numbers do not include all ${count(slots, 'map')} yet.`
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
