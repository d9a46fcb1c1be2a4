import { afterAll, describe, expect, it } from 'vitest'
import { expectError, quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { createFaults } from './faults.ts'
import { closedHistories, historyScene, mixedHistory } from './history-scene.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { expectStanding, orderOf } from './standing.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const subject: Subject = {
  house,
  method: 'GET',
  prepare: async (host) => ({ path: `/packs/${await host.save(aPack())}/history/1` }),
}

const rice = { code: 'RC', color: 3 }

describe('200 a version', () => {
  it('is { version } with slots in pool order and buckets, in the order of D-72 (D-45)', async () => {
    const slots = [
      { mod: 'TB', index: 1, beatmapId: 3 },
      { mod: 'RC', index: 1, beatmapId: 2 },
      { mod: 'NM', index: 1, beatmapId: 1 },
    ]
    const { owner, slug, path, save } = await historyScene(house, {
      slots,
      buckets: [rice],
      description: 'Best of 13',
    })
    const { pack } = (await owner.get(`/packs/${slug}`)).json
    house.clock.advance(1000)
    await save({})
    const reply = await owner.get(`${path}/1`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(reply.headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(reply.headers.has('link')).toBe(false)
    expectStanding(reply)
    expect(reply.text).toBe(
      JSON.stringify({
        version: {
          version: 1,
          savedAt: pack.updatedAt,
          savedBy: owner.username,
          name: pack.name,
          description: 'Best of 13',
          visibility: 'public',
          packKey: pack.packKey,
          changes: [],
          slots: slots.toReversed(),
          buckets: pack.buckets,
        },
      }),
    )
  })

  it('has neither description nor buckets where it had none (D-46)', async () => {
    const { owner, path } = await historyScene(house)
    const { version } = (await owner.get(`${path}/1`)).json
    expect(orderOf(version)).toEqual(
      'version savedAt savedBy name visibility packKey changes slots'.split(' '),
    )
  })

  it('has the changes of its line on the page (D-72)', async () => {
    const { owner, other, path } = await mixedHistory(house)
    for (const host of [owner, other]) {
      for (const line of (await host.get(path)).json.versions) {
        const { slots: _slots, ...rest } = (await host.get(`${path}/${line.version}`)).json.version
        expect(rest).toEqual(line)
      }
    }
  })

  it('can be sent back to restore it; what was there since becomes a version, too (D-71)', async () => {
    const { owner, slug, path, save } = await historyScene(house, {
      buckets: [rice],
      description: 'Best of 13',
    })
    await save({ name: 'Worse', visibility: 'unlisted' })
    const { version } = (await owner.get(`${path}/1`)).json
    const reply = await owner.put(slug, { ...version, visibility: 'unlisted' })
    expect(reply.status).toBe(200)
    expect(reply.json.pack.packKey).toBe(version.packKey)
    const { versions } = (await owner.get(path)).json
    expect(versions).toMatchObject([
      { version: 3, packKey: version.packKey, description: 'Best of 13', visibility: 'unlisted' },
      { version: 2, name: 'Worse' },
      { version: 1 },
    ])
  })

  it('is found under an escaped spelling of its number', async () => {
    const { owner, path } = await historyScene(house)
    expect((await owner.get(`${path}/%31`)).json.version.version).toBe(1)
  })

  it('gives 304 until it changes for the caller; that counts as a request (D-13)', async () => {
    const { owner, path, save } = await historyScene(house)
    await save({ name: 'Next' })
    const first = await owner.get(`${path}/1`)
    const condition = { 'If-None-Match': first.headers.get('etag') ?? '' }
    const again = await owner.get(`${path}/1`, condition)
    expect(again).toMatchObject({ status: 304, text: '' })
    expect(quotaOf(again).remaining).toBe(quotaOf(first).remaining - 1)
    await save({ name: 'Last' })
    expect((await owner.get(`${path}/1`, condition)).status).toBe(304)
    expect((await owner.get(`${path}/2`, condition)).status).toBe(200)
  })

  it('answers HEAD with the same headers and no body, and OPTIONS with what the path takes (D-12)', async () => {
    const { owner, path } = await historyScene(house)
    const get = await owner.get(`${path}/1`)
    const head = await owner.ask('HEAD', `${path}/1`)
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
    const options = await owner.ask('OPTIONS', `${path}/7`)
    expect(options).toMatchObject({ status: 204, text: '' })
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    const put = await owner.ask('PUT', `${path}/1`, { body: aPack() })
    expectError(put, 'method_not_allowed')
    expect(put.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('404 not_found', () => {
  it('says the same of a version that is missing, private or was saved while hidden, and of no number (D-70)', async () => {
    const { owner, other, path } = await mixedHistory(house)
    const missing = await other.get(`${path}/99`)
    const message = /^there is no version of this pack with this number that you may read/
    expectError(missing, 'not_found', message)
    for (const version of [
      '2',
      '4',
      '7',
      '0',
      '01',
      '-1',
      '+1',
      '1.0',
      '1e0',
      'one',
      '2147483648',
      '4294967297',
      '9'.repeat(300),
      '%D9%A1',
      '%201',
      '1%00',
      'constructor',
    ]) {
      const reply = await other.get(`${path}/${version}`)
      expectError(reply, 'not_found')
      expectStanding(reply)
      expect(reply.text, version).toBe(missing.text)
    }
    expect((await owner.get(`${path}/4`)).status).toBe(200)
    expect((await owner.get(`${path}/7`)).text).toBe(missing.text)
  })

  it('says of each version of a history that may not be read what it says of a missing pack (D-29)', async () => {
    const { other, scenes } = await closedHistories(house)
    const missing = await other.get('/packs/AAAAAAAAAA')
    const paths = Object.values(scenes).map(({ path }) => path)
    for (const path of [...paths, '/packs/AAAAAAAAAA/history', '/packs/short/history']) {
      for (const version of ['1', '2', '3', 'x']) {
        expect((await other.get(`${path}/${version}`)).text, path).toBe(missing.text)
      }
      house.clock.nextMinute()
    }
  })

  it('says that of a version that is no longer kept (D-71)', async () => {
    const { owner, path, save } = await historyScene(house)
    for (let at = 2; at <= 101; at += 1) await save({ name: `save ${at}` })
    expectError(await owner.get(`${path}/1`), 'not_found', /no version/)
    expect((await owner.get(`${path}/2`)).json.version).toMatchObject({ version: 2, changes: [] })
  })

  it('comes after the key (D-3); where a version would be, nothing is nothing', async () => {
    const { owner, path } = await historyScene(house)
    expectError(await owner.door.ask('GET', `${path}/x`), 'unauthorized')
    expectError(await owner.get(`${path}/`), 'not_found', /nothing at this path/)
    expectError(await owner.get(`${path}/1/`), 'not_found', /nothing at this path/)
    expectError(await owner.ask('DELETE', `${path}/x`), 'not_found', /nothing at this path/)
  })
})

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => survivesFaults(subject, faults, ['packs', 'quotas']))
