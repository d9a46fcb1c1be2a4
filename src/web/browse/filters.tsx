import * as words from '#texts/common'
import * as texts from '#texts/browse'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { rulesets, statsMods } from '../../contract/mods.ts'
import type { Span, SpanName } from '../../contract/pack-filter.ts'
import { formatRuleset } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { ByWidth } from '../parts/by-width.tsx'
import { Dialog } from '../parts/dialogs.tsx'
import { ModChip } from '../parts/labels.tsx'
import { StarGradient } from '../parts/stars.tsx'
import type { SearchProps } from './results.tsx'
import { binOf, describeSpan, scales, spanOf, thumbsOf } from './scales.ts'
import { cleared, countFilters, isNarrowed } from './search-state.ts'

/**
 * The filters: next to the list on a desk, in a sheet on a phone.
 *
 * @param showLabel of the button that leads from the sheet to the list: how much there is in it.
 */
export function Filters({ showLabel, ...looking }: SearchProps & { showLabel: string }) {
  const { criteria, change } = looking
  const [isOpen, setOpen] = useState(false)
  const inUse = countFilters(criteria)
  const panel = <FilterPanel {...looking} />
  const clear = (
    <Button
      label={texts.clearFilters}
      disabled={!isNarrowed(criteria)}
      onClick={() => change(cleared(criteria))}
    />
  )
  const wide = (
    <div class="filters needs-script" role="group" aria-label={texts.filters}>
      {panel}
      {clear}
    </div>
  )
  const narrow = (
    <div class="needs-script">
      <Button
        icon="filter"
        label={inUse === 0 ? texts.filters : texts.filtersInUse({ n: inUse })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Dialog
        kind="sheet"
        isKept
        title={texts.filters}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={
          <>
            {clear}
            <Button tone="primary" label={showLabel} onClick={() => setOpen(false)} />
          </>
        }
      >
        {panel}
      </Dialog>
    </div>
  )
  return <ByWidth narrow={narrow} wide={wide} />
}

/** `note`: which of a pack's values must fit. */
type Labels = { readonly label: string; readonly note: string | undefined }

const ranges: readonly (readonly [name: SpanName, label: string, note?: string])[] = [
  ['stars', texts.stars, texts.average],
  ['length', texts.length, texts.everyMap],
  ['bpm', words.bpm, texts.everyMap],
  ['beatmaps', texts.maps],
]

const FilterPanel = ({ criteria, change, found }: SearchProps) => (
  <>
    {ranges.map(([name, label, note]) => (
      <RangeFilter
        key={name}
        name={name}
        label={label}
        note={note}
        span={criteria[name]}
        bars={found.histograms[name]}
        onChange={(span) => change({ [name]: span })}
      />
    ))}
    <ChoiceFilter
      label={texts.mods}
      note={texts.allOfThese}
      all={statsMods}
      chosen={criteria.mods}
      show={(code) => <ModChip code={code} />}
      onChange={(mods) => change({ mods })}
    />
    <ChoiceFilter
      label={texts.rulesets}
      note={texts.anyOfThese}
      all={rulesets}
      chosen={criteria.rulesets}
      show={formatRuleset}
      onChange={(chosen) => change({ rulesets: chosen })}
    />
  </>
)

type HistogramProps = { name: SpanName; bars: Uint16Array; span: Span }
type RangeFilterProps = HistogramProps & Labels & { onChange: (span: Span) => void }

function RangeFilter({ name, label, note, span, bars, onChange }: RangeFilterProps) {
  const scale = scales[name]
  const { min, max, step, format } = scale
  const [low, high] = thumbsOf(scale, span)
  const share = (value: number): string => `${((value - min) / (max - min)) * 100}%`
  const thumbs = [
    {
      end: 'from',
      name: texts.rangeFrom({ filter: label }),
      value: low,
      bound: span[0],
      limit: (value: number) => Math.min(value, high),
    },
    {
      end: 'to',
      name: texts.rangeTo({ filter: label }),
      value: high,
      bound: span[1],
      limit: (value: number) => Math.max(value, low),
    },
  ]
  return (
    <fieldset class="range-filter">
      <legend>
        <span class="filter-label">{label}</span> {note && <span class="filter-note">{note}</span>}
      </legend>
      <output class="filter-value">{describeSpan(scale, span)}</output>
      <Histogram name={name} bars={bars} span={span} />
      <div class="thumbs">
        <span class="track" style={{ left: share(low), right: `calc(100% - ${share(high)})` }} />
        {thumbs.map(({ end, name: thumb, value, bound, limit }) => (
          <input
            key={end}
            type="range"
            min={min}
            max={max}
            step={step}
            value={value}
            aria-label={thumb}
            aria-valuetext={bound === null ? texts.any : format(value)}
            // Where one is on the other, the one that has more way to go is the one to be had.
            {...(end === 'from' && low - min > max - high && { style: { zIndex: 1 } })}
            onInput={({ currentTarget }) => {
              const moved = limit(currentTarget.valueAsNumber)
              currentTarget.valueAsNumber = moved
              onChange(end === 'from' ? spanOf(scale, moved, high) : spanOf(scale, low, moved))
            }}
          />
        ))}
      </div>
    </fieldset>
  )
}

const HEIGHT = 32
const GRADIENT = 'histogram-stars'

/** How many packs there are along a scale; what the slider below leaves out is pale. */
function Histogram({ name, bars, span }: HistogramProps) {
  const last = bars.length - 1
  const [from, to] = span.map((end) => (end === null ? null : binOf(scales[name], end)))
  return (
    <svg
      class="histogram"
      viewBox={`0 0 ${bars.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="histogram-all" d={pathOf(bars, 0, last)} />
      {name === 'stars' && <StarGradient id={GRADIENT} width={bars.length} />}
      <path
        class="histogram-chosen"
        d={pathOf(bars, from ?? 0, to ?? last)}
        fill={name === 'stars' ? `url(#${GRADIENT})` : 'var(--accent)'}
      />
    </svg>
  )
}

/** So that a bar of a single pack can be seen. */
const LEAST_HEIGHT = 1.5
const BAR = 0.84

/** The bars from `first` to `last` as one path. Heights are square roots, to keep small bars visible. */
function pathOf(bars: Uint16Array, first: number, last: number): string {
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

type ChoiceFilterProps<T extends string> = Labels & {
  readonly all: readonly T[]
  readonly chosen: readonly T[]
  readonly show: (choice: T) => ComponentChildren
  readonly onChange: (chosen: readonly T[]) => void
}

function ChoiceFilter<T extends string>(props: ChoiceFilterProps<T>) {
  const { label, note, all, chosen, show, onChange } = props
  const set = (choice: T, isChosen: boolean): void =>
    onChange(all.filter((other) => (other === choice ? isChosen : chosen.includes(other))))
  return (
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
              onChange={({ currentTarget }) => set(choice, currentTarget.checked)}
            />
            {show(choice)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
