import { describe, expect, it } from 'vitest'
import { aBeatmap } from '../support/a-beatmap.ts'
import { expectError } from '../support/door.ts'
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
  /** Two rounds with the same beatmap, one that is not ranked, and an empty slot. */
  const twoRounds = async () => {
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
    return { scene, referee, finals }
  }
  const nm1 = { mod: 'NM', index: 1 }

  it('are those of all rounds: what weighs most, then rounds and slots, duplicates across rounds too', async () => {
    const { scene, referee, finals } = await twoRounds()
    const reply = await referee.get(`${scene.path}/checks`)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    const [first, second] = [
      { id: scene.id, name: 'Quarterfinals' },
      { id: finals.id, name: 'Finals' },
    ]
    expect(reply.json.checks).toMatchObject([
      { kind: 'empty', round: second, mod: 'NM', index: 2 },
      { kind: 'duplicate', round: first, ...nm1, other: { round: second, ...nm1 } },
      { kind: 'duplicate', round: second, ...nm1, other: { round: first, ...nm1 } },
      { kind: 'status', round: first, mod: 'HD', index: 1 },
    ])
    expect(reply.json.counts).toEqual({ empty: 1, duplicate: 2, status: 1 })
  })

  it('are those of one round if that is asked for, as at its own address', async () => {
    const { scene, referee, finals } = await twoRounds()
    for (const id of [scene.id, finals.id]) {
      house.clock.nextMinute()
      const reply = await referee.get(`${scene.path}/checks?round=${id}`)
      expect(reply.text).toBe((await referee.get(`${scene.path}/rounds/${id}/checks`)).text)
      expect(reply.json.checks).toHaveLength(2)
    }
  })
})

describe('400 bad_request', () => {
  it.each(['round=', 'round=short', 'round=a%20b', 'round=AAAAAAAAAA&round=AAAAAAAAAB'])(
    'is what cannot be a round: %s',
    async (query) => {
      const scene = await newScene(house)
      const reply = await scene.host.get(`${scene.path}/checks?${query}`)
      expectError(reply, 'bad_request', /^round must /)
    },
  )
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('404 not_found', () => {
  refuses.hidden()
  hidesOfReleased(action)

  it('is a round that is not there, in the same bytes as a tournament that is not (D-60)', async () => {
    const scene = await newScene(house)
    const other = await newScene(house)
    const missing = await scene.host.get('/tournaments/AAAAAAAAAA/checks')
    expectError(missing, 'not_found')
    for (const round of ['AAAAAAAAAA', other.id]) {
      const reply = await scene.host.get(`${scene.path}/checks?round=${round}`)
      expect([reply.status, reply.text]).toEqual([404, missing.text])
    }
    const stranger = await house.host('pools')
    const reply = await stranger.get(`${scene.path}/checks?round=${scene.id}`)
    expect([reply.status, reply.text]).toEqual([404, missing.text])
  })
})

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults('tournaments'))
