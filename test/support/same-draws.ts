import * as fc from 'fast-check'

// Every run draws the same: a change is judged by what it changes. `DRAWS=random` draws anew, `DRAWS=7` with that seed.
const draws = process.env['DRAWS'] ?? '20261124'
if (draws !== 'random') fc.configureGlobal({ seed: Number(draws) })
