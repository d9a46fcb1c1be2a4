import type { ComponentChildren, JSX, TargetedInputEvent } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { rulesets, statsMods } from '../../contract/mods.ts'
import { NARROW, useMedia } from '../browser.ts'
import { count, formatRuleset } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { ModChip } from '../parts/labels.tsx'
import { StarGradient } from '../parts/stars.tsx'
import type { Found, Histogram as Bars, Looking } from './find-packs.ts'
import { binsOf, describeSpan, type Scale, scales, spanOf, thumbsOf } from './scales.ts'
import {
  type Change,
  cleared,
  countFilters,
  type Criteria,
  isNarrowed,
  type Span,
  type SpanName,
} from './search-state.ts'

/** The filters: beside the list on a desk, in a sheet on a phone. */
export function Filters({ criteria, change, found }: Looking): JSX.Element {
  const isNarrow = useMedia(NARROW)
  const [isOpen, setOpen] = useState(false)
  const inUse = countFilters(criteria)
  const panel = <FilterPanel criteria={criteria} histograms={found.histograms} change={change} />
  const clear = (
    <Button disabled={!isNarrowed(criteria)} onClick={() => change(cleared(criteria))}>
      Clear filters
    </Button>
  )
  if (!isNarrow) {
    return (
      <div class="filters" role="group" aria-label="Filters">
        {panel}
        {clear}
      </div>
    )
  }
  return (
    <div>
      <Button icon="filter" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {inUse === 0 ? 'Filters' : `Filters (${inUse})`}
      </Button>
      <Dialog
        kind="sheet"
        title="Filters"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={
          <>
            {clear}
            <Button tone="primary" onClick={() => setOpen(false)}>
              Show {count(found.rows.length, 'pack')}
            </Button>
          </>
        }
      >
        {panel}
      </Dialog>
    </div>
  )
}

type FilterPanelProps = {
  readonly criteria: Criteria
  readonly histograms: Found['histograms']
  readonly change: Change
}

const ranges: readonly { name: SpanName; label: string; note?: string }[] = [
  { name: 'stars', label: 'Stars', note: 'average' },
  { name: 'length', label: 'Length', note: 'every map' },
  { name: 'bpm', label: 'BPM', note: 'every map' },
  { name: 'beatmaps', label: 'Maps' },
]

const FilterPanel = ({ criteria, histograms, change }: FilterPanelProps): JSX.Element => (
  <>
    {ranges.map(({ name, ...rest }) => (
      <RangeFilter
        key={name}
        {...rest}
        scale={scales[name]}
        span={criteria[name]}
        bars={histograms[name]}
        onChange={(span) => change({ [name]: span })}
      />
    ))}
    <ChoiceFilter
      label="Mods"
      note="all of these"
      all={statsMods}
      chosen={criteria.mods}
      show={(code) => <ModChip code={code} />}
      onChange={(mods) => change({ mods })}
    />
    <ChoiceFilter
      label="Rulesets"
      note="any of these"
      all={rulesets}
      chosen={criteria.rulesets}
      show={formatRuleset}
      onChange={(chosen) => change({ rulesets: chosen })}
    />
  </>
)

type RangeFilterProps = {
  readonly label: string
  /** What of a pack is held against the range: `on average`. */
  readonly note?: string
  readonly scale: Scale
  readonly span: Span
  readonly bars: Bars
  readonly onChange: (span: Span) => void
}

type ThumbEvent = TargetedInputEvent<HTMLInputElement>

