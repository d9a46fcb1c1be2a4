import { afterAll, describe, expect, it } from 'vitest'
import type { PackInput } from '../../src/contract/packs.ts'
import { hidePack, pinPack, unhidePack } from '../../src/operations/moderation.ts'
import { expectError, quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { createFaults } from './faults.ts'
import { expectPackShape } from './pack-shape.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { aMagnet, bodyOf, jsonTypes, otherTypes, sendInChunks, someStats } from './samples.ts'
import { alter } from './seed.ts'
import { expectStanding } from './standing.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const subject: Subject = {
  house,
  method: 'PUT',
  prepare: async (host) => ({ path: `/packs/${await host.save(aPack())}`, body: aPack() }),
}

/** A host with a saved pack. */
const scene = async (input: PackInput = aPack()) => {
  const host = await house.host()
  const slug = await host.save(input)
  return { host, slug, path: `/packs/${slug}` }
}

const [first, second, third] = aPack().slots as [Slot, Slot, Slot]
type Slot = PackInput['slots'][number]
const rice = { code: 'RC', color: 3 }

describe('200 the pack as it is now', () => {
  it('replaces everything that was sent and keeps the rest (spec 4.1 rule 3, D-45)', async () => {
    const { host, slug, path } = await scene(aPack({ description: 'Best of 9', buckets: [rice] }))
    const before = (await host.get(path)).json.pack
    house.clock.advance(5000)
    const reply = await host.put(slug, {
      name: ' Finals ',
      slots: [third, first],
      visibility: 'public',
    })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expectStanding(reply)
    const { pack } = reply.json
    expectPackShape(pack, [])
    expect(pack).toMatchObject({
      slug,
      name: 'Finals',
      visibility: 'public',
      slots: [third, first],
      createdAt: before.createdAt,
      updatedAt: new Date(house.clock.now()).toISOString(),
      ownerName: host.username,
    })
    expect(pack.packKey).not.toBe(before.packKey)
    expect((await host.get(path)).text).toBe(reply.text)
  })

  it('becomes unlisted when no visibility is sent (spec 3)', async () => {
    for (const visibility of ['private', 'public'] as const) {
      const { host, slug } = await scene(aPack({ visibility }))
      expect((await host.put(slug, aPack())).json.pack.visibility).toBe('unlisted')
    }
  })

  it('loses its description when none is sent, or an empty one (spec 3)', async () => {
    for (const change of [{}, { description: '  ' }]) {
      const { host, slug } = await scene(aPack({ description: 'Best of 13' }))
      expectPackShape((await host.put(slug, aPack(change))).json.pack, [])
    }
  })

  it('can be sent back as it was read (D-17)', async () => {
    const { host, slug, path } = await scene(aPack({ description: 'x', buckets: [rice] }))
    const { pack } = (await host.get(path)).json
    const reply = await host.put(slug, pack)
    expect(reply.status).toBe(200)
    expect(reply.json.pack).toEqual({ ...pack, updatedAt: expect.any(String) })
  })

  it('has its ETag, no Location, and If-None-Match means nothing to it (D-13, D-48)', async () => {
    const { host, path } = await scene()
    const headers = { 'If-None-Match': '*' }
    const reply = await host.ask('PUT', path, { body: aPack(), headers })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('etag')).toBe((await host.get(path)).headers.get('etag'))
    expect(reply.headers.has('location')).toBe(false)
  })

  it.each(jsonTypes)('may be sent as %s (D-25)', async (type) => {
    const { host, path } = await scene()
    const headers = { 'content-type': type }
    expect((await host.ask('PUT', path, { body: aPack(), headers })).status).toBe(200)
  })

  it('may come in a body of exactly 16,384 bytes, told or in chunks (D-25)', async () => {
    const { host, slug, path } = await scene()
    expect((await host.put(slug, bodyOf(16_384))).status).toBe(200)
    expect(await sendInChunks(host, 'PUT', path, bodyOf(16_384))).toMatchObject({ status: 200 })
  })
})

