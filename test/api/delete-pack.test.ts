import { afterAll, describe, expect, it } from 'vitest'
import { hidePack, pinPack } from '../../src/operations/moderation.ts'
import { expectError, quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { createFaults } from './faults.ts'
import { slugsOf } from './pages.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { expectStanding } from './standing.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const subject: Subject = {
  house,
  method: 'DELETE',
  prepare: async (host) => ({ path: `/packs/${await host.save(aPack())}` }),
}

describe('204 the pack is gone', () => {
  it('has no body and no content type; the pack is nowhere any more (spec 3)', async () => {
    const host = await house.host()
    const slug = await host.save(aPack({ visibility: 'public' }))
    const kept = await host.save(aPack({ visibility: 'public' }))
    const reply = await host.delete(slug)
    expect(reply).toMatchObject({ status: 204, text: '' })
    expect(reply.headers.has('content-type')).toBe(false)
    expect(reply.headers.has('etag')).toBe(false)
    expectStanding(reply)
    expectError(await host.get(`/packs/${slug}`), 'not_found')
    expect(slugsOf(await host.get('/me/packs'))).toEqual([kept])
    expect(slugsOf(await host.get('/packs'))).not.toContain(slug)
  })

  it.each(['private', 'unlisted', 'public'] as const)('takes a %s pack', async (visibility) => {
    const host = await house.host()
    expect((await host.delete(await host.save(aPack({ visibility })))).status).toBe(204)
  })

  it('takes a hidden pack, and a pinned one out of the row (spec 3)', async () => {
    const host = await house.host()
    const hidden = await host.save(aPack({ visibility: 'public' }))
    await hidePack(house.ports, hidden)
    expect((await host.delete(hidden)).status).toBe(204)
    for (let count = 0; count < 7; count += 1) {
      house.clock.nextMinute()
      const pinned = await host.save(aPack({ visibility: 'public' }))
      await pinPack(house.ports, pinned)
      expect((await host.delete(pinned)).status).toBe(204)
    }
  })

  it.each([
    ['a JSON type and no body', { headers: { 'content-type': 'application/json' } }],
    ['another type and no body', { headers: { 'content-type': 'text/plain' } }],
    ['a body', { body: '{"any":"thing"}' }],
    ['a body that is not JSON', { body: '{', headers: { 'content-encoding': 'gzip' } }],
    ['If-None-Match', { headers: { 'If-None-Match': '*' } }],
  ])('does not mind %s', async (_, ask) => {
    const host = await house.host()
    const slug = await host.save(aPack())
    const reply = await host.ask('DELETE', `/packs/${slug}`, ask)
    expect(reply).toMatchObject({ status: 204, text: '' })
    expectError(await host.get(`/packs/${slug}`), 'not_found')
  })

  it('is given to one of many at once', async () => {
    const host = await house.host()
    const slug = await host.save(aPack())
    const replies = await Promise.all(Array.from({ length: 8 }, () => host.delete(slug)))
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(7)
  })
})

describe('400 bad_request', () => {
  it('If-Match is no list of tags: the pack stays (D-48)', async () => {
    const host = await house.host()
    const path = `/packs/${await host.save(aPack())}`
    const reply = await host.ask('DELETE', path, { headers: { 'if-match': 'abc' } })
    expectError(reply, 'bad_request', /^If-Match must be/)
    expectStanding(reply)
    expect((await host.get(path)).status).toBe(200)
  })
})

describe('401 unauthorized, invalid_api_key', () => {
  refusesStrangers(subject)

  it('leaves the pack where it is', async () => {
    const host = await house.host()
    const path = `/packs/${await host.save(aPack())}`
    await house.doors.packs.ask('DELETE', path)
    expect((await host.get(path)).status).toBe(200)
  })
})

describe('404 not_found', () => {
  it('says the same of missing and of others’ packs, and deletes none (D-29)', async () => {
    const [owner, other] = [await house.host(), await house.host()]
    const saved = [
      await owner.save(aPack({ visibility: 'public' })),
      await owner.save(aPack({ visibility: 'unlisted' })),
      await owner.save(aPack({ visibility: 'private' })),
      await owner.save(aPack({ visibility: 'public' })),
    ]
    await hidePack(house.ports, saved[3]!)
    const texts = new Set<string>()
    for (const slug of [...saved, 'AAAAAAAAAA', 'short', 'a'.repeat(200)]) {
      const reply = await other.delete(slug)
      expectError(reply, 'not_found', 'there is no pack with this slug that you may see or change')
      expectStanding(reply)
      texts.add(reply.text)
    }
    expect(texts.size).toBe(1)
    expect((await owner.get('/me/packs')).json.total).toBe(4)
  })

  it('comes when it is deleted already, and spends a write (D-8)', async () => {
    const host = await house.host()
    const slug = await host.save(aPack())
    await host.delete(slug)
    const reply = await host.delete(slug)
    expectError(reply, 'not_found')
    expect(quotaOf(reply)).toMatchObject({ limit: 10, remaining: 7 })
  })
})

describe('412 precondition_failed', () => {
  it('If-Match names another state: the pack stays (D-48)', async () => {
    const host = await house.host()
    const path = `/packs/${await host.save(aPack())}`
    const reply = await host.ask('DELETE', path, { headers: { 'if-match': '"another"' } })
    expectError(reply, 'precondition_failed', /read it again/)
    expectStanding(reply)
    expect((await host.get(path)).status).toBe(200)
  })
})

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => {
  survivesFaults(subject, faults, ['packs', 'quotas'])

  it('leaves the pack where it is', async () => {
    const host = await house.host()
    const path = `/packs/${await host.save(aPack())}`
    await faults.during('packs', () => host.ask('DELETE', path))
    expect((await host.get(path)).status).toBe(200)
  })
})
