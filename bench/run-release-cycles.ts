// `npm run release-cycles -- [KILLS] [--engine postgres]`: kills the server while rounds of tournaments become due, some
// of whose slots get their beatmaps before, at or after that, and counts what was not released once, in time, and whole.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { progressLine } from '../src/cli/progress-line.ts'
import { startCluster } from '../test/support/postgres-cluster.ts'
import { releaseCycles, type ReleaseCount } from './release-cycles.ts'
import { type ReleaseGround, releasesIn, releasesOn } from './release-grounds.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', default: 'sqlite' } },
})
/** No round, and no beatmap of one, may be released later after its time, or after the process that does it was ready. */
const LATEST_MS = 5_000
const line = progressLine(process.stderr)

const said = (count: ReleaseCount): string =>
  `${count.kills} kills, ${count.interrupted} while rounds were due, ${count.interruptedFills} while ` +
  `slots were filled; ${count.released} rounds released, the slowest after ${count.slowestMs} ms; ` +
  `${count.filled} fills, the slowest public after ${count.slowestFillMs} ms; the slowest start took ` +
  `${count.slowestStartMs} ms; ${count.wrong} wrong`

const run = async (ground: ReleaseGround, kills: number): Promise<boolean> => {
  const say = (fault: string): void => void process.stderr.write(`\n${fault}\n`)
  const show = (count: ReleaseCount): void => line.show(said(count))
  const count = await releaseCycles(ground, kills, show, say)
  line.end()
  process.stdout.write(`${values.engine}: ${said(count)}\n`)
  return count.wrong === 0 && Math.max(count.slowestMs, count.slowestFillMs) <= LATEST_MS
}

const onSqlite = async (): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-releases-'))
  try {
    return await run(await releasesIn(folder), Number(positionals[0] ?? 1_000))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const onPostgres = async (): Promise<boolean> => {
  const cluster = await startCluster()
  try {
    const ground = await releasesOn(cluster.url)
    return await run(ground, Number(positionals[0] ?? 100)).finally(ground.close)
  } finally {
    await cluster.stop()
  }
}

const runs = { sqlite: onSqlite, postgres: onPostgres }
const chosen = Object.entries(runs).find(([engine]) => engine === values.engine)?.[1]
if (chosen === undefined) throw new Error(`--engine is one of ${Object.keys(runs).join(', ')}`)
process.exitCode = (await chosen()) ? 0 : 1
