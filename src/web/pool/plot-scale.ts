/** Where ratings lie while none is known. */
const USUAL = [4, 7] as const
const MOST_LINES = 6

/** A scale of whole or half stars that leaves a little room around all of these. */
export function starScale(stars: readonly number[]) {
  const [least, most] = stars.length === 0 ? USUAL : [Math.min(...stars), Math.max(...stars)]
  const step = most - least > 2 ? 1 : 0.5
  const from = Math.max(0, Math.floor(least / step - 0.2) * step)
  const to = Math.max(from + step, Math.ceil(most / step + 0.2) * step)
  const every = Math.ceil((to - from) / step / (MOST_LINES - 1)) * step
  const length = Math.floor((to - from) / every + 1e-9) + 1
  return { from, to, lines: Array.from({ length }, (_, at) => from + at * every) }
}

/** Between two buckets, counted in slots. */
const GAP = 0.8

/** How far each slot is from the first, counted in slots: groups keep a distance. */
export function placeSlots(groups: readonly unknown[]): number[] {
  let place = 0
  return groups.map((group, at) => {
    if (at > 0) place += groups[at - 1] === group ? 1 : 1 + GAP
    return place
  })
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
