import { expect, onTestFinished, test } from 'vitest'
import { KeyUses } from '../../src/operations/admission.ts'
import type { KeyUse } from '../../src/ports/accounts.ts'
import { openHouse } from '../support/house.ts'

const DAY = 86_400_000
const noon = 20_000 * DAY + DAY / 2

/** A store whose writes end when they are told to. */
const slowStore = () => {
  const writes: { uses: readonly KeyUse[]; end: () => void; fail: (error: Error) => void }[] = []
  const noteUses = (uses: readonly KeyUse[]): Promise<void> =>
    new Promise((end, fail) => {
      writes.push({ uses, end, fail })
    })
  return { writes, noteUses }
}

const rest = () => new Promise((resolve) => setImmediate(resolve))

test('D-40: a key is noted once a day, whatever it does', async () => {
  const store = slowStore()
  const uses = new KeyUses('packs', store, () => {})
  for (let request = 0; request < 1000; request += 1) uses.note('a', noon + request)
  expect(store.writes.map((write) => write.uses)).toEqual([
    [{ service: 'packs', hash: 'a', day: 20_000 }],
  ])
  store.writes[0]?.end()
  await rest()
  uses.note('a', noon + DAY)
  uses.note('a', noon + DAY)
  expect(store.writes[1]?.uses).toEqual([{ service: 'packs', hash: 'a', day: 20_001 }])
})

test('keys that come while a write is under way share the next one', async () => {
  const store = slowStore()
  const uses = new KeyUses('pools', store, () => {})
  for (const hash of ['a', 'b', 'c', 'a', 'b']) uses.note(hash, noon)
  expect(store.writes).toHaveLength(1)
  store.writes[0]?.end()
  await rest()
  expect(store.writes.map((write) => write.uses.map(({ hash }) => hash))).toEqual([
    ['a'],
    ['b', 'c'],
  ])
})

test('a clock that steps back notes the later day, and no key twice', () => {
  const store = slowStore()
  const uses = new KeyUses('packs', store, () => {})
  uses.note('a', noon)
  uses.note('a', noon - DAY)
  expect(store.writes).toHaveLength(1)
})

test('a store that fails is told of, and nothing else stops', async () => {
  const store = slowStore()
  const errors: unknown[] = []
  const uses = new KeyUses('packs', store, (error) => errors.push(error))
  uses.note('a', noon)
  uses.note('b', noon)
  const error = new Error('disk full')
  store.writes[0]?.fail(error)
  await rest()
  expect(errors).toEqual([error])
  expect(store.writes[1]?.uses).toMatchObject([{ hash: 'b' }])
})

test('remembers a bounded number of keys, and notes them again beyond it', async () => {
  const noted: string[] = []
  const noteUses = async (uses: readonly KeyUse[]): Promise<void> => {
    for (const { hash } of uses) noted.push(hash)
  }
  const uses = new KeyUses('packs', { noteUses }, () => {})
  for (let key = 1; key < 100_000; key += 1) uses.note(`key ${key}`, noon)
  uses.note('key 1', noon)
  await rest()
  expect(noted).toHaveLength(99_999)
  uses.note('key 100000', noon)
  uses.note('key 1', noon)
  uses.note('key 1', noon)
  await rest()
  expect(noted.slice(99_999)).toEqual(['key 100000', 'key 1'])
})

test('D-40: a request with a key leaves the day of its use, a refused one does not', async () => {
  const { ports, host, doors, clock, close } = await openHouse()
  onTestFinished(close)
  const ada = await host()
  const account = await ports.accounts.findByGameId(ada.gameId)
  const lastUsedDay = async () =>
    (await ports.apiKeys.read(account?.id ?? '', 'packs'))?.lastUsedDay
  await doors.packs.ask('GET', '/me', { key: `${ada.key.slice(0, -1)}!` })
  await doors.pools.ask('GET', '/me', { key: ada.key })
  expect(await lastUsedDay()).toBeNull()
  await ada.get('/me')
  await expect.poll(lastUsedDay).toBe(Math.floor(clock.now() / DAY))
  clock.advance(3 * DAY)
  await ada.get('/me')
  await expect.poll(lastUsedDay).toBe(Math.floor(clock.now() / DAY))
})
