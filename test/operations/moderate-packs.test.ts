import { expect, onTestFinished, test } from 'vitest'
import { hidePack, pinPack, unhidePack, unpinPack } from '../../src/operations/moderation.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const house = async () => {
  const opened = await openHouse()
  onTestFinished(opened.close)
  return opened
}

test('D-30: hiding takes the pin away in the same step, and pages say so at once', async () => {
  const { ports, host, clock } = await house()
  const owner = await host()
  const slug = await owner.save(aPack({ visibility: 'public' }))
  expect((await pinPack(ports, slug)).pinnedRank).toBe(1)
  const hidden = await hidePack(ports, slug)
  expect(hidden).toMatchObject({ hiddenAt: clock.now(), pinnedRank: null })
  expect((await owner.get('/packs')).json.total).toBe(0)
  expect(await unhidePack(ports, slug)).toMatchObject({ hiddenAt: null, pinnedRank: null })
  expect((await owner.get('/packs')).json.total).toBe(1)
})

test('spec 3: neither hiding nor pinning moves updatedAt', async () => {
  const { ports, host, clock } = await house()
  const owner = await host()
  const slug = await owner.save(aPack({ visibility: 'public' }))
  const before = (await owner.get(`/packs/${slug}`)).json.pack
  clock.advance(5000)
  await pinPack(ports, slug)
  await unpinPack(ports, slug)
  await hidePack(ports, slug)
  clock.advance(5000)
  const again = await hidePack(ports, slug)
  expect(again.hiddenAt, 'the first time stays').toBe(clock.now() - 5000)
  await unhidePack(ports, slug)
  expect((await owner.get(`/packs/${slug}`)).json.pack).toEqual(before)
})

test('D-30: of seven packs pinned at the same time six are, each with its own place', async () => {
  const { ports, host } = await house()
  const owner = await host()
  const slugs: string[] = []
  for (let count = 0; count < 7; count++) {
    slugs.push(await owner.save(aPack({ visibility: 'public' })))
  }
  const pins = await Promise.allSettled(slugs.map((slug) => pinPack(ports, slug)))
  const ranks = pins.flatMap((pin) => (pin.status === 'fulfilled' ? [pin.value.pinnedRank] : []))
  expect(new Set(ranks)).toEqual(new Set([1, 2, 3, 4, 5, 6]))
  expect(ranks).toHaveLength(6)
  const [refused] = pins.filter((pin) => pin.status === 'rejected')
  expect(refused?.reason).toMatchObject({
    code: 'conflict',
    message: '6 packs are already pinned; unpin one first',
  })
})

test('D-30: un-publishing loses the pin, and the place in the row is free again', async () => {
  const { ports, host } = await house()
  const owner = await host()
  const slug = await owner.save(aPack({ visibility: 'public' }))
  await pinPack(ports, slug)
  await owner.put(slug, aPack({ visibility: 'unlisted' }))
  expect((await ports.packs.read(slug))?.pinnedRank).toBeNull()
  await expect(pinPack(ports, slug)).rejects.toMatchObject({ code: 'conflict' })
})

test.each([
  ['hide', hidePack],
  ['unhide', unhidePack],
  ['pin', pinPack],
  ['unpin', unpinPack],
])('D-30: %s tells a private pack and a missing one in the same words', async (_verb, moderate) => {
  const { ports, host } = await house()
  const slug = await (await host()).save(aPack({ visibility: 'private' }))
  const refusal = {
    code: 'not_found',
    message: 'there is no unlisted or public pack with this slug',
  }
  await expect(moderate(ports, slug)).rejects.toMatchObject(refusal)
  await expect(moderate(ports, 'aaaaaaaaaa')).rejects.toMatchObject(refusal)
})
