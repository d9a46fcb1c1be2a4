// `npm run release-cycles -- [KILLS] [--engine postgres]`: kills the server while rounds of tournaments become
// due, and counts those that were not released once, in time, and with their pack.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { progressLine } from '../src/cli/progress-line.ts'
import { startCluster } from '../test/support/postgres-cluster.ts'
import {
  releaseCycles,
  type ReleaseCount,
  type ReleaseGround,
  releasesIn,
  releasesOn,
} from './release-cycles.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', default: 'sqlite' } },
})
/** No round may be released later after its time, or after the process that does it was ready. */
const LATEST_MS = 5_000
const line = progressLine(process.stderr)

const said = (count: ReleaseCount): string =>
  `${count.kills} kills, ${count.interrupted} while rounds were due; ${count.released} rounds ` +
  `released, the slowest after ${count.slowestMs} ms; the slowest start took ` +
  `${count.slowestStartMs} ms; ${count.wrong} wrong`

const run = async (ground: ReleaseGround, kills: number): Promise<boolean> => {
  const say = (fault: string): void => void process.stderr.write(`\n${fault}\n`)
  const show = (count: ReleaseCount): void => line.show(said(count))
  const count = await releaseCycles(ground, kills, show, say)
  line.end()
  process.stdout.write(`${values.engine}: ${said(count)}\n`)
  return count.wrong === 0 && count.slowestMs <= LATEST_MS
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
