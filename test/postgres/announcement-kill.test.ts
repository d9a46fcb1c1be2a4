import { expect, onTestFinished, test } from 'vitest'
import { announcementCycles, openChat } from '../../bench/announcement-cycles.ts'
import { releasesOn } from '../../bench/release-grounds.ts'
import { takeDatabase } from '../support/postgres-databases.ts'

// The long version, with its figure, is `npm run announcement-cycles -- --engine postgres`.
test('two processes announce each release, in order, though one is killed (D-97)', async () => {
  const database = await takeDatabase()
  const chat = await openChat()
  onTestFinished(async () => {
    await chat.close()
    await database.giveBack()
  })
  const ground = await releasesOn(database.url, chat.env)
  const count = await announcementCycles(ground, chat, 3).finally(ground.close)
  expect(count).toMatchObject({ kills: 3, released: 36, told: 36, lost: 0, unordered: 0 })
})
