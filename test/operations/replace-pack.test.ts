import { expect, onTestFinished, test } from 'vitest'
import { timestamp } from '../../src/domain/quotas.ts'
import { createPack, recordMagnet, replacePack, savedLast } from '../../src/operations/packs.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { signedIn } from '../support/signed-in.ts'

const house = async () => {
  const opened = await openHouse()
  onTestFinished(opened.close)
  const { accountId } = (await signedIn(opened)).viewer
  const pack = await createPack(opened.ports, accountId, aPack())
  const edit = (name: string, basedOn: string) =>
    replacePack(opened.ports, accountId, pack.slug, aPack({ name }), savedLast(basedOn))
  return { ...opened, accountId, pack, edit }
}

const stale = {
  code: 'conflict',
  message: 'the pack was changed after you started editing; nothing was saved',
}

test('an edit of the pack as it is is saved; another of the same state is a conflict', async () => {
  const { ports, pack, edit } = await house()
  const basedOn = timestamp(pack.updatedAt)
  const saved = await edit('First', basedOn)
  expect(saved.name).toBe('First')
  await expect(edit('Second', basedOn)).rejects.toMatchObject(stale)
  expect(await ports.packs.read(pack.slug)).toEqual(saved)
  expect((await edit('Second', timestamp(saved.updatedAt))).name).toBe('Second')
})

test('of two edits of one state at the same moment exactly one is saved', async () => {
  const { pack, edit } = await house()
  const basedOn = timestamp(pack.updatedAt)
  const edits = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => edit(name, basedOn)))
  expect(edits.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const each of edits) {
    if (each.status === 'rejected') expect(each.reason).toMatchObject(stale)
  }
})

test('recording a magnet link meanwhile is no conflict, and the link stays', async () => {
  const { ports, accountId, pack } = await house()
  const url = `magnet:?xt=urn:btih:${'a'.repeat(40)}`
  await recordMagnet(ports, accountId, pack.slug, { url, packKey: pack.packKey })
  const described = aPack({ description: 'the same maps' })
  const basedOn = timestamp(pack.updatedAt)
  const saved = await replacePack(ports, accountId, pack.slug, described, savedLast(basedOn))
  expect(saved.exports).toMatchObject([{ url }])
})

test('D-3: bad content is told first, then a pack that is not theirs, then the conflict', async () => {
  const { ports, accountId, pack } = await house()
  const bad = replacePack(ports, accountId, 'aaaaaaaaaa', aPack({ name: ' ' }), savedLast('never'))
  await expect(bad).rejects.toMatchObject({ code: 'bad_request' })
  const missing = replacePack(ports, 'somebody', pack.slug, aPack(), savedLast('never'))
  await expect(missing).rejects.toMatchObject({ code: 'not_found' })
  const conflict = replacePack(ports, accountId, pack.slug, aPack(), savedLast('never'))
  await expect(conflict).rejects.toMatchObject(stale)
})

test('without a state to begin from, as in the API, the last one wins', async () => {
  const { ports, accountId, pack, edit } = await house()
  await edit('First', timestamp(pack.updatedAt))
  const saved = await replacePack(ports, accountId, pack.slug, aPack({ name: 'Last' }))
  expect(saved.name).toBe('Last')
})
