import { describe, expect, it } from 'vitest'
import { asOperator } from '../../src/domain/moderation.ts'
import { releaseDue } from '../../src/operations/releases.ts'
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

/** What the worker does when it looks. @returns the number of rounds of which something was released. */
async function releaseAllDue(): Promise<number> {
  const { rounds } = await house.ports.tournaments.due(house.clock.now(), 50)
  const done = await Promise.all(rounds.map((round) => releaseDue(house.ports, round)))
  return done.filter(Boolean).length
}

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
    expect((await scene.release()).json.round.packSlug, 'as before').toBe(packSlug)
  })
})

describe('200 a round that is released as it is (D-78)', () => {
  const changesOf = (slot: object, from: unknown, to: unknown) => ({
    changes: [{ mod: 'DT', index: 1, ...slot, from, to }],
  })
  const planned = { placeholder: 'due Sunday', details: { title: 'Reef' } }

  async function incomplete(at: string) {
    const scene = await newScene(house, { visibility: 'public' })
    const path = `${scene.roundPath}/slots`
    await scene.host.ask('PATCH', path, { body: changesOf({}, 'none', planned) })
    const body = { at, incomplete: true }
    const reply = await scene.host.ask('PUT', `${scene.roundPath}/release`, { body })
    expect(reply.status).toBe(200)
    expectStanding(reply)
    const patch = (from: unknown, to: unknown, slot = {}) =>
      scene.host.ask('PATCH', path, { body: changesOf(slot, from, to) })
    const outside = async () => (await (await house.host('pools')).get(scene.roundPath)).json.round
    const pack = async (slug: string) =>
      (await (await house.host()).get(`/packs/${slug}`)).json.pack
    return { scene, round: reply.json.round, patch, outside, pack }
  }

  it('now: all slots are shown, the pack holds those with a beatmap, and a slot that gets one goes out by itself', async () => {
    const { scene, round, patch, outside, pack } = await incomplete('now')
    const dt1 = { mod: 'DT', index: 1 }
    const shown = await outside()
    expect(shown.slots).toEqual([...scene.slots, { ...dt1, ...planned }])
    expect((await pack(round.packSlug)).slots).toEqual(scene.slots)

    await patch({ beatmapId: 75 }, { beatmapId: 500 }, { mod: 'NM', index: 1 })
    await patch(planned, { beatmapId: 77, link: 'https://files.example/reef' })
    expect(await releaseAllDue(), 'only what was filled').toBe(1)
    expect((await outside()).slots).toEqual([...scene.slots, { ...dt1, beatmapId: 77 }])
    expect((await outside()).releasedAt, 'when the round was').toBe(shown.releasedAt)
    const after = await pack(round.packSlug)
    expect(after.slots).toEqual([...scene.slots, { ...dt1, beatmapId: 77 }])
    expect(await releaseAllDue(), 'once').toBe(0)
    await scene.release()
    const [first, , filled] = (await outside()).slots
    expect(first.beatmapId, 'with the next release').toBe(500)
    expect(filled.link, 'as what is new of the slot').toBe('https://files.example/reef')
  })

  it('now: of what was shown of a slot that gets its beatmap, what the draft still has stays', async () => {
    const { scene, patch, outside } = await incomplete('now')
    await patch(planned, { beatmapId: 77, details: planned.details })
    expect(await releaseAllDue()).toBe(1)
    const filled = { mod: 'DT', index: 1, beatmapId: 77, details: planned.details }
    expect((await outside()).slots).toEqual([...scene.slots, filled])
    expect((await outside()).slots).toEqual(
      (await scene.host.get(scene.roundPath)).json.round.slots,
    )
  })

  it('at a time: it may lose its beatmaps but one, and says that it is released as it is', async () => {
    const { scene, round, patch } = await incomplete(soon)
    expect(round).toMatchObject({ releaseAt: soon, incomplete: true })
    const nm1 = { mod: 'NM', index: 1 }
    expect((await patch({ beatmapId: 75 }, null, nm1)).status).toBe(200)
    const [, hd1] = scene.slots
    const last = await patch({ beatmapId: hd1?.beatmapId }, null, { mod: 'HD', index: 1 })
    expectError(last, 'conflict', /none of its slots has a beatmap; withdraw the schedule first$/)
    expect((await scene.release(null)).json.round).not.toHaveProperty('incomplete')
  })

  it('409: with no beatmap at all', async () => {
    const scene = await newScene(house)
    const path = `${scene.roundPath}/slots`
    const changes = scene.slots.map(({ beatmapId, ...place }) => ({
      ...place,
      from: { beatmapId },
      to: planned,
    }))
    expect((await scene.host.ask('PATCH', path, { body: { changes } })).status).toBe(200)
    for (const at of ['now', soon]) {
      const body = { at, incomplete: true }
      const reply = await scene.host.ask('PUT', `${scene.roundPath}/release`, { body })
      expectError(
        reply,
        'conflict',
        'the round cannot be released: none of its slots has a beatmap',
      )
    }
  })

  it('now: a slot that goes out by itself leaves the tags by which the staff writes (D-86)', async () => {
    const { scene, patch } = await incomplete('now')
    const { host, path, roundPath } = scene
    const tagOf = async (at: string) => (await host.get(at)).headers.get('etag')!
    await patch(planned, { beatmapId: 77 })
    const [ofTournament, ofRound] = [await tagOf(path), await tagOf(roundPath)]
    expect(await releaseAllDue()).toBe(1)
    const writes = [
      ['PUT', roundPath, ofRound, { name: 'Other' }],
      ['PATCH', path, ofTournament, { description: 'soon' }],
    ] as const
    // The first one moves the tag of the tournament, of which the round is a part.
    for (const [[method, at, etag, body], status] of [
      [writes[1], 200],
      [writes[0], 200],
      [writes[1], 412],
    ] as const) {
      const reply = await host.ask(method, at, { body, headers: { 'if-match': etag } })
      expect([reply.status, at], reply.text).toEqual([status, at])
    }
  })

  it('its history is open: what changed since, and of the drafts nothing (D-80)', async () => {
    const { round, patch, pack } = await incomplete('now')
    expect((await pack(round.packSlug)).historyPublic).toBe(true)
    await patch(planned, { beatmapId: 77 })
    await releaseAllDue()
    const reader = await house.host()
    const { versions } = (await reader.get(`/packs/${round.packSlug}/history`)).json
    expect(versions.map(({ changes }: { changes: object }) => changes)).toEqual([
      [{ kind: 'filled', at: 'DT1', to: 77 }],
      [],
    ])
  })
})

