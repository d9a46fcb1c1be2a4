// Gives damaged files to every reader: `node scripts/fuzz-formats.ts --count N --seed S`, from the
// run `--from R` on. The same seed makes the same files. `--reader import --count 100000` gives files of
// the corpus, with lines and cells moved, to the import alone; `--reader workbook` spreadsheet files that
// can be unpacked, with cells, strings, relations, styles and merged cells changed inside.
import { atMost, readArguments, seedOf, wholeNumber } from './arguments.ts'
import { FuzzFailure, runFuzz } from './fuzz/run-fuzz.ts'

const { count, seed, from, reader } = readArguments(
  'node scripts/fuzz-formats.ts [--count 1000000] [--seed 1] [--from RUN] [--reader NAME]',
  {
    count: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    reader: { type: 'string' },
  },
  ({ values, positionals }) => {
    atMost(0, positionals)
    return {
      count: wholeNumber('--count', values.count),
      seed: seedOf('--seed', values.seed),
      from: wholeNumber('--from', values.from, 0),
      reader: values.reader,
    }
  },
)
const start = performance.now()
const everyPart = Math.max(1, Math.floor(count / 100))
const { isTTY } = process.stdout

const progress = (done: number): void => {
  if (done % everyPart !== 0) return
  const percent = Math.floor((done / count) * 100)
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  const line = `${done} of ${count} (${percent} %), ${seconds} s, seed ${seed}`
  if (isTTY) process.stdout.write(`\r${line}`)
  else if (percent % 10 === 0) process.stdout.write(`${line}\n`)
}

try {
  const { tally, slowest } = await runFuzz(seed, { from, count, reader }, progress)
  process.stdout.write('\n')
  for (const [name, { taken, refused }] of tally) {
    process.stdout.write(`${name.padEnd(12)} ${taken} read, ${refused} refused\n`)
  }
  const { milliseconds, name, run } = slowest
  process.stdout.write(`slowest: ${milliseconds.toFixed(0)} ms of CPU time (${name}, run ${run})\n`)
} catch (error) {
  if (!(error instanceof FuzzFailure)) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exitCode = 1
}
