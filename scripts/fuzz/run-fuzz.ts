import { FormatError } from '../../src/formats/format-error.ts'
import { PackKeyError } from '../../src/pool/pack-key/layout.ts'
import { SeededRandom } from '../seeded-random.ts'
import { damaged } from './damage.ts'
import { checkImport } from './import-check.ts'
import { oldOsdbSample, osdbContent, osdbSample, packedOsdb } from './osdb-samples.ts'
import { type Check, checks } from './readers.ts'
import {
  bracketSamples,
  collectionSamples,
  keySamples,
  pasteSamples,
  poolJsonSamples,
  importSamples,
} from './samples.ts'
import { rearranged } from './text-damage.ts'
import { damagedWorkbook } from './workbook-damage.ts'

type Target = {
  readonly name: string
  readonly make: (random: SeededRandom) => Uint8Array
  readonly check: Check
}

const target = (name: string, check: Check, samples: readonly Uint8Array[]): Target => ({
  name,
  check,
  make: (random) => damaged(samples, random),
})

const everything = [
  ...bracketSamples,
  ...poolJsonSamples,
  ...collectionSamples,
  ...keySamples,
  ...pasteSamples,
  osdbSample,
]

const targets: readonly Target[] = [
  target('bracket', checks.bracket, bracketSamples),
  target('merge', checks.merge, bracketSamples),
  target('pool JSON', checks['pool JSON'], poolJsonSamples),
  target('collection', checks.collection, collectionSamples),
  target('osdb', checks.osdb, [osdbSample, oldOsdbSample]),
  {
    name: 'packed osdb',
    check: checks.osdb,
    make: (random) => packedOsdb(damaged([osdbContent], random)),
  },
  target('paste', checks.paste, pasteSamples),
  target('key', checks.key, keySamples),
  target('any', checks.any, everything),
  {
    name: 'import',
    check: checkImport,
    make: (random) => {
      const isMoved = random.below(3) > 0
      const bytes = isMoved ? rearranged(random.oneOf(importSamples), random) : null
      return bytes !== null && random.below(3) > 0
        ? bytes
        : damaged(bytes === null ? importSamples : [bytes], random)
    },
  },
  { name: 'workbook', check: checkImport, make: damagedWorkbook },
]

type FuzzRange = {
  /** The first run. */
  readonly from?: number
  readonly count: number
  /** The name of the only one that is given files; all of them unless it is named. */
  readonly reader?: string | undefined
}

type FuzzReport = {
  /** How many damaged inputs were read all the same, and how many were refused, by reader. */
  readonly tally: ReadonlyMap<string, { taken: number; refused: number }>
  /** The one that took most CPU time. */
  readonly slowest: { readonly milliseconds: number; readonly name: string; readonly run: number }
}

/** What a reader did that it must not do; says how to do it again. */
export class FuzzFailure extends Error {}

const LONGEST = 5000
/** Line and column, offset, or the path into a pool, and what to do. */
const CLEAR =
  /^(?:(?:line \d+, column|byte) \d+: \S|(?:the file|[a-z][A-Za-z.[\]\d]*:?) |this must be )/

const isClear = (error: unknown): boolean =>
  error instanceof PackKeyError || (error instanceof FormatError && CLEAR.test(error.message))

/**
 * Damages sound files and gives them to the readers: each is refused with a clear error or read
 * into something sound, in less than five seconds of CPU time.
 *
 * @throws FuzzFailure at the first that is not.
 */
export const runFuzz = async (
  seed: number,
  { from = 0, count, reader }: FuzzRange,
  progress: (done: number) => void = () => {},
): Promise<FuzzReport> => {
  const own = targets.filter(({ name }) => reader === undefined || name === reader)
  const tally = new Map(own.map(({ name }) => [name, { taken: 0, refused: 0 }]))
  let slowest = { milliseconds: 0, name: '', run: 0 }
  for (let run = from; run < from + count; run += 1) {
    const random = new SeededRandom(seed, run)
    const { name, make, check } = random.oneOf(own)
    const bytes = make(random)
    const counts = tally.get(name)
    const start = process.cpuUsage()
    const error = await outcome(check, bytes)
    const { user, system } = process.cpuUsage(start)
    const milliseconds = (user + system) / 1000
    if (error === null && counts !== undefined) counts.taken += 1
    else if (isClear(error) && counts !== undefined) counts.refused += 1
    else throw failure({ seed, run, name, reader }, bytes, error)
    if (milliseconds > slowest.milliseconds) slowest = { milliseconds, name, run }
    if (milliseconds > LONGEST)
      throw failure({ seed, run, name, reader }, bytes, `took ${milliseconds} ms`)
    progress(run + 1 - from)
  }
  return { tally, slowest }
}

const outcome = async (check: Check, bytes: Uint8Array): Promise<unknown> => {
  try {
    await check(bytes)
    return null
  } catch (error) {
    return error
  }
}

type FuzzRun = {
  readonly seed: number
  readonly run: number
  readonly name: string
  readonly reader: string | undefined
}

const failure = (
  { seed, run, name, reader }: FuzzRun,
  bytes: Uint8Array,
  cause: unknown,
): FuzzFailure => {
  const what = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  const only = reader === undefined ? '' : ` --reader '${reader}'`
  const again = `node scripts/fuzz-formats.ts${only} --seed ${seed} --from ${run} --count 1`
  const input = Buffer.from(bytes).toString('base64')
  return new FuzzFailure(`${name}: ${what}\nagain: ${again}\ninput (base64): ${input}`)
}
