import { describe, expect, it } from 'vitest'
import { hidesOfReleased, openList } from './discussion-scene.ts'
import { ignoresOtherQueries, readsPageNumbers } from './pages.ts'
import { expectStanding } from './standing.ts'
import { aChange, newScene } from './tournament-scene.ts'

const { house, action, refuses, newHost, path } = await openList('history')

describe('200 a page of versions', () => {
  it('has who saved what when, newest first, for all of the staff (D-61)', async () => {
    const scene = await newScene(house)
    const [pooler, referee] = [await scene.staff('pooler'), await scene.staff('referee')]
    const created = new Date(house.clock.now()).toISOString()
    house.clock.advance(1000)
    await pooler.ask('PATCH', `${scene.roundPath}/slots`, { body: aChange })
    const reply = await referee.get(`${scene.roundPath}/history`)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    expect(reply.json).toEqual({
      versions: [
        {
          version: 2,
          savedAt: new Date(house.clock.now()).toISOString(),
          savedBy: pooler.username,
          name: 'Quarterfinals',
          changes: [
            {
              kind: 'replaced',
              at: 'NM1',
              from: 75,
              to: 77,
              before: { beatmapId: 75 },
              after: { beatmapId: 77 },
            },
          ],
        },
        {
          version: 1,
          savedAt: created,
          savedBy: scene.host.username,
          name: 'Quarterfinals',
          changes: [],
        },
      ],
      page: 1,
      pageCount: 1,
      total: 2,
    })
  })

  ignoresOtherQueries(newHost, path)
})

describe('400 bad_request', () => readsPageNumbers(newHost, path))

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('404 not_found', () => {
  refuses.hidden()
  hidesOfReleased(action)
})

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
