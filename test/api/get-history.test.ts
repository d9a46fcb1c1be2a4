import { afterAll, describe, expect, it } from 'vitest'
import { PAGE_SIZE } from '../../src/contract/bounds.ts'
import { publishPool, republishPool } from '../../src/operations/published-pools.ts'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { expectError, quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { createFaults } from './faults.ts'
import { closedHistories, historyScene, mixedHistory, numbersOf } from './history-scene.ts'
import { ignoresOtherQueries, linkOf, readsPageNumbers } from './pages.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { aMagnet } from './samples.ts'
import { alter } from './seed.ts'
import { expectStanding, orderOf } from './standing.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const subject: Subject = {
  house,
  method: 'GET',
  prepare: async (host) => ({ path: `/packs/${await host.save(aPack())}/history` }),
}

const message = 'there is no pack with this slug that you may see or change'

describe('200 a page of versions', () => {
  it('has the pack as it is as the only version of a new one, in the order of D-72 (D-45, D-71)', async () => {
    const { owner, slug, path } = await historyScene(house, { description: 'Best of 13' })
    const { pack } = (await owner.get(`/packs/${slug}`)).json
    const reply = await owner.get(path)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(reply.headers.get('etag')).toMatch(/^"[^"]+"$/)
    expectStanding(reply)
    expect(reply.text).toBe(
      JSON.stringify({
        versions: [
          {
            version: 1,
            savedAt: pack.createdAt,
            savedBy: owner.username,
            name: 'Grand Finals',
            description: 'Best of 13',
            visibility: 'public',
            packKey: pack.packKey,
            changes: [],
          },
        ],
        page: 1,
        pageCount: 1,
        total: 1,
      }),
    )
    expect(reply.headers.get('link')).toBe(linkOf(path, { first: 1, last: 1 }))
  })

  it('has what each save changed, newest first (D-72)', async () => {
    const { owner, path, save } = await historyScene(house)
    const [nm, dt, tb] = aPack().slots as [Slot, Slot, Slot]
    house.clock.advance(1000)
    await save({ slots: [nm, { ...dt, beatmapId: 75 }, tb] })
    const second = new Date(house.clock.now()).toISOString()
    house.clock.advance(1000)
    await save({
      slots: [nm, { ...dt, beatmapId: 75 }, tb],
      visibility: 'unlisted',
      description: 'x',
    })
    const { versions } = (await owner.get(path)).json
    expect(versions).toMatchObject([
      {
        version: 3,
        visibility: 'unlisted',
        changes: [
          { kind: 'description', to: 'x' },
          { kind: 'visibility', from: 'public', to: 'unlisted' },
        ],
      },
      {
        version: 2,
        savedAt: second,
        changes: [{ kind: 'replaced', at: 'DT1', from: dt.beatmapId, to: 75 }],
      },
      { version: 1, changes: [] },
    ])
    expect(orderOf(versions[1])).not.toContain('description')
  })

  it('has no version of a save that changes nothing, of magnets, moderators and the switch (D-71)', async () => {
    const { owner, slug, path, save, open, hide, unhide } = await historyScene(house)
    await save({})
    await save({ slots: aPack().slots.toReversed() })
    await alter(house, slug, { exports: [aMagnet(1)] })
    await hide()
    await unhide()
    await open()
    expect(numbersOf(await owner.get(path))).toEqual([1])
  })

  it('is all of it for its owner, though it is closed, private or hidden (D-70)', async () => {
    const scene = await mixedHistory(house)
    const all = [6, 5, 4, 3, 2, 1]
    expect(numbersOf(await scene.owner.get(scene.path))).toEqual(all)
    await scene.open(false)
    expect(numbersOf(await scene.owner.get(scene.path))).toEqual(all)
    await scene.hide()
    expect(numbersOf(await scene.owner.get(scene.path))).toEqual(all)
    await scene.save({ visibility: 'private' })
    expect(numbersOf(await scene.owner.get(scene.path))).toEqual([7, ...all])
  })

  it('has for others what was saved while neither private nor hidden, and counts and compares nothing else (D-70)', async () => {
    const { other, path } = await mixedHistory(house)
    const reply = await other.get(path)
    expect(numbersOf(reply)).toEqual([6, 5, 3, 1])
    expect(reply.json).toMatchObject({ page: 1, pageCount: 1, total: 4 })
    expect(reply.json.versions.map(({ changes }: { changes: unknown }) => changes)).toEqual([
      [{ kind: 'description', to: 'Best of 13' }],
      [
        { kind: 'name', from: 'Three', to: 'Five' },
        { kind: 'visibility', from: 'unlisted', to: 'public' },
      ],
      [
        { kind: 'name', from: 'One', to: 'Three' },
        { kind: 'visibility', from: 'public', to: 'unlisted' },
      ],
      [],
    ])
    expect(reply.text).not.toMatch(/Two|Four|private/)
  })

  it('hides a version for good that was saved while hidden, and shows an older one again (D-70)', async () => {
    const { owner, other, path, save, open, hide, unhide } = await historyScene(house)
    await open()
    await hide()
    await save({ name: 'While hidden' })
    // Saved again while it is shown, but not changed: no other version.
    await unhide()
    await save({ name: 'While hidden' })
    expect(numbersOf(await other.get(path))).toEqual([1])
    expect(numbersOf(await owner.get(path))).toEqual([2, 1])
  })

  it('begins for others with what they may read, compared with nothing before (D-70)', async () => {
    const { other, path, save, open } = await historyScene(house, { visibility: 'private' })
    await open()
    await save({ visibility: 'private', name: 'Two' })
    await save({ name: 'Three' })
    const reply = await other.get(path)
    expect(numbersOf(reply)).toEqual([3])
    expect(reply.json).toMatchObject({ total: 1, versions: [{ changes: [] }] })
  })

  it('names its owner as they are called now (spec 2.2)', async () => {
    const { owner, path } = await historyScene(house)
    const renamed = await house.hostOf(owner.gameId, 'renamed')
    expect((await renamed.get(path)).json.versions[0].savedBy).toBe('renamed')
  })

  it('has 50 a page, the newest 100 in all, and compares across pages (D-71, D-72)', async () => {
    const { owner, path, save } = await historyScene(house)
    for (let at = 2; at <= 102; at += 1) await save({ name: `save ${at}` })
    const first = await owner.get(path)
    const second = await owner.get(`${path}?page=2`)
    expect(first.json).toMatchObject({ page: 1, pageCount: 2, total: 100 })
    expect(numbersOf(first)).toEqual(Array.from({ length: PAGE_SIZE }, (_, at) => 102 - at))
    expect(numbersOf(second)).toEqual(Array.from({ length: PAGE_SIZE }, (_, at) => 52 - at))
    expect(first.json.versions.at(-1).changes).toEqual([
      { kind: 'name', from: 'save 52', to: 'save 53' },
    ])
    expect(second.json.versions.at(-1)).toMatchObject({ version: 3, changes: [] })
    expect(first.headers.get('link')).toBe(linkOf(path, { first: 1, next: 2, last: 2 }))
    expect(second.headers.get('link')).toBe(linkOf(path, { first: 1, prev: 1, last: 2 }))
    const past = await owner.get(`${path}?page=9`)
    expect(past.json).toEqual({ versions: [], page: 9, pageCount: 2, total: 100 })
    expect(past.headers.get('link')).toBe(linkOf(path, { first: 1, prev: 2, last: 2 }))
  })

  it('shows texts that were saved before D-47, and leaves out a pack key that cannot be read', async () => {
    const { owner, slug, path, save } = await historyScene(house)
    await save({ name: 'Two' })
    await save({ name: 'Three' })
    const old = encodePackKey({ ...aPack(), name: '\u202egnp', buckets: null })
    const where = `where pack_id = (select id from pack where slug = '${slug}')`
    await house.alter(`update pack_version set pack_key = '${old}' ${where} and version = 1`)
    await house.alter(`update pack_version set pack_key = 'pk9.AAAA' ${where} and version = 2`)
    const reply = await owner.get(path)
    expect(reply.json).toMatchObject({
      versions: [
        { version: 3, name: 'Three', changes: [{ kind: 'name', from: 'gnp', to: 'Three' }] },
        { version: 1, name: 'gnp', packKey: old },
      ],
      total: 2,
    })
    expectError(await owner.get(`${path}/2`), 'not_found', /no version/)
  })

  it('gives 304 until a save makes a version; that counts as a request (D-13)', async () => {
    const { owner, path, save } = await historyScene(house)
    const first = await owner.get(path)
    const condition = { 'If-None-Match': first.headers.get('etag') ?? '' }
    await save({})
    const again = await owner.get(path, condition)
    expect(again).toMatchObject({ status: 304, text: '' })
    expect(again.headers.get('link')).toBe(first.headers.get('link'))
    expect(quotaOf(again).remaining).toBe(quotaOf(first).remaining - 1)
    await save({ name: 'Next' })
    expect((await owner.get(path, condition)).status).toBe(200)
  })

  it('gives no 304 to those who may no longer read it (D-70)', async () => {
    const { other, path, open } = await historyScene(house)
    await open()
    const condition = { 'If-None-Match': (await other.get(path)).headers.get('etag') ?? '' }
    await open(false)
    expectError(await other.get(path, condition), 'not_found', message)
    expectError(await other.get(path, { 'If-None-Match': '*' }), 'not_found', message)
  })

  it('answers HEAD with the same headers and no body, and OPTIONS with what the path takes (D-12)', async () => {
    const { owner, path } = await historyScene(house)
    const get = await owner.get(path)
    const head = await owner.ask('HEAD', path)
    expect(head).toMatchObject({ status: 200, text: '' })
    for (const name of ['etag', 'content-length', 'link']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name))
    }
    const options = await owner.ask('OPTIONS', path)
    expect(options).toMatchObject({ status: 204, text: '' })
    expect(options.headers.get('allow')).toBe('GET, PUT, HEAD, OPTIONS')
    for (const method of ['POST', 'DELETE']) {
      const reply = await owner.ask(method, path)
      expectError(reply, 'method_not_allowed')
      expect(reply.headers.get('allow')).toBe('GET, PUT, HEAD, OPTIONS')
    }
  })

  const newHost = async () => {
    const host = await house.host()
    const ask = host.get.bind(host)
    const slug = await host.save(aPack())
    host.get = (path, headers) => ask(path.replace('SLUG', slug), headers)
    return host
  }
  ignoresOtherQueries(newHost, '/packs/SLUG/history')
})

