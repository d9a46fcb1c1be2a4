import { expect, onTestFinished, test } from 'vitest'
import { MAX_EXPORTS } from '../../src/contract/bounds.ts'
import { recordMagnet, removeMagnet } from '../../src/operations/packs.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const link = (at: number) => `magnet:?xt=urn:btih:${at.toString(16).padStart(40, '0')}`

const house = async () => {
  const opened = await openHouse()
  onTestFinished(opened.close)
  const owner = await opened.host()
  const slug = await owner.save(aPack())
  const { ports } = opened
  const pack = (await ports.packs.read(slug))!
  const record = (url: string, packKey = pack.packKey) =>
    recordMagnet(ports, pack.ownerId, slug, { url, packKey })
  return { ...opened, owner, slug, pack, record }
}

test('D-43: a link is kept in its one form, newest first, and the API shows it (spec 2.5)', async () => {
  const { owner, slug, record, clock } = await house()
  await record(`MAGNET:?tr=udp://t.test&dn=Autumn+Cup&xt=urn:btih:${'A'.repeat(40)}`)
  const first = new Date(clock.now()).toISOString()
  clock.advance(1000)
  const second = new Date(clock.now()).toISOString()
  await record(link(2))
  expect((await owner.get(`/packs/${slug}`)).json.pack.exports).toEqual([
    { kind: 'magnet', url: link(2), createdAt: second },
    {
      kind: 'magnet',
      url: `magnet:?xt=urn:btih:${'a'.repeat(40)}&dn=Autumn%20Cup`,
      createdAt: first,
    },
  ])
})

test('recording and removing leave everything else as it is, `updatedAt` too', async () => {
  const { ports, slug, pack, record, clock } = await house()
  clock.advance(60_000)
  await record(link(1))
  const removed = await removeMagnet(ports, pack.ownerId, slug, `${link(1)}&tr=http://t.test`)
  expect(removed).toEqual(pack)
  expect(await ports.packs.read(slug)).toEqual(pack)
})

test('D-43: another pack key than the current one is a conflict', async () => {
  const { owner, slug, pack, record } = await house()
  await owner.put(slug, aPack({ name: 'Renamed' }))
  await expect(record(link(1))).rejects.toMatchObject({ code: 'conflict' })
  await owner.put(slug, aPack())
  expect((await record(link(1), pack.packKey)).exports).toHaveLength(1)
})

test('spec 3: a link is lost with the pool that it was made for', async () => {
  const { owner, slug, record } = await house()
  await record(link(1))
  await owner.put(slug, aPack({ description: 'the same maps' }))
  expect((await owner.get(`/packs/${slug}`)).json.pack.exports).toHaveLength(1)
  await owner.put(slug, aPack({ name: 'Renamed' }))
  expect((await owner.get(`/packs/${slug}`)).json.pack.exports).toEqual([])
})

test('D-43: ten links and no more, whoever is first', async () => {
  const { record } = await house()
  const records = await Promise.allSettled(
    Array.from({ length: 15 }, (_, at) => record(link(at + 1))),
  )
  const refused = records.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(15 - MAX_EXPORTS)
  for (const each of refused) {
    expect(each).toMatchObject({
      reason: {
        code: 'conflict',
        message: 'a pack can have at most 10 magnet links; remove one first',
      },
    })
  }
})

test('D-43: the same link in another spelling is a conflict', async () => {
  const { record } = await house()
  await record(link(1))
  await expect(record(`${link(1).toUpperCase()}&dn=`)).rejects.toMatchObject({
    code: 'conflict',
    message: 'this magnet link has already been added',
  })
})

test('D-3: a link that is none is told before a pack that is none', async () => {
  const { ports, pack } = await house()
  const input = { url: 'https://example.test', packKey: pack.packKey }
  const bad = recordMagnet(ports, pack.ownerId, 'aaaaaaaaaa', input)
  await expect(bad).rejects.toMatchObject({ code: 'bad_request' })
  const badRemoval = removeMagnet(ports, pack.ownerId, 'aaaaaaaaaa', 'x')
  await expect(badRemoval).rejects.toMatchObject({ code: 'bad_request' })
})

test("D-29: a missing pack and another's are told in the same words", async () => {
  const { ports, slug, pack, hostOf } = await house()
  await hostOf(77, 'Peridot')
  const other = (await ports.accounts.findByGameId(77))!.id
  const refusal = {
    code: 'not_found',
    message: 'there is no pack with this slug that you may see or change',
  }
  const input = { url: link(1), packKey: pack.packKey }
  for (const [owner, at] of [
    [other, slug],
    [pack.ownerId, 'aaaaaaaaaa'],
  ] as const) {
    await expect(recordMagnet(ports, owner, at, input)).rejects.toMatchObject(refusal)
    await expect(removeMagnet(ports, owner, at, link(1))).rejects.toMatchObject(refusal)
  }
  await expect(removeMagnet(ports, pack.ownerId, slug, link(1))).rejects.toMatchObject({
    code: 'not_found',
    message: 'the pack does not have this magnet link',
  })
})
