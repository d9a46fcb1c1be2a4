import * as texts from '#texts/common'
import { formatRange, formatStars } from '../format.ts'

/**
 * A star rating on its colour of the spectrum. A drawing is below it, because a page from the server may
 * have no styles of its own.
 *
 * @param mods under which it is rated, in words: `HDDT`.
 */
export const StarBadge = ({ stars, mods = '' }: { stars: number; mods?: string }) => (
  <span
    class={`star-badge ${starInk(stars)}`}
    {...(mods !== '' && { title: texts.withMods({ mods }) })}
  >
    <svg aria-hidden="true">
      <rect width="100%" height="100%" fill={starColor(stars)} />
    </svg>
    <span aria-hidden="true">★</span> {formatStars(stars)}
    <span class="sr-only"> {mods === '' ? texts.starsRead : texts.starsWithMods({ mods })}</span>
  </span>
)

/** As `#rrggbb`. */
export function starColor(stars: number): string {
  const above = starStops.findIndex(([at]) => at >= stars)
  const [high, color] = starStops[above] ?? [9, 0]
  const [low, before] = starStops[above - 1] ?? [high, color]
  return mix(before, color, high === low ? 0 : (stars - low) / (high - low))
}

/** The spectrum that players know: stars → colour, mixed between with gamma 2.2. */
export const starStops: readonly (readonly [stars: number, rgb: number])[] = [
  [0.1, 0x4290fb],
  [1.25, 0x4fc0ff],
  [2, 0x4fffd5],
  [2.5, 0x7cff4f],
  [3.3, 0xf6f05c],
  [4.2, 0xff8068],
  [4.9, 0xff4e6f],
  [5.8, 0xc645b8],
  [6.7, 0x6563de],
  [7.7, 0x18158e],
  [9, 0x000000],
]

const GAMMA = 2.2

function mix(from: number, to: number, share: number): string {
  const channels = [16, 8, 0].map((shift) => {
    const [a, b] = [(from >> shift) & 255, (to >> shift) & 255]
    return Math.round((a ** GAMMA * (1 - share) + b ** GAMMA * share) ** (1 / GAMMA))
  })
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** From here on the ground is too dark for dark text. */
const LIGHT_FROM = 6.5
/** Up to here gold itself would be too dim on the ground (D-112). */
const GOLD_FROM = 7.05

/** Of text on `starColor(stars)`, at least 4.5 : 1 against it: black, white or gold (`stars.css`). */
export const starInk = (stars: number): 'on-light' | 'on-dark' | 'on-darkest' =>
  stars < LIGHT_FROM ? 'on-light' : stars < GOLD_FROM ? 'on-dark' : 'on-darkest'

/** The last value of the scale that stars are shown on. */
const STAR_SCALE = 10

/** The spectrum over the width of a drawing on the same scale: `fill="url(#id)"`. */
export const StarGradient = ({ id, width }: { id: string; width: number }) => (
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

type Range = readonly [number, number]

/** So that a single rating can be seen, in percent of the scale. */
const LEAST_WIDTH = 1.5

/** Where a range of stars lies on the scale from 0 to 10, with a tick at its average. No text. */
export function StarBar({ range, average }: { range: Range; average?: number | undefined }) {
  const [low, high] = [percent(range[0]), percent(range[1])]
  const width = Math.max(high - low, LEAST_WIDTH)
  const left = Math.min(low, 100 - width)
  const right = left + width
  return (
    // The spectrum is its ground; what is not in the range is covered.
    <svg class="star-bar" aria-hidden="true">
      <rect class="star-bar-rest" width={`${left}%`} height="100%" />
      <rect class="star-bar-rest" x={`${right}%`} width={`${100 - right}%`} height="100%" />
      {average !== undefined && (
        <rect class="star-bar-tick" x={`${percent(average)}%`} width="2" height="100%" />
      )}
    </svg>
  )
}

const percent = (stars: number): number => (Math.min(stars, STAR_SCALE) / STAR_SCALE) * 100

/** `5.94–7.81 ★`. */
export const StarRange = ({ range }: { range: Range }) => (
  <span>
    {formatRange(range, formatStars)}
    <span class="sr-only"> {texts.starsRead}</span>
    <span class="star-sign" aria-hidden="true">
      ★
    </span>
  </span>
)
