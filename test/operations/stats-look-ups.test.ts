import { expect, it } from 'vitest'
import type { SavedPack } from '../../src/domain/packs.ts'
import { slotsOf, statsRig } from '../support/stats-rig.ts'

const HOUR = 3_600_000
const slots = slotsOf('DT', 3, 10)
const ofAda: Partial<SavedPack> = { ownerId: 'ada', visibility: 'private' }
const ofEve: Partial<SavedPack> = { ownerId: 'eve', visibility: 'unlisted' }

it('D-74: stats cost others the calls that they would cost if no private pack had the beatmaps', async () => {
  const { platform, save, workFor, statsOf } = statsRig()
  save(slots, ofAda)
  await workFor(HOUR)
  const first = [[...platform.beatmapCalls], [...platform.ratingCalls]]
  platform.forgetCalls()
  const slug = save(slots, ofEve)
  await workFor(HOUR)
  expect([platform.beatmapCalls, platform.ratingCalls]).toEqual(first)
  expect(platform.calls).toBe(4)
  expect(statsOf(slug)?.complete).toBe(true)
})

it('D-74: so do ratings with HD, which pages show', async () => {
  const { platform, save, workFor, statsOf } = statsRig()
  const hidden = slotsOf('HD', 3, 10)
  save(hidden, ofAda)
  await workFor(HOUR)
  const first = [[...platform.beatmapCalls], [...platform.ratingCalls]]
  platform.forgetCalls()
  const slug = save(hidden, ofEve)
  await workFor(HOUR)
  expect([platform.beatmapCalls, platform.ratingCalls]).toEqual(first)
  expect(platform.ratingCalls).toHaveLength(3)
  expect(statsOf(slug)?.complete).toBe(true)
})

it('stats stay as they were computed while nothing that they need was saved or read since (D-94)', async () => {
  const { clock, platform, save, turn, workFor, statsOf } = statsRig()
  const savedAt = new Date(clock.now()).toISOString()
  const slug = save(slotsOf('HD', 3, 10), ofEve)
  await turn()
  expect(statsOf(slug)).toMatchObject({ complete: true, computedAt: savedAt })
  await workFor(HOUR)
  expect(platform.ratingCalls).toHaveLength(3)
  expect(statsOf(slug)?.computedAt).toBe(savedAt)
})

it('owners, and everybody once a public pack has them, pay no call twice', async () => {
  const { platform, save, workFor, beatmapCache } = statsRig()
  save(slots, ofAda)
  await workFor(HOUR)
  expect((await beatmapCache.readBeatmaps([10])).get(10)?.isPublic).toBe(false)
  platform.forgetCalls()
  save(slots.slice(1), { ...ofAda, slug: 'again00000' })
  await workFor(HOUR)
  expect(platform.calls).toBe(0)
  save(slots, { ownerId: 'bob', visibility: 'public', slug: 'public0000' })
  await workFor(HOUR)
  expect(platform.calls).toBe(4)
  platform.forgetCalls()
  save(slots, { ...ofEve, slug: 'later00000' })
  await workFor(HOUR)
  expect(platform.calls).toBe(0)
})

it('a pack that everybody reads as hidden publishes nothing', async () => {
  const { save, workFor, beatmapCache } = statsRig()
  save(slots, { visibility: 'public', hiddenAt: 1 })
  await workFor(HOUR)
  expect((await beatmapCache.readBeatmaps([10])).get(10)?.isPublic).toBe(false)
})

it('packs take turns with the ratings that there are calls for, those that only pages show last (D-94)', async () => {
  const { platform, save, workFor } = statsRig()
  save(slotsOf('HD', 2, 200), { ...ofEve, slug: 'shown00000' })
  save(slotsOf('DT', 5, 10), { ...ofAda, slug: 'first00000' })
  save(slotsOf('HR', 3, 100), { ...ofEve, slug: 'second0000' })
  await workFor(HOUR)
  const asked = platform.ratingCalls.map((call) => Number(call.split(' ')[0]))
  expect(asked).toEqual([10, 100, 11, 101, 12, 102, 13, 14, 200, 201])
})
