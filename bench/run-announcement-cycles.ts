// Kills the server between releases and their announcement
// on Discord, which the stand-in plays, and counts what was lost, doubled, or told in another order.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { progressLine } from '../src/cli/progress-line.ts'
import { atMost, engines, oneOf, readArguments, wholeNumber } from '../scripts/arguments.ts'
import { startCluster } from '../test/support/postgres-cluster.ts'
import { announcementCycles, type AnnouncementCount, openChat } from './announcement-cycles.ts'
import { type ReleaseGround, releasesIn, releasesOn } from './release-grounds.ts'

const { engine, kills } = readArguments(
  'npm run announcement-cycles -- [KILLS] [--engine sqlite|postgres]',
  { engine: { type: 'string', default: 'sqlite' } },
  ({ values, positionals }) => ({
    engine: oneOf('--engine', values.engine, engines),
    kills: wholeNumber('KILLS', atMost(1, positionals)[0] ?? '200'),
  }),
)
const line = progressLine(process.stderr)
const chat = await openChat()

const said = (count: AnnouncementCount): string =>
  `${count.kills} kills, ${count.interrupted} between a release and its announcement; ${count.released} rounds ` +
  `released, ${count.told} announced; ${count.lost} lost, ${count.doubled} doubled, ` +
  `${count.unordered} channels in another order`

const run = async (ground: ReleaseGround): Promise<boolean> => {
  const count = await announcementCycles(ground, chat, kills, (each) => line.show(said(each)))
  line.end()
  process.stdout.write(`${engine}: ${said(count)}\n`)
  return count.lost === 0 && count.unordered === 0
}

const onSqlite = async (): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-announcements-'))
  try {
    return await run(await releasesIn(folder, chat.env))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const onPostgres = async (): Promise<boolean> => {
  const cluster = await startCluster()
  try {
    const ground = await releasesOn(cluster.url, chat.env)
    return await run(ground).finally(ground.close)
  } finally {
    await cluster.stop()
  }
}

const runs = { sqlite: onSqlite, postgres: onPostgres }
process.exitCode = (await runs[engine]().finally(chat.close)) ? 0 : 1
