import * as fc from 'fast-check'
import { expect } from 'vitest'

// Every run draws the same: a change is judged by what it changes. `DRAWS=random` draws anew, `DRAWS=7` with that seed.
const draws = process.env['DRAWS'] ?? '20261124'

/** A property that answers true or false has no assertion of its own: that it ran is one. */
const reporter = (run: fc.RunDetails<unknown>): void => {
  if (run.failed) throw new Error(fc.defaultReportMessage(run), { cause: run.errorInstance })
  expect(run.numRuns).toBeGreaterThan(0)
}

fc.configureGlobal({ reporter, ...(draws !== 'random' && { seed: Number(draws) }) })
