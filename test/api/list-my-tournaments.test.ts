import { afterAll, describe, expect, it } from 'vitest'
import { openHouse } from '../support/house.ts'
import { createFaults } from './faults.ts'
import { ignoresOtherQueries, readsPageNumbers } from './pages.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { expectStanding } from './standing.ts'
import { aChange, newScene } from './tournament-scene.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const path = '/me/tournaments'
const subject: Subject = {
  house,
  service: 'pools',
  method: 'GET',
  prepare: async () => ({ path }),
}
const newHost = () => house.host('pools')

describe('200 a page of your tournaments', () => {
  it('has those that you are on the staff of, with your role, last updated first (D-61)', async () => {
    const [first, second] = [await newScene(house), await newScene(house)]
    await newScene(house, { visibility: 'public' })
    const member = await first.staff('tester')
    house.clock.advance(1000)
    const { gameId } = member
    await second.host.ask('PUT', `${second.path}/staff/${gameId}`, { body: { role: 'referee' } })
    const reply = await member.get(path)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    expect(reply.json).toMatchObject({ page: 1, pageCount: 1, total: 2 })
    const seen = async () =>
      (await member.get(path)).json.tournaments.map(
        ({ slug, role }: { slug: string; role: string }) => [slug, role],
      )
    const both = [
      [second.slug, 'referee'],
      [first.slug, 'tester'],
    ]
    expect(await seen()).toEqual(both)
    house.clock.nextMinute()
    await first.host.ask('PATCH', `${first.roundPath}/slots`, { body: aChange })
    expect(await seen()).toEqual(both.toReversed())
    const { rounds, ...summary } = (await member.get(first.path)).json.tournament
    expect(rounds).toHaveLength(1)
    expect((await member.get(path)).json.tournaments[0]).toEqual(summary)
  })

  it('has one empty page while there are none (D-15)', async () => {
    const reply = await (await newHost()).get(path)
    expect(reply.json).toEqual({ tournaments: [], page: 1, pageCount: 1, total: 0 })
    const list = `http://pools.test/api/v1${path}?page=1`
    expect(reply.headers.get('link')).toBe(`<${list}>; rel="first", <${list}>; rel="last"`)
  })

  ignoresOtherQueries(newHost, path)
})

describe('400 bad_request', () => readsPageNumbers(newHost, path))

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => survivesFaults(subject, faults, ['tournaments', 'quotas']))
