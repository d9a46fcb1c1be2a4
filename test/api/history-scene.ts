import type { PackInput } from '../../src/contract/packs.ts'
import { hidePack, unhidePack } from '../../src/operations/moderation.ts'
import { replacePack } from '../../src/operations/packs.ts'
import type { Reply } from '../support/door.ts'
import type { Host, House } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { accountIdOf } from './seed.ts'

/** A pack whose owner saves it past the door and its quotas, and somebody else. */
export const historyScene = async (house: House, first: Partial<PackInput> = {}) => {
  const [owner, other] = [await house.host(), await house.host()]
  const slug = await owner.save(aPack({ visibility: 'public', ...first }))
  const ownerId = await accountIdOf(house, owner)
  return {
    owner,
    other,
    slug,
    path: `/packs/${slug}/history`,
    save: (input: Partial<PackInput>) =>
      replacePack(house.ports, ownerId, slug, aPack({ visibility: 'public', ...input })),
    open: (isPublic = true) => house.ports.packs.setHistoryPublic(slug, ownerId, isPublic),
    hide: () => hidePack(house.ports, slug),
    unhide: () => unhidePack(house.ports, slug),
  }
}

/**
 * Versions 1 to 6 of an open history: public, private, unlisted, saved while hidden, public, public. Others
 * may read 1, 3, 5 and 6.
 */
export const mixedHistory = async (house: House) => {
  const scene = await historyScene(house, { name: 'One' })
  await scene.save({ name: 'Two', visibility: 'private' })
  await scene.save({ name: 'Three', visibility: 'unlisted' })
  await scene.hide()
  await scene.save({ name: 'Four', visibility: 'unlisted' })
  await scene.unhide()
  await scene.save({ name: 'Five' })
  await scene.save({ name: 'Five', description: 'Best of 13' })
  await scene.open()
  return scene
}

export const numbersOf = (reply: Reply): number[] =>
  reply.json.versions.map(({ version }: { version: number }) => version)

/** Paths of packs whose history `other` may not read, each for another reason (D-70). */
export const closedHistories = async (house: House) => {
  const closed = await historyScene(house)
  await closed.save({ name: 'Next' })
  const hidden = await historyScene(house)
  await hidden.open()
  await hidden.hide()
  const isPrivate = await historyScene(house)
  await isPrivate.open()
  await isPrivate.save({ visibility: 'private' })
  const deleted = await historyScene(house)
  await deleted.open()
  await deleted.owner.delete(deleted.slug)
  const other: Host = await house.host()
  return { other, scenes: { closed, hidden, private: isPrivate, deleted } }
}
