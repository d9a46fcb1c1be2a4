/** The middle value; of an even count, the lower one of the two. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN

/** One line of the report. */
export const report = (what: string, measured: string, wanted: string, isMet: boolean): void => {
  process.stdout.write(
    `${isMet ? 'ok  ' : 'MISS'}  ${what.padEnd(46)} ${measured.padEnd(44)} ${wanted}\n`,
  )
}

export const atLeast = (what: string, ratio: number, least: number, detail: string): void =>
  report(what, `${ratio.toFixed(2)}  (${detail})`, `at least ${least}`, ratio >= least)

export const atMost = (what: string, value: number, most: number, detail: string): void =>
  report(what, `${value.toFixed(2)}  (${detail})`, `at most ${most}`, value <= most)
