import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
afterAll(house.close)
const host = await house.host()
beforeEach(() => house.clock.nextMinute())

const builtins = ['NM', 'HD', 'HR', 'DT', 'FM'].map((code) => ({ code }))
const TB = { code: 'TB' }
const slot = { mod: 'NM', index: 1, beatmapId: 75 }

const saved = async (body: unknown) => {
  const reply = await host.post(body)
  expect(reply.status, reply.text).toBe(201)
  const { pack } = reply.json
  await host.delete(pack.slug)
  return pack
}

describe('D-17: unknown fields are ignored', () => {
  test('of the body, a slot and a custom bucket; none comes back', async () => {
    const pack = await saved({
      ...aPack({ slots: [{ ...slot, title: 'x', stars: 1 } as typeof slot] }),
      buckets: [{ code: 'RC', color: 1, name: 'Rice' }],
      slug: 'AAAAAAAAAA',
      ownerName: 'someone else',
      hiddenAt: 1,
      stats: {},
      exports: [{ kind: 'magnet' }],
      __proto__: { polluted: true },
      constructor: 1,
    })
    expect(pack.slots).toEqual([slot])
    expect(pack.buckets).toEqual([...builtins, { code: 'RC', color: 1 }, TB])
    expect(pack.slug).not.toBe('AAAAAAAAAA')
    expect(pack.ownerName).toBe(host.username)
    expect(pack).not.toHaveProperty('hiddenAt')
  })

  test('a pack that was read can be sent back', async () => {
    const slug = await host.save(aPack({ buckets: [{ code: 'RC', color: 1 }] }))
    const { pack } = (await host.get(`/packs/${slug}`)).json
    const again = (await host.put(slug, pack)).json.pack
    expect({ ...again, updatedAt: pack.updatedAt }).toEqual(pack)
    await host.delete(slug)
  })

  test('fields called __proto__ and constructor are fields like any other', async () => {
    const text = JSON.stringify(aPack()).replace('{', '{"__proto__":{"name":1},"constructor":null,')
    expect((await saved(text)).name).toBe('Grand Finals')
  })
})

describe('D-18: numbers are what JSON says', () => {
  test.each(['1', '1.0', '1e0', '10e-1'])('index %s is 1', async (index) => {
    const text = `{"name":"a","slots":[{"mod":"NM","index":${index},"beatmapId":75}]}`
    expect((await saved(text)).slots[0].index).toBe(1)
  })

  test('a byte order mark in front of the body is no part of it', async () => {
    expect((await saved(`\ufeff${JSON.stringify(aPack())}`)).name).toBe('Grand Finals')
  })
})

describe('D-19: name and description are trimmed, then bounded', () => {
  test.each([
    [' a ', 'a'],
    ['\t\na\u3000', 'a'],
    [`  ${'x'.repeat(64)}  `, 'x'.repeat(64)],
    ['🌸'.repeat(32), '🌸'.repeat(32)],
    ['<script>"&\'', '<script>"&\''],
    ['e\u0301', 'e\u0301'],
  ])('name %j', async (name, stored) => {
    expect((await saved(aPack({ name }))).name).toBe(stored)
  })

  test.each([
    ['', undefined],
    [' \n ', undefined],
    [' a\nb\r\nc ', 'a\nb\r\nc'],
    [` ${'x'.repeat(500)} `, 'x'.repeat(500)],
    ['🌸'.repeat(250), '🌸'.repeat(250)],
  ])('description %j', async (description, stored) => {
    expect((await saved(aPack({ description }))).description).toBe(stored)
  })
})

describe('D-20 to D-23: slots and buckets', () => {
  test('D-20: slots come back as sent; the key does not mind their order', async () => {
    const slots = [{ ...slot, index: 2 }, slot, { mod: null, index: 1, beatmapId: 1 }]
    const one = await saved(aPack({ slots }))
    const other = await saved(aPack({ slots: slots.toReversed() }))
    expect(one.slots).toEqual(slots)
    expect(other.slots).toEqual(slots.toReversed())
    expect(one.packKey).toBe(other.packKey)
  })

  test.each([
    ['none', undefined, undefined],
    ['an empty list', [], undefined],
    ['the default list', [...builtins, TB], undefined],
    [
      'a part of the default list',
      [{ code: 'HD' }, TB],
      [{ code: 'NM' }, { code: 'HR' }, { code: 'DT' }, { code: 'FM' }, { code: 'HD' }, TB],
    ],
    ['TB alone', [TB], undefined],
    ['another order', [TB, ...builtins], [TB, ...builtins]],
  ])('D-22: %s', async (_title, buckets, stored) => {
    expect((await saved({ ...aPack(), ...(buckets && { buckets }) })).buckets).toEqual(stored)
  })

  test('D-22: codes of slots become buckets before TB with the lowest free colours', async () => {
    const pack = await saved(
      aPack({
        buckets: [
          { code: 'A', color: 0 },
          { code: 'B', color: 2 },
        ],
        slots: [slot, { mod: 'X', index: 1, beatmapId: 1 }, { mod: 'Y', index: 1, beatmapId: 2 }],
      }),
    )
    expect(pack.buckets).toEqual([
      ...builtins,
      { code: 'A', color: 0 },
      { code: 'B', color: 2 },
      { code: 'X', color: 1 },
      { code: 'Y', color: 3 },
      TB,
    ])
  })

  test('D-23: a forced set is stored in the order EZ HD HR DT HT FL', async () => {
    const mods = { kind: 'forced' as const, set: ['FL', 'HD', 'EZ'] as ('FL' | 'HD' | 'EZ')[] }
    const pack = await saved(aPack({ buckets: [{ code: 'RC', color: 9, mods }] }))
    expect(pack.buckets[5]).toEqual({
      code: 'RC',
      color: 9,
      mods: { kind: 'forced', set: ['EZ', 'HD', 'FL'] },
    })
  })

  test('the largest pack: 64 slots, 8 custom buckets, every bound at its end', async () => {
    const codes = Array.from({ length: 8 }, (_, at) => `${'Ж'.repeat(11)}${at}`)
    const pack = await saved(
      aPack({
        name: '🌸'.repeat(32),
        description: 'й'.repeat(500),
        buckets: codes.map((code, color) => ({ code, color })),
        slots: Array.from({ length: 64 }, (_, at) => ({
          mod: codes[at % 8] ?? null,
          index: 99 - Math.floor(at / 8),
          beatmapId: 2_147_483_647,
        })),
      }),
    )
    expect(pack.slots).toHaveLength(64)
    expect(pack.buckets).toHaveLength(14)
  })
})
