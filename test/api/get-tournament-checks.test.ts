import { describe, expect, it } from 'vitest'
import { aBeatmap } from '../support/a-beatmap.ts'
import { ScriptedPlatform } from '../support/scripted-platform.ts'
import { hidesOfReleased } from './discussion-scene.ts'
import { expectStanding } from './standing.ts'
import { type Action, openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

let platform!: ScriptedPlatform
const { house, faults } = await openFaultyHouse((ports) => {
  platform = new ScriptedPlatform(ports)
  return { ...ports, platform: platform as never }
})

const action: Action = { house, method: 'GET', ask: ({ path }) => ({ path: `${path}/checks` }) }
const refuses = refusalsOf(faults, action)

describe('200 the findings', () => {
  it('are those of all rounds in order, duplicates across rounds too', async () => {
    const scene = await newScene(house)
    const referee = await scene.staff('referee')
    const body = {
      name: 'Finals',
      slots: [
        { mod: 'NM', index: 1, beatmapId: 75 },
        { mod: 'NM', index: 2 },
      ],
    }
    platform.beatmaps.set(76, aBeatmap(76, { status: 'graveyard' }))
    const finals = (await scene.host.ask('POST', `${scene.path}/rounds`, { body })).json.round
    const reply = await referee.get(`${scene.path}/checks`)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    const nm1 = { mod: 'NM', index: 1 }
    const [first, second] = [
      { id: scene.id, name: 'Quarterfinals' },
      { id: finals.id, name: 'Finals' },
    ]
    expect(reply.json.checks).toMatchObject([
      { kind: 'duplicate', round: first, ...nm1, other: { round: second, ...nm1 } },
      { kind: 'status', round: first, mod: 'HD', index: 1 },
      { kind: 'duplicate', round: second, ...nm1, other: { round: first, ...nm1 } },
      { kind: 'empty', round: second, mod: 'NM', index: 2 },
    ])
  })
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('404 not_found', () => {
  refuses.hidden()
  hidesOfReleased(action)
})

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults('tournaments'))
