// Kills the server under writes, and PostgreSQL too where that is the engine, and counts what was lost.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progressLine } from '../src/cli/progress-line.ts'
import { atMost, engines, oneOf, readArguments, wholeNumber } from '../scripts/arguments.ts'
import { startCluster } from '../test/support/postgres-cluster.ts'
import { killCycles, type KillCount } from './kill-cycles.ts'
import { killCyclesOnPostgres } from './kill-cycles-postgres.ts'
import { type RestartCount, restartCycles } from './postgres-restarts.ts'

const { engine, kills, restarts } = readArguments(
  'npm run kill-cycles -- [KILLS] [--engine sqlite|postgres] [--restarts COUNT]',
  {
    engine: { type: 'string', default: 'sqlite' },
    restarts: { type: 'string', default: '50' },
  },
  ({ values, positionals }) => ({
    engine: oneOf('--engine', values.engine, engines),
    kills: wholeNumber('KILLS', atMost(1, positionals)[0] ?? '200'),
    restarts: wholeNumber('--restarts', values.restarts),
  }),
)
/** Requests end by then whatever PostgreSQL does. */
const ANSWER_MS = 5_000
const line = progressLine(process.stderr)

const say = (fault: string): void => void process.stderr.write(`\n${fault}\n`)

const said = ({ acknowledged, interrupted, lost }: KillCount): string =>
  `${acknowledged} writes acknowledged, ${interrupted} interrupted, ${lost} lost or doubled`

const saidOf = (count: RestartCount): string => {
  const { failed, unanswered, slowestMs, slowestResumeMs } = count
  const slowest = `slowest answer ${Math.round(slowestMs)} ms`
  const resumed = `both processes at work again within ${Math.round(slowestResumeMs)} ms`
  return `${said(count)}; ${failed} answered 500, ${unanswered} not at all, ${slowest}, ${resumed}`
}

/** Tells the figures; false when something was lost. */
const tell = (what: string, figures: string, isGood: boolean): boolean => {
  line.end()
  process.stdout.write(`${what}: ${figures}\n`)
  return isGood
}

const show =
  <T extends KillCount>(of: string, words: (count: T) => string) =>
  (made: number, soFar: T): void =>
    line.show(`${made} ${of}: ${words(soFar)}`)

const onSqlite = async (): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-kill-'))
  try {
    const count = await killCycles(folder, kills, show(`of ${kills} kills`, said), say)
    return tell(`${kills} kills`, said(count), count.lost === 0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const onCluster = async (
  work: (cluster: Awaited<ReturnType<typeof startCluster>>) => Promise<boolean>,
): Promise<boolean> => {
  const cluster = await startCluster()
  try {
    return await work(cluster)
  } finally {
    await cluster.stop()
  }
}

const onPostgres = async (): Promise<boolean> => {
  const survived = await onCluster(async ({ url }) => {
    const count = await killCyclesOnPostgres(url, kills, show(`of ${kills} kills`, said), say)
    return tell(`${kills} kills`, said(count), count.lost === 0)
  })
  const resumed = await onCluster(async (cluster) => {
    const shown = show(`of ${restarts} restarts`, saidOf)
    const count = await restartCycles(cluster, restarts, shown, say)
    const isGood = count.lost === 0 && count.unanswered === 0 && count.slowestMs < ANSWER_MS
    return tell(`${restarts} restarts of PostgreSQL`, saidOf(count), isGood)
  })
  return survived && resumed
}

const runs = { sqlite: onSqlite, postgres: onPostgres }
process.exitCode = (await runs[engine]()) ? 0 : 1
