/** Whole or half stars around what is shown. */
export type StarScale = {
  readonly from: number
  readonly to: number
  /** Where the lines are, `from` and `to` among them or between them. */
  readonly lines: readonly number[]
}

/** Where ratings lie while none is known. */
const USUAL = [4, 7] as const
const MOST_LINES = 6

/** A scale that leaves a little room around all of these. */
export const starScale = (stars: readonly number[]): StarScale => {
  const [least, most] = stars.length === 0 ? USUAL : [Math.min(...stars), Math.max(...stars)]
  const step = most - least > 2 ? 1 : 0.5
  const from = Math.max(0, Math.floor(least / step - 0.2) * step)
  const to = Math.max(from + step, Math.ceil(most / step + 0.2) * step)
  const every = Math.ceil((to - from) / step / (MOST_LINES - 1)) * step
  const lines = Array.from(
    { length: Math.floor((to - from) / every + 1e-9) + 1 },
    (_, at) => from + at * every,
  )
  return { from, to, lines }
}

/** Between two buckets, counted in slots. */
const GAP = 0.8

/** How far each slot stands from the first, counted in slots: groups keep a distance. */
export const placeSlots = (groups: readonly unknown[]): number[] => {
  let place = 0
  return groups.map((group, at) => {
    if (at > 0) place += groups[at - 1] === group ? 1 : 1 + GAP
    return place
  })
}

/** Which of the places, in rising order, is nearest to x; -1 where there is none. */
export const nearestPlace = (places: readonly number[], x: number): number => {
  let nearest = -1
  for (const [at, place] of places.entries()) {
    if (nearest < 0 || Math.abs(place - x) < Math.abs((places[nearest] ?? 0) - x)) nearest = at
  }
  return nearest
}

type Measure = (text: string) => number

/** As much of a code as fits; empty where not even two letters and the ellipsis do. */
export const fitCode = (code: string, room: number, measure: Measure): string => {
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

/** A code below the plot. `line` is 0 or 1, from the top; `text` is empty where there is no room. */
export type CodePlace = { readonly text: string; readonly line: number }

/**
 * Places codes centred at these rising `x`, all on one line when they fit whole. When they do not,
 * every other one goes to a second line, and what still does not fit is cut. Codes never overlap.
 */
export const placeCodes = (
  codes: readonly { readonly code: string; readonly x: number }[],
  width: number,
  measure: Measure,
): { readonly lines: 1 | 2; readonly places: readonly CodePlace[] } => {
  const roomOf = (at: number, stride: number): number => {
    const x = codes[at]?.x ?? 0
    const before = codes[at - stride]?.x ?? -Infinity
    const after = codes[at + stride]?.x ?? Infinity
    return Math.min(x - before - CODE_GAP, after - x - CODE_GAP, 2 * x, 2 * (width - x))
  }
  if (codes.every(({ code }, at) => measure(code) <= roomOf(at, 1))) {
    return { lines: 1, places: codes.map(({ code }) => ({ text: code, line: 0 })) }
  }
  const places = codes.map(({ code }, at) => ({
    text: fitCode(code, roomOf(at, 2), measure),
    line: at % 2,
  }))
  return { lines: 2, places }
}
