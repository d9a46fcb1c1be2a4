import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { alerts } from '../../scripts/monitoring/alerts.ts'
import { startMeasured, valueOf } from '../support/measured.ts'
import { freshFolder, runCli, startServer } from '../support/processes.ts'
import { until } from '../support/until.ts'

test('METRICS_PORT serves the Prometheus text format at /metrics', async () => {
  const { url } = await startMeasured()
  const answer = await fetch(url)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await answer.text()).toContain('# TYPE mapcrate_requests_total counter')
  expect((await fetch(new URL('/', url))).status).toBe(404)
})

test('without METRICS_PORT nothing more listens', async () => {
  const server = await startServer(await freshFolder())
  expect(server.process.stdout).not.toContain('metrics')
})

test('requests are counted by route and status, and how long they took', async () => {
  const { server, read, key } = await startMeasured()
  await server.packs.ask('GET', '/me', { key })
  await server.packs.ask('GET', '/me', { key })
  await server.pools.ask('GET', '/me', { key })
  await server.packs.ask('GET', '/packs/aaaaaaaaaa', { key })
  await server.packs.ask('GET', '/no/such/path', { key })
  const text = await read()
  const route = 'method="GET",route="/api/v1/me"'
  const total = 'mapcrate_requests_total'
  expect(valueOf(text, `${total}{service="packs",${route},status="200",cause=""}`)).toBe(2)
  expect(valueOf(text, `${total}{service="pools",${route},status="401",cause=""}`)).toBe(1)
  const missing = 'method="GET",route="/api/v1/packs/:slug",status="404",cause=""'
  expect(valueOf(text, `${total}{service="packs",${missing}}`)).toBe(1)
  const nowhere = 'method="GET",route="none",status="404",cause=""'
  expect(valueOf(text, `${total}{service="packs",${nowhere}}`)).toBe(1)
  expect(valueOf(text, `mapcrate_request_seconds_count{service="packs",${route}}`)).toBe(2)
  expect(text).not.toContain(key)
})

