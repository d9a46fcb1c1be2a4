import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { alertRules, alerts } from '../../scripts/monitoring/alerts.ts'
import { dashboard } from '../../scripts/monitoring/dashboard.ts'
import { withMetricTable } from '../../scripts/monitoring/table.ts'
import { metricList } from '../../src/main/metric-list.ts'

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

describe('what is made from the list of metrics', () => {
  test('is what `npm run docs` writes', async () => {
    const operations = await read('docs/operations.md')
    expect(operations).toBe(withMetricTable(operations))
    expect(await read('deploy/alerts.yml')).toBe(alertRules())
    expect(await read('deploy/grafana-dashboard.json')).toBe(dashboard())
  })

  test('alerts are rules of Prometheus, each with a name, a time, a severity and a remedy', () => {
    type Rule = {
      alert: string
      expr: string
      for: string
      labels: { severity: string }
      annotations: { summary: string; description: string }
    }
    const { groups } = parse(alertRules()) as { groups: { rules: Rule[] }[] }
    const rules = groups.flatMap((group) => group.rules)
    expect(rules).toHaveLength(alerts.length)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const rule of rules) {
      expect(rule.alert).toMatch(/^Mapcrate[A-Z]\w+$/)
      expect(rule.for).toMatch(/^\d+m$/)
      expect(rule.labels.severity).toMatch(/^(critical|warning)$/)
      expect(rule.annotations.summary).toMatch(/^mapcrate_\w+: \w/)
      expect(rule.annotations.description).toMatch(/\.$/)
    }
  })

  test('the dashboard shows every metric once, on the data source that is chosen', () => {
    type Panel = {
      id: number
      type: string
      datasource?: { uid: string }
      gridPos: { x: number; y: number; w: number; h: number }
      targets?: { expr: string }[]
    }
    const { panels, templating } = JSON.parse(dashboard()) as {
      panels: Panel[]
      templating: { list: { name: string; type: string }[] }
    }
    expect(templating.list.filter(({ type }) => type === 'datasource')).toHaveLength(1)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const graphs = panels.filter(({ type }) => type !== 'row')
    for (const { datasource } of graphs) expect(datasource?.uid).toBe('${datasource}')
    const shown = graphs.map(({ targets = [] }) => targets.map(({ expr }) => expr).join('\n'))
    for (const name of Object.keys(metricList)) {
      const pattern = new RegExp(`\\b${name}(_bucket)?\\{`)
      expect(
        shown.filter((text) => pattern.test(text)),
        name,
      ).toHaveLength(1)
    }
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
  })
})
