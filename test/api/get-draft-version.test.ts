import { describe, expect, it } from 'vitest'
import { refusals } from '../../src/contract/errors.ts'
import { expectError } from '../support/door.ts'
import { hidesOfReleased } from './discussion-scene.ts'
import { expectStanding } from './standing.ts'
import { type Action, openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { aRound, newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()

const action: Action = {
  house,
  method: 'GET',
  ask: ({ roundPath }) => ({ path: `${roundPath}/history/1` }),
}
const refuses = refusalsOf(faults, action)

describe('200 the version', () => {
  it('has all that the draft was, placeholders too (D-61)', async () => {
    const scene = await newScene(house)
    const body = {
      name: 'Finals',
      slots: [
        { mod: 'TB', index: 1, placeholder: 'custom map, due Sunday' },
        { mod: 'NM', index: 1, beatmapId: 75 },
        { mod: 'NM', index: 2 },
      ],
      bestOf: 11,
      bans: 1,
      packName: 'HLC Finals',
      targets: { stars: { max: 6 } },
    }
    const put = async (sent: object) =>
      scene.host.ask('PUT', scene.roundPath, {
        body: sent,
        headers: await scene.as(scene.roundPath),
      })
    await put(body)
    await put(aRound())
    const reply = await scene.host.get(`${scene.roundPath}/history/2`)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    expect(reply.json.version).toEqual({
      ...body,
      version: 2,
      savedAt: expect.any(String),
      savedBy: scene.host.username,
      changes: [
        { kind: 'name', from: 'Quarterfinals', to: 'Finals' },
        { kind: 'bestOf', to: 11 },
        { kind: 'bans', to: 1 },
        { kind: 'packName', to: 'HLC Finals' },
        { kind: 'targets', to: { stars: { max: 6 } } },
        { kind: 'added', at: 'NM2', after: {} },
        { kind: 'emptied', at: 'HD1', from: 76, before: { beatmapId: 76 } },
        {
          kind: 'placeholder',
          at: 'TB',
          to: 'custom map, due Sunday',
          after: { placeholder: 'custom map, due Sunday' },
        },
      ],
    })
  })
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('404 not_found', () => {
  refuses.hidden()
  hidesOfReleased(action)

  it.each(['2', '0', '01', 'x', '2147483648', '99999999999'])(
    'is the same bytes for version %s, which is not there',
    async (version) => {
      const scene = await newScene(house)
      const reply = await scene.host.get(`${scene.roundPath}/history/${version}`)
      expectError(reply, 'not_found', refusals.tournamentNotFound[1])
    },
  )
})

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
