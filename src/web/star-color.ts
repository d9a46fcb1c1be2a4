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
/** From here on the ground is too dark for dark text. */
const GOLD_FROM = 6.5
/** Between these gold itself would be too dim on the ground: it dawns out of white. */
const DAWN = [6.7, 7.3] as const

const channels = [16, 8, 0] as const

const mix = (from: number, to: number, share: number): string => {
  const parts = channels.map((shift) => {
    const [a, b] = [(from >> shift) & 255, (to >> shift) & 255]
    return Math.round((a ** GAMMA * (1 - share) + b ** GAMMA * share) ** (1 / GAMMA))
  })
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** The spectrum's colour for that many stars, as `#rrggbb`. */
export const starColor = (stars: number): string => {
  const above = starStops.findIndex(([at]) => at >= stars)
  const [high, color] = starStops[above] ?? [9, 0]
  const [low, before] = starStops[above - 1] ?? [high, color]
  return mix(before, color, high === low ? 0 : (stars - low) / (high - low))
}

/** The colour of text on `starColor(stars)`, at least 4.5 : 1 against it. */
export const starInk = (stars: number): string => {
  if (stars < GOLD_FROM) return '#000000'
  const share = (stars - DAWN[0]) / (DAWN[1] - DAWN[0])
  return mix(0xffffff, 0xffd966, Math.min(Math.max(share, 0), 1))
}
