import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import type { Loop } from '../../src/worker/loop.ts'
import { Portions, startSearchLoop } from '../../src/worker/search.ts'
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
const start = (searchUpdates = stores.searchUpdates) =>
  (loop = startSearchLoop({ searchUpdates }, 'Tournament pools', log))

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

const portionsOf = (cpuEach: number, busy: number, times: number) => {
  const portions = new Portions()
  const made = { packs: 0, worked: 0, rested: 0, longest: 0 }
  for (let at = 0; at < times; at += 1) {
    const { packs } = portions
    const worked = packs * cpuEach
    const rested = portions.pauseAfter(packs, { cpuMs: worked, wallMs: worked })
    portions.noteRest({ cpuMs: rested * busy, wallMs: rested })
    if (at < 20) continue
    made.packs += packs
    made.worked += worked
    made.rested += rested
    made.longest = Math.max(made.longest, worked)
  }
  return made
}

it.each([0.05, 0.3, 1, 2])('takes 8 ms at a stretch where a pack takes %f', (cpuEach) => {
  const { longest } = portionsOf(cpuEach, 0.2, 100)
  expect(longest).toBeLessThanOrEqual(8)
  expect(longest).toBeGreaterThanOrEqual(8 - cpuEach)
})

it('takes one pack at a time where each takes longer than that', () => {
  const { packs } = portionsOf(30, 0, 100)
  expect(packs).toBe(80)
})

it('takes most of the time while nobody else needs it, and a sixth of it while others need it all', () => {
  const share = (busy: number) => {
    const { worked, rested } = portionsOf(0.3, busy, 200)
    return worked / (worked + rested)
  }
  expect(share(0)).toBeCloseTo(0.8, 1)
  expect(share(1)).toBeGreaterThan(0.13)
  expect(share(1)).toBeLessThan(1 / 6)
})
