import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import type { Loop } from '../../src/worker/loop.ts'
import { startSearchLoop } from '../../src/worker/search.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { noFilter } from '../ports/search-steps.ts'
import { addOwners, type TempStore, tempStore } from '../ports/temp-store.ts'
import { until } from '../support/until.ts'

let store: TempStore
let stores: Stores
let loop: Loop | undefined
let failures: unknown[]

beforeEach(async () => {
  store = await tempStore()
  stores = await store.open()
  await addOwners(stores)
  failures = []
})
afterEach(async () => {
  await loop?.stop()
  await store.remove()
})

const log = { warn: () => {}, error: (details: object) => void failures.push(details) }
const clock = { now: () => Date.now() }
const start = (searchUpdates = stores.searchUpdates) =>
  (loop = startSearchLoop({ searchUpdates, clock }, 'Tournament pools', log))

const find = async (word: string): Promise<string[]> => {
  const match = [[{ kind: 'any', word } as const]]
  const search = { match, except: [], filter: noFilter, after: null, limit: 50 }
  return (await stores.search.find(search)).packs.map(({ name }) => name)
}

it('takes over what was saved before, and what this and other processes save since (D-66)', async () => {
  for (let at = 0; at < 9; at += 1)
    await stores.packs.create(aNewPack({ name: `Week ${at}` }), null)
  const { wake } = start()
  await until(async () => (await find('week')).length === 9)
  await stores.packs.create(aNewPack({ name: 'Woken' }), null)
  wake()
  await until(async () => (await find('woken')).length === 1)
  await (await store.open()).packs.create(aNewPack({ name: 'Elsewhere' }), null)
  await until(async () => (await find('elsewhere')).length === 1)
  expect(failures).toEqual([])
})

it('finds the pools of tournaments by the name that is shown of their owner', async () => {
  await stores.packs.create(aNewPack({ name: 'Finals', ownerId: 'tournament-pools' }), null)
  start()
  await until(async () => (await find('pools')).includes('Finals'))
})

it('rebuilds when it is asked to, and goes on after a failure', async () => {
  await stores.packs.create(aNewPack({ name: 'Week' }), null)
  let isBroken = true
  const { searchUpdates } = stores
  start({
    ...searchUpdates,
    async update(...args) {
      if (isBroken) throw new Error('not now')
      return searchUpdates.update(...args)
    },
  })
  await until(async () => failures.length > 0)
  isBroken = false
  await until(async () => (await find('week')).length === 1)
  await searchUpdates.rebuild()
  await until(async () => !(await searchUpdates.progress()).isRebuilding)
  expect(await find('week')).toEqual(['Week'])
})
