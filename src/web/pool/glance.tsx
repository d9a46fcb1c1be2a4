import type { ComponentChildren, JSX } from 'preact'
import { type Ruleset, rulesets, type StatsMod } from '../../contract/mods.ts'
import type { Stats } from '../../contract/stats.ts'
import { listedMods } from '../../pool/listed-mods.ts'
import { playedBpm, playedLength } from '../../pool/played-values.ts'
import {
  count,
  formatBpm,
  formatLength,
  formatRange,
  formatRuleset,
  formatStars,
} from '../format.ts'
import { ModChip } from '../parts/labels.tsx'
import { StarBar, StarRange } from '../parts/stars.tsx'
import type { SlotView } from './slots.ts'
import '../style/glance.css'

type Range = readonly [number, number]

/** A pool in a few numbers. */
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

type GlanceProps = {
  readonly glance: PoolGlance
  /** Numbers are still on their way. */
  readonly isBusy: boolean
}

/** A pool in a few numbers. What is not known yet keeps its place. */
export function Glance({ glance, isBusy }: GlanceProps): JSX.Element {
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
