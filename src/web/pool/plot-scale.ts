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

/** Small letters of most scripts are about this wide, and ideographs this, in pixels. */
const [NARROW_LETTER, WIDE_LETTER] = [8.5, 13]

const widthOf = (letter: string): number => (letter >= '\u2e80' ? WIDE_LETTER : NARROW_LETTER)

/** As much of a code as fits; nothing where not even two letters and the sign of the cut do. */
export const fitCode = (code: string, room: number): string => {
  const letters = Array.from(code)
  const widths = letters.map(widthOf)
  if (widths.reduce((sum, width) => sum + width, 0) <= room) return code
  let used = NARROW_LETTER
  const kept = letters.filter((_, at) => {
    used += widths[at] ?? 0
    return used <= room
  })
  return kept.length < 2 ? '' : `${kept.join('')}…`
}
