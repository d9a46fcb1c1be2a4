import { describe, expect, it } from 'vitest'
import { asOperator } from '../../src/domain/moderation.ts'
import { moderateTournament } from '../../src/operations/tournaments.ts'
import { expectError } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { aChange, aRound, newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'PUT',
  ask: ({ roundPath }) => ({ path: `${roundPath}/release`, body: { at: 'now' } }),
})

const soon = '2026-12-01T18:00:00.000Z'

describe('200 the round as it is now', () => {
  it('now: makes a public pack under the fixed label, and later releases replace it (D-63)', async () => {
    const scene = await newScene(house, { visibility: 'public' })
    const reply = await scene.release()
    expect(reply.status).toBe(200)
    expectStanding(reply)
    const { round } = reply.json
    expect(round.releasedAt).toBe(round.releaseAt)
    const packs = await house.host()
    const { pack } = (await packs.get(`/packs/${round.packSlug}`)).json
    expect(pack).toMatchObject({
      name: 'HLC Quarterfinals',
      visibility: 'public',
      ownerName: 'Tournament pools',
      slots: aRound().slots,
    })
    expect((await scene.host.get(scene.roundPath)).text).toBe(reply.text)
    await scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body: aChange })
    house.clock.advance(1000)
    const again = (await scene.release()).json.round
    expect(again.packSlug).toBe(round.packSlug)
    const { pack: after } = (await packs.get(`/packs/${round.packSlug}`)).json
    expect(after.slots[0].beatmapId).toBe(77)
  })

  it('a time: schedules; null: withdraws that, then the pack, then nothing (D-63)', async () => {
    const scene = await newScene(house)
    const scheduled = (await scene.release(soon)).json.round
    expect(scheduled.releaseAt).toBe(soon)
    expect(scheduled).not.toHaveProperty('releasedAt')
    expect((await scene.release(null)).json.round).not.toHaveProperty('releaseAt')
    const { packSlug } = (await scene.release()).json.round
    const withdrawn = (await scene.release(null)).json.round
    expect(withdrawn).not.toHaveProperty('packSlug')
    const packs = await house.host()
    expectError(await packs.get(`/packs/${packSlug}`), 'not_found')
    expect((await scene.release(null)).status).toBe(200)
    expect((await scene.release()).json.round.packSlug).not.toBe(packSlug)
  })
})

describe('400 bad_request', () => {
  const all = 'at must be a string of the form 2026-10-03T18:30:00.000Z, "now" or null'
  refuses.bodies([
    ['at is missing', {}],
    [all, { at: 'tomorrow' }],
    [all, { at: '2026-12-01' }],
    [all, { at: '2026-12-01T18:00:00Z' }],
    [all, { at: '2026-02-30T18:00:00.000Z' }],
    [all, { at: 1_790_000_000_000 }],
    [/^at /, { at: '2020-01-01T00:00:00.000Z' }],
  ])
  refuses.oddTags()
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('pooler', 'tester', 'referee'))

describe('404 not_found', () => refuses.hidden())

describe('409 conflict', () => {
  it.each(['now', soon])(
    'at %s, for empty slots and placeholders, which it names (D-63)',
    async (at) => {
      const scene = await newScene(house)
      const changes = [
        { mod: 'NM', index: 1, from: { beatmapId: 75 }, to: null },
        { mod: 'DT', index: 1, from: 'none', to: { placeholder: 'soon' } },
      ]
      await scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body: { changes } })
      const before = await scene.read()
      const reply = await scene.host.ask('PUT', `${scene.roundPath}/release`, { body: { at } })
      expectError(reply, 'conflict', 'the round cannot be released: NM1 and DT1 have no beatmap')
      expectStanding(reply)
      expect(await scene.read()).toBe(before)
    },
  )
})

describe('409 conflict of a hidden tournament (D-76)', () => {
  it.each(['now', soon])(
    'at %s: says what helps, and a schedule from before waits until it is shown again',
    async (at) => {
      const scene = await newScene(house, { visibility: 'public' })
      await scene.release(soon)
      const before = await scene.read(scene.roundPath)
      await moderateTournament(house.ports, scene.slug, 'hide', asOperator('spam'))
      const reply = await scene.host.ask('PUT', `${scene.roundPath}/release`, { body: { at } })
      expectError(
        reply,
        'conflict',
        'the tournament is hidden, and nothing is released from it: ask a moderator to show it again, and release then; what is scheduled already waits for that, too',
      )
      expectStanding(reply)
      expect(await scene.read(scene.roundPath)).toBe(before)
    },
  )

  it('null withdraws all the same: nothing becomes public by that', async () => {
    const scene = await newScene(house, { visibility: 'public' })
    const { packSlug } = (await scene.release()).json.round
    await moderateTournament(house.ports, scene.slug, 'hide', asOperator('spam'))
    expect((await scene.release(null)).json.round).not.toHaveProperty('packSlug')
    expect(await house.ports.packs.read(packSlug)).toBeNull()
  })
})

describe('412 precondition_failed', () => refuses.staleTags(({ roundPath }) => roundPath))

describe('413 too_large', () => refuses.largeBodies())

describe('415 unsupported_media_type', () => refuses.otherMedia())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
