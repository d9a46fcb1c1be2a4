import { describe, expect, it } from 'vitest'
import { aBeatmap } from '../support/a-beatmap.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { ScriptedPlatform } from '../support/scripted-platform.ts'
import { holding, newBeatmap, takeOver } from '../support/usage-scene.ts'
import { hidesOfReleased } from './discussion-scene.ts'
import { expectStanding } from './standing.ts'
import { type Action, openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

let platform!: ScriptedPlatform
const { house, faults } = await openFaultyHouse((ports) => {
  platform = new ScriptedPlatform(ports)
  return { ...ports, platform: platform as never }
})

const action: Action = {
  house,
  method: 'GET',
  ask: ({ roundPath }) => ({ path: `${roundPath}/checks` }),
}
const refuses = refusalsOf(faults, action)

describe('200 the findings', () => {
  it('name round, slot, what and how far, for all of the staff (D-61)', async () => {
    const scene = await newScene(house)
    const referee = await scene.staff('referee')
    const body = {
      name: 'Quarterfinals',
      slots: [
        { mod: 'TB', index: 1, placeholder: 'custom map, due Sunday' },
        { mod: 'DT', index: 1, beatmapId: 501 },
        { mod: 'NM', index: 1, beatmapId: 502 },
        { mod: 'NM', index: 2 },
      ],
      targets: { stars: { max: 6.3 } },
    }
    platform.beatmaps.set(502, 'gone')
    const headers = await scene.as(scene.roundPath)
    await scene.host.ask('PUT', scene.roundPath, { body, headers })
    const reply = await referee.get(`${scene.roundPath}/checks`)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    const round = { id: scene.id, name: 'Quarterfinals' }
    expect(reply.json).toEqual({
      checks: [
        { kind: 'empty', round, mod: 'NM', index: 2, message: 'NM2 is empty' },
        {
          kind: 'placeholder',
          round,
          mod: 'TB',
          index: 1,
          message: 'TB has no beatmap yet: custom map, due Sunday',
        },
        {
          kind: 'gone',
          round,
          mod: 'NM',
          index: 1,
          beatmapId: 502,
          message: 'NM1 has a beatmap that the platform no longer has',
        },
        {
          kind: 'stars',
          round,
          mod: 'DT',
          index: 1,
          beatmapId: 501,
          message: 'DT1 has 6.50 stars with DT, 0.20 more than 6.30',
          value: 6.5,
          max: 6.3,
        },
      ],
      counts: { empty: 1, placeholder: 1, gone: 1, stars: 1 },
    })
    expect(Object.keys(reply.json.counts)).toEqual(['empty', 'placeholder', 'gone', 'stars'])
    expect((await scene.host.get(`${scene.roundPath}/checks`)).text).toBe(reply.text)
  })

  it('name earlier public pools of a beatmap, but not those of the tournament itself (D-66, D-67)', async () => {
    const beatmapId = newBeatmap()
    platform.beatmaps.set(beatmapId, aBeatmap(beatmapId, { status: 'ranked' }))
    const scene = await newScene(house, { visibility: 'public' })
    const body = { name: 'Semifinals', slots: [{ mod: 'NM', index: 2, beatmapId }] }
    const headers = await scene.as(scene.roundPath)
    await scene.host.ask('PUT', scene.roundPath, { body, headers })
    const found = async () => {
      await takeOver(house.ports)
      house.clock.nextMinute()
      return (await scene.host.get(`${scene.roundPath}/checks`)).json.checks
    }
    await scene.release()
    expect(await found()).toEqual([])
    const owner = await house.host()
    const slug = await owner.save(holding(beatmapId, { name: 'Scrim' }))
    await owner.save(holding(beatmapId, { name: 'Secret', visibility: 'unlisted' }))
    expect(await found()).toEqual([
      {
        kind: 'pooled',
        round: { id: scene.id, name: 'Semifinals' },
        mod: 'NM',
        index: 2,
        beatmapId,
        message: 'NM2 was pooled once, as NM2 of the pack Scrim',
        value: 1,
      },
    ])
    await hidePack(house.ports, slug)
    expect(await found()).toEqual([])
  })

  it('are none if all is well', async () => {
    const scene = await newScene(house)
    platform.beatmaps.set(75, aBeatmap(75, { status: 'loved' }))
    expect((await scene.host.get(`${scene.roundPath}/checks`)).json).toEqual({
      checks: [],
      counts: {},
    })
  })

  it('say what is unknown while the platform is away or does not answer', async () => {
    const scene = await newScene(house)
    const body = {
      name: 'Away',
      slots: [
        { mod: 'NM', index: 1, beatmapId: 601 },
        { mod: 'NM', index: 2, beatmapId: 602 },
      ],
    }
    const headers = await scene.as(scene.roundPath)
    await scene.host.ask('PUT', scene.roundPath, { body, headers })
    for (const meanwhile of [() => new Promise<void>(() => {}), () => {}]) {
      platform.fails = () => true
      platform.meanwhile = meanwhile
      const reply = await scene.host.get(`${scene.roundPath}/checks`)
      platform.fails = () => false
      platform.meanwhile = () => {}
      expect(reply.status).toBe(200)
      expect(reply.json.checks).toMatchObject([
        { kind: 'unknown', index: 1 },
        { kind: 'unknown', index: 2 },
      ])
    }
  })
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('404 not_found', () => {
  refuses.hidden()
  hidesOfReleased(action)
})

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults('tournaments', 'usage'))
