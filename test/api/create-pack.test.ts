import { afterAll, describe, expect, it } from 'vitest'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import { decodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { expectError, quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack, slots } from '../support/samples.ts'
import { createFaults } from './faults.ts'
import { expectPackShape } from './pack-shape.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { bodyOf, jsonTypes, otherTypes, sendInChunks } from './samples.ts'
import { expectStanding } from './standing.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const subject: Subject = {
  house,
  method: 'POST',
  prepare: async () => ({ path: '/packs', body: aPack() }),
}

describe('201 the new pack', () => {
  it('is { pack } with what was sent, unlisted unless said otherwise (spec 3, D-45)', async () => {
    const host = await house.host()
    const reply = await host.post(aPack())
    expect(reply.status).toBe(201)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expectStanding(reply)
    expect(Object.keys(reply.json)).toEqual(['pack'])
    const { pack } = reply.json
    expectPackShape(pack, [])
    const now = new Date(house.clock.now()).toISOString()
    expect(pack).toMatchObject({
      ...aPack(),
      visibility: 'unlisted',
      exports: [],
      createdAt: now,
      updatedAt: now,
      ownerName: host.username,
    })
  })

  it('is there at its Location, byte for byte (D-13)', async () => {
    const host = await house.host()
    const reply = await host.post(aPack({ description: 'Best of 13' }))
    const { slug } = reply.json.pack
    expect(reply.headers.get('location')).toBe(`http://packs.test/api/v1/packs/${slug}`)
    expect((await host.get(`/packs/${slug}`)).text).toBe(reply.text)
  })

  it.each(['private', 'unlisted', 'public'] as const)('can be %s (spec 3)', async (visibility) => {
    const { pack } = (await (await house.host()).post(aPack({ visibility }))).json
    expect(pack.visibility).toBe(visibility)
  })

  it('has all optional fields that were sent, in the order of spec 2.2 (D-45)', async () => {
    const buckets = [{ code: 'RC', color: 3, mods: { kind: 'forced', set: ['DT', 'HD'] } }] as const
    const body = { description: 'Best of 13', buckets, visibility: 'public', ...aPack() }
    const { pack } = (await (await house.host()).post(body)).json
    expectPackShape(pack, ['description', 'buckets'])
    expect(JSON.stringify(pack.buckets.at(-2))).toBe(
      '{"code":"RC","color":3,"mods":{"kind":"forced","set":["HD","DT"]}}',
    )
  })

  it('has its name and description trimmed, an empty description not at all (D-19)', async () => {
    const host = await house.host()
    const sent = { name: '  Grand Finals\t', description: '\n Best of 13\nTwo bans ' }
    const { pack } = (await host.post(aPack(sent))).json
    expect(pack).toMatchObject({ name: 'Grand Finals', description: 'Best of 13\nTwo bans' })
    expectPackShape((await host.post(aPack({ description: ' \n ' }))).json.pack, [])
  })

  it('has its slots in the order in which they were sent (D-20)', async () => {
    const sent = aPack({ slots: slots(64).toReversed() })
    const { pack } = (await (await house.host()).post(sent)).json
    expect(pack.slots).toEqual(sent.slots)
  })

  it('has the whole bucket table when it is not the default one (D-22)', async () => {
    const host = await house.host()
    const rice = { mod: 'RC', index: 1, beatmapId: 4393036 }
    const { pack } = (await host.post(aPack({ slots: [...slots(2), rice] }))).json
    const builtin = (codes: string[]) => codes.map((code) => ({ code }))
    const front = builtin(['NM', 'HD', 'HR', 'DT', 'FM'])
    expect(pack.buckets).toEqual([...front, { code: 'RC', color: 0 }, { code: 'TB' }])
    const table = builtin(['NM', 'HD', 'HR', 'DT', 'FM', 'TB']) as never
    expectPackShape((await host.post(aPack({ buckets: table }))).json.pack, [])
  })

  it('has a pack key that opens to the same pool (spec 2.2)', async () => {
    const { pack } = (await (await house.host()).post(aPack())).json
    expect(decodePackKey(pack.packKey)).toEqual({
      name: pack.name,
      buckets: null,
      slots: pack.slots,
    })
  })

  it('can be made from a pack as it was read: what is not ours to take is ignored (D-17)', async () => {
    const host = await house.host()
    const first = await host.post(aPack({ buckets: [{ code: 'RC', color: 3 }] }))
    const second = await host.post({ ...first.json.pack, ownerName: 'nobody', x: { y: [] } })
    expect(second.status).toBe(201)
    expect(second.json.pack).toEqual({ ...first.json.pack, slug: second.json.pack.slug })
    expect(second.json.pack.slug).not.toBe(first.json.pack.slug)
  })

  it('may be 64 slots in scripts of any kind, and 8 buckets of its own (spec 8)', async () => {
    const codes = ['ÄÖ', 'Ж1', '東方', '١٢', 'ΩΩΩ', 'abcdefghijkl', '１２', 'ก']
    const buckets = codes.map((code, color) => ({ code, color }))
    const sent = aPack({ name: '秋の大会 🏆', slots: slots(64), buckets })
    const { status, json } = await (await house.host()).post(sent)
    expect(status).toBe(201)
    expect(json.pack.name).toBe(sent.name)
    expect(json.pack.buckets).toHaveLength(14)
  })

  it('has the last of a field that is there twice (D-18)', async () => {
    const host = await house.host()
    const reply = await host.post(
      `{"name":5,${JSON.stringify(aPack()).slice(1, -1)},"name":"Last"}`,
    )
    expect([reply.status, reply.json.pack?.name]).toEqual([201, 'Last'])
    for (const escape of ['\\u0000', '\\udfb5']) {
      const body = `{"name":"${escape}",${JSON.stringify(aPack()).slice(1, -1)}}`
      expectError(await host.post(body), 'bad_request', /^the body has a field twice, and a /)
    }
  })

  it('may come in a body of exactly 16,384 bytes, told or in chunks (D-25)', async () => {
    const host = await house.host()
    expect((await host.post(bodyOf(16_384))).status).toBe(201)
    expect(await sendInChunks(host, 'POST', '/packs', bodyOf(16_384))).toMatchObject({
      status: 201,
    })
  })

  it.each(jsonTypes)('may be sent as %s (D-25)', async (type) => {
    const headers = { 'content-type': type }
    const reply = await (await house.host()).ask('POST', '/packs', { body: aPack(), headers })
    expect(reply.status).toBe(201)
  })

  it('has the ETag of the new pack, and If-None-Match means nothing to it (D-13, D-48)', async () => {
    const headers = { 'If-None-Match': '*' }
    const host = await house.host()
    const reply = await host.ask('POST', '/packs', { body: aPack(), headers })
    expect(reply.status).toBe(201)
    const read = await host.get(`/packs/${reply.json.pack.slug}`)
    expect(reply.headers.get('etag')).toBe(read.headers.get('etag'))
  })
})

