import { afterAll, describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { createFaults } from './faults.ts'
import { ignoresOtherQueries, readsPageNumbers } from './pages.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { expectStanding } from './standing.ts'
import { aChange, newScene } from './tournament-scene.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const path = '/tournaments'
const subject: Subject = {
  house,
  service: 'pools',
  method: 'GET',
  prepare: async () => ({ path: `${path}?ruleset=base` }),
}
const newHost = () => house.host('pools')

const namesOf = async (query: string): Promise<string[]> => {
  const { tournaments } = (await (await newHost()).get(`${path}?${query}`)).json
  return tournaments.map(({ name }: { name: string }) => name)
}

describe('200 a page of public tournaments', () => {
  it('has the fields of each in their order, the same to everyone, without rounds (D-45, D-60)', async () => {
    const scene = await newScene(house, { visibility: 'public', year: 2031 })
    await scene.release()
    const reply = await scene.host.get(`${path}?year=2031`)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    expect(Object.keys(reply.json)).toEqual(['tournaments', 'page', 'pageCount', 'total'])
    expect(reply.json).toMatchObject({ page: 1, pageCount: 1, total: 1 })
    expect(Object.keys(reply.json.tournaments[0]).join(' ')).toBe(
      'slug name shortName ruleset year visibility announceRounds createdAt updatedAt',
    )
    const stranger = await newHost()
    expect((await stranger.get(`${path}?year=2031`)).text).toBe(reply.text)
    const { rounds, ...summary } = (await stranger.get(scene.path)).json.tournament
    expect(rounds).toHaveLength(1)
    expect(reply.json.tournaments).toEqual([summary])
  })

  it('has the public ones alone, in an order that drafts do not change (D-60)', async () => {
    const facts = { visibility: 'public', year: 2032 }
    const older = await newScene(house, { ...facts, name: 'Older' })
    await newScene(house, { ...facts, name: 'Newer' })
    await newScene(house, { ...facts, name: 'Private', visibility: 'private' })
    expect(await namesOf('year=2032')).toEqual(['Newer', 'Older'])
    house.clock.nextMinute()
    await older.host.ask('PATCH', `${older.roundPath}/slots`, { body: aChange })
    expect(await namesOf('year=2032')).toEqual(['Newer', 'Older'])
    await older.release()
    expect(await namesOf('year=2032')).toEqual(['Older', 'Newer'])
  })

  it('finds by a part of a name in any case, ruleset, rank and year; Link keeps them', async () => {
    const facts = { visibility: 'public', year: 2033 }
    await newScene(house, { ...facts, name: 'Spring Taiko', shortName: 'ST', ruleset: 'taiko' })
    await newScene(house, { ...facts, name: 'Open', shortName: 'OP', rankMax: 500 })
    await newScene(house, { ...facts, name: 'Four Digits', rankMin: 1000, rankMax: 9999 })
    const found = async (query: string) => (await namesOf(`year=2033&${query}`)).toSorted()
    expect(await found('search=tAIKO')).toEqual(['Spring Taiko'])
    expect(await found('search=op')).toEqual(['Open'])
    expect(await found('ruleset=taiko')).toEqual(['Spring Taiko'])
    expect(await found('rank=1000')).toEqual(['Four Digits', 'Spring Taiko'])
    expect(await found('rank=501&ruleset=base')).toEqual([])
    expect(await namesOf('year=2034')).toEqual([])
    const host = await newHost()
    const reply = await host.get(`${path}?year=2033&search=%C3%A4%3E&rank=5&page=1&other=x`)
    const list = `http://pools.test/api/v1${path}?search=%C3%A4%3E&rank=5&year=2033&page=1`
    expect(reply.headers.get('link')).toBe(`<${list}>; rel="first", <${list}>; rel="last"`)
    const long = await host.get(`${path}?search=${encodeURIComponent('ä'.repeat(100))}&page=2`)
    expect(long.headers.get('link')).toMatch(/^<[^>]+page=1>; rel="prev"$/)
  })

  ignoresOtherQueries(newHost, path)
})

describe('400 bad_request', () => {
  readsPageNumbers(newHost, path)

  it.each([
    ['ruleset must be one of base, taiko, fruits, mania', 'ruleset=other'],
    ['rank must be a whole number from 1 to 99999999', 'rank=04500'],
    ['rank must be a whole number from 1 to 99999999', 'rank=-1'],
    ['year must be a whole number from 1000 to 2999', 'year=2O26'],
    ['year must be sent once', 'year=2026&year=2027'],
    ['search must have at most 100 characters', `search=${'x'.repeat(101)}`],
    ['search must not contain lone surrogates or U+0000', 'search=%00'],
    ['search must not contain lone surrogates or U+0000', 'search=Cup%00&rank=5'],
  ])('%s: ?%s', async (message, query) => {
    expectError(await (await newHost()).get(`${path}?${query}`), 'bad_request', message)
  })
})

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => survivesFaults(subject, faults, ['tournaments', 'quotas']))
