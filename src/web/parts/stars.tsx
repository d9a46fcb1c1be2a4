import type { JSX } from 'preact'
import { formatRange, formatStars } from '../format.ts'
import { starColor, starInk, starStops } from '../star-color.ts'

/** A star rating on its colour of the spectrum. */
export const StarBadge = ({ stars }: { readonly stars: number }): JSX.Element => (
  <span class="star-badge" style={{ background: starColor(stars), color: starInk(stars) }}>
    <span aria-hidden="true">★</span> {formatStars(stars)}
    <span class="sr-only"> stars</span>
  </span>
)

/** The scale that stars are shown on ends here. */
export const STAR_SCALE = 10
/** So that a single rating is a mark that can be seen, in percent of the scale. */
const LEAST_WIDTH = 1.5

const percent = (stars: number): number => (Math.min(stars, STAR_SCALE) / STAR_SCALE) * 100

/** The spectrum over the width of a drawing on the same scale: `fill="url(#id)"`. */
export const StarGradient = ({ id, width }: { readonly id: string; readonly width: number }) => (
  <linearGradient
    id={id}
    gradientUnits="userSpaceOnUse"
    x1={0}
    x2={width}
    color-interpolation="linearRGB"
  >
    {starStops.map(([stars]) => (
      <stop key={stars} offset={stars / STAR_SCALE} stop-color={starColor(stars)} />
    ))}
  </linearGradient>
)

type RangeProps = {
  readonly range: readonly [number, number]
  readonly average?: number | undefined
}

/** Where a range of stars lies on the scale from 0 to 10, with a tick at its average. No text. */
export const StarBar = ({ range, average }: RangeProps): JSX.Element => {
  const width = Math.max(percent(range[1]) - percent(range[0]), LEAST_WIDTH)
  const left = Math.min(percent(range[0]), 100 - width)
  return (
    <span class="star-bar" aria-hidden="true">
      <span
        class="star-bar-part"
        style={{
          left: `${left}%`,
          width: `${width}%`,
          // The part shows its piece of a spectrum that is as wide as the whole bar.
          backgroundSize: `${10_000 / width}% 100%`,
          backgroundPosition: `${width < 100 ? (left / (100 - width)) * 100 : 0}% 0`,
        }}
      />
      {average !== undefined && (
        <span class="star-bar-tick" style={{ left: `${percent(average)}%` }} />
      )}
    </span>
  )
}

/** `5.94–7.81 ★`. */
export const StarRange = ({ range }: { readonly range: readonly [number, number] }) => (
  <span>
    {formatRange(range, formatStars)}
    <span class="sr-only"> stars</span>
    <span class="star-sign" aria-hidden="true">
      ★
    </span>
  </span>
)
