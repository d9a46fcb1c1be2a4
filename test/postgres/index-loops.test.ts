import { randomUUID } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { systemClock } from '../../src/adapters/system.ts'
import type { SearchIndex } from '../../src/contract/search-index.ts'
import { PublishedIndexCache } from '../../src/operations/search-index.ts'
import { findIndex } from '../../src/site/search-index.ts'
import { startIndexLoop } from '../../src/worker/search-index.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { addOwners, type PostgresTempStore, tempPostgresStore } from '../ports/temp-store.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { until } from '../support/until.ts'

/** What D-39 gives several machines. */
const SEVERAL_MS = 5_000

let store: PostgresTempStore
let stores: PostgresStores
const running: (() => Promise<void>)[] = []

beforeEach(async () => {
  store = await tempPostgresStore()
  stores = await store.open()
  await addOwners(stores)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((stop) => stop()))
  await store.remove()
})

/** A process that serves the index, and builds it when it is its turn, unless it only serves. */
const startProcess = async (isWorker = true) => {
  const { publicIndex, sharedIndex } = await store.open()
  const indexCache = new PublishedIndexCache()
  let builds = 0
  const looks = vi.spyOn(publicIndex, 'version')
  const portions = vi.spyOn(publicIndex, 'readPortion')
  const logged: object[] = []
  const hear = (details: object) => void logged.push(details)
  const loop = startIndexLoop(
    { publicIndex, sharedIndex, clock: systemClock },
    {
      indexCache,
      poolsOwnerName: 'Tournament pools',
      isWorker,
      onBuilt: () => void (builds += 1),
    },
    { warn: hear, error: hear },
  )
  running.push(loop.stop)
  await loop.ready
  return { indexCache, builds: () => builds, looks, portions, logged, stop: loop.stop }
}
type Process = Awaited<ReturnType<typeof startProcess>>

const slugsOn = ({ indexCache }: Process): string[] => {
  const { bytes } = indexCache.current()!.files.identity
  return (JSON.parse(Buffer.from(bytes).toString()) as SearchIndex).packs.map(({ s }) => s)
}

const save = async (): Promise<string> => {
  const pack = aNewPack()
  await stores.packs.create(pack, null)
  return pack.slug
}

const shown = (slug: string, on: readonly Process[]): Promise<true> =>
  until(async () => on.every((process) => slugsOn(process).includes(slug)) || null, SEVERAL_MS)

it('D-39: is built by one of three processes and served by all, the same text', async () => {
  const slug = await save()
  const all = [await startProcess(), await startProcess(), await startProcess()]
  await shown(slug, all)
  expect(all.map((each) => each.builds())).toEqual([1, 0, 0])
  for (const { indexCache } of all) {
    const { identity, br, gzip } = indexCache.current()!.files
    expect(identity).toEqual(all[0]!.indexCache.current()!.files.identity)
    expect(brotliDecompressSync((await br()).bytes)).toEqual(identity.bytes)
    expect(gunzipSync((await gzip()).bytes)).toEqual(identity.bytes)
  }

  for (let round = 1; round <= 3; round += 1) {
    await shown(await save(), all)
    const builds = all.reduce((sum, each) => sum + each.builds(), 0)
    expect(builds).toBe(1 + round)
  }
  // One has read all packs, once; a process that takes the turn later reads them for itself.
  for (const each of all) expect(each.portions.mock.calls.length).toBe(each.builds() > 0 ? 1 : 0)
  expect(all.flatMap(({ logged }) => logged)).toEqual([])
})

it('D-39: whichever process is asked, it has what was committed before', async () => {
  const all = [await startProcess(), await startProcess(), await startProcess(false)]
  for (let round = 0; round < 3; round += 1) {
    for (const asked of all) {
      const slug = await save()
      await findIndex(asked.indexCache)
      expect(slugsOn(asked)).toContain(slug)
    }
  }
})

it('D-39: is built by another within five seconds when whoever builds is gone', async () => {
  const [one, two] = [await startProcess(), await startProcess()]
  await shown(await save(), [one, two])
  const [builder, other] = one.builds() >= two.builds() ? [one, two] : [two, one]
  await builder.stop()
  const before = other.builds()
  await shown(await save(), [other])
  // A build is told of when all have it.
  await until(async () => other.builds() > before)
  expect(other.builds()).toBe(before + 1)
})

it('D-39: is built by another within five seconds when a process takes the turn and dies', async () => {
  const [worker, web] = [await startProcess(), await startProcess(false)]
  await shown(await save(), [worker, web])
  await until(() => stores.sharedIndex.takeLease(randomUUID(), 2_500))
  await shown(await save(), [worker, web])
})

