import { Compile } from 'typebox/compile'
import { expect, onTestFinished, test } from 'vitest'
import { SiteQuota } from '../../src/contract/accounts.ts'
import type { Requester } from '../../src/domain/quotas.ts'
import { showQuota, spendSiteShare, spendWrite } from '../../src/operations/admission.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const house = async () => {
  const opened = await openHouse()
  onTestFinished(opened.close)
  const host = await opened.host()
  const accountId = (await opened.ports.accounts.findByGameId(host.gameId))!.id
  const quota = () => showQuota(opened.ports, 'packs', accountId)
  return { ...opened, host, accountId, quota }
}

test("spec 8: the site's writes and the API's count together, in requests and writes", async () => {
  const { ports, host, accountId, quota } = await house()
  await host.get('/me')
  await host.save(aPack())
  const { quota: report, failure } = await spendWrite(ports, accountId)
  expect(failure).toBeNull()
  expect(report).toEqual({ limit: 10, remaining: 8, resetSeconds: 59 })
  expect(await quota()).toEqual({
    requests: { limit: 60, left: 57 },
    writes: { limit: 10, left: 8 },
    resetSeconds: 59,
  })
  const { headers } = await host.post(aPack())
  expect(headers.get('ratelimit-remaining')).toBe('7')
})

test('spec 8: the eleventh write in a minute is refused, wherever it is made', async () => {
  const { ports, host, accountId, clock, quota } = await house()
  for (let write = 0; write < 10; write += 1) await spendWrite(ports, accountId)
  const { quota: report, failure } = await spendWrite(ports, accountId)
  expect(failure).toMatchObject({
    code: 'rate_limited',
    message: 'more than 10 writes in this minute; wait for the next',
  })
  expect(report).toMatchObject({ limit: 10, remaining: 0 })
  expect((await host.post(aPack())).status).toBe(429)
  clock.nextMinute()
  expect(await quota()).toMatchObject({ writes: { left: 10 }, requests: { left: 60 } })
  expect((await host.post(aPack())).status).toBe(201)
})

test('D-8: without requests left a write is refused and spends nothing', async () => {
  const { ports, accountId, quota } = await house()
  for (let at = 0; at < 60; at += 1) await ports.quotas.spend('packs', accountId, false, 0)
  const before = await quota()
  const now = ports.clock.now()
  for (let at = 0; at < 60; at += 1) await ports.quotas.spend('packs', accountId, false, now)
  const { failure } = await spendWrite(ports, accountId)
  expect(failure?.message).toBe('more than 60 requests in this minute; wait for the next')
  expect(await quota()).toMatchObject({ requests: { left: 0 }, writes: { left: 10 } })
  expect(before.requests.left).toBe(60)
})

test('D-56, D-75: an account and an address have a share each, and all of an IPv6 /48 have one together', async () => {
  const { ports } = await house()
  const spend = (name: Requester, points: number, isLate?: boolean) => {
    const over = spendSiteShare(ports, 'packs', name, points, isLate)
    return over && [over.quota.limit, over.failure.message.replace(/ in this.*/, '')]
  }
  expect(spend('account ada', 600)).toBeNull()
  expect(spend('account ada', 1)).toEqual([600, 'too many requests from your account'])
  expect(spend('account eve', 1)).toBeNull()
  expect(spend('address 192.0.2.1', 1_200)).toBeNull()
  expect(spend('address 192.0.2.1', 1)).toEqual([1_200, 'too many requests from your network'])
  expect(spend('address 192.0.2.1', 1, true)).toBeNull()
  for (const group of [1, 2, 3, 4]) {
    expect(spend(`address 2001:db8:7:${group}`, 1_200)).toBeNull()
  }
  expect(spend('address 2001:db8:7:5', 1)).toEqual([4_800, 'too many requests from your network'])
  expect(spend('address 2001:db8:8:5', 1)).toBeNull()
})

test('looking spends nothing', async () => {
  const { quota } = await house()
  const first = await quota()
  expect([...Compile(SiteQuota).Errors(first)]).toEqual([])
  expect(await quota()).toEqual(first)
})
