import { describe, expect, it } from 'vitest'
import { expectError, quotaOf } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { aChange, aRound, newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'POST',
  ask: () => ({ path: '/tournaments', body: { name: 'Another Cup' } }),
})

describe('201 the new tournament', () => {
  it('is private, without rounds, and yours; an empty description is none (D-19); Location leads to it', async () => {
    house.clock.nextMinute()
    const host = await house.host('pools')
    const body = { name: ' Cup \t', description: '' }
    const reply = await host.ask('POST', '/tournaments', { body })
    expect(reply.status).toBe(201)
    expectStanding(reply)
    const { tournament } = reply.json
    const { slug, createdAt, updatedAt, ...rest } = tournament
    expect(slug).toMatch(/^[A-Za-z0-9_-]{10}$/)
    expect(updatedAt).toBe(createdAt)
    expect(rest).toEqual({
      name: 'Cup',
      ruleset: 'base',
      visibility: 'private',
      announceRounds: false,
      role: 'host',
      rounds: [],
    })
    expect(reply.headers.get('location')).toBe(`http://pools.test/api/v1/tournaments/${slug}`)
    const read = await host.get(`/tournaments/${slug}`)
    expect(read.text).toBe(reply.text)
    expect(read.headers.get('etag')).toBe(reply.headers.get('etag'))
    expect(quotaOf(reply)).toMatchObject({ limit: 10, remaining: 9 })
  })

  it('can be sent as it was read; what is unknown is named (D-17, D-49)', async () => {
    const { host, path } = await newScene(house, { year: 2026, rankMin: 1000, rankMax: 9999 })
    const { tournament } = (await host.get(path)).json
    const again = await host.ask('POST', '/tournaments', { body: tournament })
    expect(again.status).toBe(201)
    expect(again.headers.has('x-ignored-fields')).toBe(false)
    const body = '{ "name": "Cup", "shortname": "C", "ä,b": 1, "__proto__": 1, "constructor": 2 }'
    const odd = await host.ask('POST', '/tournaments', { body })
    expect(odd.status).toBe(201)
    const ignored = 'shortname, %C3%A4%2Cb, __proto__, constructor'
    expect(odd.headers.get('x-ignored-fields')).toBe(ignored)
  })
})

describe('201 made from another tournament', () => {
  const finals = {
    name: 'Finals',
    bestOf: 13,
    bans: 2,
    packName: 'HLC finals',
    targets: { stars: { max: 6.5 } },
    slots: [
      { mod: 'RC', index: 1, beatmapId: 90 },
      { mod: 'TB', index: 1, placeholder: 'due Sunday', details: { title: 'Reef' } },
    ],
    buckets: [{ code: 'RC', color: 4, mods: { kind: 'forced', set: ['HD'] } }],
    mapPackUrl: 'https://files.example/maps.zip',
  }
  const openTwo = async () => {
    const scene = await newScene(house, { visibility: 'public' })
    await scene.release()
    await scene.host.ask('POST', `${scene.path}/rounds`, { body: finals })
    const from = { name: 'Harbour Lights Cup 2027', from: scene.slug }
    const copy = async (by: typeof scene.host) =>
      (await by.ask('POST', '/tournaments', { body: from })).json.tournament
    return { scene, copy }
  }
  const copied = ({
    id: _id,
    createdAt: _at,
    updatedAt: _then,
    ...round
  }: Record<string, unknown>) => round

  it('of one that you are on the staff of: every draft whole, as drafts, without links, and it says so', async () => {
    const { scene, copy } = await openTwo()
    const { rounds, from, visibility } = await copy(scene.host)
    expect([from, visibility]).toEqual([scene.slug, 'private'])
    const before = (await scene.host.get(scene.path)).json.tournament.rounds
    const { mapPackUrl: _, ...draft } = copied(before[1])
    expect(rounds.map(copied)).toEqual([aRound(), draft])
    expect(draft).toMatchObject({ targets: finals.targets, bestOf: 13, slots: finals.slots })
    expect(rounds.map(({ id }: { id: string }) => id)).not.toContain(scene.id)
  })

  it('its ruleset, too, unless another one is sent: the targets are of that', async () => {
    const { host, slug } = await newScene(house, { ruleset: 'mania' })
    const copy = async (more: object) => {
      const body = { name: 'Cup 2027', from: slug, ...more }
      return (await host.ask('POST', '/tournaments', { body })).json.tournament.ruleset
    }
    expect(await copy({})).toBe('mania')
    expect(await copy({ ruleset: 'taiko' })).toBe('taiko')
  })

  it('of one that is public: what is released', async () => {
    const { scene, copy } = await openTwo()
    const stranger = await house.host('pools')
    await scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body: aChange })
    const { rounds, slug } = await copy(stranger)
    expect(rounds.map(copied)).toEqual([aRound()])
    const history = await stranger.get(`/tournaments/${slug}/rounds/${rounds[0].id}/history`)
    expect(history.json.versions).toMatchObject([{ version: 1, savedBy: stranger.username }])
  })
})