/** What a PUT of `to` does to a pack saved as `from`. */
const changes: readonly [string, Partial<PackInput>, Partial<PackInput>, Effect][] = [
  ['nothing', {}, {}, { exports: 'kept', stats: 'kept' }],
  ['the description', {}, { description: 'x' }, { exports: 'kept', stats: 'kept' }],
  ['the visibility', {}, { visibility: 'public' }, { exports: 'kept', stats: 'kept' }],
  ['space around the name', {}, { name: ' Grand Finals ' }, { exports: 'kept', stats: 'kept' }],
  ['the name', {}, { name: 'Finals' }, { exports: 'cleared', stats: 'kept' }],
  [
    'the order of the slots alone',
    {},
    { slots: [third, second, first] },
    { exports: 'kept', stats: 'kept' },
  ],
  [
    'a map',
    {},
    { slots: [{ ...first, beatmapId: 1 }, second, third] },
    { exports: 'cleared', stats: 'cleared' },
  ],
  ['the number of slots', {}, { slots: [first, second] }, { exports: 'cleared', stats: 'cleared' }],
  [
    'which map is in which slot',
    {},
    {
      slots: [
        { ...first, beatmapId: second.beatmapId },
        { ...second, beatmapId: first.beatmapId },
        third,
      ],
    },
    { exports: 'cleared', stats: 'cleared' },
  ],
  [
    'the bucket of a slot',
    {},
    { slots: [{ ...first, mod: 'HD' }, second, third] },
    { exports: 'cleared', stats: 'cleared' },
  ],
  [
    'a slot into one without a bucket',
    {},
    { slots: [{ ...first, mod: null }, second, third] },
    { exports: 'cleared', stats: 'cleared' },
  ],
  [
    'the index of a slot',
    {},
    { slots: [{ ...first, index: 2 }, second, third] },
    { exports: 'cleared', stats: 'cleared' },
  ],
  ['an empty bucket more', {}, { buckets: [rice] }, { exports: 'cleared', stats: 'kept' }],
  [
    'the colour of a bucket',
    { buckets: [rice] },
    { buckets: [{ ...rice, color: 4 }] },
    { exports: 'cleared', stats: 'kept' },
  ],
  [
    'the default table spelled out',
    {},
    { buckets: [{ code: 'NM' }, { code: 'HD' }, { code: 'HR' }, { code: 'DT' }, { code: 'FM' }] },
    { exports: 'kept', stats: 'kept' },
  ],
  [
    'the mods that a bucket forces',
    {
      buckets: [{ ...rice, mods: { kind: 'forced', set: ['HR'] } }],
      slots: [{ ...first, mod: 'RC' }],
    },
    {
      buckets: [{ ...rice, mods: { kind: 'forced', set: ['EZ'] } }],
      slots: [{ ...first, mod: 'RC' }],
    },
    { exports: 'cleared', stats: 'cleared' },
  ],
  [
    'the spelling of a forced set',
    { buckets: [{ ...rice, mods: { kind: 'forced', set: ['HD', 'DT'] } }] },
    { buckets: [{ ...rice, mods: { kind: 'forced', set: ['DT', 'HD'] } }] },
    { exports: 'kept', stats: 'kept' },
  ],
]
type Effect = { exports: 'kept' | 'cleared'; stats: 'kept' | 'cleared' }

describe('200 with magnet links and stats as the change leaves them', () => {
  it.each(changes)('%s (spec 3, spec 2.6 rule 4, D-27)', async (_, from, to, effect) => {
    const { host, slug, path } = await scene(aPack(from))
    await alter(house, slug, { stats: someStats, exports: [aMagnet(2), aMagnet(1)] })
    const before = (await host.get(path)).json.pack
    const { pack } = (await host.put(slug, aPack(to))).json
    expect(pack.exports).toEqual(effect.exports === 'kept' ? before.exports : [])
    expect(pack.packKey === before.packKey).toBe(effect.exports === 'kept')
    expect(pack.stats).toEqual(effect.stats === 'kept' ? someStats : undefined)
    expect((await host.get(path)).json.pack).toEqual(pack)
  })

  it('does not bring back what it cleared', async () => {
    const { host, slug } = await scene()
    await alter(house, slug, { stats: someStats, exports: [aMagnet(1)] })
    await host.put(slug, aPack({ slots: [first] }))
    const { pack } = (await host.put(slug, aPack())).json
    expectPackShape(pack, [])
    expect(pack.exports).toEqual([])
  })
})