describe('200 scheduled for any time of RFC 3339 (D-88), never for a moment before it (D-63)', () => {
  it.each([
    ['2026-12-01T18:00:00Z', '2026-12-01T18:00:00.000Z'],
    ['2026-12-01t18:00:00z', '2026-12-01T18:00:00.000Z'],
    ['2026-12-01T18:00:00+00:00', '2026-12-01T18:00:00.000Z'],
    ['2026-12-01T18:00:00-00:00', '2026-12-01T18:00:00.000Z'],
    ['2026-12-01T18:00:00.123000Z', '2026-12-01T18:00:00.123Z'],
    ['2026-12-01T18:00:00.123456Z', '2026-12-01T18:00:00.124Z'],
    ['2026-12-01T18:00:00.5+01:30', '2026-12-01T16:30:00.500Z'],
    ['2026-12-01T00:15:00-05:00', '2026-12-01T05:15:00.000Z'],
    ['2026-12-31T23:59:60Z', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T23:59:59.999000001Z', '2028-03-01T00:00:00.000Z'],
  ])('%s is %s', async (at, releaseAt) => {
    const scene = await newScene(house)
    const reply = await scene.host.ask('PUT', `${scene.roundPath}/release`, { body: { at } })
    expect(reply).toMatchObject({ status: 200, json: { round: { releaseAt } } })
  })
})

describe('400 bad_request', () => {
  const all = 'at must be a string of the form 2026-10-03T18:30:00Z, "now" or null'
  refuses.bodies([
    ['at is missing', {}],
    [all, { at: 'tomorrow' }],
    [all, { at: '2026-12-01' }],
    [all, { at: '2026-12-01T18:00:00' }],
    [all, { at: '2026-12-01 18:00:00Z' }],
    [all, { at: '2026-02-30T18:00:00.000Z' }],
    [all, { at: '2026-12-01T25:00:00Z' }],
    [all, { at: '2026-12-01T18:00:00+24:00' }],
    [all, { at: 1_790_000_000_000 }],
    [/^at /, { at: '2020-01-01T00:00:00.000Z' }],
    ['incomplete must be true or false', { at: 'now', incomplete: 'yes' }],
  ])
  refuses.oddTags()
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('pooler', 'tester', 'referee'))

describe('404 not_found', () => refuses.hidden({ takesBody: true }))

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
  it.each([
    ['now', soon],
    [soon, soon],
    ['now', 'now'],
  ])(
    'at %s after %s, also if it comes again (D-86): says what helps, and everything stays as it is',
    async (at, earlier) => {
      const scene = await newScene(house, { visibility: 'public' })
      await scene.release(earlier)
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
