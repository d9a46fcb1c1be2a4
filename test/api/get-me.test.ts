import { afterAll, describe, expect, it } from 'vitest'
import { quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { createFaults } from './faults.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { expectStanding } from './standing.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const subject: Subject = { house, method: 'GET', prepare: async () => ({ path: '/me' }) }

describe('200 the account behind the key', () => {
  it('is { user } with id, gameId and username in this order (spec 2.1, D-45)', async () => {
    const host = await house.host()
    const reply = await host.get('/me')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expectStanding(reply)
    const { id } = reply.json.user
    expect(id).toMatch(/^.{1,64}$/)
    const { gameId, username } = host
    expect(reply.text).toBe(JSON.stringify({ user: { id, gameId, username } }))
  })

  it('tells players apart, and knows one again by another key and another name (D-42)', async () => {
    const first = await house.host()
    const second = await house.host()
    const { user } = (await first.get('/me')).json
    expect((await second.get('/me')).json.user.id).not.toBe(user.id)
    const renamed = await house.hostOf(first.gameId, 'Ünï 名前')
    expect((await renamed.get('/me')).json).toEqual({ user: { ...user, username: 'Ünï 名前' } })
  })

  it('takes the largest gameId there is (spec 2.1)', async () => {
    const host = await house.hostOf(Number.MAX_SAFE_INTEGER, 'last player')
    expect((await host.get('/me')).json.user.gameId).toBe(9_007_199_254_740_991)
  })

  it('ignores any query', async () => {
    const host = await house.host()
    expect((await host.get('/me?page=0&x[]=1')).status).toBe(200)
  })

  it('has a strong ETag; sent back it gives 304 without a body, which counts (D-13)', async () => {
    const host = await house.host()
    const first = await host.get('/me')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    const again = await host.get('/me', { 'If-None-Match': etag })
    expect(again).toMatchObject({ status: 304, text: '' })
    expect(again.headers.get('etag')).toBe(etag)
    expectStanding(again)
    expect(quotaOf(again).remaining).toBe(quotaOf(first).remaining - 1)
    const renamed = await house.hostOf(host.gameId, 'renamed')
    expect((await renamed.get('/me', { 'If-None-Match': etag })).status).toBe(200)
  })

  it.each([
    ['*', 304],
    ['W/ETAG', 304],
    ['"other", ETAG', 304],
    ['"other"', 200],
    ['ETAG-', 200],
    ['', 200],
  ])('If-None-Match: %s gives %i (D-13)', async (template, status) => {
    const host = await house.host()
    const etag = (await host.get('/me')).headers.get('etag') ?? ''
    const sent = template.replace('ETAG-', etag.slice(0, -1)).replace('ETAG', etag)
    expect((await host.get('/me', { 'If-None-Match': sent })).status).toBe(status)
  })

  it('answers HEAD with the same headers and no body (D-12)', async () => {
    const host = await house.host()
    const get = await host.get('/me')
    const head = await host.ask('HEAD', '/me')
    expect(head).toMatchObject({ status: 200, text: '' })
    for (const name of ['content-type', 'content-length', 'etag']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name))
    }
    expectStanding(head)
    expect(quotaOf(head)).toMatchObject({ limit: 60, remaining: quotaOf(get).remaining - 1 })
  })
})

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => survivesFaults(subject, faults, ['accounts', 'quotas']))
