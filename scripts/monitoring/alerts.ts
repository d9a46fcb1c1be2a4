import { stringify } from 'yaml'
import type { MetricName } from '../../src/main/metric-list.ts'

/** When somebody should look at a metric. */
type Alert = {
  readonly metric: MetricName
  readonly name: string
  /** For people: the table in `docs/operations.md`, and the summary of the alert. */
  readonly when: string
  readonly expr: string
  /** The bound of `expr`, in the unit of the metric, which the dashboard draws; without one, `expr` is whole. */
  readonly above?: number
  /** How long this must last. */
  readonly for: string
  readonly severity: 'critical' | 'warning'
  readonly remedy: string
}

const p99 = (metric: MetricName, by: string, where = ''): string =>
  `histogram_quantile(0.99, sum by (le, job, ${by}) (rate(${metric}_bucket${where}[5m])))`

/** Not what the operator has refused on purpose. */
const failed = 'mapcrate_requests_total{status=~"5..",cause=""}'

/** In the order of the metrics' list. */
export const alerts: readonly Alert[] = [
  {
    metric: 'mapcrate_requests_total',
    name: 'MapcrateErrors',
    when: 'a response has status 500 or more, and no cause',
    expr: `sum by (job, service, route) (rate(${failed}[5m]))`,
    above: 0,
    for: '2m',
    severity: 'warning',
    remedy: 'Find the errors by their request ids in the log.',
  },
  {
    metric: 'mapcrate_requests_total',
    name: 'MapcrateManyErrors',
    when: 'more than 5 % of the responses of a service do',
    expr:
      `sum by (job, service) (rate(${failed}[5m]))` +
      ' / sum by (job, service) (rate(mapcrate_requests_total[5m])) > 0.05',
    for: '5m',
    severity: 'critical',
    remedy: 'See the reason that /readyz gives, and the log.',
  },
  {
    metric: 'mapcrate_request_seconds',
    name: 'MapcrateSlowReads',
    when: 'the 99th percentile of an API read is above 50 ms',
    expr: p99('mapcrate_request_seconds', 'route', '{method="GET",route=~"/api/v1/.+"}'),
    above: 0.05,
    for: '10m',
    severity: 'warning',
    remedy: 'Compare with the times of the database and with the CPU time of the process.',
  },
  {
    metric: 'mapcrate_quota_refusals_total',
    name: 'MapcrateFailedAttempts',
    when: '`failed_attempts` grows: someone is guessing keys',
    expr: 'sum by (job, service) (rate(mapcrate_quota_refusals_total{quota="failed_attempts"}[5m]))',
    above: 0,
    for: '5m',
    severity: 'warning',
    remedy: 'Find the addresses in the log of the proxy.',
  },
  {
    metric: 'mapcrate_platform_budget_left',
    name: 'MapcratePlatformBudgetUsedUp',
    when: 'it is 0 for ten minutes',
    expr: 'max by (job) (mapcrate_platform_budget_left) < 1',
    for: '10m',
    severity: 'warning',
    remedy:
      'See mapcrate_platform_calls_total for who makes the calls. After recompute --all, wait.',
  },
  {
    metric: 'mapcrate_platform_budget_refusals_total',
    name: 'MapcrateSignInPostponed',
    when: '`sign-in` grows',
    expr: 'sum by (job) (rate(mapcrate_platform_budget_refusals_total{caller="sign-in"}[5m]))',
    above: 0,
    for: '5m',
    severity: 'warning',
    remedy: 'People wait to sign in: very many do so at once.',
  },
  {
    metric: 'mapcrate_platform_failures_total',
    name: 'MapcratePlatformFails',
    when: '`throttled` or `down` grows: the platform is away, or asks to wait',
    expr: 'sum by (job, question, trouble) (rate(mapcrate_platform_failures_total{trouble=~"throttled|down"}[5m]))',
    above: 0,
    for: '10m',
    severity: 'warning',
    remedy: 'Nothing, if the platform is away. See mapcrate-server platform.',
  },
  {
    metric: 'mapcrate_platform_failures_total',
    name: 'MapcratePlatformRefusesUs',
    when: '`set-up`, `blocked` or `unexpected` grows: the platform will not answer before somebody acts',
    expr: 'sum by (job, trouble) (rate(mapcrate_platform_failures_total{trouble=~"set-up|blocked|unexpected"}[5m]))',
    above: 0,
    for: '5m',
    severity: 'critical',
    remedy: 'Do what mapcrate-server platform names as the remedy of the last failure.',
  },
  {
    metric: 'mapcrate_stats_oldest_due_seconds',
    name: 'MapcrateStatsLate',
    when: 'above 300',
    expr: 'max by (job) (mapcrate_stats_oldest_due_seconds)',
    above: 300,
    for: '5m',
    severity: 'warning',
    remedy: 'Check that a worker runs, and that the platform answers within its budget.',
  },
  {
    metric: 'mapcrate_rating_change_age_seconds',
    name: 'MapcrateRatingsChanged',
    when: 'the platform has changed its ratings within a day',
    expr: 'max by (job) (mapcrate_rating_change_age_seconds > 0) < 86400',
    for: '1m',
    severity: 'warning',
    remedy:
      'Nothing has to be done: all packs are recomputed, the newest first. Tell hosts that ratings change.',
  },
  {
    metric: 'mapcrate_index_age_seconds',
    name: 'MapcrateIndexOld',
    when: 'above 10',
    expr: 'max by (job) (mapcrate_index_age_seconds)',
    above: 10,
    for: '2m',
    severity: 'warning',
    remedy: 'Check that a worker runs; see its log.',
  },
  {
    metric: 'mapcrate_index_builder',
    name: 'MapcrateNoIndexBuilder',
    when: 'no process has 1',
    expr: 'sum by (job) (mapcrate_index_builder) < 1',
    for: '1m',
    severity: 'critical',
    remedy: 'Start a process with the role worker.',
  },
  {
    metric: 'mapcrate_index_builder',
    name: 'MapcrateTwoIndexBuilders',
    when: 'two processes keep 1',
    expr: 'sum by (job) (mapcrate_index_builder)',
    above: 1,
    for: '2m',
    severity: 'warning',
    remedy: 'Check that all processes use one database. If they do, restart the workers.',
  },
  {
    metric: 'mapcrate_database_seconds',
    name: 'MapcrateDatabaseSlow',
    when: 'the 99th percentile is above 100 ms',
    expr: p99('mapcrate_database_seconds', 'instance'),
    above: 0.1,
    for: '10m',
    severity: 'warning',
    remedy: 'Check the load and the disk of the database.',
  },
  {
    metric: 'mapcrate_write_lock_wait_seconds',
    name: 'MapcrateWritesQueue',
    when: 'the 99th percentile is above 500 ms: writes queue up',
    expr: p99('mapcrate_write_lock_wait_seconds', 'scope'),
    above: 0.5,
    for: '5m',
    severity: 'warning',
    remedy: 'Check the disk of the store, and for sessions that hold locks.',
  },
  {
    metric: 'mapcrate_database_connections_in_use',
    name: 'MapcrateConnectionsUsedUp',
    when: 'it stays at the limit',
    expr: 'mapcrate_database_connections_in_use >= mapcrate_database_connections_limit',
    for: '5m',
    severity: 'warning',
    remedy: 'Raise DATABASE_CONNECTIONS, as far as the database allows, or run more processes.',
  },
  {
    metric: 'mapcrate_database_calls_waiting',
    name: 'MapcrateCallsWait',
    when: 'it stays above 0',
    expr: 'min_over_time(mapcrate_database_calls_waiting[2m])',
    above: 0,
    for: '5m',
    severity: 'warning',
    remedy: 'Raise DATABASE_CONNECTIONS, as far as the database allows, or run more processes.',
  },
  {
    metric: 'mapcrate_store_wal_bytes',
    name: 'MapcrateLogLarge',
    when: 'it stays above 100 MB: a reader runs for very long',
    expr: 'mapcrate_store_wal_bytes',
    above: 100_000_000,
    for: '10m',
    severity: 'warning',
    remedy: 'End other programs that have the store open.',
  },
  {
    metric: 'mapcrate_disk_free_bytes',
    name: 'MapcrateDiskAlmostFull',
    when: 'below the size of the store',
    expr: 'mapcrate_disk_free_bytes < mapcrate_store_bytes',
    for: '5m',
    severity: 'critical',
    remedy: 'Free some space on the disk of DATA_DIR; saves fail when it is full.',
  },
  {
    metric: 'mapcrate_build_info',
    name: 'MapcrateVersionsDiffer',
    when: 'processes differ half an hour after an upgrade',
    expr: 'count by (job) (count by (job, version) (mapcrate_build_info))',
    above: 1,
    for: '30m',
    severity: 'warning',
    remedy: 'Upgrade the remaining processes.',
  },
  {
    metric: 'mapcrate_build_info',
    name: 'MapcrateDown',
    when: 'a process, or every process, cannot be scraped',
    expr: 'up{job="mapcrate"} == 0 or absent(mapcrate_build_info)',
    for: '1m',
    severity: 'critical',
    remedy: 'See the log of the process and its supervisor.',
  },
  {
    metric: 'mapcrate_draining',
    name: 'MapcrateDrainingStuck',
    when: 'it stays 1 for five minutes',
    expr: 'mapcrate_draining',
    above: 0,
    for: '5m',
    severity: 'warning',
    remedy: 'The process cannot end: see its log, then kill it. No answered save is lost.',
  },
]

export const conditionOf = ({ expr, above }: Alert): string =>
  above === undefined ? expr : `${expr} > ${above}`

const head = `# Alerts for Prometheus: name this file in \`rule_files\`, and the scrape job "mapcrate".
# Written by \`npm run docs\` from scripts/monitoring/alerts.ts.
`

/** The text of `deploy/alerts.yml`. */
export const alertRules = (): string => {
  const rules = alerts.map((alert) => ({
    alert: alert.name,
    expr: conditionOf(alert),
    for: alert.for,
    labels: { severity: alert.severity },
    annotations: {
      summary: `${alert.metric}: ${alert.when.replaceAll('`', '')}`,
      description: alert.remedy,
    },
  }))
  return head + stringify({ groups: [{ name: 'mapcrate', rules }] }, { lineWidth: 0 })
}
