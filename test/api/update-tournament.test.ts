import { describe, expect, it } from 'vitest'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import { expectError } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { aRound, newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'PATCH',
  ask: ({ path }) => ({ path, body: { name: 'Other Cup' } }),
})

describe('200 the tournament as it is now', () => {
  it('changes what is in the body; null removes (RFC 7396), as an empty description does (D-19)', async () => {
    const facts = { year: 2026, link: 'https://cup.test/', description: 'For all.' }
    const scene = await newScene(house, facts)
    const before = (await scene.host.get(scene.path)).json.tournament
    const body = { name: ' Other Cup ', link: null, description: '' }
    const reply = await scene.host.ask('PATCH', scene.path, { body })
    expect(reply.status).toBe(200)
    expectStanding(reply)
    const { link, description, ...rest } = before
    expect([link, description]).toEqual(['https://cup.test/', 'For all.'])
    const { updatedAt } = reply.json.tournament
    expect(updatedAt > before.updatedAt).toBe(true)
    expect(reply.json.tournament).toEqual({ ...rest, name: 'Other Cup', updatedAt })
    const read = await scene.host.get(scene.path)
    expect(read.text).toBe(reply.text)
    expect(read.headers.get('etag')).toBe(reply.headers.get('etag'))
  })

  it('names what it does not know, and takes a tournament as it was read (D-17, D-49)', async () => {
    const scene = await newScene(house)
    const { tournament } = (await scene.host.get(scene.path)).json
    const same = await scene.host.ask('PATCH', scene.path, { body: tournament })
    expect(same.status).toBe(200)
    expect(same.headers.has('x-ignored-fields')).toBe(false)
    const reply = await scene.host.ask('PATCH', scene.path, { body: { colour: 1, Name: 2 } })
    expect(reply.headers.get('x-ignored-fields')).toBe('colour, Name')
  })
})

describe('400 bad_request', () => {
  refuses.bodies([
    ['the body must be a JSON object', null],
    ['year must be a whole number from 2007 to 2100, or null', { year: '2026' }],
    ['name must have 1 to 64 characters', { name: '' }],
    ['name must not be null: leave it out', { name: null }],
    ['ruleset must not be null: leave it out', { ruleset: null }],
    ['visibility must not be null: leave it out', { visibility: null }],
    ['announceRounds must not be null: leave it out', { announceRounds: null }],
    [
      'link must be an address that begins with https:// and the name of a host, in ASCII, without spaces or a user name, such as https://cup.example/rules',
      { link: 'ftp://cup.test' },
    ],
    ['visibility must be one of private, public', { visibility: 'unlisted' }],
  ])
  refuses.oddTags()
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('pooler', 'tester', 'referee'))

describe('404 not_found', () => refuses.hidden({ takesBody: true }))

describe('409 conflict', () => {
  it('for a short name with which the pack of a scheduled round could not be made (D-24, D-63)', async () => {
    const stems = slurs.map(({ stem }) => /^([a-z]{3,12}) ([a-z]{3,})$/.exec(stem))
    const [, shortName = '', name = ''] = stems.find((words) => words !== null)!
    const scene = await newScene(house)
    const headers = await scene.as(scene.roundPath)
    await scene.host.ask('PUT', scene.roundPath, { body: aRound({ name }), headers })
    await scene.release('2026-12-01T18:00:00.000Z')
    const before = await scene.read()
    const reply = await scene.host.ask('PATCH', scene.path, { body: { shortName } })
    expectError(reply, 'conflict', /is scheduled, .*withdraw the schedule first$/)
    expectStanding(reply)
    expect(await scene.read()).toBe(before)
  })
})

describe('412 precondition_failed', () => refuses.staleTags(({ path }) => path))

describe('413 too_large', () => refuses.largeBodies())

describe('415 unsupported_media_type', () => refuses.otherMedia())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
