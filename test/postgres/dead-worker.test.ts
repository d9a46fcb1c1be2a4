import { expect, onTestFinished, test } from 'vitest'
import {
  systemClock,
  systemCompressor,
  systemHasher,
  systemRandom,
} from '../../src/adapters/system.ts'
import { createPack } from '../../src/operations/packs.ts'
import { createStandin } from '../../src/standin/create-standin.ts'
import { takeDatabase } from '../support/postgres-databases.ts'
import { freshFolder, startServer } from '../support/processes.ts'
import { aPack } from '../support/samples.ts'
import { onPostgres } from '../support/test-stores.ts'
import { until } from '../support/until.ts'

const CLIENT = { id: '42', secret: 'shh' }
const PACKS = 3
/** Ratings with mods would come later: it is not they that are waited for. */
const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
/** How long a process keeps the packs that it works on. */
const LEASE_MS = 60_000
/** What is left of that when the other process begins to wait for it. */
const LEFT_MS = 3_000
/** A look at the queue each second, and the work. */
const SOON_MS = 5_000

/** A platform whose answers can be made to wait. */
const startPlatform = async () => {
  const standin = createStandin({ clock: () => Date.now(), client: CLIENT })
  const url = await standin.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => standin.close())
  const faults = (method: string, body?: unknown) =>
    fetch(`${url}/standin/faults`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
  return {
    url,
    fallSilent: () => faults('POST', { fault: 'silence', kind: 'beatmaps' }),
    speakAgain: () => faults('DELETE'),
  }
}

test('the packs of a worker that is killed in the middle are done by another when its lease ends', async () => {
  const platform = await startPlatform()
  const database = await takeDatabase()
  const folder = await freshFolder()
  const env = {
    DATABASE_URL: database.url,
    LOG_LEVEL: 'warn',
    PLATFORM_URL: platform.url,
    PLATFORM_CLIENT_ID: CLIENT.id,
    PLATFORM_CLIENT_SECRET: CLIENT.secret,
  }
  const { stores, alter, close } = await onPostgres(database.url)
  const ports = {
    ...stores,
    clock: systemClock,
    random: systemRandom,
    hasher: systemHasher,
    compressor: systemCompressor,
  }
  const { id } = await stores.accounts.ensurePlayer({ gameId: 1, username: 'Ada' }, 'ada', 0)
  const slugs: string[] = []
  for (let at = 0; at < PACKS; at += 1) {
    slugs.push((await createPack(ports, id, aPack({ slots }))).slug)
  }
  const withStats = async (): Promise<number> => {
    const packs = await Promise.all(slugs.map(async (slug) => stores.packs.read(slug)))
    return packs.filter((pack) => pack?.stats).length
  }

  await platform.fallSilent()
  const killed = await startServer(folder, env)
  // What is taken is not due before its lease ends.
  await until(async () => (await stores.statsWork.nextDueAt(Date.now()))! > Date.now())
  killed.process.signal('SIGKILL')
  await killed.process.ended
  await platform.speakAgain()
  expect(await stores.statsWork.nextDueAt(Date.now())).toBeLessThanOrEqual(Date.now() + LEASE_MS)

  const other = await startServer(folder, env)
  // Nobody need wait for a minute to see it pass.
  const ends = Date.now() + LEFT_MS
  await alter(`update pack set stats_lease_until = ${ends}`)
  await until(async () => (await withStats()) === PACKS, LEFT_MS + SOON_MS)
  const computedAt = await Promise.all(
    slugs.map(async (slug) => Date.parse((await stores.packs.read(slug))!.stats!.computedAt)),
  )
  for (const at of computedAt) expect(at).toBeGreaterThanOrEqual(ends)
  expect((await stores.statsWork.backlog(Date.now())).total).toBe(0)

  await other.stop()
  await close()
  await database.giveBack()
})
