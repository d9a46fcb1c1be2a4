import { describe, expect, it } from 'vitest'
import { hidesOfReleased, openList, propose } from './discussion-scene.ts'
import { ignoresOtherQueries, readsPageNumbers } from './pages.ts'
import { expectStanding } from './standing.ts'
import { newScene } from './tournament-scene.ts'

const { house, action, refuses, newHost, path } = await openList('candidates')

describe('200 a page of candidates', () => {
  it('has them in the order of their proposal, with votes, for all of the staff (D-61)', async () => {
    const scene = await newScene(house)
    const [tester, referee] = [await scene.staff('tester'), await scene.staff('referee')]
    const createdAt = new Date(house.clock.now()).toISOString()
    const first = await propose(tester, scene, { note: ' Easier ' })
    const second = await propose(scene.host, scene, { mod: 'HD', beatmapId: 5 })
    await tester.ask('PUT', `${first}/vote`, { body: { vote: 1 } })
    await scene.host.ask('PUT', `${first}/vote`, { body: { vote: -1 } })
    const reply = await referee.get(`${scene.roundPath}/candidates`)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    const [by, host] = [tester, scene.host].map(({ gameId, username }) => ({ gameId, username }))
    const candidate = {
      id: first.slice(-10),
      mod: 'NM',
      index: 1,
      beatmapId: 1_860_169,
      note: 'Easier',
      proposedBy: by,
      score: 0,
      votes: expect.arrayContaining([
        { ...by, vote: 1 },
        { ...host, vote: -1 },
      ]),
      createdAt,
    }
    expect(reply.json).toMatchObject({ page: 1, pageCount: 1, total: 2 })
    expect(reply.json.candidates).toMatchObject([candidate, { id: second.slice(-10), votes: [] }])
    expect(Object.keys(reply.json.candidates[0])).toEqual(Object.keys(candidate))
  })

  it('has 50 a page, and links to the others (D-13)', async () => {
    const scene = await newScene(house)
    const slots = Array.from({ length: 7 }, (_, at) => ({ mod: 'FM', index: at + 1 }))
    const headers = await scene.as(scene.roundPath)
    await scene.host.ask('PUT', scene.roundPath, { body: { name: 'QF', slots }, headers })
    for (let at = 0; at < 51; at += 1) {
      if (at % 8 === 0) house.clock.nextMinute()
      await propose(scene.host, scene, { mod: 'FM', index: 1 + (at % 7), beatmapId: at + 1 })
    }
    const list = `${scene.roundPath}/candidates`
    const page = await scene.host.get(`${list}?page=2`)
    expect(page.json).toMatchObject({ page: 2, pageCount: 2, total: 51 })
    expect(page.json.candidates).toMatchObject([{ beatmapId: 51 }])
    const to = (number: number, rel: string) =>
      `<http://pools.test/api/v1${list}?page=${number}>; rel="${rel}"`
    expect(page.headers.get('link')).toBe([to(1, 'first'), to(1, 'prev'), to(2, 'last')].join(', '))
    expect((await scene.host.get(`${list}?page=1`)).json.candidates).toHaveLength(50)
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
