import type { JSX, TargetedInputEvent } from 'preact'
import type { Span } from './criteria.ts'
import type { Histogram as Bars } from './find-packs.ts'
import { Histogram } from './histogram.tsx'
import { binsOf, describeSpan, type Scale, scales, spanOf, thumbsOf } from './scales.ts'

type Props = {
  readonly label: string
  /** What of a pack is held against the range: `on average`. */
  readonly note?: string
  readonly scale: Scale
  readonly span: Span
  readonly bars: Bars
  readonly onChange: (span: Span) => void
}

type ThumbEvent = TargetedInputEvent<HTMLInputElement>

/** A range to choose by two thumbs, over a histogram of what there is. */
export const RangeFilter = ({ label, note, scale, span, bars, onChange }: Props): JSX.Element => {
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
