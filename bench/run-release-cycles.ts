// Kills the server while rounds of tournaments become due, some
// of whose slots get their beatmaps before, at or after that, and counts what was not released once, in time, and whole.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progressLine } from '../src/cli/progress-line.ts'
import { atMost, engines, oneOf, readArguments, wholeNumber } from '../scripts/arguments.ts'
import { startCluster } from '../test/support/postgres-cluster.ts'
import { releaseCycles, type ReleaseCount } from './release-cycles.ts'
import { type ReleaseGround, releasesIn, releasesOn } from './release-grounds.ts'

const { engine, kills } = readArguments(
  'npm run release-cycles -- [KILLS] [--engine sqlite|postgres]',
  { engine: { type: 'string', default: 'sqlite' } },
  ({ values, positionals }) => {
    const chosen = oneOf('--engine', values.engine, engines)
    const usual = chosen === 'sqlite' ? '1000' : '100'
    return { engine: chosen, kills: wholeNumber('KILLS', atMost(1, positionals)[0] ?? usual) }
  },
)
/** No round, and no beatmap of one, may be released later after its time, or after the process that does it was ready. */
const LATEST_MS = 5_000
const line = progressLine(process.stderr)

const said = (count: ReleaseCount): string =>
  `${count.kills} kills, ${count.interrupted} while rounds were due, ${count.interruptedFills} while ` +
  `slots were filled; ${count.released} rounds released, the slowest after ${count.slowestMs} ms; ` +
  `${count.filled} fills, the slowest public after ${count.slowestFillMs} ms; the slowest start took ` +
  `${count.slowestStartMs} ms; ${count.wrong} wrong`

const run = async (ground: ReleaseGround): Promise<boolean> => {
  const say = (fault: string): void => void process.stderr.write(`\n${fault}\n`)
  const show = (count: ReleaseCount): void => line.show(said(count))
  const count = await releaseCycles(ground, kills, show, say)
  line.end()
  process.stdout.write(`${engine}: ${said(count)}\n`)
  return count.wrong === 0 && Math.max(count.slowestMs, count.slowestFillMs) <= LATEST_MS
}

const onSqlite = async (): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-releases-'))
  try {
    return await run(await releasesIn(folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const onPostgres = async (): Promise<boolean> => {
  const cluster = await startCluster()
  try {
    const ground = await releasesOn(cluster.url)
    return await run(ground).finally(ground.close)
  } finally {
    await cluster.stop()
  }
}

const runs = { sqlite: onSqlite, postgres: onPostgres }
process.exitCode = (await runs[engine]()) ? 0 : 1
