/** Where ratings lie while none is known. */
const USUAL = [4, 7] as const

/**
 * Whole or half stars that contain all of these.
 *
 * @param air the least room around them, in steps.
 */
export function starRange(stars: readonly number[], air: number) {
  const [least, most] = stars.length === 0 ? USUAL : [Math.min(...stars), Math.max(...stars)]
  const step = most - least > 2 ? 1 : 0.5
  const from = Math.max(0, Math.floor(least / step - air) * step)
  const to = Math.max(from + step, Math.ceil(most / step + air) * step)
  return { from, to, step }
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
