import { Canvas } from './canvas.ts'
import { ground } from './palette.ts'

/** The bars of the mark: three slots, in the colours of their buckets. */
const bars = [
  { color: '#60a5fa', length: 0.5 },
  { color: '#f87171', length: 0.38 },
  { color: '#c084fc', length: 0.26 },
] as const

/** The site's mark as a square PNG; what matters stands inside the circle that some systems cut out. */
export const drawIcon = (size: number): Buffer => {
  const canvas = new Canvas(size, size, ground, null)
  for (const [at, { color, length }] of bars.entries()) {
    const y = size * (0.27 + at * 0.18)
    canvas.panel([size * 0.25, y, size * length, size * 0.11], size * 0.055, color)
  }
  return canvas.png()
}
