import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/contract/quotas.ts'
import { expectError } from '../support/door.ts'
import type { Host } from '../support/house.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { aRound, newScene, type Scene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()

const deleteRound = async (scene: Scene, by: Host = scene.host, path = scene.roundPath) => {
  house.clock.advance(1000)
  const headers = await scene.as(path)
  expect((await by.ask('DELETE', path, { headers })).status).toBe(204)
}
const restorePath = ({ path, id }: Scene) => `${path}/deleted-rounds/${id}/restore`
const deletedOf = async ({ host, path }: Scene) =>
  (await host.get(`${path}/deleted-rounds`)).json.rounds

/** Of a round that was deleted. */
const refuses = refusalsOf(faults, {
  house,
  method: 'POST',
  ask: async (scene) => {
    await deleteRound(scene)
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
    await deleteRound(scene)
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
    await deleteRound(scene)
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

describe('200 the deleted rounds', () => {
  it('says who deleted each, when, and until when it can be restored: the last one first', async () => {
    const scene = await newScene(house)
    const pooler = await scene.staff('pooler')
    const body = { name: 'Finals' }
    const { round } = (await scene.host.ask('POST', `${scene.path}/rounds`, { body })).json
    await deleteRound(scene, pooler)
    const first = house.clock.now()
    house.clock.advance(60_000)
    await deleteRound(scene, scene.host, `${scene.path}/rounds/${round.id}`)
    const at = (time: number) => new Date(time).toISOString()
    const [finals, quarterfinals] = await deletedOf(scene)
    expect(finals).toMatchObject({ id: round.id, name: 'Finals', slotCount: 0 })
    expect(quarterfinals).toEqual({
      id: scene.id,
      name: 'Quarterfinals',
      slotCount: 2,
      deletedAt: at(first),
      deletedBy: pooler.username,
      restorableUntil: at(first + 30 * DAY_MS),
    })
  })

  it('for 30 days: then it is 404, as what never was', async () => {
    const scene = await newScene(house)
    await deleteRound(scene)
    const deletedAt = house.clock.now()
    house.clock.advance(30 * DAY_MS - 1)
    expect(await deletedOf(scene)).toHaveLength(1)
    house.clock.advance(1)
    expect(await deletedOf(scene)).toEqual([])
    const missing = await scene.host.get('/tournaments/AAAAAAAAAA')
    expect((await scene.host.ask('POST', restorePath(scene))).text).toBe(missing.text)
    const { tournaments } = house.ports
    expect(await tournaments.forgetDeletedRounds(deletedAt)).toBe(false)
    expect(await tournaments.listDeletedRounds(scene.slug, 0)).toEqual([])
  })
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('tester', 'referee'))

describe('404 not_found', () => refuses.hidden())

describe('409 conflict', () => {
  it('when the tournament has 16 rounds', async () => {
    const scene = await newScene(house)
    await deleteRound(scene)
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
