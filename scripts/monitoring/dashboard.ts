import { type MetricName, metricList } from '../../src/main/metric-list.ts'
import { alerts } from './alerts.ts'

/** A graph of metrics of one unit. */
type Panel = {
  readonly title: string
  /** More than one: gauges that belong together. */
  readonly metrics: readonly MetricName[]
  /** What has a line of its own; gauges have one for each process. */
  readonly by?: readonly string[]
}

/** Of Node and its process, which `prom-client` names. */
type ProcessPanel = { readonly title: string; readonly expr: string; readonly unit: string }

const panel = (title: string, by: readonly string[] | undefined, ...metrics: MetricName[]) => ({
  title,
  metrics,
  ...(by && { by }),
})

const rows: Readonly<Record<string, readonly (Panel | ProcessPanel)[]>> = {
  Requests: [
    panel('Responses per second', ['service', 'status', 'cause'], 'mapcrate_requests_total'),
  ],
  Latency: [panel('Response time', ['service', 'route'], 'mapcrate_request_seconds')],
  Refusals: [panel('Responses 429 per second', ['quota'], 'mapcrate_quota_refusals_total')],
  Platform: [
    panel('Calls per second', ['caller'], 'mapcrate_platform_calls_total'),
    panel('Calls left', undefined, 'mapcrate_platform_budget_left'),
    panel('Postponed calls per second', ['caller'], 'mapcrate_platform_budget_refusals_total'),
    panel('Paused', undefined, 'mapcrate_platform_paused'),
    panel('Last answer', undefined, 'mapcrate_platform_answer_age_seconds'),
    panel('Failures per second', ['question', 'trouble'], 'mapcrate_platform_failures_total'),
  ],
  Announcements: [
    panel('Attempts per second', ['end'], 'mapcrate_announcements_total'),
    panel('Waiting', undefined, 'mapcrate_announcements_waiting'),
    panel('Longest waiting', undefined, 'mapcrate_announcements_oldest_due_seconds'),
  ],
  Stats: [
    panel('Packs', undefined, 'mapcrate_stats_due', 'mapcrate_stats_unfinished'),
    panel('Oldest due', undefined, 'mapcrate_stats_oldest_due_seconds'),
    panel('Left to recompute', undefined, 'mapcrate_recompute_packs_left'),
    panel('Last change of ratings', undefined, 'mapcrate_rating_change_age_seconds'),
  ],
  'Search index': [
    panel('Age', undefined, 'mapcrate_index_age_seconds'),
    panel('Packs', undefined, 'mapcrate_index_packs'),
    panel('Size', ['coding'], 'mapcrate_index_bytes'),
    panel('Builder', undefined, 'mapcrate_index_builder'),
  ],
  Search: [
    panel('Packs', undefined, 'mapcrate_search_packs'),
    panel('Changes to take over', undefined, 'mapcrate_search_pending'),
    panel('Rebuilding', undefined, 'mapcrate_search_rebuilding'),
    panel('Left to rebuild', undefined, 'mapcrate_search_rebuild_left'),
  ],
  Database: [
    panel('Statement time', [], 'mapcrate_database_seconds'),
    panel('Wait for the write lock', ['scope'], 'mapcrate_write_lock_wait_seconds'),
    panel(
      'Connections',
      undefined,
      'mapcrate_database_connections_open',
      'mapcrate_database_connections_in_use',
      'mapcrate_database_connections_limit',
    ),
    panel('Waiting calls', undefined, 'mapcrate_database_calls_waiting'),
  ],
  'Store file': [
    panel('Store and free space', undefined, 'mapcrate_store_bytes', 'mapcrate_disk_free_bytes'),
    panel('Write-ahead log', undefined, 'mapcrate_store_wal_bytes'),
  ],
  Process: [
    panel('Versions', ['version', 'node', 'engine'], 'mapcrate_build_info'),
    panel('Draining', undefined, 'mapcrate_draining'),
    {
      title: 'CPU',
      expr: 'rate(process_cpu_seconds_total{job=~"$job"}[$__rate_interval])',
      unit: 'percentunit',
    },
    { title: 'Memory', expr: 'process_resident_memory_bytes{job=~"$job"}', unit: 'bytes' },
    { title: 'Event loop, p99', expr: 'nodejs_eventloop_lag_p99_seconds{job=~"$job"}', unit: 's' },
  ],
}

