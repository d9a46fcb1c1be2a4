import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/contract/quotas.ts'
import { deletedOf, deleteRound, restorePath } from './deleted-round.ts'
import { expectStanding } from './standing.ts'
import { newScene } from './tournament-scene.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'GET',
  ask: ({ path }) => ({ path: `${path}/deleted-rounds` }),
})

describe('200 the deleted rounds', () => {
  it('says who deleted each, when, and until when it can be restored: the last one first', async () => {
    const scene = await newScene(house)
    const pooler = await scene.staff('pooler')
    const body = { name: 'Finals' }
    const { round } = (await scene.host.ask('POST', `${scene.path}/rounds`, { body })).json
    await deleteRound(house, scene, pooler)
    const first = house.clock.now()
    house.clock.advance(60_000)
    await deleteRound(house, scene, scene.host, `${scene.path}/rounds/${round.id}`)
    expectStanding(await scene.host.get(`${scene.path}/deleted-rounds`))
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
    await deleteRound(house, scene)
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

describe('404 not_found', () => refuses.hidden())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
