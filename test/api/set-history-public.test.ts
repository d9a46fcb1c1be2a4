import { afterAll, describe, expect, it } from 'vitest'
import { expectError, quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { createFaults } from './faults.ts'
import { closedHistories, historyScene, numbersOf } from './history-scene.ts'
import { expectPackShape } from './pack-shape.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { otherTypes, sendInChunks } from './samples.ts'
import { expectStanding } from './standing.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const subject: Subject = {
  house,
  method: 'PUT',
  prepare: async (host) => ({
    path: `/packs/${await host.save(aPack())}/history`,
    body: { public: true },
  }),
}

const open = { body: { public: true } }
const close = { body: { public: false } }

describe('204 the history is open or closed', () => {
  it('has no body and no content type; others then read it, and then no more (D-70)', async () => {
    const { owner, other, path } = await historyScene(house)
    const reply = await owner.ask('PUT', path, open)
    expect(reply).toMatchObject({ status: 204, text: '' })
    expect(reply.headers.has('content-type')).toBe(false)
    expect(reply.headers.has('etag')).toBe(false)
    expectStanding(reply)
    expect(numbersOf(await other.get(path))).toEqual([1])
    expect((await owner.ask('PUT', path, close)).status).toBe(204)
    expectError(await other.get(path), 'not_found')
  })

  it('shows on the pack, for everyone and on every list, and moves nothing else (D-31, D-70, D-45)', async () => {
    const { owner, other, slug, path } = await historyScene(house)
    const before = (await other.get(`/packs/${slug}`)).json.pack
    expectPackShape(before, [])
    house.clock.advance(1000)
    await owner.ask('PUT', path, open)
    const { pack } = (await other.get(`/packs/${slug}`)).json
    expectPackShape(pack, ['historyPublic'])
    expect(pack).toEqual({ ...before, historyPublic: true })
    for (const list of ['/packs', '/me/packs']) {
      expect((await owner.get(list)).json.packs[0], list).toEqual(pack)
    }
    expect(numbersOf(await owner.get(path))).toEqual([1])
    await owner.ask('PUT', path, close)
    expect((await other.get(`/packs/${slug}`)).json.pack).toEqual(before)
    expect((await other.get('/packs')).json.packs[0]).toEqual(before)
  })

  it('stays as it is through saves, and while the pack is private or hidden (D-70)', async () => {
    const { owner, other, path, save, hide, unhide } = await historyScene(house)
    await owner.ask('PUT', path, open)
    await save({ name: 'Next' })
    expect(numbersOf(await other.get(path))).toEqual([2, 1])
    await save({ visibility: 'private' })
    expectError(await other.get(path), 'not_found')
    await save({})
    expect(numbersOf(await other.get(path))).toEqual([4, 2, 1])
    await hide()
    expectError(await other.get(path), 'not_found')
    await unhide()
    expect(numbersOf(await other.get(path))).toEqual([4, 2, 1])
  })

  it('may be said before there is anything to hide: of a private and of a hidden pack', async () => {
    const { owner, other, slug, path, save } = await historyScene(house, { visibility: 'private' })
    expect((await owner.ask('PUT', path, open)).status).toBe(204)
    expectError(await other.get(`/packs/${slug}`), 'not_found')
    await save({})
    expect(numbersOf(await other.get(path))).toEqual([2])
    const hidden = await historyScene(house)
    await hidden.hide()
    expect((await hidden.owner.ask('PUT', hidden.path, open)).status).toBe(204)
  })

  it('can be sent twice, and spends a request and a write each time (D-8)', async () => {
    const { owner, path } = await historyScene(house)
    const first = await owner.ask('PUT', path, open)
    const again = await owner.ask('PUT', path, open)
    expect(again.status).toBe(204)
    expect(quotaOf(again)).toMatchObject({ limit: 10, remaining: quotaOf(first).remaining - 1 })
  })

  it('ignores other fields (D-17)', async () => {
    const { owner, path } = await historyScene(house)
    const reply = await owner.ask('PUT', path, { body: { public: true, versions: [], page: 1 } })
    expect([reply.status, reply.headers.get('x-ignored-fields')]).toEqual([204, 'versions, page'])
  })

  it('goes through with a tag from before the owner was renamed on the platform (D-86)', async () => {
    const { owner, path } = await historyScene(house)
    const tag = (await owner.get(path)).headers.get('etag') ?? ''
    const player = { gameId: owner.gameId, username: 'Renamed owner' }
    await house.ports.accounts.ensurePlayer(player, 'unused', house.clock.now())
    const read = await owner.get(path, { 'if-none-match': tag })
    expect([read.status, read.json.versions[0].savedBy]).toEqual([200, 'Renamed owner'])
    const reply = await owner.ask('PUT', path, { ...open, headers: { 'if-match': tag } })
    expect(reply.status).toBe(204)
  })

  it('honours If-Match: the tag of the first page as the owner gets it, in any coding, or * (D-48)', async () => {
    const { owner, path, save } = await historyScene(house)
    for (let at = 2; at <= 9; at += 1) await save({ name: `save ${at}` })
    for (const coding of ['identity', 'gzip', 'br']) {
      const page = await owner.get(path, { 'accept-encoding': coding })
      const headers = { 'if-match': page.headers.get('etag') ?? '' }
      const reply = await owner.ask('PUT', path, { ...open, headers })
      expect(reply.status, coding).toBe(204)
    }
    const any = await owner.ask('PUT', path, { ...close, headers: { 'if-match': '*' } })
    expect(any.status).toBe(204)
  })
})