const JOB = '{job=~"$job"}'
const isHistogram = (name: MetricName): boolean =>
  name.endsWith('_seconds') && !/_(age|due)_seconds$/.test(name)

const unitOf = (name: MetricName): string => {
  if (name.endsWith('_seconds')) return 's'
  if (name.endsWith('_bytes')) return 'bytes'
  return name.endsWith('_total') ? 'ops' : 'short'
}

type Query = { readonly expr: string; readonly legend: string }

const queriesOf = ({ metrics, by = ['instance'] }: Panel): readonly Query[] =>
  metrics.flatMap((name): Query[] => {
    const labels = by.map((label) => `{{${label}}}`).join(' ')
    const rate = (series: string, extra = ''): string =>
      `sum by (${[...by, extra].filter(Boolean).join(', ')}) (rate(${series}${JOB}[$__rate_interval]))`
    if (name.endsWith('_total')) return [{ expr: rate(name), legend: labels }]
    if (isHistogram(name)) {
      return [0.5, 0.99].map((share) => ({
        expr: `histogram_quantile(${share}, ${rate(`${name}_bucket`, 'le')})`,
        legend: `p${share * 100} ${labels}`.trim(),
      }))
    }
    const legend = metrics.length === 1 ? labels : `${name.replace('mapcrate_', '')} ${labels}`
    const combine = name.endsWith('_info') ? 'count' : 'max'
    return [{ expr: `${combine} by (${by.join(', ')}) (${name}${JOB})`, legend }]
  })

/** From the alerts: what is above is drawn in red. */
const thresholdsOf = (metrics: readonly MetricName[]) => {
  const bounds = alerts.flatMap(({ metric, above }) =>
    metrics.includes(metric) && above ? [{ color: 'red', value: above }] : [],
  )
  return { mode: 'absolute', steps: [{ color: 'green', value: null }, ...bounds] }
}

const datasource = { type: 'prometheus', uid: '${datasource}' }
const [WIDTH, HEIGHT, ACROSS] = [8, 7, 3]

const panelJson = (each: Panel | ProcessPanel, id: number, x: number, y: number) => {
  const isOurs = 'metrics' in each
  const metrics = isOurs ? each.metrics : []
  const unit = isOurs ? unitOf(each.metrics[0]!) : each.unit
  const thresholds = thresholdsOf(metrics)
  const queries = isOurs ? queriesOf(each) : [{ expr: each.expr, legend: '{{instance}}' }]
  return {
    id,
    type: 'timeseries',
    title: each.title,
    description: metrics.map((name) => metricList[name].help).join(' '),
    datasource,
    gridPos: { x, y, w: WIDTH, h: HEIGHT },
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        thresholds,
        custom: { thresholdsStyle: { mode: thresholds.steps.length > 1 ? 'line' : 'off' } },
      },
      overrides: [],
    },
    targets: queries.map(({ expr, legend }, at) => ({
      refId: String.fromCodePoint(65 + at),
      datasource,
      expr,
      legendFormat: legend,
    })),
  }
}

const panelsJson = (): readonly object[] => {
  let y = 0
  let id = 0
  return Object.entries(rows).flatMap(([title, panels]) => {
    const top = { id: ++id, type: 'row', title, collapsed: false, panels: [] }
    const start = y + 1
    const row = { ...top, gridPos: { x: 0, y, w: WIDTH * ACROSS, h: 1 } }
    y = start + Math.ceil(panels.length / ACROSS) * HEIGHT
    return [
      row,
      ...panels.map((each, at) =>
        panelJson(each, ++id, (at % ACROSS) * WIDTH, start + Math.floor(at / ACROSS) * HEIGHT),
      ),
    ]
  })
}

/** The text of `deploy/grafana-dashboard.json`. */
export const dashboard = (): string => {
  const json = {
    title: 'Mapcrate',
    uid: 'mapcrate',
    description: 'Written by `npm run docs` from scripts/monitoring/dashboard.ts.',
    tags: ['mapcrate'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' },
        {
          name: 'job',
          type: 'query',
          label: 'Job',
          datasource,
          query: 'label_values(mapcrate_build_info, job)',
          refresh: 2,
          includeAll: true,
          multi: true,
          current: { text: ['All'], value: ['$__all'] },
        },
      ],
    },
    panels: panelsJson(),
  }
  return `${JSON.stringify(json, null, 2)}\n`
}
