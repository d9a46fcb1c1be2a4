import { afterAll, describe, expect, it } from 'vitest'
import { hidePack, pinPack, unhidePack } from '../../src/operations/moderation.ts'
import { publishPool } from '../../src/operations/published-pools.ts'
import { expectError, quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { createFaults } from './faults.ts'
import { expectPackShape } from './pack-shape.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { aMagnet, someStats } from './samples.ts'
import { alter } from './seed.ts'
import { expectStanding } from './standing.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const subject: Subject = {
  house,
  method: 'GET',
  prepare: async (host) => ({ path: `/packs/${await host.save(aPack())}` }),
}

/** An owner with a pack, and somebody else. */
const scene = async (visibility: 'private' | 'unlisted' | 'public') => {
  const [owner, other] = [await house.host(), await house.host()]
  const slug = await owner.save(aPack({ visibility }))
  return { owner, other, slug, path: `/packs/${slug}` }
}

describe('200 the pack', () => {
  it('is { pack } in the order of spec 2.2 (D-45)', async () => {
    const { owner, path } = await scene('unlisted')
    const reply = await owner.get(path)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(reply.headers.get('etag')).toMatch(/^"[^"]+"$/)
    expectStanding(reply)
    expect(Object.keys(reply.json)).toEqual(['pack'])
    expectPackShape(reply.json.pack, [])
  })

  it.each(['public', 'unlisted'] as const)(
    'is the same for everyone when %s',
    async (visibility) => {
      const { owner, other, path } = await scene(visibility)
      const [mine, theirs] = [await owner.get(path), await other.get(path)]
      expect(theirs.status).toBe(200)
      expect(theirs.text).toBe(mine.text)
      expect(theirs.headers.get('etag')).toBe(mine.headers.get('etag'))
    },
  )

  it('is its owner’s alone when private (spec 3)', async () => {
    const { owner, path } = await scene('private')
    expect((await owner.get(path)).json.pack.visibility).toBe('private')
  })

  it('has everything there can be, magnet links newest first (spec 2.5, D-45)', async () => {
    const owner = await house.host()
    const buckets = [{ code: 'RC', color: 3 }]
    const slug = await owner.save(aPack({ description: 'x', buckets, visibility: 'public' }))
    await alter(house, slug, { stats: someStats, exports: [aMagnet(3), aMagnet(2), aMagnet(1)] })
    await hidePack(house.ports, slug)
    const { pack } = (await owner.get(`/packs/${slug}`)).json
    expectPackShape(pack, ['description', 'buckets', 'hiddenAt', 'stats'])
    expect(JSON.stringify(pack.stats)).toBe(JSON.stringify(someStats))
    expect(JSON.stringify(pack.exports[0])).toBe(
      JSON.stringify({
        kind: 'magnet',
        url: aMagnet(3).url,
        createdAt: '2026-10-03T18:30:00.003Z',
      }),
    )
    expect(pack.exports.map(({ url }: { url: string }) => url)).toEqual(
      [3, 2, 1].map((number) => aMagnet(number).url),
    )
  })

  it('shows its owner when it was hidden, and that it no longer is (spec 2.2)', async () => {
    const { owner, other, slug, path } = await scene('public')
    const before = await other.get(path)
    await hidePack(house.ports, slug)
    const { pack } = (await owner.get(path)).json
    expect(pack.hiddenAt).toBe(new Date(house.clock.now()).toISOString())
    expect(pack.updatedAt).toBe(before.json.pack.updatedAt)
    await unhidePack(house.ports, slug)
    expect((await other.get(path)).text).toBe(before.text)
  })

  it('does not show a pin (spec 3)', async () => {
    const { other, slug, path } = await scene('public')
    const before = await other.get(path)
    await pinPack(house.ports, slug)
    expect((await other.get(path)).text).toBe(before.text)
  })

  it('names its owner as they are called now (spec 2.2)', async () => {
    const { owner, other, path } = await scene('public')
    expect((await other.get(path)).json.pack.ownerName).toBe(owner.username)
    await house.hostOf(owner.gameId, 'renamed')
    expect((await other.get(path)).json.pack.ownerName).toBe('renamed')
  })

  it('names the label of tournament pools, and an unknown player (spec 2.2, D-28)', async () => {
    const { owner, other, path } = await scene('public')
    const { slug } = await publishPool(house.ports, aPack())
    expect((await other.get(`/packs/${slug}`)).json.pack.ownerName).toBe('Tournament pools')
    await house.alter(`update account set username = null where game_id = ${owner.gameId}`)
    expect((await other.get(path)).json.pack.ownerName).toBe('Unknown player')
  })

  it('is found under an escaped spelling of its slug', async () => {
    const { owner, slug } = await scene('unlisted')
    const escaped = slug.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    expect((await owner.get(`/packs/${escaped}`)).json.pack.slug).toBe(slug)
  })

  it('ignores any query', async () => {
    const { owner, path } = await scene('unlisted')
    expect((await owner.get(`${path}?page=0&fields=slug`)).status).toBe(200)
  })

  it('gives 304 until it changes; that counts as a request (D-13)', async () => {
    const { owner, other, slug, path } = await scene('public')
    const first = await other.get(path)
    const condition = { 'If-None-Match': first.headers.get('etag') ?? '' }
    const again = await other.get(path, condition)
    expect(again).toMatchObject({ status: 304, text: '' })
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expectStanding(again)
    expect(quotaOf(again).remaining).toBe(quotaOf(first).remaining - 1)
    await owner.put(slug, aPack({ visibility: 'public' }))
    expect((await other.get(path, condition)).status).toBe(200)
  })

  it('tells no 304 to whom it may no longer tell anything (spec 3)', async () => {
    const { owner, other, slug, path } = await scene('public')
    const condition = { 'If-None-Match': (await other.get(path)).headers.get('etag') ?? '' }
    await owner.put(slug, aPack({ visibility: 'private' }))
    expect((await other.get(path, condition)).status).toBe(404)
    expect((await other.get(path, { 'If-None-Match': '*' })).status).toBe(404)
  })

  it('answers HEAD with the same headers and no body (D-12)', async () => {
    const { owner, path } = await scene('unlisted')
    const get = await owner.get(path)
    const head = await owner.ask('HEAD', path)
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
  })
})

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('404 not_found', () => {
  const message = 'there is no pack with this slug that you may see or change'

  it('says the same of missing, private, hidden and deleted packs (D-29)', async () => {
    const { owner, other, path } = await scene('private')
    const hidden = await owner.save(aPack({ visibility: 'public' }))
    await hidePack(house.ports, hidden)
    const deleted = await owner.save(aPack({ visibility: 'public' }))
    await owner.delete(deleted)
    const paths = ['/packs/AAAAAAAAAA', path, `/packs/${hidden}`, `/packs/${deleted}`]
    const replies = await Promise.all(paths.map((missing) => other.get(missing)))
    for (const reply of replies) {
      expectError(reply, 'not_found', message)
      expectStanding(reply)
      expect(reply.headers.has('etag')).toBe(false)
    }
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  })

  it.each(['short', 'elevenlette', 'nine.chars', '%C3%A4%C3%A4%C3%A4', 'a'.repeat(300)])(
    'knows no pack called %s (spec 2.2)',
    async (slug) => {
      expectError(await (await house.host()).get(`/packs/${slug}`), 'not_found', message)
    },
  )

  it.each(['%zz%zz%zz%', '', 'AAAAAAAAAA/', 'AAAAAAAAAA/x', 'AAAAA%2FAAAA'])(
    'knows nothing at /packs/%s',
    async (rest) => {
      expectError(await (await house.host()).get(`/packs/${rest}`), 'not_found')
    },
  )

  it('tells slugs apart by case (spec 2.2)', async () => {
    const { owner, slug } = await scene('unlisted')
    const other = slug.replace(/[a-zA-Z]/, (letter) =>
      letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
    )
    expectError(await owner.get(`/packs/${other}`), 'not_found', message)
  })
})

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => survivesFaults(subject, faults, ['packs', 'quotas']))
