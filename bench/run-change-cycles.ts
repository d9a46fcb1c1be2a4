// Kills servers under writes while a reader follows the changes and is cut off, and counts what the reader got
// twice, in another order or not at all. `--waits` measures what waiting costs in place of that.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progressLine } from '../src/cli/progress-line.ts'
import { atMost, engines, oneOf, readArguments, wholeNumber } from '../scripts/arguments.ts'
import { startCluster } from '../test/support/postgres-cluster.ts'
import { type ChangeCount, type ChangeGround, changeCycles, feedIn } from './change-cycles.ts'
import { benchWaits } from './change-waits.ts'
import { inFolder } from './kill-cycles.ts'
import { groundOn } from './kill-cycles-postgres.ts'

const { engine, waitsOnly, wish } = readArguments(
  'npm run change-cycles -- [CHANGES] [--engine sqlite|postgres] [--kills COUNT] [--cuts COUNT] [--waits]',
  {
    engine: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '40' },
    cuts: { type: 'string', default: '500' },
    waits: { type: 'boolean', default: false },
  },
  ({ values, positionals }) => ({
    engine: oneOf('--engine', values.engine, engines),
    waitsOnly: values.waits,
    wish: {
      changes: wholeNumber('CHANGES', atMost(1, positionals)[0] ?? '10000'),
      kills: wholeNumber('--kills', values.kills, 0),
      cuts: wholeNumber('--cuts', values.cuts, 0),
    },
  }),
)
const line = progressLine(process.stderr)

const said = (count: ChangeCount): string =>
  `${count.changes} changes read, ${count.kills} kills, ${count.cuts} times cut off, ${count.wrong} wrong`

const run = async (ground: ChangeGround, processes: number): Promise<boolean> => {
  const say = (fault: string): void => void process.stderr.write(`\n${fault}\n`)
  const show = (count: ChangeCount): void => line.show(said(count))
  const count = await changeCycles(ground, { ...wish, processes }, show, say)
  line.end()
  process.stdout.write(`${engine}, ${processes} processes: ${said(count)}\n`)
  return count.wrong === 0
}

const inTempFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-changes-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const onSqlite = () =>
  inTempFolder((folder) => run({ ...inFolder(folder), readFeed: feedIn(folder) }, 1))

const onPostgres = async (): Promise<boolean> => {
  const cluster = await startCluster()
  try {
    const ground = await groundOn(cluster.url)
    const readFeed: ChangeGround['readFeed'] = (...place) => ground.stores.changes.read(...place)
    return await run({ ...ground, readFeed }, 4).finally(ground.close)
  } finally {
    await cluster.stop()
  }
}

const waits = async (): Promise<boolean> => {
  await inTempFolder(benchWaits)
  return true
}

const runs = { sqlite: onSqlite, postgres: onPostgres }
process.exitCode = (await (waitsOnly ? waits() : runs[engine]())) ? 0 : 1
