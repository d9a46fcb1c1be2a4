import { expect, inject, test } from 'vitest'
import { type Metric, metricList } from '../../src/main/metric-list.ts'
import { expressions, seriesIn, startMeasured, unknownIn, valueOf } from '../support/measured.ts'
import { takeDatabase } from '../support/postgres-databases.ts'
import { until } from '../support/until.ts'

const engine = { sqlite: 'sqlite', postgres: 'postgresql' }[inject('engine')]

test('what a server exports is the list, and alerts and dashboard name nothing else', async () => {
  const isFile = engine === 'sqlite'
  const {
    server,
    read: readMetrics,
    key,
  } = await startMeasured(isFile ? {} : { DATABASE_URL: (await takeDatabase()).url })
  const body = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }
  expect((await server.packs.ask('POST', '/packs', { key, body })).status).toBe(201)
  expect((await server.packs.ask('GET', '/me', { key })).status).toBe(200)
  await until(async () => valueOf(await readMetrics(), 'mapcrate_index_builder') === 1)
  await until(async () => (await readMetrics()).includes('mapcrate_index_bytes{'))
  const text = await readMetrics()

  const types = [...text.matchAll(/^# TYPE (mapcrate_\w+) \w+$/gm)].map(([, name = '']) => name)
  const own = Object.entries<Metric>(metricList).filter(
    ([, metric]) => (metric.engine ?? engine) === engine,
  )
  expect(types.toSorted()).toEqual(own.map(([name]) => name).toSorted())

  const exported = seriesIn(text)
  for (const [name, { labels = [] }] of own) {
    const found = exported.get(name) ?? exported.get(`${name}_bucket`)
    const without = [...(found?.keys() ?? [])].filter((label) => label !== 'le')
    expect(without, name).toEqual(labels)
  }
  // What only the other engine exports is looked at there.
  const others = Object.entries<Metric>(metricList)
    .filter(([, metric]) => metric.engine && metric.engine !== engine)
    .map(([name]) => name)
  const ofThis = expressions.filter((each) => !others.some((name) => each.includes(name)))
  expect(ofThis.length).toBeGreaterThan(30)
  expect(unknownIn(ofThis, exported)).toEqual([])
  expect(unknownIn(['sum by (colour) (mapcrate_draining{mood="x"})'], exported)).toEqual([
    'colour',
    'mapcrate_draining{mood="x"}',
  ])
})