type Slot = ReturnType<typeof aPack>['slots'][number]

describe('400 bad_request', () => {
  readsPageNumbers(() => house.host(), '/packs/AAAAAAAAAA/history')
})

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('404 not_found', () => {
  it('says the same of missing packs and closed, private, hidden and deleted ones (D-29, D-70)', async () => {
    const { other, scenes } = await closedHistories(house)
    const pack = await other.get('/packs/AAAAAAAAAA')
    const paths = Object.values(scenes).map(({ path }) => path)
    for (const path of [...paths, '/packs/AAAAAAAAAA/history', '/packs/short/history']) {
      const reply = await other.get(path)
      expectError(reply, 'not_found', message)
      expectStanding(reply)
      expect(reply.text).toBe(pack.text)
      expect(reply.headers.has('etag')).toBe(false)
      expect(reply.headers.has('link')).toBe(false)
    }
  })

  it('is the answer about tournament pools, which nobody can open (D-28, D-70)', async () => {
    const { slug } = await publishPool(house.ports, aPack())
    await republishPool(house.ports, slug, aPack({ name: 'Next' }))
    expectError(await (await house.host()).get(`/packs/${slug}/history`), 'not_found', message)
  })

  it('comes after the key and the page (D-3)', async () => {
    const host = await house.host()
    expectError(await host.door.ask('GET', '/packs/AAAAAAAAAA/history?page=0'), 'unauthorized')
    expectError(await host.get('/packs/AAAAAAAAAA/history?page=0'), 'bad_request')
    expectError(await host.get('/packs//history'), 'not_found')
    expectError(await host.get('/packs/AAAAAAAAAA/histories'), 'not_found', /nothing at this path/)
  })
})

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => survivesFaults(subject, faults, ['packs', 'quotas']))