describe('404 not_found', () => {
  it('for one that is private, and for one that is not there: the same bytes (D-60)', async () => {
    const scene = await newScene(house)
    const stranger = await house.host('pools')
    const copy = async (from: string) =>
      (await stranger.ask('POST', '/tournaments', { body: { name: 'Cup', from } })).text
    const missing = await copy('AAAAAAAAAA')
    expect(missing).toBe((await stranger.get('/tournaments/AAAAAAAAAA')).text)
    expect(await copy(scene.slug)).toBe(missing)
    expect((await stranger.get('/me/tournaments')).json.total).toBe(0)
  })
})

describe('400 bad_request', () => {
  refuses.bodies([
    ['name is missing', {}],
    ['the body must be a JSON object', []],
    ['name must be a string of 1 to 64 characters', { name: 5 }],
    ['name must have 1 to 64 characters', { name: ' \n ' }],
    ['name must have 1 to 64 characters', { name: 'x'.repeat(65) }],
    ['shortName must have 1 to 12 characters', { name: 'Cup', shortName: 'x'.repeat(13) }],
    ['shortName must not be null: leave it out', { name: 'Cup', shortName: null }],
    ['ruleset must be one of base, taiko, fruits, mania', { name: 'Cup', ruleset: 'other' }],
    ['year must be from 2007 to 2100', { name: 'Cup', year: 2006 }],
    ['year must be a whole number from 2007 to 2100', { name: 'Cup', year: '2026' }],
    ['rankMin must be from 1 to 99999999', { name: 'Cup', rankMin: 0 }],
    [
      'link must be an address that begins with https:// and the name of a host, in ASCII, without spaces or a user name, such as https://cup.example/rules',
      { name: 'Cup', link: 'http://cup.test' },
    ],
    ['visibility must be one of private, public', { name: 'Cup', visibility: 'unlisted' }],
    ['announceRounds must be true or false', { name: 'Cup', announceRounds: 'yes' }],
    [
      'ruleset must be one of base, taiko, fruits, mania; year must be from 2007 to 2100',
      { name: 'Cup', ruleset: 'other', year: 1 },
    ],
  ])
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('409 conflict', () => {
  it('for who hosts 20 already; one that is deleted makes room', async () => {
    const host = await house.host('pools')
    const create = () => {
      house.clock.nextMinute()
      return host.ask('POST', '/tournaments', { body: { name: 'Cup' } })
    }
    const paths: string[] = []
    for (let count = 0; count < 20; count += 1) {
      paths.push(`/tournaments/${(await create()).json.tournament.slug}`)
    }
    const reply = await create()
    expectError(reply, 'conflict', 'you already host 20 tournaments; delete one first')
    expectStanding(reply)
    expect((await host.ask('DELETE', paths[0] ?? '')).status).toBe(204)
    expect((await create()).status).toBe(201)
  })
})

describe('413 too_large', () => refuses.largeBodies())

describe('415 unsupported_media_type', () => refuses.otherMedia())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
