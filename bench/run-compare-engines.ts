import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progressLine } from '../src/cli/progress-line.ts'
import { atMost, readArguments, wholeNumber } from '../scripts/arguments.ts'
import { compareEngines } from '../test/support/compare-engines.ts'
import { startCluster } from '../test/support/postgres-cluster.ts'

// Makes the same random calls on both engines; ends with an error at the first difference.
const sequences = readArguments('npm run compare-engines -- [SEQUENCES]', {}, ({ positionals }) =>
  wholeNumber('SEQUENCES', atMost(1, positionals)[0] ?? '10000'),
)
const cluster = await startCluster()
const folder = await mkdtemp(join(tmpdir(), 'mapcrate-compare-'))
const line = progressLine(process.stderr)
let done = 0
try {
  const calls = await compareEngines(
    { file: join(folder, 'mapcrate.db'), url: cluster.url },
    {
      sequences,
      onSequence: () => {
        done += 1
        line.show(`${done} of ${sequences} sequences`)
      },
    },
  )
  line.end()
  process.stdout.write(`${sequences} sequences, ${calls} calls: no difference\n`)
} finally {
  await cluster.stop()
  await rm(folder, { recursive: true })
}