function RangeFilter({ label, note, scale, span, bars, onChange }: RangeFilterProps): JSX.Element {
  const [low, high] = thumbsOf(scale, span)
  const share = (value: number): string =>
    `${((value - scale.min) / (scale.max - scale.min)) * 100}%`
  const thumb = (end: 'from' | 'to', value: number, move: (event: ThumbEvent) => void) => (
    <input
      type="range"
      min={scale.min}
      max={scale.max}
      step={scale.step}
      value={value}
      aria-label={`${label}, ${end}`}
      aria-valuetext={span[end === 'from' ? 0 : 1] === null ? 'any' : scale.format(value)}
      onInput={move}
    />
  )
  return (
    <fieldset class="range-filter">
      <legend>
        <span class="filter-label">{label}</span> {note && <span class="filter-note">{note}</span>}
      </legend>
      <output class="filter-value">{describeSpan(scale, span)}</output>
      <Histogram bars={bars} chosen={binsOf(scale, span)} isOfStars={scale === scales.stars} />
      <div class="thumbs">
        <span class="track" style={{ left: share(low), right: `calc(100% - ${share(high)})` }} />
        {thumb('from', low, ({ currentTarget }) => {
          const value = Math.min(currentTarget.valueAsNumber, high)
          currentTarget.valueAsNumber = value
          onChange(spanOf(scale, value, high))
        })}
        {thumb('to', high, ({ currentTarget }) => {
          const value = Math.max(currentTarget.valueAsNumber, low)
          currentTarget.valueAsNumber = value
          onChange(spanOf(scale, low, value))
        })}
      </div>
    </fieldset>
  )
}

type HistogramProps = {
  readonly bars: Bars
  /** The bars inside what was chosen. */
  readonly chosen: readonly [number, number]
  /** The scale is one of stars: what was chosen has their colours. */
  readonly isOfStars: boolean
}

const HEIGHT = 32

const GRADIENT = 'histogram-stars'

/** How many packs there are along a scale; what the slider beneath leaves out is pale. */
function Histogram({ bars, chosen: [first, last], isOfStars }: HistogramProps): JSX.Element {
  const all = useMemo(() => pathOf(bars, [0, bars.length - 1]), [bars])
  const chosen = useMemo(() => pathOf(bars, [first, last]), [bars, first, last])
  return (
    <svg
      class="histogram"
      viewBox={`0 0 ${bars.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="histogram-all" d={all} />
      {isOfStars && <StarGradient id={GRADIENT} width={bars.length} />}
      <path
        class="histogram-chosen"
        d={chosen}
        fill={isOfStars ? `url(#${GRADIENT})` : 'var(--accent)'}
      />
    </svg>
  )
}

/** A bar that stands for a single pack can still be seen. */
const LEAST_HEIGHT = 1.5
const BAR = 0.84

/** The bars from `first` to `last` as one path. Heights are square roots, or a crowd hides the rest. */
function pathOf(bars: Bars, [first, last]: readonly [number, number]): string {
  const tallest = Math.sqrt(Math.max(...bars, 1))
  let path = ''
  for (let bin = first; bin <= last; bin += 1) {
    const packs = bars[bin] ?? 0
    if (packs === 0) continue
    const height = Math.max((Math.sqrt(packs) / tallest) * HEIGHT, LEAST_HEIGHT)
    path += `M${bin} ${HEIGHT}v-${height.toFixed(1)}h${BAR}V${HEIGHT}z`
  }
  return path
}

type ChoiceFilterProps<T extends string> = {
  readonly label: string
  readonly note: string
  readonly all: readonly T[]
  readonly chosen: readonly T[]
  readonly show: (choice: T) => ComponentChildren
  readonly onChange: (chosen: readonly T[]) => void
}

const ChoiceFilter = <T extends string>({
  label,
  note,
  all,
  chosen,
  show,
  onChange,
}: ChoiceFilterProps<T>): JSX.Element => (
  <fieldset class="choice-filter">
    <legend>
      <span class="filter-label">{label}</span> <span class="filter-note">{note}</span>
    </legend>
    <div class="choices">
      {all.map((choice) => (
        <label key={choice}>
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            onChange={({ currentTarget }) =>
              onChange(
                all.filter((other) =>
                  other === choice ? currentTarget.checked : chosen.includes(other),
                ),
              )
            }
          />
          {show(choice)}
        </label>
      ))}
    </div>
  </fieldset>
)
