import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { StarGradient } from '../parts/stars.tsx'
import type { Histogram as Bars } from './find-packs.ts'

const GRADIENT = 'histogram-stars'
const HEIGHT = 32
/** A bar that stands for a single pack can still be seen. */
const LEAST_HEIGHT = 1.5
const BAR = 0.84

/** The bars from `first` to `last` as one path. Heights are square roots, or a crowd hides the rest. */
const pathOf = (bars: Bars, [first, last]: readonly [number, number]): string => {
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

type Props = {
  readonly bars: Bars
  /** The bars inside what was chosen. */
  readonly chosen: readonly [number, number]
  /** The scale is one of stars: what was chosen has their colours. */
  readonly isOfStars: boolean
}

/** How many packs there are along a scale; what the slider beneath leaves out is pale. */
export const Histogram = ({ bars, chosen: [first, last], isOfStars }: Props): JSX.Element => {
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
