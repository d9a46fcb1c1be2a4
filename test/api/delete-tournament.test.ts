import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, { house, method: 'DELETE', ask: ({ path }) => ({ path }) })

describe('204 the tournament is gone', () => {
  it('with its rounds, and with the packs of those that were released', async () => {
    const scene = await newScene(house, { visibility: 'public' })
    const { packSlug } = (await scene.release()).json.round
    const packs = await house.host()
    expect((await packs.get(`/packs/${packSlug}`)).status).toBe(200)
    const reply = await scene.host.ask('DELETE', scene.path)
    expect(reply).toMatchObject({ status: 204, text: '' })
    expect(reply.headers.has('content-type')).toBe(false)
    expectStanding(reply)
    expectError(await packs.get(`/packs/${packSlug}`), 'not_found')
    const missing = await scene.host.get('/tournaments/AAAAAAAAAA')
    for (const path of [scene.path, scene.roundPath]) {
      expect((await scene.host.get(path)).text).toBe(missing.text)
    }
    expectError(await scene.host.ask('DELETE', scene.path), 'not_found')
  })
})

describe('400 bad_request', () => refuses.oddTags())

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('pooler', 'tester', 'referee'))

describe('404 not_found', () => refuses.hidden())

describe('412 precondition_failed', () => refuses.staleTags(({ path }) => path))

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
