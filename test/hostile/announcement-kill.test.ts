import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { announcementCycles, openChat } from '../../bench/announcement-cycles.ts'
import { releasesIn } from '../../bench/release-grounds.ts'

// The long version, with its figure, is `npm run announcement-cycles`.
test('each release is announced, in order, though the server is killed before it has said so (D-97)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-'))
  const chat = await openChat()
  onTestFinished(async () => {
    await chat.close()
    await rm(folder, { recursive: true, force: true })
  })
  const count = await announcementCycles(await releasesIn(folder, chat.env), chat, 3)
  expect(count).toMatchObject({ kills: 3, released: 36, told: 36, lost: 0, unordered: 0 })
})
