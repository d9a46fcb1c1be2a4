import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { deletedOf, deleteRound, restorePath } from './deleted-round.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { aRound, newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()

/** Of a round that was deleted. */
const refuses = refusalsOf(faults, {
  house,
  method: 'POST',
  ask: async (scene) => {
    await deleteRound(house, scene)
    return { path: restorePath(scene) }
  },
})

describe('200 the round as it is now', () => {
  it('is the last one again, a draft, with its history, candidates and remarks (D-82)', async () => {
    const scene = await newScene(house)
    const { host, path, roundPath } = scene
    const tester = await scene.staff('tester')
    const proposal = { mod: 'NM', index: 1, beatmapId: 80 }
    await tester.ask('POST', `${roundPath}/candidates`, { body: proposal })
    await tester.ask('POST', `${roundPath}/remarks`, { body: { text: 'Too long' } })
    const { packSlug } = (await scene.release()).json.round
    const { versions } = (await host.get(`${roundPath}/history`)).json
    await host.ask('POST', `${path}/rounds`, { body: { name: 'Finals' } })
    await deleteRound(house, scene)
    expectError(await host.get(roundPath), 'not_found')
    expectError(await (await house.host()).get(`/packs/${packSlug}`), 'not_found')

    const reply = await host.ask('POST', restorePath(scene))
    expect(reply.status).toBe(200)
    expectStanding(reply)
    const { round, candidates, remarks } = reply.json
    expect(round).toMatchObject({ id: scene.id, ...aRound() })
    expect(round).not.toHaveProperty('packSlug')
    expect(candidates).toMatchObject([proposal])
    expect(remarks).toMatchObject([{ text: 'Too long', writtenBy: { gameId: tester.gameId } }])
    expect((await host.get(roundPath)).json.round).toEqual(round)
    expect((await host.get(`${roundPath}/candidates`)).json.candidates).toEqual(candidates)
    const names = (await host.get(path)).json.tournament.rounds.map(
      ({ name }: { name: string }) => name,
    )
    expect(names).toEqual(['Finals', 'Quarterfinals'])
    expect(await deletedOf(scene)).toEqual([])
    const after = (await host.get(`${roundPath}/history`)).json.versions
    expect(after.slice(1)).toEqual(versions)
    expect((await scene.release()).json.round.packSlug, 'under the same slug').toBe(packSlug)
  })

  it('has a number after its name where that is taken meanwhile', async () => {
    const scene = await newScene(house)
    await deleteRound(house, scene)
    for (const name of ['quarterfinals', 'Quarterfinals 2']) {
      await scene.host.ask('POST', `${scene.path}/rounds`, { body: { name } })
    }
    const reply = await scene.host.ask('POST', restorePath(scene))
    expect(reply.json.round.name).toBe('Quarterfinals 3')
  })

  it('is kept by a PUT of all rounds that leaves it out, too', async () => {
    const scene = await newScene(house)
    const headers = await scene.as(scene.path)
    const body = { rounds: [{ name: 'Finals' }] }
    expect((await scene.host.ask('PUT', `${scene.path}/rounds`, { body, headers })).status).toBe(
      200,
    )
    expect(await deletedOf(scene)).toMatchObject([{ id: scene.id, slotCount: 2 }])
    expect((await scene.host.ask('POST', restorePath(scene))).json.round).toMatchObject(aRound())
  })
})

describe('400 bad_request', () => refuses.oddIdempotencyKeys())

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('tester', 'referee'))

describe('404 not_found', () => refuses.hidden())

describe('409 conflict', () => {
  it('when the tournament has 16 rounds', async () => {
    const scene = await newScene(house)
    await deleteRound(house, scene)
    const headers = await scene.as(scene.path)
    const rounds = Array.from({ length: 16 }, (_, at) => ({ name: `Round ${at}` }))
    await scene.host.ask('PUT', `${scene.path}/rounds`, { body: { rounds }, headers })
    const reply = await scene.host.ask('POST', restorePath(scene))
    expectError(reply, 'conflict', 'the tournament already has 16 rounds; delete one first')
    expect(await deletedOf(scene)).toHaveLength(1)
  })
})

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
