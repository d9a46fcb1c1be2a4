/** Engines bound how many values a query takes. */
const LONGEST = 500
/** A statement for each length is kept prepared: there are to be few. */
const LENGTHS = [1, 4, 16, 64, 256, LONGEST] as const

/**
 * Distinct values in lists for `in (…)`, of few different lengths: a list that is shorter repeats its
 * last value, which changes nothing of what it contains.
 */
export const valueLists = <T extends string | number>(values: readonly T[]): T[][] => {
  const distinct = [...new Set(values)]
  return Array.from({ length: Math.ceil(distinct.length / LONGEST) }, (_, at) =>
    filled(distinct.slice(at * LONGEST, (at + 1) * LONGEST)),
  )
}

const filled = <T>(values: readonly T[]): T[] => {
  const length = LENGTHS.find((room) => room >= values.length) ?? LONGEST
  return Array.from({ length }, (_, at) => values[at] ?? values.at(-1)!)
}
