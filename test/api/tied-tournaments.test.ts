import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { PAGE_SIZE } from '../../src/contract/bounds.ts'
import { type Host, openHouse } from '../support/house.ts'

const house = await openHouse()
afterAll(() => house.close())

type Listed = { readonly slug: string; readonly updatedAt: string; readonly createdAt: string }

const TOURNAMENTS = PAGE_SIZE + 14
/** A host's share; below what an account may write in a minute, with two changes of each. */
const EACH = 4

/** Public tournaments of several hosts with the same member, changed at one of two moments. */
const seed = async (member: Host): Promise<readonly string[]> => {
  const made: { readonly slug: string; readonly host: Host }[] = []
  house.clock.nextMinute()
  for (let at = 0; at < TOURNAMENTS; at += 1) {
    const host = at % EACH === 0 ? await house.host('pools') : made.at(-1)!.host
    house.clock.advance(1)
    const body = { name: 'Cup', shortName: 'C', visibility: 'public' }
    const { json } = await host.ask('POST', '/tournaments', { body })
    made.push({ slug: json.tournament.slug, host })
  }
  const moments = fc.sample(fc.boolean(), TOURNAMENTS)
  for (const moment of [true, false]) {
    house.clock.nextMinute()
    for (const [at, { slug, host }] of made.entries()) {
      if (moments[at] !== moment) continue
      const path = `/tournaments/${slug}`
      const role = { body: { role: 'referee' } }
      const added = await host.ask('PUT', `${path}/staff/${member.gameId}`, role)
      const changed = await host.ask('PATCH', path, { body: { name: 'Changed' } })
      expect([added.status, changed.status]).toEqual([200, 200])
    }
  }
  return made.map(({ slug }) => slug)
}

const byTimes = (a: Listed, b: Listed): number =>
  Date.parse(b.updatedAt) - Date.parse(a.updatedAt) ||
  Date.parse(b.createdAt) - Date.parse(a.createdAt)

const member = await house.host('pools')
const made = await seed(member)

const overHttp = (path: string) => async (page: number) =>
  (await member.get(`${path}?page=${page}`)).json.tournaments as readonly Listed[]

const lists = {
  'public tournaments': overHttp('/tournaments'),
  'tournaments of a member': overHttp('/me/tournaments'),
  'what moderators find': async (page: number) => {
    const filter = { query: '', isHidden: false }
    const { rows } = await house.ports.tournaments.listModerated(filter, page, PAGE_SIZE)
    return rows.map(({ slug, publicAt, createdAt }) => ({
      slug,
      updatedAt: new Date(publicAt).toISOString(),
      createdAt: new Date(createdAt).toISOString(),
    }))
  },
}

describe.each(Object.entries(lists))('%s', (_, list) => {
  it('shows equals newest created first, over the end of a page too (D-16)', async () => {
    const pages = [await list(1), await list(2)]
    expect(pages.map(({ length }) => length)).toEqual([PAGE_SIZE, TOURNAMENTS - PAGE_SIZE])
    const listed = pages.flat()
    expect(listed.map(({ slug }) => slug).toSorted()).toEqual(made.toSorted())
    expect(new Set(listed.map(({ updatedAt }) => updatedAt)).size).toBeLessThanOrEqual(2)
    expect(listed).toEqual(listed.toSorted(byTimes))
  })
})