describe('200 and the time of its last change', () => {
  it('moves with every PUT, even one that changes nothing at the same moment (D-26)', async () => {
    const { host, slug, path } = await scene()
    const seen = new Set([(await host.get(path)).json.pack.updatedAt])
    for (let count = 0; count < 3; count += 1) {
      seen.add((await host.put(slug, aPack())).json.pack.updatedAt)
    }
    expect(seen.size).toBe(4)
  })

  it('never goes back, though the clock does (D-26)', async () => {
    const { host, slug } = await scene()
    const last = Date.parse((await host.put(slug, aPack())).json.pack.updatedAt)
    house.clock.advance(-3_600_000)
    const back = (await host.put(slug, aPack())).json.pack
    expect(Date.parse(back.updatedAt)).toBe(last + 1)
    expect(Date.parse(back.createdAt)).toBeLessThan(last)
    house.clock.advance(7_200_000)
    const on = (await host.put(slug, aPack())).json.pack
    expect(Date.parse(on.updatedAt)).toBe(house.clock.now())
  })

  it('differs for PUTs at once; the last one is what is kept (D-26)', async () => {
    const { host, slug, path } = await scene()
    const names = Array.from({ length: 8 }, (_, at) => `Finals ${at}`)
    const replies = await Promise.all(names.map((name) => host.put(slug, aPack({ name }))))
    const times = replies.map(({ json }) => json.pack.updatedAt)
    expect(new Set(times).size).toBe(8)
    const kept = await host.get(path)
    expect(replies.map(({ text }) => text)).toContain(kept.text)
    expect(times.every((time) => time <= kept.json.pack.updatedAt)).toBe(true)
  })
})

describe('200 under a moderator’s hand', () => {
  it('stays hidden, whatever the owner makes of it (spec 3)', async () => {
    const { host, slug, path } = await scene(aPack({ visibility: 'public' }))
    await hidePack(house.ports, slug)
    const { hiddenAt } = (await host.get(path)).json.pack
    house.clock.advance(1000)
    const { pack } = (await host.put(slug, aPack({ name: 'Else', visibility: 'public' }))).json
    expectPackShape(pack, ['hiddenAt'])
    expect(pack.hiddenAt).toBe(hiddenAt)
    const other = await house.host()
    expectError(await other.get(path), 'not_found')
    await unhidePack(house.ports, slug)
    expect((await other.get(path)).json.pack.name).toBe('Else')
  })

  it.each(['unlisted', 'private'] as const)(
    'loses its pin when %s (spec 3)',
    async (visibility) => {
      const { host, slug } = await scene(aPack({ visibility: 'public' }))
      await pinPack(house.ports, slug)
      expect((await house.ports.packs.read(slug))?.pinnedRank).toBeTypeOf('number')
      await host.put(slug, aPack({ visibility }))
      await host.put(slug, aPack({ visibility: 'public' }))
      expect((await house.ports.packs.read(slug))?.pinnedRank).toBeNull()
    },
  )

  it('keeps its pin while it stays public (spec 3)', async () => {
    const { host, slug } = await scene(aPack({ visibility: 'public' }))
    await pinPack(house.ports, slug)
    await host.put(slug, aPack({ name: 'Else', visibility: 'public' }))
    expect((await house.ports.packs.read(slug))?.pinnedRank).toBeTypeOf('number')
  })
})