test('writes that the operator refuses are no errors of which alerts tell', async () => {
  const { folder, server, read, key } = await startMeasured()
  await runCli(folder, ['read-only', 'on'])
  expect((await server.packs.ask('DELETE', '/packs/aaaaaaaaaa', { key })).status).toBe(503)
  expect((await server.packs.ask('GET', '/me', { key })).status).toBe(200)
  const refused = 'method="DELETE",route="/api/v1/packs/:slug",status="503"'
  const line = `mapcrate_requests_total{service="packs",${refused},cause="read_only"}`
  const text = await read()
  expect(valueOf(text, line)).toBe(1)
  const errors = text.match(/^mapcrate_requests_total\{.*status="5..".*$/gm)
  expect(errors).toEqual([`${line} 1`])
  const told = alerts.filter(({ expr }) => expr.includes('status=~"5.."'))
  expect(told.map(({ name }) => name)).toEqual(['MapcrateErrors', 'MapcrateManyErrors'])
  for (const { expr } of told) expect(expr).toContain('{status=~"5..",cause=""}')
})

test('refusals are counted by the quota that was used up (spec 8)', async () => {
  const { server, read, key } = await startMeasured()
  const refused = { writes: 0, failed_attempts: 0 }
  for (let write = 0; write < 12; write++) {
    const { status } = await server.packs.ask('DELETE', '/packs/aaaaaaaaaa', { key })
    if (status === 429) refused.writes += 1
  }
  for (let attempt = 0; attempt < 22; attempt++) {
    const { status } = await server.packs.ask('GET', '/me', { key: 'packs_wrong' })
    if (status === 429) refused.failed_attempts += 1
  }
  const text = await read()
  for (const [quota, count] of Object.entries(refused)) {
    const line = `mapcrate_quota_refusals_total{service="packs",quota="${quota}"}`
    expect(valueOf(text, line) ?? 0, line).toBe(count)
  }
})

test('platform calls and the budget left, and stats work', async () => {
  const { server, read, key } = await startMeasured()
  const body = { name: 'Finals', slots: [{ mod: 'DT', index: 1, beatmapId: 75 }] }
  const saved = await server.packs.ask('POST', '/packs', { key, body })
  const path = `/packs/${saved.json.pack.slug}`
  // Before the rating under DT is known, they are not complete, and the pack is still due.
  const stats = async () => (await server.packs.ask('GET', path, { key })).json.pack.stats
  await until(async () => (await stats())?.complete === true)
  const text = await read()
  const calls = valueOf(text, 'mapcrate_platform_calls_total{caller="background"}') ?? 0
  expect(calls).toBeGreaterThan(0)
  expect(valueOf(text, 'mapcrate_platform_calls_total{caller="visitor"}')).toBe(0)
  expect(valueOf(text, 'mapcrate_platform_budget_left')).toBe(50 - calls)
  expect(valueOf(text, 'mapcrate_platform_paused')).toBe(0)
  expect(valueOf(text, 'mapcrate_platform_answer_age_seconds')).toBeGreaterThanOrEqual(0)
  expect(valueOf(text, 'mapcrate_stats_due')).toBe(0)
  expect(valueOf(text, 'mapcrate_stats_oldest_due_seconds')).toBe(0)
})

test('the age and the size of the search index', async () => {
  const { server, read, key } = await startMeasured()
  const body = {
    name: 'Finals',
    visibility: 'public',
    slots: [{ mod: 'NM', index: 1, beatmapId: 75 }],
  }
  await server.packs.ask('POST', '/packs', { key, body })
  await until(async () => valueOf(await read(), 'mapcrate_index_packs') === 1)
  const text = await read()
  const size = (coding: string) => valueOf(text, `mapcrate_index_bytes{coding="${coding}"}`) ?? 0
  expect(size('identity')).toBeGreaterThan(size('br'))
  expect(size('br')).toBeGreaterThan(0)
  expect(valueOf(text, 'mapcrate_index_age_seconds')).toBeLessThan(2)
})

test('a platform that does not answer is counted, and work waits', async () => {
  const { server, read, key } = await startMeasured({
    PLATFORM_URL: 'http://127.0.0.1:9',
    PLATFORM_CLIENT_ID: '1',
    PLATFORM_CLIENT_SECRET: 'secret',
  })
  expect(server.process.stdout).toMatch(/game platform +http:\/\/127\.0\.0\.1:9\n/)
  const body = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }
  await server.packs.ask('POST', '/packs', { key, body })
  await until(async () => {
    const line = 'mapcrate_platform_failures_total{question="beatmaps",trouble="down"}'
    return (valueOf(await read(), line) ?? 0) > 0
  })
  expect(valueOf(await read(), 'mapcrate_stats_unfinished')).toBe(1)
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

test.skipIf(!hasPromtool)('promtool finds nothing to improve (needs promtool)', async () => {
  const { server, read, key } = await startMeasured()
  await server.packs.ask('GET', '/me', { key })
  const text = await read()
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text })
  expect(stdout.toString() + stderr.toString()).toBe('')
  expect(status).toBe(0)
})

test('what runs, the store and its disk, the locks, who builds the index, and draining', async () => {
  const { server, url, read, key } = await startMeasured()
  const body = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }
  await server.packs.ask('POST', '/packs', { key, body })
  await until(async () => valueOf(await read(), 'mapcrate_index_builder') === 1)
  const text = await read()
  expect(text).toMatch(
    /^mapcrate_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+",engine="sqlite"\} 1$/m,
  )
  expect(valueOf(text, 'mapcrate_database_seconds_count')).toBeGreaterThan(0)
  const waits = 'mapcrate_write_lock_wait_seconds'
  expect(valueOf(text, `${waits}_count{scope="packs"}`)).toBeGreaterThan(0)
  expect(valueOf(text, 'mapcrate_store_bytes')).toBeGreaterThan(0)
  expect(valueOf(text, 'mapcrate_store_wal_bytes')).toBeGreaterThan(0)
  expect(valueOf(text, 'mapcrate_disk_free_bytes')).toBeGreaterThan(0)
  expect(valueOf(text, 'mapcrate_draining')).toBe(0)
  expect(text).not.toContain('mapcrate_database_connections')
  expect(text).not.toMatch(/^# TYPE \S+_total gauge$/m)
  // On the metrics' port, too.
  expect(await (await fetch(new URL('/readyz', url))).json()).toEqual({ status: 'ready' })
})
