import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { PostgresStores } from '../../src/adapters/storage/open-postgres.ts'
import { systemClock } from '../../src/adapters/system.ts'
import type { SearchIndex } from '../../src/contract/search-index.ts'
import { IndexShelf } from '../../src/operations/published-index.ts'
import { startIndexLoop } from '../../src/worker/index-loop.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { addOwners, type PostgresTempStore, tempPostgresStore } from '../ports/temp-store.ts'
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

/** A process that serves the index, and builds it when it is its turn. */
const startProcess = async () => {
  const { publicIndex, sharedIndex } = await store.open()
  const shelf = new IndexShelf()
  let builds = 0
  const said: object[] = []
  const hear = (details: object) => void said.push(details)
  const loop = startIndexLoop(
    { publicIndex, sharedIndex, clock: systemClock },
    { shelf, poolsOwnerName: 'Tournament pools', onBuilt: () => void (builds += 1) },
    { warn: hear, error: hear },
  )
  running.push(loop.stop)
  await loop.ready
  return { shelf, builds: () => builds, said, stop: loop.stop }
}
type Process = Awaited<ReturnType<typeof startProcess>>

const slugsOn = ({ shelf }: Process): string[] => {
  const { bytes } = shelf.current()!.files.identity
  return (JSON.parse(Buffer.from(bytes).toString()) as SearchIndex).packs.map(({ s }) => s)
}

const save = async (): Promise<string> => {
  const pack = aNewPack()
  await stores.packs.create(pack, null)
  return pack.slug
}

const shown = (slug: string, on: readonly Process[]): Promise<true> =>
  until(async () => on.every((process) => slugsOn(process).includes(slug)) || null, SEVERAL_MS)

it('D-39: is built by one of three processes and served by all, the same bytes', async () => {
  const slug = await save()
  const all = [await startProcess(), await startProcess(), await startProcess()]
  await shown(slug, all)
  expect(all.map((each) => each.builds())).toEqual([1, 0, 0])
  const tagsOn = ({ shelf }: Process) =>
    Object.values(shelf.current()!.files).map(({ bytes, etag }) => [etag, bytes.length])
  for (const each of all) expect(tagsOn(each)).toEqual(tagsOn(all[0]!))

  for (let round = 1; round <= 3; round += 1) {
    await shown(await save(), all)
    const builds = all.reduce((sum, each) => sum + each.builds(), 0)
    expect(builds).toBe(1 + round)
  }
  expect(all.flatMap(({ said }) => said)).toEqual([])
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

it('knows up to when it is true, on a process that does not build too', async () => {
  const [one, two] = [await startProcess(), await startProcess()]
  await shown(await save(), [one, two])
  const since = systemClock.now()
  const isFresh = ({ shelf }: Process) => (shelf.freshAt() ?? 0) >= since
  await until(async () => [one, two].every(isFresh), SEVERAL_MS)
})

it('gives the turn to one at a time, by the clock of the database alone', async () => {
  const { sharedIndex } = stores
  const [ada, peridot] = [randomUUID(), randomUUID()]
  expect(await sharedIndex.takeTurn(ada, 60_000)).toBe(true)
  expect(await sharedIndex.takeTurn(ada, 60_000)).toBe(true)
  expect(await sharedIndex.takeTurn(peridot, 60_000)).toBe(false)
  await stores.run("update lease set until = clock_timestamp() - interval '1 ms'", [])
  expect(await sharedIndex.takeTurn(peridot, 60_000)).toBe(true)
  expect(await sharedIndex.takeTurn(ada, 60_000)).toBe(false)
  // The clock was set back by an hour.
  await stores.run("update lease set until = clock_timestamp() + interval '1 h'", [])
  expect(await sharedIndex.takeTurn(ada, 60_000)).toBe(true)
})

it('never takes the place of a newer one', async () => {
  const { sharedIndex } = stores
  const build = (version: number) => ({
    version,
    builtAt: version * 1_000,
    packs: version,
    brotli: Buffer.from([1, version]),
    gzip: Buffer.from([2, version]),
  })
  expect(await sharedIndex.readNewer(0)).toBeNull()
  await sharedIndex.publish(build(7))
  await sharedIndex.publish(build(6))
  expect(await sharedIndex.readNewer(0)).toEqual(build(7))
  expect(await sharedIndex.readNewer(6)).toEqual(build(7))
  expect(await sharedIndex.readNewer(7)).toBeNull()
})
