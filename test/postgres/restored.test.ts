import { expect, it, onTestFinished } from 'vitest'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { someFacts } from '../ports/sample-tournament.ts'
import { addOwners } from '../ports/temp-store.ts'
import { startCluster } from '../support/postgres-cluster.ts'
import { until } from '../support/until.ts'

const pack = aNewPack({ visibility: 'public' })
const everything = { search: '', ruleset: null, rank: null, year: null }

const readAll = async ({ packs, tournaments, accounts }: Stores) =>
  structuredClone({
    pack: await packs.read(pack.slug),
    list: await packs.listPublic(1, 10),
    owned: await packs.listOwned('owner', 1, 10),
    owner: await accounts.read('owner'),
    tournament: await tournaments.read('cup'),
    tournaments: await tournaments.listPublic(everything, 1, 10),
  })

/** As many commits as before, so that numbers of transactions and versions are taken again. */
const write = async (stores: Stores, name: string, visibility: 'public' | 'private') => {
  await stores.packs.replace(pack.slug, 'owner', (saved) => ({
    ...saved,
    name,
    visibility,
    updatedAt: 5_000,
  }))
  return stores.tournaments.change('cup', null, 9, 5_000, (saved) => ({
    ...saved,
    name,
    visibility,
  }))
}

/** Connections were cut: the first attempts may fail. */
const inTheEnd = <T>(work: () => Promise<T>): Promise<T> => until(() => work().catch(() => null))

it('a restore that loses what processes have read is seen by each of them', async () => {
  const cluster = await startCluster()
  onTestFinished(() => cluster.stop())
  const open = async () => {
    const stores = await openPostgresStores(cluster.url, { clock: 'caller', timeoutMs: null })
    onTestFinished(() => stores.care.close())
    return stores
  }
  const [one, two] = [await open(), await open()]
  await addOwners(one)
  await one.packs.create(pack, null)
  await one.tournaments.create({ ...someFacts, slug: 'cup', createdAt: 0 }, 'owner', 9)
  const restore = await cluster.backUp()

  await inTheEnd(() => write(one, 'lost', 'public'))
  // Once to learn how far they have seen, and once to keep what is read.
  for (const stores of [one, two, one, two]) await inTheEnd(() => readAll(stores))
  await restore()
  await inTheEnd(() => write(one, 'made again', 'private'))
  const now = await readAll(await open())
  expect(now).toMatchObject({ pack: { name: 'made again' }, list: { rows: [] } })
  for (const stores of [one, two]) expect(await inTheEnd(() => readAll(stores))).toEqual(now)
})
