/** Digits that are left of a sum or quotient of numbers with so many; what comes after is noise. */
const TRUE_DIGITS = 12

/**
 * Rounds as people do on paper (D-32): 5.705 is 5.71, although its nearest binary number is less.
 *
 * @param value at least 0.
 */
export const roundHalfUp = (value: number, decimals: number): number => {
  const scale = 10 ** decimals
  return Math.round(Number((value * scale).toPrecision(TRUE_DIGITS))) / scale
}
