import { describe, expect, it } from 'vitest'
import { hidesOfReleased, openList, remark } from './discussion-scene.ts'
import { ignoresOtherQueries, readsPageNumbers } from './pages.ts'
import { expectStanding } from './standing.ts'
import { newScene } from './tournament-scene.ts'

const { house, action, refuses, newHost, path } = await openList('remarks')

describe('200 a page of remarks', () => {
  it('has them oldest first, settled or not, for all of the staff (D-61)', async () => {
    const scene = await newScene(house)
    const [tester, referee] = [await scene.staff('tester'), await scene.staff('referee')]
    const createdAt = new Date(house.clock.now()).toISOString()
    const first = await remark(tester, scene, { mod: 'NM', index: 1, text: ' Too long\nby far ' })
    const second = await remark(scene.host, scene)
    house.clock.advance(1000)
    await scene.host.ask('PATCH', first, { body: { settled: true } })
    const reply = await referee.get(`${scene.roundPath}/remarks`)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    const [by, host] = [tester, scene.host].map(({ gameId, username }) => ({ gameId, username }))
    expect(reply.json).toMatchObject({ page: 1, pageCount: 1, total: 2 })
    expect(reply.json.remarks).toEqual([
      {
        id: first.slice(-10),
        mod: 'NM',
        index: 1,
        text: 'Too long\nby far',
        writtenBy: by,
        settled: true,
        settledBy: host,
        createdAt,
        updatedAt: new Date(house.clock.now()).toISOString(),
      },
      {
        id: second.slice(-10),
        text: 'Too long for this round',
        writtenBy: host,
        settled: false,
        createdAt,
        updatedAt: createdAt,
      },
    ])
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

describe('500 internal_error', () => refuses.faults('tournaments', 'discussion'))
