import { Compile } from 'typebox/compile'
import { expect, onTestFinished, test } from 'vitest'
import { SitePack } from '../../src/contract/packs.ts'
import { asOperator } from '../../src/domain/moderation.ts'
import { presentSitePack } from '../../src/domain/packs.ts'
import { hidePack, pinPack } from '../../src/operations/moderation.ts'
import { createPack, openPack } from '../../src/operations/packs.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { moderator, signedIn } from '../support/signed-in.ts'

const checked = Compile(SitePack)

/** A pack of Ada's, and everyone who may look at it. */
const house = async (visibility: 'private' | 'unlisted' | 'public', isHidden: boolean) => {
  const opened = await openHouse()
  onTestFinished(opened.close)
  const { viewer: owner } = await signedIn(opened)
  const { slug } = await createPack(opened.ports, owner.accountId, aPack({ visibility }))
  if (isHidden) {
    // As if it was hidden before its owner made it private.
    await opened.ports.packs.replace(slug, owner.accountId, (pack) => ({
      ...pack,
      hiddenAt: opened.clock.now(),
      hiddenReason: 'off topic',
    }))
  }
  const viewers = {
    owner,
    moderator: await moderator(opened),
    somebody: (await signedIn(opened, { gameId: 5, username: 'Shige' })).viewer,
    signedOut: null,
  }
  return { ...opened, slug, viewers }
}

test.each([
  ['public', false, ['owner', 'moderator', 'somebody', 'signedOut']],
  ['unlisted', false, ['owner', 'moderator', 'somebody', 'signedOut']],
  ['private', false, ['owner']],
  ['public', true, ['owner', 'moderator']],
  ['unlisted', true, ['owner', 'moderator']],
  ['private', true, ['owner']],
] as const)('D-30: a %s pack, hidden: %s, is for %j', async (visibility, isHidden, allowed) => {
  const { ports, slug, viewers } = await house(visibility, isHidden)
  const seen: string[] = []
  for (const [who, viewer] of Object.entries(viewers)) {
    try {
      const pack = await openPack(ports, viewer, slug)
      const shown = presentSitePack(pack, viewer, 'Tournament pools')
      expect([...checked.Errors(shown)]).toEqual([])
      expect(shown.isMine).toBe(who === 'owner')
      expect('hiddenAt' in shown).toBe(isHidden)
      expect(shown.hiddenReason).toBe(isHidden ? 'off topic' : undefined)
      seen.push(who)
    } catch (error) {
      const missing = openPack(ports, viewer, 'aaaaaaaaaa')
      await expect(missing, 'D-29: in the same words').rejects.toEqual(error)
    }
  }
  expect(seen).toEqual(allowed)
})

test('D-30: the site says which packs are pinned; a pack of the pools has their label', async () => {
  const { ports, slug, viewers } = await house('public', false)
  const shown = async () =>
    presentSitePack(await openPack(ports, viewers.signedOut, slug), viewers.signedOut, 'Pools')
  expect(await shown()).toMatchObject({ isPinned: false, isMine: false, ownerName: 'Ada' })
  await pinPack(ports, slug)
  expect((await shown()).isPinned).toBe(true)
  await hidePack(ports, slug, asOperator())
  const pack = await openPack(ports, viewers.owner, slug)
  expect(presentSitePack(pack, viewers.owner, 'Pools')).toMatchObject({ isPinned: false })
})
