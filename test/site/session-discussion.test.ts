import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ChecksReply } from '../../src/contract/checks.ts'
import { Discussion } from '../../src/contract/discussion.ts'
import { refusals } from '../../src/contract/errors.ts'
import type { Browser } from '../support/browser.ts'
import { makeTournament, setStaff } from '../support/sample-tournament.ts'
import { expectSiteError } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let host: Browser
let tester: Browser
let stranger: Browser
let path: string

beforeAll(async () => {
  house = await openSiteHouse()
  await house.ports.accounts.setModerator(7003, true, 0)
})
afterAll(() => house.close())
beforeEach(async () => {
  house.clock.nextMinute()
  host = await house.signedIn(7001, 'pools')
  tester = await house.signedIn(7002, 'pools')
  stranger = await house.signedIn(7003, 'pools')
  const slug = await makeTournament(house.ports, host.viewer!.id)
  await setStaff(house.ports, slug, tester.viewer!.id, 'tester')
  path = `/session/tournaments/${slug}/rounds/round-0001`
})

const proposal = { mod: 'NM', index: 1, beatmapId: 75 }

describe('GET /session/tournaments/{slug}/rounds/{round}/discussion', () => {
  it('is all that is said of the round, for the staff', async () => {
    const { candidate } = (await tester.ask('POST', `${path}/candidates`, proposal)).json
    await host.ask('PUT', `${path}/candidates/${candidate.id}/vote`, { vote: 1 })
    for (let at = 0; at < 60; at += 1) {
      await tester.ask('POST', `${path}/remarks`, { text: `Remark ${at}` })
    }
    const reply = await tester.ask('GET', `${path}/discussion`)
    expect(reply.status).toBe(200)
    expect([...Value.Errors(Discussion, reply.json)]).toEqual([])
    const { candidates, remarks } = reply.json
    expect(candidates).toMatchObject([{ id: candidate.id, score: 1 }])
    expect(remarks).toHaveLength(60)
    expect(remarks[59]).toMatchObject({ text: 'Remark 59' })
  })

  it('is the same 404 for strangers and moderators as what is not there (D-60)', async () => {
    const missing = await host.ask('GET', `/session/tournaments/AAAAAAAAAA/rounds/x/discussion`)
    expectSiteError(missing, 'not_found', refusals.tournamentNotFound[1])
    for (const asked of [
      stranger.ask('GET', `${path}/discussion`),
      host.ask('GET', `${path.slice(0, -10)}AAAAAAAAAA/discussion`),
    ]) {
      const reply = await asked
      expect(reply.status).toBe(404)
      expect(reply.text).toBe(missing.text)
    }
    const visitor = house.browser('pools')
    expectSiteError(await visitor.ask('GET', `${path}/discussion`), 'not_signed_in')
  })
})

describe('what is said through the site', () => {
  it('needs the token of the page, and spends an edit, no write of the API (D-64)', async () => {
    const bare = { 'x-csrf-token': null }
    const refused = await tester.ask('POST', `${path}/candidates`, proposal, bare)
    expectSiteError(refused, 'forbidden')
    expect((await host.ask('GET', `${path}/discussion`)).json.candidates).toEqual([])
    for (let at = 0; at < 20; at += 1) {
      const reply = await tester.ask('POST', `${path}/remarks`, { text: `${at}` })
      expect(reply.status, reply.text).toBe(201)
    }
    const { quota } = (await tester.ask('GET', '/session')).json
    expect(quota.writes.left).toBe(quota.writes.limit)
  })
})

describe('GET /session/tournaments/{slug}/checks', () => {
  it('asks the platform for the account', async () => {
    const checks = path.replace('/rounds/round-0001', '/checks')
    const reply = await tester.ask('GET', checks)
    expect(reply.status).toBe(200)
    expect([...Value.Errors(ChecksReply, reply.json)]).toEqual([])
    expectSiteError(await stranger.ask('GET', checks), 'not_found')
  })
})
