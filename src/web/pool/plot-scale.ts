import { starRange } from '../../pool/star-scale.ts'

/** The least room around ratings, in steps of the scale. */
const AIR = 0.2
const MOST_LINES = 6

/** A scale of whole or half stars that leaves a little room around all of these. */
export function starScale(stars: readonly number[]) {
  const { from, to, step } = starRange(stars, AIR)
  const every = Math.ceil((to - from) / step / (MOST_LINES - 1)) * step
  const length = Math.floor((to - from) / every + 1e-9) + 1
  return { from, to, lines: Array.from({ length }, (_, at) => from + at * every) }
}

/** Which of the places is nearest to x; -1 where there is none. */
export function nearestPlace(places: readonly number[], x: number): number {
  const distances = places.map((place) => Math.abs(place - x))
  return distances.indexOf(Math.min(...distances))
}

type Measure = (text: string) => number

/** Between two codes on the same line, and before the edges, in pixels. */
const CODE_GAP = 6

/**
 * Places codes below these rising `x`, whole, on as few lines as that takes. Each has its own part of its line, up to half
 * the way to the next one or to the edge: it is centred if the part allows.
 */
export function placeCodes(
  codes: readonly { readonly code: string; readonly x: number }[],
  width: number,
  measure: Measure,
) {
  const partsOn = (lines: number) =>
    codes.map(({ code, x }, at) => {
      const [before, after] = [codes[at - lines], codes[at + lines]]
      const from = before === undefined ? CODE_GAP : (before.x + x + CODE_GAP) / 2
      const to = after === undefined ? width - CODE_GAP : (x + after.x - CODE_GAP) / 2
      return { x, from, to, half: measure(code) / 2 }
    })
  let lines = 1
  let parts = partsOn(lines)
  while (lines < codes.length && parts.some(({ from, to, half }) => 2 * half > to - from)) {
    lines += 1
    parts = partsOn(lines)
  }
  const places = parts.map(({ x, from, to, half }, at) => ({
    x: Math.min(Math.max(x, from + half), to - half),
    line: at % lines,
  }))
  return { lines, places }
}
