import { expect, onTestFinished, test } from 'vitest'
import { MAX_PACKS } from '../../src/contract/bounds.ts'
import { SYSTEM_ACCOUNT_ID } from '../../src/domain/account.ts'
import { hidePack } from '../../src/operations/hide-pack.ts'
import { publishPool } from '../../src/operations/publish-pool.ts'
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

test('spec 9: a pool of the same name, spaces aside, is replaced; a player’s pack is not', async () => {
  const { ports, host, clock } = await house()
  const owner = await host()
  const own = await owner.save(aPack({ visibility: 'public' }))
  const first = await publishPool(ports, aPack({ description: 'first' }))
  clock.advance(1000)
  const second = await publishPool(ports, aPack({ name: ' Grand Finals ' }))
  expect(second).toMatchObject({ slug: first.slug, description: null, createdAt: first.createdAt })
  expect(second.updatedAt).toBeGreaterThan(first.updatedAt)
  expect(second.slug).not.toBe(own)
  expect((await publishPool(ports, aPack({ name: 'Finals' }))).slug).not.toBe(first.slug)
})

test('D-30: a hidden pool stays hidden when it is published again', async () => {
  const { ports } = await house()
  const { slug } = await publishPool(ports, aPack())
  await hidePack(ports, slug)
  expect((await publishPool(ports, aPack())).hiddenAt).not.toBeNull()
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
