import { expect, onTestFinished, test } from 'vitest'
import { MAX_PACKS } from '../../src/contract/bounds.ts'
import { SYSTEM_ACCOUNT_ID } from '../../src/domain/accounts.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { publishPool, republishPool, unpublishPool } from '../../src/operations/published-pools.ts'
import { expectError } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const house = async () => {
  const opened = await openHouse()
  onTestFinished(opened.close)
  return opened
}

test('spec 9: a tournament pool is a plain public pack under the configured label', async () => {
  const { ports, host } = await house()
  const reader = await host()
  const { slug } = await publishPool(ports, aPack({ visibility: 'private' }))
  const { pack } = (await reader.get(`/packs/${slug}`)).json
  expect(pack).toMatchObject({ visibility: 'public', ownerName: 'Tournament pools' })
  expect((await reader.get('/packs')).json.packs).toEqual([pack])
  expectError(await reader.put(slug, aPack()), 'not_found')
  expectError(await reader.delete(slug), 'not_found')
})

test('publishing never replaces a pool of the same name (D-57)', async () => {
  const { ports } = await house()
  const first = await publishPool(ports, aPack({ description: 'Spring Cup' }))
  const second = await publishPool(ports, aPack({ description: 'Autumn Cup' }))
  expect(second.slug).not.toBe(first.slug)
  expect(await ports.packs.read(first.slug)).toMatchObject({ description: 'Spring Cup' })
  expect(await ports.packs.read(second.slug)).toMatchObject({ description: 'Autumn Cup' })
})

test('replacing by slug keeps the slug and gives back what was there (D-57)', async () => {
  const { ports, clock } = await house()
  const first = await publishPool(ports, aPack({ description: 'first' }))
  clock.advance(1000)
  const { pack, before } = await republishPool(ports, first.slug, aPack({ name: ' Finals 2 ' }))
  expect(pack).toMatchObject({ slug: first.slug, name: 'Finals 2', createdAt: first.createdAt })
  expect(pack.updatedAt).toBeGreaterThan(first.updatedAt)
  expect(before).toMatchObject({ name: first.name, description: 'first', packKey: first.packKey })
})

test('only published pools are replaced and unpublished, others look as if missing', async () => {
  const { ports, host } = await house()
  const owner = await host()
  const own = await owner.save(aPack({ visibility: 'public' }))
  const { pack: before } = (await owner.get(`/packs/${own}`)).json
  for (const slug of [own, 'aaaaaaaaaa']) {
    const refusal = { code: 'not_found', message: expect.stringContaining(slug) }
    await expect(republishPool(ports, slug, aPack())).rejects.toMatchObject(refusal)
    await expect(unpublishPool(ports, slug)).rejects.toMatchObject(refusal)
  }
  expect((await owner.get(`/packs/${own}`)).json.pack).toEqual(before)
})

test('an unpublished pool is gone, and can be published again from what is returned', async () => {
  const { ports } = await house()
  const first = await publishPool(ports, aPack({ description: 'first' }))
  const before = await unpublishPool(ports, first.slug)
  expect(await ports.packs.read(first.slug)).toBeNull()
  const { name, slots, description } = before
  const again = await publishPool(ports, { name, slots: [...slots], description: description! })
  expect(again).toMatchObject({ packKey: first.packKey, description: 'first' })
  await expect(unpublishPool(ports, first.slug)).rejects.toMatchObject({ code: 'not_found' })
})

test('D-30: a hidden pool stays hidden when it is replaced', async () => {
  const { ports } = await house()
  const { slug } = await publishPool(ports, aPack())
  await hidePack(ports, slug)
  expect((await republishPool(ports, slug, aPack())).pack.hiddenAt).not.toBeNull()
})

test('D-28: the system account may have more than 200 packs', async () => {
  const { ports } = await house()
  for (let count = 0; count <= MAX_PACKS; count++) {
    await publishPool(ports, aPack({ name: `Pool ${count}` }))
  }
  expect((await ports.packs.listOwned(SYSTEM_ACCOUNT_ID, 1, 50)).total).toBe(MAX_PACKS + 1)
})

test('spec 2.8: what a player may not save is not published', async () => {
  const { ports } = await house()
  await expect(publishPool(ports, aPack({ name: '   ' }))).rejects.toMatchObject({
    code: 'bad_request',
  })
  expect((await ports.packs.listOwned(SYSTEM_ACCOUNT_ID, 1, 50)).total).toBe(0)
})

test('a published pool holds no text that turns others (D-47)', async () => {
  const { ports } = await house()
  await expect(publishPool(ports, aPack({ name: '\u2067Finals' }))).rejects.toThrow(
    'name must not contain U+2067',
  )
})
