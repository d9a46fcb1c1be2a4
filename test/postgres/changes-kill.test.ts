import { expect, onTestFinished, test } from 'vitest'
import { changeCycles } from '../../bench/change-cycles.ts'
import { groundOn } from '../../bench/kill-cycles-postgres.ts'
import { takeDatabase } from '../support/postgres-databases.ts'

// The long version, with its figure, is `npm run change-cycles -- --engine postgres`.
test('a reader gets each change once, in order, whichever process answers, though some are killed (D-73)', async () => {
  const database = await takeDatabase()
  onTestFinished(() => database.giveBack())
  const ground = await groundOn(database.url)
  const faults: string[] = []
  const wish = { processes: 2, changes: 120, kills: 3, cuts: 15 }
  const count = await changeCycles(
    { ...ground, readFeed: (...place) => ground.stores.changes.read(...place) },
    wish,
    undefined,
    (fault) => void faults.push(fault),
  ).finally(ground.close)
  expect(faults).toEqual([])
  expect(count).toMatchObject({ kills: 3, cuts: 15, wrong: 0 })
  expect(count.changes).toBeGreaterThanOrEqual(120)
})
