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

/** As much of a code as fits; empty where not even two letters and the ellipsis do. */
export function fitCode(code: string, room: number, measure: Measure): string {
  if (measure(code) <= room) return code
  const letters = Array.from(code)
  for (let kept = letters.length - 1; kept >= 2; kept -= 1) {
    const cut = `${letters.slice(0, kept).join('')}…`
    if (measure(cut) <= room) return cut
  }
  return ''
}

/** Between two codes on the same line, in pixels. */
const CODE_GAP = 6

/** Places codes centred at these rising `x`: on one line if they fit whole, else on two, and cut. */
export function placeCodes(
  codes: readonly { readonly code: string; readonly x: number }[],
  width: number,
  measure: Measure,
) {
  const roomOf = (at: number, stride: number): number => {
    const x = codes[at]?.x ?? 0
    const before = codes[at - stride]?.x ?? -Infinity
    const after = codes[at + stride]?.x ?? Infinity
    return Math.min(x - before - CODE_GAP, after - x - CODE_GAP, 2 * x, 2 * (width - x))
  }
  const lines = codes.every(({ code }, at) => measure(code) <= roomOf(at, 1)) ? 1 : 2
  const places = codes.map(({ code }, at) => ({
    text: fitCode(code, roomOf(at, lines), measure),
    line: at % lines,
  }))
  return { lines, places } as const
}