describe('400 bad_request', () => {
  it.each<[string, unknown]>([
    [
      'the body must be valid JSON: line 1, column 2: the body ends where a name in double quotes or } should be',
      '{',
    ],
    [
      'the body must be UTF-8: byte 2, in line 1, is not; encode the body as UTF-8',
      new Uint8Array([0x22, 0xff, 0x22]),
    ],
    ['the body must be a JSON object', []],
    ['slots is missing', { name: 'A' }],
    ['name is missing', { slots: [first] }],
    ['name must have 1 to 64 characters', aPack({ name: '' })],
    ['slots must have 1 to 64 items', aPack({ slots: [] })],
    [
      'slots[1].beatmapId must be from 1 to 2147483647',
      aPack({ slots: [first, { ...second, beatmapId: 0 }] }),
    ],
  ])('%s: the pack stays as it is (D-14)', async (message, body) => {
    const { host, slug, path } = await scene()
    const before = await host.get(path)
    const reply = await host.put(slug, body)
    expectError(reply, 'bad_request', message)
    expectStanding(reply)
    expect((await host.get(path)).text).toBe(before.text)
  })
})

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('404 not_found', () => {
  const message = 'there is no pack with this slug that you may see or change'

  it('says the same of missing and of others’ packs, whatever they are (D-29)', async () => {
    const owner = await house.host()
    const saved = [
      await owner.save(aPack({ visibility: 'public' })),
      await owner.save(aPack({ visibility: 'unlisted' })),
      await owner.save(aPack({ visibility: 'private' })),
      await owner.save(aPack({ visibility: 'public' })),
      await owner.save(aPack()),
    ]
    await hidePack(house.ports, saved[3]!)
    await owner.delete(saved[4]!)
    const before = (await owner.get('/me/packs')).text
    const other = await house.host()
    const texts = new Set<string>()
    for (const slug of [...saved, 'AAAAAAAAAA', 'short']) {
      const reply = await other.put(slug, aPack({ name: 'Taken over' }))
      expectError(reply, 'not_found', message)
      expectStanding(reply)
      texts.add(reply.text)
    }
    expect(texts.size).toBe(1)
    expect((await owner.get('/me/packs')).text).toBe(before)
  })

  it('does not bring a deleted pack back', async () => {
    const { host, slug } = await scene()
    await host.delete(slug)
    expectError(await host.put(slug, aPack()), 'not_found', message)
    expect((await host.get('/me/packs')).json.total).toBe(0)
  })

  it('spends the request and the write all the same (D-8)', async () => {
    const host = await house.host()
    const reply = await host.put('AAAAAAAAAA', aPack())
    expect(quotaOf(reply)).toMatchObject({ limit: 10, remaining: 9 })
  })
})

describe('412 precondition_failed', () => {
  it('If-Match names another state: the pack stays as it is (D-48)', async () => {
    const { host, path } = await scene()
    const before = await host.get(path)
    const headers = { 'if-match': '"another"' }
    const reply = await host.ask('PUT', path, { body: aPack({ name: 'Else' }), headers })
    expectError(reply, 'precondition_failed', /read it again/)
    expectStanding(reply)
    expect((await host.get(path)).text).toBe(before.text)
  })
})

describe('413 too_large', () => {
  it('a body of 16,385 bytes, told or in chunks; the pack stays as it is (D-25)', async () => {
    const { host, slug, path } = await scene()
    const before = await host.get(path)
    const reply = await host.put(slug, bodyOf(16_385))
    expectError(reply, 'too_large')
    expectStanding(reply)
    const chunked = await sendInChunks(host, 'PUT', path, bodyOf(16_385))
    expect(chunked).toEqual({ status: 413, code: 'too_large' })
    expect((await host.get(path)).text).toBe(before.text)
  })
})

describe('415 unsupported_media_type', () => {
  it.each(otherTypes)('a body sent as %s (D-25)', async (type) => {
    const { host, path } = await scene()
    const headers = { 'content-type': type }
    const reply = await host.ask('PUT', path, { body: aPack({ name: 'Else' }), headers })
    expectError(reply, 'unsupported_media_type')
    expectStanding(reply)
    expect((await host.get(path)).json.pack.name).toBe('Grand Finals')
  })

  it('no body and no type, and a packed body (D-25)', async () => {
    const { host, path } = await scene()
    expectError(await host.ask('PUT', path), 'unsupported_media_type')
    const headers = { 'content-encoding': 'gzip' }
    expectError(await host.ask('PUT', path, { body: aPack(), headers }), 'unsupported_media_type')
  })
})

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => {
  survivesFaults(subject, faults, ['packs', 'quotas'])

  it('leaves the pack as it was', async () => {
    const { host, slug, path } = await scene()
    const before = await host.get(path)
    await faults.during('packs', () => host.put(slug, aPack({ name: 'Else' })))
    expect((await host.get(path)).text).toBe(before.text)
  })
})