describe('400 bad_request', () => {
  const [slot] = aPack().slots
  const custom = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ code: `C${at}`, color: 0 }))
  const slur = slurs.find(({ stem }) => /^[a-z]{6,}$/.test(stem))!.stem

  it.each<[string, unknown]>([
    [
      'the body must be valid JSON: line 1, column 2: the body ends where a name in double quotes or } should be',
      '{',
    ],
    ['the body must be valid JSON: it is empty; send a JSON object', ''],
    [
      'the body must be UTF-8: byte 2, in line 1, is not; encode the body as UTF-8',
      new Uint8Array([0x22, 0xff, 0x22]),
    ],
    ['the body must be a JSON object', [aPack()]],
    ['the body must be a JSON object', 'null'],
    ['name is missing', { slots: [slot] }],
    ['slots is missing', { name: 'A' }],
    ['name must have 1 to 64 characters', aPack({ name: '  ' })],
    ['name must have 1 to 64 characters', aPack({ name: 'x'.repeat(65) })],
    ['slots must have 1 to 64 items', aPack({ slots: [] })],
    ['slots must have 1 to 64 items', aPack({ slots: slots(65) })],
    [
      'slots[3].index must be from 1 to 99',
      aPack({ slots: [...slots(3), { ...slot!, index: 0 }] }),
    ],
    [
      'slots[0].index must be a whole number from 1 to 99',
      { name: 'A', slots: [{ ...slot, index: '1' }] },
    ],
    ['description must have at most 500 characters', aPack({ description: 'x'.repeat(501) })],
    ['visibility must be one of private, unlisted, public', { ...aPack(), visibility: 'hidden' }],
    ['buckets must have at most 14 items', aPack({ buckets: custom(15) })],
    ['buckets[0].color must be from 0 to 9', aPack({ buckets: [{ code: 'RC', color: 10 }] })],
    ['name must not contain a slur', aPack({ name: `The ${slur} cup` })],
    ['description must not contain a slur', aPack({ description: slur.toUpperCase() })],
    ['buckets[0].code must not contain a slur', aPack({ buckets: [{ code: slur, color: 0 }] })],
  ])('%s (D-14)', async (message, body) => {
    const host = await house.host()
    const reply = await host.post(body)
    expectError(reply, 'bad_request', message)
    expectStanding(reply)
    expect(reply.headers.has('location')).toBe(false)
    expect((await host.get('/me/packs')).json.total).toBe(0)
  })

  it.each([
    [/slots\[1\]/, aPack({ slots: [slot!, { ...slot!, beatmapId: 1 }] })],
    [/buckets/, aPack({ buckets: custom(9) })],
    [/buckets\[0\]/, { ...aPack(), buckets: [{ code: 'NM', color: 1 }] }],
    [/name/, aPack({ name: 'two\nlines' })],
  ])('names the place: %s (D-14)', async (place, body) => {
    expectError(await (await house.host()).post(body), 'bad_request', place)
  })

  it.each(['x'.repeat(600), '1'.repeat(600), `${'x'.repeat(63)}${'🏆'.repeat(99)}`])(
    'cuts a field’s name short, so that a message stays short: %s',
    async (field) => {
      const body = { ...aPack(), buckets: [{ code: 'NM', [field]: 1 }] }
      const reply = await (await house.host()).post(body)
      expectError(reply, 'bad_request', /^buckets\[0\].{1,100} must be left out$/u)
      expect(reply.json.error.message.isWellFormed()).toBe(true)
    },
  )

  it('spends the request and the write all the same (D-8)', async () => {
    const host = await house.host()
    expect(quotaOf(await host.post('{'))).toMatchObject({ limit: 10, remaining: 9 })
    expect(quotaOf(await host.get('/me'))).toMatchObject({ limit: 60, remaining: 58 })
  })
})

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('413 too_large', () => {
  it.each([16_385, 65_536, 1_048_576])('a body of %i bytes (D-25)', async (bytes) => {
    const host = await house.host()
    const reply = await host.post(bodyOf(bytes))
    expectError(reply, 'too_large', 'the body must be at most 16384 bytes; send a smaller pack')
    expectStanding(reply)
    expect((await host.get('/me/packs')).json.total).toBe(0)
  })

  it('16,385 bytes in chunks (D-25)', async () => {
    const host = await house.host()
    const reply = await sendInChunks(host, 'POST', '/packs', bodyOf(16_385))
    expect(reply).toEqual({ status: 413, code: 'too_large' })
    expect((await host.get('/me/packs')).json.total).toBe(0)
  })
})

describe('415 unsupported_media_type', () => {
  it.each(otherTypes)('a body sent as %s (D-25)', async (type) => {
    const headers = { 'content-type': type }
    const reply = await (await house.host()).ask('POST', '/packs', { body: aPack(), headers })
    expectError(
      reply,
      'unsupported_media_type',
      'send the body with Content-Type: application/json',
    )
    expectStanding(reply)
  })

  it('no body and no type (D-25)', async () => {
    expectError(await (await house.host()).ask('POST', '/packs'), 'unsupported_media_type')
  })

  it.each(['gzip', 'identity', 'br, gzip'])('Content-Encoding: %s (D-25)', async (encoding) => {
    const headers = { 'content-encoding': encoding }
    const reply = await (await house.host()).ask('POST', '/packs', { body: aPack(), headers })
    expectError(reply, 'unsupported_media_type', 'send the body as it is, without Content-Encoding')
  })
})

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => {
  survivesFaults(subject, faults, ['packs', 'quotas'])

  it('leaves nothing half-saved', async () => {
    const host = await house.host()
    await faults.during('packs', () => host.post(aPack()))
    expect((await host.get('/me/packs')).json.total).toBe(0)
  })
})