it('a process that only serves keeps what it has without a builder, and follows the next one', async () => {
  const worker = await startProcess()
  const web = await startProcess(false)
  const first = await save()
  await shown(first, [worker, web])
  await worker.stop()
  const second = await save()
  const version = await stores.publicIndex.version()
  await until(async () => web.looks.mock.settledResults.some(({ value }) => value === version))
  expect(slugsOn(web)).toEqual([first])
  const next = await startProcess()
  await shown(second, [next, web])
})

it('publishes what processes of the version before read', async () => {
  const process = await startProcess()
  await shown(await save(), [process])
  const build = await stores.sharedIndex.readOther(null)
  const { identity } = process.indexCache.current()!.files
  expect(gunzipSync(build!.gzip)).toEqual(identity.bytes)
  expect(brotliDecompressSync(build!.brotli)).toEqual(identity.bytes)
})

it('knows up to when it is true, on a process that does not build too', async () => {
  const [one, two] = [await startProcess(), await startProcess()]
  await shown(await save(), [one, two])
  const since = systemClock.now()
  const isFresh = ({ indexCache }: Process) => (indexCache.freshAt ?? 0) >= since
  await until(async () => [one, two].every(isFresh), SEVERAL_MS)
})

it('gives the turn to one at a time, by the clock of the database alone', async () => {
  const { sharedIndex } = stores
  const [ada, peridot] = [randomUUID(), randomUUID()]
  expect(await sharedIndex.takeLease(ada, 60_000)).toBe(true)
  expect(await sharedIndex.takeLease(ada, 60_000)).toBe(true)
  expect(await sharedIndex.takeLease(peridot, 60_000)).toBe(false)
  await stores.run("update lease set until = clock_timestamp() - interval '1 ms'", [])
  expect(await sharedIndex.takeLease(peridot, 60_000)).toBe(true)
  expect(await sharedIndex.takeLease(ada, 60_000)).toBe(false)
  // The clock was set back by an hour.
  await stores.run("update lease set until = clock_timestamp() + interval '1 h'", [])
  expect(await sharedIndex.takeLease(ada, 60_000)).toBe(true)
})

it('the index is published by the process that has the turn, and by no other', async () => {
  const { sharedIndex } = stores
  const [ada, peridot] = [randomUUID(), randomUUID()]
  const build = (version: string, packs: number) => ({
    version,
    builtAt: packs * 1_000,
    packs,
    brotli: Buffer.from([1, packs]),
    gzip: Buffer.from([2, packs]),
  })
  expect(await sharedIndex.readOther(null)).toBeNull()
  expect(await sharedIndex.publish(build('7.a', 1), ada)).toBe(false)
  await sharedIndex.takeLease(ada, 60_000)
  expect(await sharedIndex.publish(build('7.a', 1), ada)).toBe(true)
  expect(await sharedIndex.readOther(null)).toEqual(build('7.a', 1))
  expect(await sharedIndex.readOther('7.b')).toEqual(build('7.a', 1))
  expect(await sharedIndex.readOther('7.a')).toBeNull()

  // A lower number is no older state: the database may have been restored.
  expect(await sharedIndex.publish(build('6.c', 2), ada)).toBe(true)
  expect(await sharedIndex.readOther('7.a')).toEqual(build('6.c', 2))

  await stores.run("update lease set until = clock_timestamp() - interval '1 ms'", [])
  await sharedIndex.takeLease(peridot, 60_000)
  expect(await sharedIndex.publish(build('8.d', 3), ada)).toBe(false)
  expect(await sharedIndex.readOther('6.c')).toBeNull()
})

it('the index shows what there is after commits were lost and their number was reached again', async () => {
  const kept = ['pack', 'public_block', 'public_change', 'shared_number']
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await stores.run(statement, [])
  }
  const first = await save()
  const [worker, web] = [await startProcess(), await startProcess(false)]
  await shown(first, [worker, web])
  await run(kept.map((table) => `create table saved_${table} as table ${table}`))
  const lost = await save()
  await shown(lost, [worker, web])
  const before = await stores.publicIndex.version()

  // In one go: a look between two statements would see neither state.
  await overConnection(store.url, (client) =>
    client.query(
      kept
        .map((table) => `delete from ${table}; insert into ${table} table saved_${table}`)
        .join(';'),
    ),
  )
  const instead = await save()
  await run(kept.map((table) => `drop table saved_${table}`))
  const after = await stores.publicIndex.version()
  expect(Number.parseInt(after, 10)).toBe(Number.parseInt(before, 10))
  expect(after).not.toBe(before)
  await shown(instead, [worker, web])
  for (const each of [worker, web]) expect(slugsOn(each)).not.toContain(lost)
})
