import { expect, onTestFinished, test } from 'vitest'
import { createPack } from '../../src/operations/packs.ts'
import type { Random } from '../../src/ports/system.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { signedIn } from '../support/signed-in.ts'

/** Gives the same bytes so often, others afterwards. */
const repeating = (times: number) => ({
  asked: 0,
  bytes(count: number): Uint8Array {
    this.asked += 1
    return new Uint8Array(count).fill(this.asked <= times ? 1 : this.asked)
  },
})

const house = async () => {
  const opened = await openHouse()
  onTestFinished(opened.close)
  const { accountId } = (await signedIn(opened)).viewer
  const create = (random: Random) => createPack({ ...opened.ports, random }, accountId, aPack())
  return { create, ports: opened.ports }
}

test('D-26: a slug that is taken is no reason to fail: five are tried', async () => {
  const { create, ports } = await house()
  const first = await create(repeating(1))
  const random = repeating(4)
  const second = await create(random)
  expect(random.asked).toBe(5)
  expect(second.slug).not.toBe(first.slug)
  expect((await ports.packs.read(first.slug))?.createdAt).toBe(first.createdAt)
  expect(await ports.packs.read(second.slug)).toEqual(second)
})

test('D-26: five slugs that are taken in a row are no accident', async () => {
  const { create } = await house()
  await create(repeating(1))
  const random = repeating(5)
  await expect(create(random)).rejects.toThrow('no free slug')
  expect(random.asked).toBe(5)
})
