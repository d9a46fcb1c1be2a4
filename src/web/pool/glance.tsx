import type { ComponentChildren, JSX } from 'preact'
import {
  count,
  formatBpm,
  formatLength,
  formatRange,
  formatRuleset,
  formatStars,
} from '../format.ts'
import { ModChip } from '../parts/chip.tsx'
import { StarBar, StarRange } from '../parts/stars.tsx'
import type { PoolGlance } from './pool-glance.ts'
import '../style/glance.css'

type Props = {
  readonly glance: PoolGlance
  /** Numbers are still on their way. */
  readonly isBusy: boolean
}

/** A pool in a few numbers. What is not known yet keeps its place. */
export const Glance = ({ glance, isBusy }: Props): JSX.Element => {
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

const noteOf = ({ stars, count: slots }: PoolGlance, isBusy: boolean): string => {
  if (slots === 0) return ''
  if (!isBusy)
    return 'Some beatmaps could not be looked up yet and are not included in these numbers.'
  return stars === null
    ? 'Loading beatmaps …'
    : `Loading beatmaps. These numbers do not include all ${count(slots, 'map')} yet.`
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
