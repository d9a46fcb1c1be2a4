import { expect, onTestFinished, test } from 'vitest'
import { releaseCycles } from '../../bench/release-cycles.ts'
import { releasesOn } from '../../bench/release-grounds.ts'
import { takeDatabase } from '../support/postgres-databases.ts'

// The long version, with its figure, is `npm run release-cycles -- --engine postgres`.
test('two processes release each round once, with its pack and not before its time, though one is killed (D-63)', async () => {
  const database = await takeDatabase()
  onTestFinished(() => database.giveBack())
  const ground = await releasesOn(database.url)
  const faults: string[] = []
  const say = (fault: string) => void faults.push(fault)
  const count = await releaseCycles(ground, 3, undefined, say).finally(ground.close)
  expect(faults).toEqual([])
  expect(count).toMatchObject({ kills: 3, released: 3 * 24, wrong: 0 })
})