describe('400 bad_request', () => {
  it.each<[string, unknown]>([
    ['public is missing', {}],
    ['public must be true or false', { public: 'yes' }],
    ['public must be true or false', { public: 1 }],
    ['public must be true or false', { public: null }],
    ['the body must be a JSON object', true],
  ])('%s: the history stays as it is (D-14)', async (message, body) => {
    const { owner, other, path } = await historyScene(house)
    const reply = await owner.ask('PUT', path, { body: JSON.stringify(body) })
    expectError(reply, 'bad_request', message)
    expectStanding(reply)
    expectError(await other.get(path), 'not_found')
  })

  it('If-Match is no list of tags (D-48)', async () => {
    const { owner, path } = await historyScene(house)
    const reply = await owner.ask('PUT', path, { ...open, headers: { 'if-match': 'abc' } })
    expectError(reply, 'bad_request', /^If-Match must be/)
  })
})

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('404 not_found', () => {
  it('says the same of missing and of others’ packs, opened or not, and changes none (D-29)', async () => {
    const { other, scenes } = await closedHistories(house)
    const opened = await historyScene(house)
    await opened.open()
    const paths = [opened, ...Object.values(scenes)].map(({ path }) => path)
    const missing = await other.get('/packs/AAAAAAAAAA')
    for (const path of [...paths, '/packs/AAAAAAAAAA/history', '/packs/short/history']) {
      const reply = await other.ask('PUT', path, close)
      expectError(reply, 'not_found')
      expectStanding(reply)
      expect(reply.text).toBe(missing.text)
    }
    expect(numbersOf(await other.get(opened.path))).toEqual([1])
  })

  it('comes after the content, and a malformed slug before it (D-3)', async () => {
    const host = await house.host()
    const ask = (slug: string, body: string) => host.ask('PUT', `/packs/${slug}/history`, { body })
    expectError(await ask('AAAAAAAAAA', '{'), 'bad_request')
    expectError(await ask('short', '{'), 'not_found')
  })
})

describe('412 precondition_failed', () => {
  it('If-Match names another state, of the pack too, or * and there is none: nothing changes (D-48)', async () => {
    const { owner, other, slug, path, save } = await historyScene(house)
    const known = (await owner.get(path)).headers.get('etag') ?? ''
    const pack = (await owner.get(`/packs/${slug}`)).headers.get('etag') ?? ''
    await save({ name: 'Next' })
    for (const tag of [known, pack, '"another"']) {
      const reply = await owner.ask('PUT', path, { ...open, headers: { 'if-match': tag } })
      expectError(reply, 'precondition_failed', /read it again/)
      expectStanding(reply)
    }
    expectError(await other.get(path), 'not_found')
    const any = { ...close, headers: { 'if-match': '*' } }
    expectError(await other.ask('PUT', path, any), 'precondition_failed')
    expectError(await other.ask('PUT', '/packs/AAAAAAAAAA/history', any), 'precondition_failed')
  })

  it('of a save and an opening on what was before it, at once, the later one fails or sees it', async () => {
    const { owner, other, slug, path } = await historyScene(house)
    const tag = (await owner.get(path)).headers.get('etag') ?? ''
    const [saved, opened] = await Promise.all([
      owner.put(slug, aPack({ visibility: 'public', name: 'Not meant for others' })),
      owner.ask('PUT', path, { ...open, headers: { 'if-match': tag } }),
    ])
    expect(saved.status).toBe(200)
    expect([204, 412]).toContain(opened.status)
    expect((await other.get(path)).status).toBe(opened.status === 204 ? 200 : 404)
  })
})

describe('413 too_large', () => {
  it('a body of 16,385 bytes, told or in chunks (D-25)', async () => {
    const { owner, other, path } = await historyScene(house)
    const body = JSON.stringify({ public: true, more: 'x'.repeat(16_385 - 25) })
    expect(body).toHaveLength(16_385)
    const reply = await owner.ask('PUT', path, { body })
    expectError(reply, 'too_large')
    expectStanding(reply)
    const chunked = await sendInChunks(owner, 'PUT', path, body)
    expect(chunked).toEqual({ status: 413, code: 'too_large' })
    expectError(await other.get(path), 'not_found')
  })
})

describe('415 unsupported_media_type', () => {
  it.each(otherTypes)('a body sent as %s (D-25)', async (type) => {
    const { owner, other, path } = await historyScene(house)
    const headers = { 'content-type': type }
    const reply = await owner.ask('PUT', path, { ...open, headers })
    expectError(reply, 'unsupported_media_type')
    expectStanding(reply)
    expectError(await other.get(path), 'not_found')
  })
})

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => {
  survivesFaults(subject, faults, ['packs', 'quotas'])

  it('leaves the history as it is', async () => {
    const { owner, other, path } = await historyScene(house)
    await faults.during('packs', () => owner.ask('PUT', path, open))
    expectError(await other.get(path), 'not_found')
  })
})
