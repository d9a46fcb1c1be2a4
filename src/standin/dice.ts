/**
 * A number in [0, 1) that looks random and is always the same for an id and a purpose:
 * made-up values must not change between two runs, or cached ones would seem wrong.
 */
export function roll(id: number, purpose: string): number {
  let hash = 2_166_136_261
  for (const sign of `${purpose} ${id}`) {
    hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16_777_619)
  }
  // Neighbouring ids differ in their last digit alone; without mixing they would get neighbouring values.
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507)
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** A number from `low` up to `high`, with at most `decimals` decimals. */
export const between = (
  id: number,
  purpose: string,
  low: number,
  high: number,
  decimals = 0,
): number => round(low + roll(id, purpose) * (high - low), decimals)

/** One of the list. */
export const pick = <T>(id: number, purpose: string, list: readonly [T, ...T[]]): T =>
  list[Math.floor(roll(id, purpose) * list.length)] ?? list[0]

/** Rounded to so many decimals. */
export const round = (value: number, decimals: number): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals
